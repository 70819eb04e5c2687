/** A scheduler in a process of its own, for the kills: ticks at the instants that it is told, and says when it has. */
import { connect } from "@/lib/platform/db";
import { tickSchedules } from "@/lib/services/schedules-tick";

const db = connect(process.env.DATABASE_URL ?? "");

process.on("message", (at: number) => {
  tickSchedules(db, new Date(at)).then(
    (acted) => process.send?.({ acted }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message.slice(0, 200) : "unknown" }),
  );
});
await db.$queryRaw`SELECT 1`;
process.send?.({ ready: true });
