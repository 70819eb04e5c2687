import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/lib/platform/openapi";
import { registry } from "./registry";

type Method = { operationId: string; security?: unknown[]; responses: Record<string, unknown>; requestBody?: unknown; parameters?: unknown[] };
const made = openApiDocument(registry, { version: "0.1.0", url: "http://localhost:3000" });
const sent: { paths: Record<string, Record<string, Method>> } = JSON.parse(JSON.stringify(made));

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(sent));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("resolves all its references", () => {
    const refs = [...JSON.stringify(sent).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? "");
    const outside = refs.filter((ref) => !ref.startsWith("#/components/") && !ref.startsWith("#/$defs/") && ref !== "#");
    expect(outside).toEqual([]);
  });

  it.each(Object.values(registry).map((operation) => [operation.name, operation] as const))("has %s by the method that answers it", (name, operation) => {
    const path = sent.paths[`/api/${name}`] ?? {};
    const accepts = "accepts" in operation ? operation.accepts : undefined;
    const method = operation.kind === "read" ? "get" : accepts === "stream" ? "put" : "post";
    expect(Object.keys(path)).toEqual([method]);
    expect(path[method]?.operationId).toBe(name);
    expect(Object.keys(path[method]?.responses ?? {})).toEqual(["200", "401", "403", "404", "422", "default"]);
    expect(path[method]?.requestBody !== undefined).toBe(operation.kind === "write");
    expect(path[method]?.parameters !== undefined).toBe(method !== "post");
  });

  it("asks for a token everywhere but where a one-time link stands for it", () => {
    const open = Object.values(sent.paths).flatMap((path) => Object.values(path)).filter((method) => method.security !== undefined);
    const anyone = Object.values(registry).filter((operation) => operation.permission === "link.redeem");
    expect(open.map((method) => method.operationId).sort()).toEqual(anyone.map((operation) => operation.name).sort());
  });
});
