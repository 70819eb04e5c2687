import { HydrationBoundary } from "@tanstack/react-query";
import { AuditLogPage } from "@/components/audit/audit-log-page";
import { auditQuery } from "@/lib/domain/audit-filter";
import { prefetch } from "@/lib/services/prefetch";

export const metadata = { title: "Audit" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const state = await prefetch(["audit.list", auditQuery(await searchParams)]);
  return (
    <HydrationBoundary state={state}>
      <AuditLogPage />
    </HydrationBoundary>
  );
}
