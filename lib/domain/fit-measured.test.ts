import { expect, it } from "vitest";
import { modelById, skuById } from "./catalog";
import { fits } from "./fit";
import { measuredBudget } from "./fit-measured";

const model = modelById("lightonocr-3-1b");
const { vram } = fits(model, skuById("aws-g6-xlarge"));
const facts = { weightsGib: 2.05, kvGib: 14.5, kvTokens: 135_700, concurrency: 8.28, graphsGib: 0.6 };

it("tells what the engine logged, with the rest of its share, and leaves the estimate as it was", () => {
  const before = structuredClone(vram);
  const measured = measuredBudget(model, vram, facts);
  expect(measured?.terms.map((term) => [term.id, term.mib])).toEqual([["weights", 2099], ["kv", 14848], ["graphs", 614], ["other", vram.usableMib - 2099 - 14848 - 614]]);
  expect(measured?.pagesMax).toBe(Math.floor(135_700 / (model.pageTokens.image + model.pageTokens.output)));
  expect(vram).toEqual(before);
});

it("is nothing while the log has told too little", () => {
  expect(measuredBudget(model, vram, { ...facts, kvGib: null })).toBeNull();
  expect(measuredBudget(model, vram, { ...facts, kvTokens: null })?.pagesMax).toBeNull();
});
