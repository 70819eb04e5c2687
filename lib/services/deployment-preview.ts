import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/domain/canonical-json";
import { modelById, skuById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { describeChange } from "@/lib/domain/deployment-change";
import { diffObject } from "@/lib/domain/diff";
import { notFound } from "@/lib/domain/errors";
import { fits } from "@/lib/domain/fit";
import { toYaml } from "@/lib/domain/manifest";
import { can, type Actor } from "@/lib/domain/policy";
import { priceOfSku, SkuPriceAnswer } from "@/lib/domain/sku-price";
import type { Db } from "@/lib/platform/db";
import { kubeOfEnvironment } from "./clusters";
import { dryRun, isNamespaceNew, isOutOfReach, type DryRun, type TakeOver } from "./deployment-dry-run";
import { planOf, type Plan } from "./deployment-plan";
import { measuredPair, type MeasuredRate } from "./deployment-rate";
import { pruneOf, type Prune } from "./deployment-prune";
import { read } from "./operation";
import { priceBook } from "./prices-book";
import { keyOf } from "./rendering";
import { usualOf } from "./rollout-history";

const DAY_MS = 24 * 60 * 60 * 1000;

const FieldChange = z.strictObject({ path: z.string(), op: z.enum(["add", "remove", "change"]), before: z.string().nullable(), after: z.string().nullable(), owner: z.string().nullable(), conflict: z.string().nullable(), isOverride: z.boolean().default(false) });
const ObjectPreview = z.strictObject({
  key: z.string(),
  kind: z.string(),
  name: z.string(),
  state: z.enum(["new", "changed", "unchanged"]),
  changes: z.array(FieldChange),
  conflicts: z.array(z.strictObject({ field: z.string(), manager: z.string() })),
  refusal: z.string().nullable(),
});

/** What is shown, and stored with the digest so that an approver sees the same. */
const Shown = z.strictObject({
  deploymentId: z.uuid(),
  environmentId: z.uuid(),
  namespace: z.string(),
  revision: z.number().int(),
  name: z.string(),
  note: z.string(),
  rollbackOf: z.number().int().nullable(),
  /** "cluster": asked by dry run. "local": worked out from the revision before, and `basisNote` says why. */
  basis: z.enum(["cluster", "local"]),
  basisNote: z.string(),
  summary: z.array(z.string()),
  yaml: z.string(),
  objects: z.array(ObjectPreview),
  prune: z.array(z.strictObject({ key: z.string(), isDeleted: z.boolean(), needsTick: z.boolean() })),
  /** Why it may not be applied as it is; empty when it may. */
  blockers: z.array(z.string()),
  fit: z.strictObject({ ok: z.boolean(), reasons: z.array(z.strictObject({ level: z.enum(["blocker", "warning"]), text: z.string() })) }),
  price: z.strictObject({ before: SkuPriceAnswer.nullable(), after: SkuPriceAnswer, replicasBefore: z.number().int(), replicasAfter: z.number().int() }),
  needsApproval: z.boolean(),
  /** What production loses by it; not empty: applying asks for the name and a fresh sign-in. */
  takesAway: z.array(z.string()).default([]),
});
type Shown = z.infer<typeof Shown>;
const Answer = Shown.extend({ digest: z.string().nullable(), expiresAt: z.iso.datetime().nullable() });

const TakeOverInput = z.strictObject({ key: z.string().max(200), manager: z.string().max(128) });

export const deploymentsPreview = read({
  name: "deployments.preview",
  summary: "What a new or changed deployment would do: asked from the cluster by dry run, with the digest that deployments.apply takes",
  permission: "deployment.preview",
  environment: async (input) => input.environmentId,
  input: z
    .strictObject({
      environmentId: z.uuid(),
      deploymentId: z.uuid(),
      spec: DeploymentSpec.optional(),
      /** The revision to go back to, instead of a spec. */
      rollbackTo: z.uuid().optional(),
      note: z.string().trim().max(500).default(""),
      takeOver: z.array(TakeOverInput).max(50).default([]),
      deleteClaims: z.boolean().default(false),
      /** Objects of the same names that somebody applied past Lectern are taken over, with the managers in `takeOver`. */
      adopt: z.boolean().default(false),
    })
    .refine((input) => input.rollbackTo === undefined || (input.spec === undefined && input.note !== ""), { path: ["note"], message: "Say in a word why it goes back; the earlier revision brings its own spec." }),
  output: Answer,
  run: async ({ caller, db, input, now }) => {
    const plan = await planOf(db, input);
    const seen = await look(db, { plan, input, actor: caller.actor });
    const shown = await shownOf(db, plan, { note: input.note, ...seen });
    if (seen.basis === "local" || shown.blockers.length > 0) return { ...shown, digest: null, expiresAt: null };
    const takeOver = input.adopt ? input.takeOver.map((each) => ({ ...each, isWhole: true })) : input.takeOver;
    const stored = await store(db, { plan, shown, seen, takeOver, userId: caller.actor.userId, now });
    return { ...shown, ...stored };
  },
});

/** Which environment a digest is about, for the pipeline. */
export async function environmentOfPreview({ digest }: { digest: string }, db: Db): Promise<string | null> {
  return (await db.preview.findUnique({ where: { digest }, select: { environmentId: true } }))?.environmentId ?? null;
}

export const Digest = z.string().regex(/^[0-9a-f]{64}$/, "Give the digest that deployments.preview answered.");

export const deploymentsPreviewed = read({
  name: "deployments.previewed",
  summary: "A stored preview by its digest, as it was shown: for approvers",
  permission: "deployment.preview",
  environment: environmentOfPreview,
  input: z.strictObject({ digest: Digest }),
  output: Answer.extend({ appliedAt: z.iso.datetime().nullable() }),
  run: async ({ db, input }) => {
    const row = await db.preview.findUnique({ where: { digest: input.digest } });
    if (!row) throw notFound("preview");
    return { ...Shown.parse(row.shown), digest: row.digest, expiresAt: row.expiresAt.toISOString(), appliedAt: row.appliedAt?.toISOString() ?? null };
  },
});

type Seen = { basis: "cluster" | "local"; basisNote: string; objects: DryRun[]; prune: Prune[]; clusterId: string | null };
type Looking = { plan: Plan; input: { takeOver: TakeOver[]; deleteClaims: boolean; adopt: boolean }; actor: Actor };

async function look(db: Db, { plan, input, actor }: Looking): Promise<Seen> {
  const { environment } = plan;
  const locally = (basisNote: string): Seen => ({ basis: "local", basisNote, objects: plan.objects.map((object) => localRun(object, plan)), prune: [], clusterId: environment.clusterId });
  if (!environment.clusterId) return locally(`${environment.name} has no cluster. Link one first.`);
  if (!can(actor, "deployment.apply", environment.id)) return locally("Compared with the revision before: asking the cluster itself needs the right to deploy.");
  try {
    const { kube, namespace, clusterId } = await kubeOfEnvironment(db, environment.id);
    const options = { deploymentId: plan.deploymentId, takeOver: input.takeOver, adopts: input.adopt, isNamespaceNew: await isNamespaceNew(kube, namespace) };
    const objects = await Promise.all(plan.objects.map((object) => dryRun(kube, object, options)));
    return { basis: "cluster", basisNote: "", objects, prune: await pruneOf(kube, plan, input.deleteClaims), clusterId };
  } catch (error) {
    if (isOutOfReach(error)) return locally(`${error.message} Compared with the revision before; nothing can be applied until the cluster answers.`);
    throw error;
  }
}

function localRun(object: Plan["objects"][number], plan: Plan): DryRun {
  const key = keyOf(object);
  const before = plan.previous?.objects.find((each) => keyOf(each) === key) ?? null;
  const changes = diffObject(before, object);
  const state = before === null ? "new" : changes.length > 0 ? "changed" : "unchanged";
  return { key, kind: object.kind, name: object.metadata.name, state, changes, conflicts: [], refusal: null, mark: { key, uid: null, fingerprint: null } };
}

async function shownOf(db: Db, plan: Plan, seen: Seen & { note: string }): Promise<Shown> {
  const { spec, previous, environment } = plan;
  const fit = fits(modelById(spec.modelId), skuById(spec.skuId), { spot: spec.spot, ...(spec.maxModelLen ? { maxModelLen: spec.maxModelLen } : {}) });
  const [usual, book] = await Promise.all([usualOf(db, spec, environment.clusterId), priceBook(db)]);
  const pruned = seen.prune.filter((each) => each.isDeleted).map((each) => each.key);
  const facts = { namespace: environment.namespace, objects: seen.objects, pruned, before: previous?.spec ?? null, after: spec, usualSeconds: usual.totalSeconds };
  return {
    deploymentId: plan.deploymentId,
    environmentId: environment.id,
    namespace: environment.namespace,
    revision: plan.number,
    name: spec.name,
    note: seen.note,
    rollbackOf: plan.rollbackOf,
    basis: seen.basis,
    basisNote: seen.basisNote,
    summary: [...describeChange(facts), ...measuredSentence(await measuredPair(db, spec, environment.clusterId))],
    yaml: toYaml(plan.objects),
    objects: seen.objects.map(({ mark: _, ...object }) => object),
    prune: seen.prune.map(({ key, isDeleted, needsTick }) => ({ key, isDeleted, needsTick })),
    blockers: blockersOf(plan, seen.objects, fit),
    fit: { ok: fit.ok, reasons: fit.reasons },
    price: { before: previous ? priceOfSku(previous.spec.skuId, book) : null, after: priceOfSku(spec.skuId, book), replicasBefore: previous?.spec.replicas ?? 0, replicasAfter: spec.replicas },
    needsApproval: environment.needsApproval,
    takesAway: environment.kind === "production" ? takesAwayOf(plan, seen.prune) : [],
  };
}

/** What this pair has really done here stands beside what is estimated. */
function measuredSentence(rate: MeasuredRate | null): string[] {
  return rate ? [`Measured here: this model on this size read a sample page in ${(1 / rate.pagesPerSecond).toFixed(1)} s, ${rate.pagesPerSecond.toFixed(2)} pages a second one at a time.`] : [];
}

/** Volumes that go with their data, and the pods when nothing would run any more. */
function takesAwayOf({ spec, previous }: Plan, prune: readonly Prune[]): string[] {
  const volumes = prune.filter((each) => each.isDeleted && each.needsTick).map((each) => `${each.key} with its data`);
  const isStopped = spec.replicas === 0 && (previous?.spec.replicas ?? 0) > 0;
  return isStopped ? [...volumes, "Its pods, with the pages that they are reading"] : volumes;
}

function blockersOf(plan: Plan, objects: readonly DryRun[], fit: ReturnType<typeof fits>): string[] {
  return [
    ...(plan.isTaken ? [`This environment already has a deployment named ${plan.spec.name}. Choose another name, or change that one.`] : []),
    ...fit.reasons.filter((reason) => reason.level === "blocker").map((reason) => reason.text),
    ...objects.flatMap((object) => object.refusal ?? []),
  ];
}

type Storing = { plan: Plan; shown: Shown; seen: Seen; takeOver: TakeOver[]; userId: string | null; now: Date };

/** Keeps the preview under its digest: the same question about the same cluster has the same digest, whoever asks. */
async function store(db: Db, { plan, shown, seen, takeOver, userId, now }: Storing): Promise<{ digest: string; expiresAt: string }> {
  const bound = {
    environmentId: plan.environment.id,
    deploymentId: plan.deploymentId,
    number: plan.number,
    manifests: plan.objects,
    live: seen.objects.map((object) => object.mark),
    prune: seen.prune.filter((each) => each.isDeleted),
    takeOver: [...takeOver].sort((left, right) => (`${left.key} ${left.manager}` < `${right.key} ${right.manager}` ? -1 : 1)),
  };
  const digest = createHash("sha256").update(canonicalJson({ clusterId: seen.clusterId, namespace: shown.namespace, rollbackOf: plan.rollbackOf, note: shown.note, ...bound })).digest("hex");
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const { spec } = plan;
  const row = { ...bound, manifests: asJson(bound.manifests), live: asJson(bound.live), prune: asJson(bound.prune), spec: asJson(spec), shown: asJson(shown), note: shown.note, rollbackOf: plan.rollbackOf };
  await db.preview.deleteMany({ where: { expiresAt: { lt: now }, appliedAt: null } });
  await db.preview.upsert({ where: { digest }, create: { digest, ...row, createdById: userId, createdAt: now, expiresAt }, update: { expiresAt } });
  return { digest, expiresAt: expiresAt.toISOString() };
}

function asJson(value: unknown) {
  return JSON.parse(JSON.stringify(value));
}
