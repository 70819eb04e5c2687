"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime, useNow } from "@/components/ui/time";
import { toast } from "@/components/ui/toaster";
import { useCan, useRead, useWrite } from "@/lib/client/hooks";

/** "usually 4 min" as far as it is known here. */
function usual(seconds: number | null): string {
  if (seconds === null) return "nobody has measured yet how long that takes here";
  return `usually ${seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`} here`;
}

/** A deployment that sleeps or is being woken, with what is known of how long that takes; nothing when it runs. */
export function WakePanel({ deploymentId }: { deploymentId: string }) {
  const sleeper = useRead("wakes.get", { id: deploymentId }, { refetchInterval: 5_000 });
  const wake = useWrite("wakes.request", ["deployments"]);
  const may = useCan("document.upload", sleeper.data?.environmentId ?? null);
  const now = useNow();
  if (!sleeper.data) return null;
  const { isAsleep, refusal, usualSeconds, waitingPages, wake: last, message } = sleeper.data;
  if (last?.state === "waking") {
    const elapsed = Math.max(0, Math.round((now - Date.parse(last.requestedAt)) / 1000));
    const isLate = usualSeconds !== null && elapsed > usualSeconds * 1.5;
    return (
      <Notice title={`Waking up, ${usual(usualSeconds)}`}>
        Asked for <RelativeTime at={last.requestedAt} />{isLate ? ", which is longer than usual" : ""}. {waitingPages > 0 && `${waitingPages} pages wait for it. `}{message}
      </Notice>
    );
  }
  if (!isAsleep) return null;
  const button = <Button size="sm" pending={wake.isPending} disabledReason={refusal ?? may.reason ?? null} onClick={() => wake.mutate({ id: deploymentId }, { onError: (error) => toast.error(error.message) })}>Wake it</Button>;
  return (
    <Notice tone={last?.state === "gave_up" ? "warning" : "info"} title={last?.state === "gave_up" ? "The last waking was given up" : "It sleeps"} action={button}>
      {last?.state === "gave_up" ? last.reason : (refusal ?? `The next page wakes it, ${usual(usualSeconds)}.`)}
    </Notice>
  );
}
