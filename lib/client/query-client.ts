import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api";

/** A query client with Lectern's habits: no retry of what the server refused, no refetch on focus (the live stream tells). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });
}
