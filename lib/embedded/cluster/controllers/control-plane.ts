import "server-only";
import { NodeAgent } from "../agent/node-agent";
import { Scheduler } from "../scheduler/scheduler";
import type { ControlContext } from "./context";
import { DeploymentController } from "./deployments";
import { EndpointsController } from "./endpoints";
import { GarbageCollector } from "./garbage";
import { JobController } from "./jobs";
import { furnish, NamespaceController } from "./namespaces";
import { ReplicaSetController } from "./replica-sets";
import { TallyController } from "./tallies";
import { VolumeController } from "./volumes";
import type { WorkQueue } from "./work-queue";

type Controller = { queue: WorkQueue; start(): void };

/** Everything that acts on the stored objects. It runs on changes and due times only: an idle cluster does nothing. */
export function startControlPlane(context: ControlContext): { stop(): void } {
  // New namespaces are furnished in the same step, so that what is created next finds them complete.
  context.store.onChange(({ resource, type, object }) => {
    if (resource === "/namespaces" && type === "ADDED") furnish(context, object.metadata.name);
  });
  const volumes = new VolumeController(context);
  const controllers: Controller[] = [
    new NamespaceController(context),
    new ReplicaSetController(context),
    new DeploymentController(context),
    new JobController(context),
    volumes,
    new EndpointsController(context),
    new TallyController(context),
    new GarbageCollector(context),
    new Scheduler(context, volumes),
  ];
  const agent = new NodeAgent(context);
  for (const controller of controllers) controller.start();
  agent.start();
  return {
    stop() {
      for (const controller of controllers) controller.queue.stop();
      agent.stop();
    },
  };
}
