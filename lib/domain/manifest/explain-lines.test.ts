import { describe, expect, it } from "vitest";
import { DeploymentSpec } from "../deployment";
import { manifests, toYaml } from "../manifest";
import { explainLines } from "./explain-lines";

describe("explained lines", () => {
  const spec = DeploymentSpec.parse({ name: "contracts", modelId: "lightonocr-3-1b", skuId: "aws-g6-xlarge" });
  const yaml = toYaml(manifests(spec, { namespace: "ocr", environmentId: "env", deploymentId: "dep", revision: 1, portalNamespace: null }));
  const lines = yaml.split("\n");
  const explained = explainLines(yaml);
  const reasonOf = (text: string) => explained.find((each) => lines[each.line]?.includes(text))?.reason;

  it("stand at the line that they are about", () => {
    expect(reasonOf("strategy:")).toContain("rolling update");
    expect(reasonOf("--max-model-len=16384")).toContain("262,144");
    expect(reasonOf("enableServiceLinks: false")).toContain("Service names");
    expect(reasonOf("type: ClusterIP")).toContain("no address outside");
    expect(reasonOf("name: HF_HOME")).toContain("volume");
  });

  it("come in the order of the text, and do not repeat themselves down a branch", () => {
    expect(explained.map((each) => each.line)).toEqual([...explained.map((each) => each.line)].sort((left, right) => left - right));
    const security = explained.filter((each) => each.path.startsWith("Deployment/spec/template/spec/securityContext"));
    expect(security).toHaveLength(1);
  });
});
