import "server-only";
import { faultOf } from "../admission/admit";
import type { ControlContext } from "../controllers/context";
import { listAt, numberAt, objectAt, textAt, type JsonObject } from "../json";
import { nameOf, namespaceOf, uidOf, type KubeObject } from "../object";
import { removePod } from "../registry/deletion";
import { backoffSeconds, goDuration } from "./backoff";
import { writeAddress, writeState } from "./pod-writer";
import { configError, heldVolume, startCrash } from "./preconditions";
import { crashOf, startupLog, type Crash } from "./startup-log";
import { timings } from "./timings";

/** What the runners of one node agent share: which image is on which node, and pod addresses. */
export type NodeShared = { images: Set<string>; nextAddress: () => string };

/** The life of one pod on its node: attach, pull, start, load, ready, and every way to fail. */
export class PodRunner {
  private cancels: (() => void)[] = [];
  private restarts = 0;
  private failedPulls = 0;
  private lastState: JsonObject = {};
  private isStopping = false;
  /** True while something outside must change first: a volume, a Secret. */
  isBlocked = false;

  constructor(
    private readonly context: ControlContext,
    private pod: KubeObject,
    private readonly shared: NodeShared,
  ) {
    const status = listAt(pod, "status", "containerStatuses")[0];
    this.restarts = numberAt(status, "restartCount") ?? 0;
    this.lastState = objectAt(status, "lastState");
  }

  /** Begins with a pod that has just got its node, or that was on its way when the sandbox stopped. */
  start(): void {
    this.isBlocked = false;
    if (textAt(this.pod, "status", "podIP") === undefined) this.pod = writeAddress(this.context, this.pod, this.shared.nextAddress());
    this.setState({ waiting: { reason: this.hasInit() ? "PodInitializing" : "ContainerCreating" } });
    const held =
      this.fault() === "volume-held" ? { volume: "pvc-sandbox-fault", holder: "another-pod" } : heldVolume(this.context.store, this.live());
    if (held) {
      this.isBlocked = true;
      const message = `Multi-Attach error for volume "${held.volume}" Volume is already used by pod(s) ${held.holder}`;
      this.tell("Warning", "FailedAttachVolume", message);
      return;
    }
    this.pull();
  }

  /** Takes up a pod that was ready when the sandbox stopped: its log is written again, nothing restarts. */
  resume(): void {
    const startedAt =
      Date.parse(textAt(listAt(this.pod, "status", "containerStatuses")[0], "state", "running", "startedAt") ?? "") ||
      this.context.clock.now();
    for (const { share, text } of startupLog(this.pod)) this.log(text, startedAt + share * timings.loadMs);
  }

  /** Ends the pod: containers stop within the grace, then the object goes. */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.cancel();
    for (const name of this.names()) this.tell("Normal", "Killing", `Stopping container ${name}`);
    const grace = (numberAt(this.pod, "spec", "terminationGracePeriodSeconds") ?? 30) * 1000;
    this.later(Math.min(timings.stopMs, grace), () => this.finish());
  }

  /** Stops all timers; the pod's stored state stays. */
  cancel(): void {
    for (const cancel of this.cancels) cancel();
    this.cancels = [];
  }

  private finish(): void {
    this.context.registry.modify(this.pod, (draft) => void (draft.metadata.deletionGracePeriodSeconds = 0), {
      manager: "kubelet",
      subresource: "status",
    });
    removePod(this.context.registry, this.pod);
    this.context.logs.forget(uidOf(this.pod));
  }

  private pull(): void {
    const image = textAt(listAt(this.pod, "spec", "containers")[0], "image") ?? "";
    const key = `${textAt(this.pod, "spec", "nodeName")} ${image}`;
    if (this.fault() === "image-pull-error") return this.failPull(image);
    if (this.shared.images.has(key)) {
      this.tell("Normal", "Pulled", `Container image "${image}" already present on machine`);
      return this.later(0, () => this.initialise());
    }
    this.tell("Normal", "Pulling", `Pulling image "${image}"`);
    this.later(timings.pullMs, () => {
      this.shared.images.add(key);
      this.tell("Normal", "Pulled", `Successfully pulled image "${image}" in ${timings.pullMs / 1000}s`);
      this.initialise();
    });
  }

  private failPull(image: string): void {
    this.failedPulls += 1;
    this.tell("Normal", "Pulling", `Pulling image "${image}"`);
    const cause = "rpc error: code = NotFound desc = failed to pull and unpack image: not found";
    this.tell("Warning", "Failed", `Failed to pull image "${image}": ${cause}`);
    this.setState({ waiting: { reason: "ErrImagePull", message: cause } });
    this.later(timings.stopMs, () =>
      this.setState({ waiting: { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` } }),
    );
    this.later(backoffSeconds(this.failedPulls) * 1000, () => this.pull());
  }

  private hasInit(): boolean {
    return listAt(this.pod, "spec", "initContainers").length > 0;
  }

  private initialise(): void {
    const left = listAt(this.pod, "spec", "initContainers").length * timings.initContainerMs;
    this.later(left, () => this.run());
  }

  private run(): void {
    const problem = configError(this.context.store, this.live());
    if (problem !== undefined) {
      this.isBlocked = true;
      this.setState({ waiting: { reason: "CreateContainerConfigError", message: problem } });
      return this.tell("Warning", "Failed", `Error: ${problem}`);
    }
    for (const name of this.names()) {
      this.context.logs.rotate(uidOf(this.pod), name);
      this.tell("Normal", "Started", `Started container ${name}`);
    }
    const startedAt = this.context.registry.now();
    this.setState({ running: { startedAt } });
    if (textAt(this.pod, "spec", "restartPolicy") !== "Always") return this.runToEnd(startedAt);
    const crash = startCrash(this.context.store, this.live(), this.fault());
    if (crash) return this.later(timings.crashMs, () => this.crash(crash, startedAt));
    this.load(startedAt);
  }

  /** A pod of a Job: works a little, then ends. */
  private runToEnd(startedAt: string): void {
    this.log("INFO starting", this.context.clock.now());
    const crash = crashOf(this.fault());
    this.later(timings.jobMs, () => {
      for (const line of crash?.lines ?? ["INFO done"]) this.log(line, this.context.clock.now());
      const finishedAt = this.context.registry.now();
      const terminated = { exitCode: crash?.exitCode ?? 0, reason: crash?.reason ?? "Completed", startedAt, finishedAt };
      this.setState({ terminated }, { phase: crash ? "Failed" : "Succeeded" });
      this.closeLogs();
    });
  }

  private load(startedAt: string): void {
    const fault = this.fault();
    const loadMs = fault === "slow-start" ? timings.slowLoadMs : timings.loadMs;
    const begun = this.context.clock.now();
    if (fault === "never-ready") this.log("(APIServer pid=1) INFO vLLM API server version 0.30.0", begun);
    else {
      for (const { share, text } of startupLog(this.pod)) this.later(share * loadMs, () => this.log(text, this.context.clock.now()));
      this.later(loadMs, () => this.becomeReady(startedAt));
    }
    this.watchProbes(fault === "never-ready" ? Infinity : loadMs, startedAt);
  }

  private becomeReady(startedAt: string): void {
    this.cancel();
    this.setState({ running: { startedAt } }, { ready: true });
  }

  /** Failing probes while the model loads; a startup probe that runs out of tries kills the container. */
  private watchProbes(loadMs: number, startedAt: string): void {
    const container = listAt(this.pod, "spec", "containers")[0];
    const probe = objectAt(container, "startupProbe");
    const periodMs = (numberAt(probe, "periodSeconds") ?? 10) * 1000;
    const budgetMs = Object.keys(probe).length > 0 ? periodMs * (numberAt(probe, "failureThreshold") ?? 3) : Infinity;
    const report = (): void => {
      const address = textAt(this.live(), "status", "podIP") ?? "";
      const path = textAt(probe, "httpGet", "path") ?? "/health";
      this.tell("Warning", "Unhealthy", `Startup probe failed: Get "http://${address}:8000${path}": dial tcp: connect: connection refused`);
      this.later(Math.max(periodMs, timings.probeReportMs), report);
    };
    if (loadMs > periodMs) this.later(periodMs, report);
    if (loadMs <= budgetMs) return;
    this.later(budgetMs, () => {
      for (const name of this.names()) this.tell("Normal", "Killing", `Container ${name} failed startup probe, will be restarted`);
      this.crash({ lines: ["KeyboardInterrupt: terminated"], exitCode: 137, reason: "Error" }, startedAt);
    });
  }

  private crash({ lines, exitCode, reason }: Crash, startedAt: string): void {
    this.cancel();
    for (const line of lines) this.log(line, this.context.clock.now());
    this.closeLogs();
    const terminated = { exitCode, reason, startedAt, finishedAt: this.context.registry.now() };
    this.restarts += 1;
    this.lastState = { terminated };
    const seconds = backoffSeconds(this.restarts);
    const [name = ""] = this.names();
    this.setState({
      waiting: { reason: "CrashLoopBackOff", message: `back-off ${goDuration(seconds)} restarting failed container=${name}` },
    });
    this.tell("Warning", "BackOff", `Back-off restarting failed container ${name} in pod ${nameOf(this.pod)}`);
    this.later(seconds * 1000, () => this.run());
  }

  private fault(): ReturnType<typeof faultOf> {
    return faultOf(this.context, this.live());
  }

  private live(): KubeObject {
    return this.context.store.get("/pods", namespaceOf(this.pod), nameOf(this.pod)) ?? this.pod;
  }

  private names(): string[] {
    return listAt(this.pod, "spec", "containers").map((container) => textAt(container, "name") ?? "");
  }

  private setState(state: JsonObject, { ready = false, phase }: { ready?: boolean; phase?: string } = {}): void {
    const started = ready || phase === "Succeeded";
    writeState(this.context, this.pod, {
      state,
      lastState: this.lastState,
      ready,
      started,
      restartCount: this.restarts,
      ...(phase === undefined ? {} : { phase }),
    });
  }

  private tell(type: "Normal" | "Warning", reason: string, message: string): void {
    const host = textAt(this.pod, "spec", "nodeName") ?? "";
    const component = reason === "FailedAttachVolume" ? "attachdetach-controller" : "kubelet";
    this.context.events.record({ object: this.pod, type, reason, message, component, host });
  }

  private log(text: string, time: number): void {
    const [name = ""] = this.names();
    this.context.logs.append(uidOf(this.pod), name, { time, text });
  }

  private closeLogs(): void {
    for (const name of this.names()) this.context.logs.close(uidOf(this.pod), name);
  }

  private later(delayMs: number, run: () => void): void {
    this.cancels.push(this.context.clock.after(delayMs, run));
  }
}
