import "server-only";
import { z } from "zod";
import { DocumentPage, MediaType } from "@/lib/domain/document";
import { can, environmentsWith, type Actor } from "@/lib/domain/policy";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { Db } from "@/lib/platform/db";
import { readableDocuments } from "./document-access";
import { inEnvironmentsWith } from "./environments";
import { read } from "./operation";
import { ENDED_PAGE_STATES } from "./run-rows";

/** How far the latest run of a document is. */
export const DOCUMENT_STATES = ["unread", "reading", "read", "failed"] as const;
type DocumentState = (typeof DOCUMENT_STATES)[number];

export const DocumentRow = z.strictObject({
  id: z.uuid(),
  environmentId: z.uuid(),
  name: z.string(),
  mediaType: MediaType,
  bytes: z.number().int(),
  pages: z.array(DocumentPage),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isOwn: z.boolean(),
  ownerName: z.string(),
  /** Never stored: in memory while its tab is open. */
  isHeld: z.boolean(),
  state: z.enum(DOCUMENT_STATES),
  latestRunId: z.uuid().nullable(),
});

export const withLatestRun = { runs: { orderBy: { createdAt: "desc" }, take: 1, include: { pages: { select: { state: true } } } } } satisfies Prisma.DocumentInclude;
type Row = Prisma.DocumentGetPayload<{ include: typeof withLatestRun }>;

export function toDocumentRow(row: Row, reader: { userId: string | null; names: Map<string, string> }): z.input<typeof DocumentRow> {
  return {
    id: row.id,
    environmentId: row.environmentId,
    name: row.name,
    mediaType: MediaType.parse(row.mediaType),
    bytes: Number(row.bytes),
    pages: z.array(DocumentPage).parse(row.pages),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isOwn: row.ownerId === reader.userId,
    ownerName: reader.names.get(row.ownerId) ?? "Someone who has left",
    isHeld: row.heldBy !== null,
    state: stateOf(row.runs[0]?.pages),
    latestRunId: row.runs[0]?.id ?? null,
  };
}

function stateOf(pages: { state: string }[] | undefined): DocumentState {
  if (!pages || pages.length === 0) return "unread";
  if (pages.some(({ state }) => !ENDED_PAGE_STATES.some((ended) => ended === state))) return "reading";
  return pages.every(({ state }) => state === "failed" || state === "cancelled") ? "failed" : "read";
}

/** The names of people by id. */
export async function namesOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  const people = await db.user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, name: true } });
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** A document that is only in memory is its owner's alone, also where others' documents are managed. */
function visible(actor: Actor): Prisma.DocumentWhereInput {
  const managed = environmentsWith(actor, "document.manage");
  return { AND: [inEnvironmentsWith(actor, "document.read"), readableDocuments(actor, managed), { OR: [{ heldBy: null }, { ownerId: actor.userId ?? "" }] }], deletedAt: null };
}

const runStates: Record<Exclude<DocumentState, "failed">, Prisma.DocumentWhereInput> = {
  unread: { runs: { none: {} } },
  reading: { runs: { some: { state: { in: ["queued", "running"] } } } },
  read: { runs: { some: { pages: { some: { state: { in: ["done", "truncated"] } } } } } },
};

export const documentsList = read({
  name: "documents.list",
  summary: "My documents, and those that I manage: searched by name, owner and state",
  permission: "document.read",
  environment: "each",
  input: z.strictObject({
    environmentId: z.uuid().optional(),
    name: z.string().max(200).optional(),
    owner: z.enum(["me", "others"]).optional(),
    state: z.enum(["unread", "reading", "read"]).optional(),
    before: z.uuid().optional(),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  output: z.strictObject({ documents: z.array(DocumentRow), nextBefore: z.uuid().nullable(), canSeeOthers: z.boolean() }),
  run: async ({ caller, db, input }) => {
    const { actor } = caller;
    const owner = input.owner === "me" ? { ownerId: actor.userId ?? "" } : input.owner === "others" ? { ownerId: { not: actor.userId ?? "" } } : {};
    const where: Prisma.DocumentWhereInput = {
      AND: [
        visible(actor),
        owner,
        input.environmentId ? { environmentId: input.environmentId } : {},
        input.name ? { name: { contains: input.name, mode: "insensitive" } } : {},
        input.state ? runStates[input.state] : {},
        input.before ? { id: { lt: input.before } } : {}, // ids are of version 7: they grow with time
      ],
    };
    const rows = await db.document.findMany({ where, include: withLatestRun, orderBy: { id: "desc" }, take: input.limit + 1 });
    const shown = rows.slice(0, input.limit);
    const names = await namesOf(db, shown.map(({ ownerId }) => ownerId));
    const canSeeOthers = input.environmentId ? can(actor, "document.manage", input.environmentId) : environmentsWith(actor, "document.manage").length > 0;
    return {
      documents: shown.map((row) => toDocumentRow(row, { userId: actor.userId, names })),
      nextBefore: rows.length > input.limit ? (shown.at(-1)?.id ?? null) : null,
      canSeeOthers,
    };
  },
});
