import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { defaultPriceBook } from "@/lib/domain/price-book-default";
import { AdvancedOptions } from "./advanced-options";
import { useDeployForm } from "./use-deploy-form";

const target = { id: "env", name: "Development", namespace: "ocr" };
const initial = { modelId: "lightonocr-3-0.8b", skuId: "aws-g6-xlarge", environmentId: "env", name: "contracts" };
const book = defaultPriceBook();

/** The options beside what they make, as the page shows them. */
function Form() {
  const form = useDeployForm({ initial, targets: [target], changed: { deploymentId: "dep", revision: 0 }, book });
  return (
    <>
      <AdvancedOptions form={form} />
      <pre data-testid="yaml">{form.yaml ?? ""}</pre>
      <p data-testid="problem">{form.firstError ?? ""}</p>
    </>
  );
}

afterEach(cleanup);
const yaml = () => screen.getByTestId("yaml").textContent ?? "";
const problem = () => screen.getByTestId("problem").textContent ?? "";
const change = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it("adds the object of each option to the manifests at once, and takes it away again", () => {
  render(<Form />);
  expect(yaml()).not.toContain("kind: Job");
  fireEvent.click(screen.getByLabelText("Download the weights first"));
  expect(yaml()).toContain("kind: Job");
  fireEvent.click(screen.getByLabelText("Download the weights first"));
  expect(yaml()).not.toContain("kind: Job");
  fireEvent.click(screen.getByLabelText("Disruption budget"));
  expect(yaml()).toContain("kind: PodDisruptionBudget");
  change("Besides the cluster's own address", "ingress");
  change("Host", "ocr.intern.example.com");
  expect(yaml()).toContain("host: ocr.intern.example.com");
  fireEvent.click(screen.getByLabelText("PodMonitor"));
  change("Labels that it selects", "release=prometheus");
  expect(yaml()).toContain("release: prometheus");
  expect(problem()).toBe("");
});

it("says at the field what does not go together", () => {
  render(<Form />);
  change("Replicas are set by", "hpa");
  expect(problem()).toContain("ReadWriteOnce");
});

it("shows an override in the manifests, and refuses what is no JSON, does not apply or reaches too far", () => {
  render(<Form />);
  const field = "Overrides";
  change(field, '[{"kind":"Deployment","patch":[{"op":"replace","path":"/spec/revisionHistoryLimit","value":3}]}]');
  expect(yaml()).toContain("revisionHistoryLimit: 3");
  expect(yaml()).toContain("lectern/overrides");
  change(field, "[{");
  expect(screen.getByRole("alert").textContent).toContain("not valid JSON");
  change(field, '[{"kind":"Job","merge":{"spec":{}}}]');
  expect(screen.getByRole("alert").textContent).toContain("has none");
  change(field, '[{"kind":"Service","merge":{"spec":{"selector":{"app":"bank"}}}}]');
  expect(screen.getByRole("alert").textContent).toContain("selectors");
  expect(problem()).toContain("selectors");
});
