"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ThemeProvider } from "@/components/frame/theme-provider";
import { Toaster } from "@/components/ui/toaster";
import { TooltipProvider } from "@/components/ui/tooltip";
import { LiveProvider } from "@/lib/client/live";
import { createQueryClient } from "@/lib/client/query-client";

type ProvidersProps = { nonce: string | undefined; children: ReactNode };

export function Providers({ nonce, children }: ProvidersProps) {
  const [client] = useState(createQueryClient);
  return (
    <ThemeProvider nonce={nonce}>
      <QueryClientProvider client={client}>
        <LiveProvider>
          <TooltipProvider>{children}</TooltipProvider>
        </LiveProvider>
        <Toaster />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
