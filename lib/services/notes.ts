import "server-only";
import { z } from "zod";
import { DomainError, notFound } from "@/lib/domain/errors";
import { can } from "@/lib/domain/policy";
import type { Db } from "@/lib/platform/db";
import { MonthKey } from "./costs-report";
import { publish } from "./live";
import { read, write } from "./operation";

const MOST_A_MONTH = 60;
const Note = z.strictObject({ id: z.uuid(), day: z.iso.date(), text: z.string(), by: z.string(), isMine: z.boolean() });

/** The days of a calendar month as dates: notes belong to days, not to instants. */
function daysOf(month: string): { gte: Date; lt: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { gte: from, lt: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
}

export const notesList = read({
  name: "notes.list",
  summary: "What people have noted on the days of a month, for its cost chart",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  input: z.strictObject({ environmentId: z.uuid(), month: MonthKey }),
  output: z.strictObject({ notes: z.array(Note) }),
  run: async ({ caller, db, input }) => {
    const rows = await db.costNote.findMany({ where: { environmentId: input.environmentId, day: daysOf(input.month) }, orderBy: [{ day: "asc" }, { createdAt: "asc" }] });
    const people = await db.user.findMany({ where: { id: { in: rows.flatMap((row) => row.createdById ?? []) } }, select: { id: true, name: true } });
    const nameOf = (id: string | null) => people.find((person) => person.id === id)?.name ?? "someone who has left";
    return { notes: rows.map(({ id, day, text, createdById }) => ({ id, day: day.toISOString().slice(0, 10), text, by: nameOf(createdById), isMine: createdById !== null && createdById === caller.actor.userId })) };
  },
});

export const notesAdd = write({
  name: "notes.add",
  summary: "Note on a day of the cost chart what happened then",
  permission: "cost.read",
  environment: async (input) => input.environmentId,
  effect: "database",
  input: z.strictObject({ environmentId: z.uuid(), day: z.iso.date(), text: z.string().trim().min(1, "Write what happened.").max(200) }),
  output: z.strictObject({ id: z.uuid() }),
  target: (input, result) => ({ type: "note", id: result?.id ?? null, detail: { day: input.day } }),
  run: async ({ caller, db, input: { environmentId, day, text } }) => {
    if ((await db.costNote.count({ where: { environmentId, day: daysOf(day.slice(0, 7)) } })) >= MOST_A_MONTH) throw new DomainError("unprocessable", `A month holds ${MOST_A_MONTH} notes: remove one first.`);
    const { id } = await db.costNote.create({ data: { environmentId, day: new Date(`${day}T00:00:00Z`), text, createdById: caller.actor.userId } });
    await publish(db, `usage:${environmentId}`, { data: { note: day } });
    return { id };
  },
});

export const notesRemove = write({
  name: "notes.remove",
  summary: "Remove a note from the cost chart: one's own, or any as an admin",
  permission: "cost.read",
  environment: async (input, db: Db) => (await db.costNote.findUnique({ where: { id: input.id }, select: { environmentId: true } }))?.environmentId ?? null,
  effect: "database",
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({}),
  target: (input) => ({ type: "note", id: input.id }),
  run: async ({ caller, db, input }) => {
    const row = await db.costNote.findUnique({ where: { id: input.id } });
    if (!row) throw notFound("note");
    if (row.createdById !== caller.actor.userId && !can(caller.actor, "environment.edit", row.environmentId)) throw new DomainError("forbidden", "Only whoever wrote a note, or an admin of the environment, may remove it.");
    await db.costNote.delete({ where: { id: input.id } });
    await publish(db, `usage:${row.environmentId}`, { data: { note: null } });
    return {};
  },
});
