import { describe, expect, it } from "vitest";
import { solve } from "./cost";
import { singlePlan } from "./cost/api-plan";
import { planNode } from "./cost-plan";
import { paysOff } from "./fit-pays";
import { defaultPriceBook } from "./price-book-default";
import { managedOffer, offerPlan } from "./price-offers";

describe("from how many pages a node pays off", () => {
  const book = defaultPriceBook();
  const choice = { skuId: "aws-g6-xlarge", modelId: "lightonocr-3-0.8b", replicas: 1 };

  it("is the cost page's own answer for the same node and offer", () => {
    const offer = offerPlan(managedOffer(book, "textract-detect-text") ?? expect.fail("listed"));
    const plan = planNode({ skuId: choice.skuId, region: "us-east-1", mode: "on_demand", model: "LightOnOCR-3-0.8B", minNodes: 1 }, { book, target: "USD", rate: null });
    if (offer.state !== "priced" || plan.state !== "priced") return expect.fail("priced");
    const crossing = solve(plan.fleet, singlePlan(offer.plan)).crossings.find((each) => each.cheaper === "self");
    expect(paysOff(choice, book)[0]).toEqual({ offer: "Amazon Textract: Detect Document Text", fromPages: crossing?.firstPage, isRateEstimated: true });
  });

  it("comes later with more nodes, and is left out where a price or a rate is missing", () => {
    const [one, two] = [paysOff(choice, book)[0]?.fromPages ?? 0, paysOff({ ...choice, replicas: 2 }, book)[0]?.fromPages ?? 0];
    expect(two).toBeGreaterThan(one);
    expect(paysOff({ ...choice, skuId: "own-l4" }, book)).toEqual([]);
  });
});
