import "server-only";
import { z } from "zod";
import { modelById } from "@/lib/domain/catalog";
import { DeploymentSpec } from "@/lib/domain/deployment";
import type { PrivacyFact } from "@/lib/domain/privacy";
import { privacyHtml } from "@/lib/domain/privacy-page";
import type { FileAnswer } from "@/lib/platform/door";
import { deploymentRow, environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";
import { checkPrivacy } from "./privacy-look";

const Fact = z.strictObject({ id: z.string(), title: z.string(), verdict: z.enum(["proved", "broken", "not_proved"]), sentence: z.string(), evidence: z.array(z.string()) });

export const privacyGet = read({
  name: "privacy.get",
  summary: "Facts about a deployment's privacy as they were last found in its cluster, with the time",
  permission: "environment.read",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid() }),
  output: z.strictObject({ facts: z.array(Fact), checkedAt: z.iso.datetime().nullable(), unchangedSince: z.iso.datetime().nullable(), history: z.array(z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime(), broken: z.array(z.string()) })) }),
  run: async ({ db, input }) => {
    const rows = await db.privacyCheck.findMany({ where: { deploymentId: input.id }, orderBy: { at: "desc" }, take: 20 });
    const factsOf = (row: { facts: unknown }) => row.facts as PrivacyFact[]; // written by privacy-look.ts
    const [last] = rows;
    return {
      facts: last ? factsOf(last) : [],
      checkedAt: last?.at.toISOString() ?? null,
      unchangedSince: last?.firstAt.toISOString() ?? null,
      history: rows.map((row) => ({ from: row.firstAt.toISOString(), to: row.at.toISOString(), broken: factsOf(row).filter((fact) => fact.verdict === "broken").map((fact) => fact.title) })),
    };
  },
});

export const privacyReport = read({
  name: "privacy.report",
  summary: "The facts about a deployment's privacy, checked now, as a page to print or as JSON",
  permission: "environment.read",
  environment: environmentOfDeployment,
  audited: true,
  answers: "file",
  input: z.strictObject({ id: z.uuid(), format: z.enum(["html", "json"]) }),
  output: z.custom<FileAnswer>(),
  target: (input) => ({ type: "deployment", id: input.id, detail: { format: input.format } }),
  run: async ({ db, input, now }) => {
    const { facts, at } = await checkPrivacy(db, input.id, now);
    const row = await deploymentRow(db, input.id);
    const cluster = row.environment.cluster ? await db.cluster.findUnique({ where: { id: row.environment.cluster.id }, select: { name: true } }) : null;
    const page = { deployment: row.name, environment: row.environment.name, cluster: cluster?.name ?? "none", namespace: row.environment.namespace, model: modelById(DeploymentSpec.parse(row.spec).modelId).name, revision: row.revisions[0]?.number ?? 0, checkedAt: at.toISOString(), facts };
    const text = input.format === "html" ? privacyHtml(page) : `${JSON.stringify(page, null, 2)}\n`;
    const body = new Uint8Array(Buffer.from(text));
    return { body, mediaType: input.format === "html" ? "text/html; charset=utf-8" : "application/json", fileName: `${row.name}-privacy-${at.toISOString().slice(0, 10)}.${input.format}`, bytes: body.byteLength };
  },
});
