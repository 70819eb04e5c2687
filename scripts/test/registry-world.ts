import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/platform/db";
import { hashSecret, newSecret } from "@/lib/platform/secret-token";
import { createEnvironment, createPerson } from "./callers";

/** A saved what-if's inputs. */
export const SCENARIO = { pages: 1000, skuId: "aws-g6-xlarge", region: "us-east-1", mode: "on_demand" as const, currency: "USD", perHour: "0.8", pagesPerSecond: null, rateKind: "estimated" as const, utilisation: "0.6", way: "nodes" as const, minNodes: 1, hours: "730", startupHours: "10", fixed: "0", engineeringHours: "0", engineeringRate: "90", setUp: "0", setUpMonths: 24, variablePer1000: "0", committedNodes: 0, committedPerHour: "0.8", rate: null, apis: [[{ offerId: "textract-detect-text", share: "1" }]], withFreeAllowance: false };

/** One row of everything that an operation can be about, all in one environment. */
export type World = { previewEnvironmentId: string; scenarioId: string; importId: string; noteId: string; environmentId: string; userId: string; deploymentId: string; documentId: string; runId: string; batchId: string; comparisonId: string; invitationId: string; approvalId: string };

/** Makes a world of its own; two of them share nothing. */
export async function makeWorld(db: Db, slug: string): Promise<World> {
  const environmentId = await createEnvironment(db, slug);
  const { id: userId } = await createPerson(db, `Owner of rows ${slug}`, { roles: { [environmentId]: "analyst" } });
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
  const deployment = await db.deployment.create({ data: { environmentId, name: "ocr", spec, createdById: userId } });
  const shown = { deploymentId: deployment.id };
  await db.preview.create({ data: { digest: previewDigest(deployment.id), environmentId, deploymentId: deployment.id, number: 1, spec, manifests: [], live: [], shown, expiresAt: new Date(Date.now() + 86_400_000) } });
  const document = await db.document.create({
    data: {
      environmentId,
      ownerId: userId,
      name: "contract.pdf",
      mediaType: "application/pdf",
      bytes: 1000,
      sha256: "0".repeat(64),
      pages: [{ number: 1, widthPt: 595, heightPt: 842 }],
      pageCount: 1,
      storageKey: randomUUID(),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  const run = await db.run.create({ data: { documentId: document.id, environmentId, modelId: "embedded", mode: "grounding", preset: "standard", state: "done", createdById: userId } });
  const batch = await db.batch.create({ data: { environmentId, name: slug, mode: "grounding", preset: "standard", state: "paused", createdById: userId } });
  const comparison = await db.comparison.create({ data: { environmentId, documentId: document.id, name: slug, runIds: [run.id, run.id], createdById: userId } });
  const grants = [{ environmentId, role: "viewer" }];
  const link = await db.link.create({ data: { kind: "invitation", tokenHash: hashSecret(newSecret()), email: `${slug}@example.test`, grants, expiresAt: new Date(Date.now() + 86_400_000) } });
  const approval = await db.approval.create({ data: { environmentId, digest: "0".repeat(64), title: slug, reason: "for the test", requestedById: userId, expiresAt: new Date(Date.now() + 86_400_000) } });
  const scenario = await db.scenario.create({ data: { environmentId, name: "As it is", inputs: SCENARIO, createdById: userId } });
  const imported = await db.usageImport.create({ data: { environmentId, kind: "pages", fileName: "pages.csv", rows: 1 } });
  const previewEnvironmentId = await previewOf(db, environmentId, slug);
  const note = await db.costNote.create({ data: { environmentId, day: new Date("2026-11-05T00:00:00Z"), text: "A note" } });
  return { previewEnvironmentId, scenarioId: scenario.id, importId: imported.id, noteId: note.id, environmentId, userId, deploymentId: deployment.id, documentId: document.id, runId: run.id, batchId: batch.id, comparisonId: comparison.id, invitationId: link.id, approvalId: approval.id };
}

/** The environment as that of a pull request; its cluster is one that nobody asks. */
async function previewOf(db: Db, environmentId: string, slug: string): Promise<string> {
  const cluster = await db.cluster.create({ data: { name: `Cluster of ${slug}`, kind: "linked", server: "https://cluster.example.test", sealedCredentials: new Uint8Array(), fingerprint: slug } });
  const spec = { name: "ocr", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" };
  const template = await db.environmentTemplate.create({ data: { name: slug, clusterId: cluster.id, spec, hoursToLive: 24, idleMinutes: 30, forge: "github", repository: "acme/portal", apiUrl: "https://api.github.com", sealedSecret: new Uint8Array() } });
  const { id } = await db.pullRequestEnvironment.create({ data: { templateId: template.id, environmentId, number: 7, state: "open", openedAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) } });
  return id;
}

/** The digest of the world's one preview: it follows from the deployment. */
export function previewDigest(deploymentId: string): string {
  return deploymentId.replaceAll("-", "").padEnd(64, "0");
}
