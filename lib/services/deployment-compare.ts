import "server-only";
import { z } from "zod";
import { diffObject } from "@/lib/domain/diff";
import { notFound } from "@/lib/domain/errors";
import { environmentOfDeployment } from "./deployment-rows";
import { read } from "./operation";
import { keyOf, storedObjects } from "./rendering";

const Change = z.strictObject({ path: z.string(), op: z.enum(["add", "remove", "change"]), before: z.string().nullable(), after: z.string().nullable(), owner: z.string().nullable(), conflict: z.string().nullable(), isOverride: z.boolean().default(false) });

export const deploymentsCompare = read({
  name: "deployments.compare",
  summary: "What differs between any two revisions of a deployment, object by object and field by field",
  permission: "deployment.preview",
  environment: environmentOfDeployment,
  input: z.strictObject({ id: z.uuid(), from: z.number().int().min(1), to: z.number().int().min(1) }),
  output: z.strictObject({ objects: z.array(z.strictObject({ key: z.string(), state: z.enum(["added", "removed", "changed"]), changes: z.array(Change) })) }),
  run: async ({ db, input }) => {
    const rows = await db.revision.findMany({ where: { deploymentId: input.id, number: { in: [input.from, input.to] } }, select: { number: true, manifests: true } });
    const objectsOf = (number: number) => {
      const row = rows.find((each) => each.number === number);
      if (!row) throw notFound("revision");
      return new Map(storedObjects(row.manifests).map((object) => [keyOf(object), object]));
    };
    const [before, after] = [objectsOf(input.from), objectsOf(input.to)];
    const objects = [...new Set([...before.keys(), ...after.keys()])].map((key) => ({
      key,
      state: !before.has(key) ? ("added" as const) : !after.has(key) ? ("removed" as const) : ("changed" as const),
      changes: before.has(key) && after.has(key) ? diffObject(before.get(key), after.get(key)) : [],
    }));
    return { objects: objects.filter((object) => object.state !== "changed" || object.changes.length > 0) };
  },
});
