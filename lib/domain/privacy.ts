import { isRecord } from "./diff-path";

export type Verdict = "proved" | "broken" | "not_proved";
/** One fact about a deployment's privacy, as it was found: what it says, and by what. */
export type PrivacyFact = { id: string; title: string; verdict: Verdict; sentence: string; evidence: string[] };

type Loose = Record<string, unknown>;
/** Live objects of the namespace, as the API server answered; null for what Lectern may not see. */
export type PrivacyInput = {
  deployment: Loose | null;
  services: Loose[];
  ingresses: Loose[] | null;
  policies: Loose[];
  nodes: { name: string; region: string }[] | null;
  roleBindings: Loose[] | null;
  retentionHours: number;
  /** What the last probe found; null: none was made. */
  probe: { verdict: Verdict; sentence: string; at: string } | null;
};

/** Flags and variables that write document text or ids of requests to a log, or open control paths; facts of vLLM 0.30, lightonocr reference 3.5. */
const LOG_FLAGS = ["--enable-log-requests", "--enable-log-outputs", "--enable-log-deltas"];
const LOG_VARIABLES: Record<string, (value: string) => boolean> = {
  VLLM_LOGGING_LEVEL: (value) => value.toUpperCase() === "DEBUG",
  VLLM_DEBUG_LOG_API_SERVER_RESPONSE: isSwitchedOn,
  VLLM_SERVER_DEV_MODE: isSwitchedOn,
};
const SECRET_NAME = /(TOKEN|SECRET|PASSWORD|API_?KEY|CREDENTIAL)/;

function isSwitchedOn(value: string): boolean {
  return !["", "0", "false", "no"].includes(value.toLowerCase());
}

/** Every fact, in the order in which a data protection officer asks. Pure: the same objects give the same facts. */
export function privacyFacts(input: PrivacyInput): PrivacyFact[] {
  return [publicAddress(input), policyWritten(input), policyEnforced(input), offline(input), logging(input), nonRoot(input), secretsByReference(input), region(input), retention(input), readers(input)];
}

type Found = Pick<PrivacyFact, "verdict" | "sentence"> & { evidence?: string[] };
const fact = (id: string, title: string, found: Found): PrivacyFact => ({ id, title, evidence: [], ...found });
const proved = (sentence: string, evidence: string[] = []): Found => ({ verdict: "proved", sentence, evidence });
const broken = (sentence: string, evidence: string[] = []): Found => ({ verdict: "broken", sentence, evidence });
const notProved = (sentence: string): Found => ({ verdict: "not_proved", sentence });
const gone = notProved("The Deployment is not in the cluster: there is nothing to check.");

function publicAddress({ services, ingresses }: PrivacyInput): PrivacyFact {
  const title = "No public address";
  const open = services.filter((service) => specOf(service).type !== undefined && specOf(service).type !== "ClusterIP").map((service) => `Service ${nameOf(service)} is a ${String(specOf(service).type)}`);
  const external = services.filter((service) => list(specOf(service).externalIPs).length > 0).map((service) => `Service ${nameOf(service)} has external addresses`);
  const names = services.map(nameOf);
  const led = (ingresses ?? []).filter((ingress) => names.some((name) => JSON.stringify(ingress.spec ?? {}).includes(`"name":${JSON.stringify(name)}`))).map((ingress) => `Ingress ${nameOf(ingress)} leads to it`);
  const evidence = [...open, ...external, ...led];
  if (evidence.length > 0) return fact("public_address", title, broken("It may be reached from outside the cluster. Remove what opens it.", evidence));
  if (ingresses === null) return fact("public_address", title, notProved("Every Service is internal; Lectern may not see Ingresses, so that none leads to it is not proved."));
  return fact("public_address", title, proved("Every Service that leads to it is internal (ClusterIP), and no Ingress does.", services.map((service) => `Service ${nameOf(service)}: ClusterIP`)));
}

function policyWritten({ policies, deployment }: PrivacyInput): PrivacyFact {
  const title = "Closed by a network policy";
  if (!deployment) return fact("policy", title, gone);
  const closing = policies.filter((policy) => list(specOf(policy).policyTypes).includes("Ingress") && list(specOf(policy).policyTypes).includes("Egress"));
  const opening = policies.filter((policy) => list(specOf(policy).ingress).some((rule) => isRecord(rule) && list(rule.from).length === 0)).map((policy) => `NetworkPolicy ${nameOf(policy)} lets everybody in`);
  if (opening.length > 0) return fact("policy", title, broken("A policy lets everybody in: policies add up, and the widest one counts.", opening));
  if (closing.length === 0) return fact("policy", title, broken("No NetworkPolicy closes its pods in both directions. Apply the deployment again to restore it."));
  return fact("policy", title, proved("A NetworkPolicy closes both directions but for the callers that it names.", closing.map((policy) => `NetworkPolicy ${nameOf(policy)}`)));
}

function policyEnforced({ probe }: PrivacyInput): PrivacyFact {
  const title = "The policy is enforced";
  if (!probe) return fact("enforced", title, notProved("A cluster without an enforcing network plugin ignores policies silently, and its API does not tell. No probe from another namespace was made."));
  return fact("enforced", title, { verdict: probe.verdict, sentence: probe.sentence, evidence: [`probe at ${probe.at}`] });
}

function offline({ deployment, policies }: PrivacyInput): PrivacyFact {
  const title = "Offline after the weights are there";
  if (!deployment) return fact("offline", title, gone);
  const web = policies.filter((policy) => list(specOf(policy).egress).some((rule) => JSON.stringify(rule).includes("ipBlock"))).map((policy) => `NetworkPolicy ${nameOf(policy)} lets connections out to addresses beyond the cluster`);
  const isOffline = variables(deployment).some(({ name, value }) => name === "HF_HUB_OFFLINE" && value === "1");
  if (isOffline && web.length === 0) return fact("offline", title, proved("The engine is told to stay offline (HF_HUB_OFFLINE=1), and the policy lets only names be looked up."));
  return fact("offline", title, broken("It may reach the internet to load weights. Change the deployment to offline once it is ready.", web));
}

function logging({ deployment }: PrivacyInput): PrivacyFact {
  const title = "No document text in logs";
  if (!deployment) return fact("logging", title, gone);
  const args = containers(deployment).flatMap((container) => [...list(container.command), ...list(container.args)]).map(String);
  const flags = args.filter((arg) => LOG_FLAGS.some((flag) => arg === flag || (arg.startsWith(`${flag}=`) && isSwitchedOn(arg.slice(flag.length + 1)))));
  const set = variables(deployment).filter(({ name, value }) => LOG_VARIABLES[name]?.(value)).map(({ name, value }) => `${name}=${value}`);
  if (flags.length + set.length > 0) return fact("logging", title, broken("The engine is set to log requests or what it reads. Remove these settings.", [...flags, ...set]));
  return fact("logging", title, proved("None of the engine's flags and variables that log requests, outputs or debug text is set.", [`${args.length} arguments, ${variables(deployment).length} variables looked at`]));
}

function nonRoot({ deployment }: PrivacyInput): PrivacyFact {
  const title = "Without root";
  if (!deployment) return fact("non_root", title, gone);
  const pod = podOf(deployment);
  const context = isRecord(pod.securityContext) ? pod.securityContext : {};
  const isRoot = context.runAsNonRoot !== true || context.runAsUser === 0;
  const raising = containers(deployment).filter((container) => !isRecord(container.securityContext) || container.securityContext.allowPrivilegeEscalation !== false || container.securityContext.privileged === true || container.securityContext.runAsUser === 0);
  if (isRoot || raising.length > 0) return fact("non_root", title, broken("A container may run as root or gain rights.", raising.map((container) => `container ${String(container.name)}`)));
  return fact("non_root", title, proved(`Runs as user ${String(context.runAsUser ?? "other than root")}, and no container may gain rights.`));
}

function secretsByReference({ deployment }: PrivacyInput): PrivacyFact {
  const title = "Secrets by reference only";
  if (!deployment) return fact("secrets", title, gone);
  const plain = variables(deployment).filter(({ name, value }) => SECRET_NAME.test(name) && value !== "").map(({ name }) => name);
  if (plain.length > 0) return fact("secrets", title, broken("A secret stands in the Deployment itself, for everybody to read who may see it. Put it into a Secret.", plain));
  return fact("secrets", title, proved("No variable that is named like a secret has its value in the Deployment."));
}

function region({ nodes }: PrivacyInput): PrivacyFact {
  const title = "Region of its nodes";
  if (nodes === null) return fact("region", title, notProved("Lectern may not see the cluster's nodes."));
  if (nodes.length === 0) return fact("region", title, notProved("No pod is placed now: the region is told when it runs."));
  const unknown = nodes.filter((node) => node.region === "");
  const evidence = nodes.map((node) => `${node.name}: ${node.region || "no region label"}`);
  if (unknown.length > 0) return fact("region", title, { ...notProved("A node carries no region label."), evidence });
  return fact("region", title, proved(`Its pods run in ${[...new Set(nodes.map((node) => node.region))].join(" and ")}, by the label topology.kubernetes.io/region of their nodes.`, evidence));
}

function retention({ retentionHours }: PrivacyInput): PrivacyFact {
  const sentence = retentionHours === 0 ? "Documents are never stored: they stay in memory while their tab is open." : `Documents, and all that was read from them, are purged ${retentionHours} h after their upload.`;
  return fact("retention", "Retention in force", proved(sentence));
}

function readers({ roleBindings }: PrivacyInput): PrivacyFact {
  const title = "Who may act in the namespace";
  if (roleBindings === null) return fact("readers", title, notProved("Lectern may not see the cluster's role bindings. Ask the cluster's administrators who may read this namespace."));
  const evidence = roleBindings.flatMap((binding) => list(binding.subjects).filter(isRecord).map((subject) => `${String(subject.kind)} ${String(subject.name)}: ${isRecord(binding.roleRef) ? String(binding.roleRef.name) : "?"}`));
  return fact("readers", title, { ...proved(`${evidence.length} ${evidence.length === 1 ? "subject has" : "subjects have"} a role in this namespace; whoever has one in the whole cluster comes on top.`), evidence });
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const specOf = (object: Loose): Loose => (isRecord(object.spec) ? object.spec : {});
const nameOf = (object: Loose): string => (isRecord(object.metadata) ? String(object.metadata.name) : "");

function podOf(deployment: Loose): Loose {
  const { template } = specOf(deployment);
  return isRecord(template) ? specOf(template) : {};
}

function containers(deployment: Loose): Loose[] {
  const pod = podOf(deployment);
  return [...list(pod.initContainers), ...list(pod.containers)].filter(isRecord);
}

function variables(deployment: Loose): { name: string; value: string }[] {
  return containers(deployment).flatMap((container) => list(container.env).filter(isRecord).map((each) => ({ name: String(each.name), value: typeof each.value === "string" ? each.value : "" })));
}

/** Facts that were proved and are not any more. */
export function regressions(before: readonly PrivacyFact[], now: readonly PrivacyFact[]): PrivacyFact[] {
  return now.filter((one) => one.verdict === "broken" && before.some((each) => each.id === one.id && each.verdict === "proved"));
}
