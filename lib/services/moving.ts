import "server-only";
import { z } from "zod";
import { DeploymentSpec } from "@/lib/domain/deployment";
import { DomainError, notFound } from "@/lib/domain/errors";
import { exportFiles, ExportForm } from "@/lib/domain/export-manifests";
import { can } from "@/lib/domain/policy";
import type { FileAnswer } from "@/lib/platform/door";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";
import { priceBook } from "./prices-book";
import { priceInCluster, type PlacePrice } from "./prices-region";
import { storedObjects } from "./rendering";
import { zip } from "./moving-zip";

export const movingExport = read({
  name: "moving.export",
  summary: "A deployment's objects as plain YAML, Kustomize, Argo CD, Flux, Terraform or a Helm chart, in a zip",
  permission: "deployment.preview",
  environment: environmentOfDeployment,
  audited: true,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), form: ExportForm, repoUrl: z.url({ protocol: /^(https|ssh)$/ }).max(500).optional() }),
  output: z.custom<FileAnswer>(),
  target: (input) => ({ type: "deployment", id: input.id, detail: { form: input.form } }),
  run: async ({ db, input }) => {
    const row = await deploymentRow(db, input.id);
    const revision = await db.revision.findFirst({ where: { deploymentId: row.id }, orderBy: { number: "desc" } });
    if (!revision) throw new DomainError("unprocessable", `${row.name} has no revision yet. Deploy it first.`);
    const exported = { name: row.name, namespace: row.environment.namespace, revision: revision.number, objects: storedObjects(revision.manifests), repoUrl: input.repoUrl ?? null };
    const body = zip(exportFiles(input.form, exported));
    return { body, mediaType: "application/zip", fileName: `${row.name}-${input.form}.zip`, bytes: body.byteLength };
  },
});

const Difference = z.strictObject({ what: z.string(), here: z.string(), there: z.string(), note: z.string() });

export const movingClone = read({
  name: "moving.clone",
  summary: "What a deployment would be in another environment, with every difference explained; deploy it from there",
  permission: "deployment.preview",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid(), environmentId: z.uuid() }),
  output: z.strictObject({ environmentId: z.uuid(), spec: z.record(z.string(), z.unknown()), differences: z.array(Difference), blockers: z.array(z.string()) }),
  run: async ({ caller, db, input, now }) => {
    const row = await deploymentRow(db, input.id);
    const include = { cluster: { select: { id: true, name: true } } } as const;
    const here = await db.environment.findUniqueOrThrow({ where: { id: row.environmentId }, include });
    const there = await db.environment.findUnique({ where: { id: input.environmentId }, include });
    if (!there || !can(caller.actor, "environment.read", there.id)) throw notFound("environment");
    const revision = await db.revision.findFirst({ where: { deploymentId: row.id }, orderBy: { number: "desc" } });
    const spec = DeploymentSpec.parse(revision?.spec ?? row.spec);
    const isElsewhere = here.clusterId !== there.clusterId;
    const carried = isElsewhere ? { ...spec, storageClass: undefined, offline: false } : { ...spec, offline: false };
    const book = await priceBook(db);
    const priceAt = (clusterId: string | null) => priceInCluster(db, book, { clusterId, skuId: spec.skuId, at: now.getTime() });
    const price = { here: await priceAt(here.clusterId), there: await priceAt(there.clusterId) };
    const taken = await db.deployment.count({ where: { environmentId: there.id, name: spec.name, deletedAt: null } });
    return { environmentId: there.id, spec: JSON.parse(JSON.stringify(carried)), differences: differencesOf({ spec, here, there, isElsewhere, price }), blockers: blockersOf({ there, isTaken: taken > 0, name: spec.name, mayDeploy: can(caller.actor, "deployment.apply", there.id) }) };
  },
});

type Place = { name: string; namespace: string; needsApproval: boolean; cluster: { name: string } | null };

type Carrying = { spec: DeploymentSpec; here: Place; there: Place; isElsewhere: boolean; price: { here: PlacePrice; there: PlacePrice } };

function differencesOf({ spec, here, there, isElsewhere, price }: Carrying): z.infer<typeof Difference>[] {
  const isListed = !price.there.isOwnRegion;
  const rows = [
    { what: "Environment", here: here.name, there: there.name, note: "" },
    { what: "Cluster", here: here.cluster?.name ?? "none", there: there.cluster?.name ?? "none", note: isElsewhere ? "The preview asks this cluster whether it has the GPU size, and preflight whether it can place it." : "" },
    { what: "Namespace", here: here.namespace, there: there.namespace, note: "Only its own callers and the ones listed may call the model." },
    { what: "Storage class", here: spec.storageClass ?? "the cluster's default", there: isElsewhere ? "the cluster's default" : (spec.storageClass ?? "the cluster's default"), note: isElsewhere && spec.storageClass ? "Names of classes differ by cluster: choose one of the new one's." : "" },
    { what: "Weights", here: spec.offline ? "on the volume, offline" : "on the volume", there: "downloaded at the first start", note: "A volume stays in its cluster and zone. Go offline again when it is ready." },
    { what: "Approval", here: here.needsApproval ? "needed" : "not needed", there: there.needsApproval ? "needed" : "not needed", note: "" },
    { what: "Price", here: price.here.words, there: price.there.words, note: `${isListed ? "No node of this size was seen there yet: by the price book's first region. " : ""}The second deployment costs this beside the first.` },
  ];
  return rows.filter((row) => row.here !== row.there || row.note !== "");
}

function blockersOf({ there, isTaken, name, mayDeploy }: { there: Place; isTaken: boolean; name: string; mayDeploy: boolean }): string[] {
  return [
    ...(there.cluster ? [] : [`${there.name} has no cluster. Link one first.`]),
    ...(isTaken ? [`${there.name} already has a deployment named ${name}: the clone needs another name.`] : []),
    ...(mayDeploy ? [] : [`Deploying in ${there.name} needs the role deployer there. Ask one of its admins.`]),
  ];
}
