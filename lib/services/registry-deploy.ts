import "server-only";
import { approvalsGet, approvalsList } from "./approval-list";
import { approvalsApprove, approvalsBypass, approvalsReject, approvalsRequest } from "./approvals";
import { catalogGet } from "./catalog";
import { catalogAdd, catalogRemove } from "./catalog-additions";
import { catalogMeasured } from "./catalog-measured";
import { clustersCheck, clustersLink, clustersRanges, clustersRelink, clustersSetRanges, clustersUnlink } from "./cluster-link";
import { clustersGet, clustersList } from "./clusters-read";
import { deploymentsCompare } from "./deployment-compare";
import { deploymentsObjects } from "./deployment-objects";
import { deploymentsPreview, deploymentsPreviewed } from "./deployment-preview";
import { deploymentsRestart } from "./deployment-restart";
import { deploymentsDelete, deploymentsStart, deploymentsStop } from "./deployment-running";
import { deploymentsScale } from "./deployment-scale";
import { deploymentsApply, deploymentsResume } from "./deployment-writes";
import { deploymentsGet, deploymentsList } from "./deployments";
import { logsFollow, logsRead } from "./logs";
import { preflightCluster, preflightGet } from "./preflight";

/** Deploy: clusters, the catalogue, deployments, approvals, logs. */
export const deployOperations = {
  "approvals.approve": approvalsApprove,
  "approvals.bypass": approvalsBypass,
  "approvals.get": approvalsGet,
  "approvals.list": approvalsList,
  "approvals.reject": approvalsReject,
  "approvals.request": approvalsRequest,
  "catalog.add": catalogAdd,
  "catalog.get": catalogGet,
  "catalog.measured": catalogMeasured,
  "catalog.remove": catalogRemove,
  "clusters.check": clustersCheck,
  "clusters.get": clustersGet,
  "clusters.link": clustersLink,
  "clusters.list": clustersList,
  "clusters.ranges": clustersRanges,
  "clusters.relink": clustersRelink,
  "clusters.setRanges": clustersSetRanges,
  "clusters.unlink": clustersUnlink,
  "deployments.apply": deploymentsApply,
  "deployments.compare": deploymentsCompare,
  "deployments.delete": deploymentsDelete,
  "deployments.get": deploymentsGet,
  "deployments.list": deploymentsList,
  "deployments.objects": deploymentsObjects,
  "deployments.preview": deploymentsPreview,
  "deployments.previewed": deploymentsPreviewed,
  "deployments.restart": deploymentsRestart,
  "deployments.resume": deploymentsResume,
  "deployments.scale": deploymentsScale,
  "deployments.start": deploymentsStart,
  "deployments.stop": deploymentsStop,
  "logs.follow": logsFollow,
  "logs.read": logsRead,
  "preflight.cluster": preflightCluster,
  "preflight.get": preflightGet,
};
