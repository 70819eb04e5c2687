import "server-only";
import type { z } from "zod";
import { db } from "@/lib/platform/db";
import type { Door } from "@/lib/platform/door";
import { accountChangePassword, accountGet } from "./account";
import { alertsList, alertsRules, alertsSetRules } from "./alerts";
import { approvalsGet, approvalsList } from "./approval-list";
import { environmentsRules, environmentsSetRules } from "./approval-rules";
import { approvalsApprove, approvalsBypass, approvalsReject, approvalsRequest } from "./approvals";
import { auditGet, auditList } from "./audit";
import { batchesCreate, batchesGet, batchesList } from "./batches";
import { batchesCancel, batchesPause, batchesResume, batchesRetryFailed } from "./batches-control";
import { batchesExport, batchesUnpack } from "./batches-files";
import { budgetsGet, budgetsRemove, budgetsRequest, budgetsSet } from "./budgets";
import { clustersCheck, clustersLink, clustersRanges, clustersRelink, clustersSetRanges, clustersUnlink } from "./cluster-link";
import { clustersGet, clustersList } from "./clusters-read";
import { catalogGet } from "./catalog";
import { catalogAdd, catalogRemove } from "./catalog-additions";
import { catalogMeasured } from "./catalog-measured";
import { compareCreate, compareDelete, compareGet, compareList, compareSetExpected } from "./compare";
import { compareExport } from "./compare-export";
import { costsNow, costsReport, costsTotal } from "./costs";
import { costsExport } from "./costs-export";
import { costsSetSettings, costsSettings } from "./costs-settings";
import { deploymentsCompare } from "./deployment-compare";
import { deploymentsObjects } from "./deployment-objects";
import { deploymentsPreview, deploymentsPreviewed } from "./deployment-preview";
import { deploymentsRestart } from "./deployment-restart";
import { deploymentsDelete, deploymentsStart, deploymentsStop } from "./deployment-running";
import { deploymentsApply, deploymentsResume } from "./deployment-writes";
import { deploymentsGet, deploymentsList } from "./deployments";
import { documentsList } from "./document-list";
import { documentsRules, documentsSetRules } from "./document-rules";
import { documentsDelete, documentsGet, documentsHold, documentsUpload } from "./documents";
import { driftGet, driftPreview } from "./drift";
import { enginesList } from "./engines";
import { environmentsCreate, environmentsEdit, environmentsMove } from "./environment-writes";
import { environmentsList } from "./environments";
import { healthGet } from "./health";
import { gatewayLimits, gatewaySetLimits } from "./gateway-limits";
import { identify } from "./identify";
import { importsCreate, importsList, importsUndo } from "./imports";
import { invitationsCreate, invitationsList, invitationsOpen, invitationsRedeem, invitationsRevoke } from "./invitations";
import { invoicesGet, invoicesSet } from "./invoices";
import { linksRedeemOwner } from "./links";
import { logsFollow, logsRead } from "./logs";
import { membersCandidates, membersList, membersRemove, membersSetRole } from "./members";
import { movingClone, movingExport } from "./moving";
import { notesAdd, notesList, notesRemove } from "./notes";
import { notificationsGet, notificationsList, notificationsSet, notificationsTest } from "./notifications";
import type { Operation } from "./operation";
import { runsReadAgain } from "./page-again";
import { documentsPage } from "./page-image";
import { execute } from "./pipeline";
import { previewEnvironmentsList, previewEnvironmentsOpen, previewEnvironmentsRemove } from "./preview-environments";
import { templatesCreate, templatesDelete, templatesList } from "./preview-environments-templates";
import { pricesBook, pricesCorrect, pricesList, pricesPreviewCorrection, pricesSet } from "./prices";
import { privacyGet, privacyReport } from "./privacy";
import { privacyProbe } from "./privacy-probe";
import { runsExport } from "./run-export";
import { runsCancel, runsGet, runsList, runsStart } from "./runs";
import { samplesRemove } from "./showcase";
import { preflightCluster, preflightGet } from "./preflight";
import { rolesList } from "./roles";
import { scalingGet, scalingSet } from "./scaler";
import { scenariosDelete, scenariosGet, scenariosList, scenariosSave } from "./scenarios";
import { schedulesGet, schedulesKeep, schedulesList, schedulesSetDeployment, schedulesSetEnvironment } from "./schedules";
import { schedulesSavings } from "./schedules-savings";
import { sessionsEnd, sessionsEndAll, sessionsList } from "./sessions";
import { tokensCreate, tokensList, tokensRevoke } from "./tokens";
import { upgradeAdvice, upgradePreview } from "./upgrade";
import { usersDisable, usersEnable, usersList, usersSetOwner } from "./users";
import { wakesGet, wakesList, wakesRequest } from "./wakes";

/** Every operation by its name: the one place from which HTTP, MCP, OpenAPI, the browser's types and the tests take them. */
export const registry = {
  "account.changePassword": accountChangePassword,
  "account.get": accountGet,
  "alerts.list": alertsList,
  "alerts.rules": alertsRules,
  "alerts.setRules": alertsSetRules,
  "approvals.approve": approvalsApprove,
  "approvals.bypass": approvalsBypass,
  "approvals.get": approvalsGet,
  "approvals.list": approvalsList,
  "approvals.reject": approvalsReject,
  "approvals.request": approvalsRequest,
  "audit.get": auditGet,
  "audit.list": auditList,
  "batches.cancel": batchesCancel,
  "batches.create": batchesCreate,
  "batches.export": batchesExport,
  "batches.get": batchesGet,
  "batches.list": batchesList,
  "batches.pause": batchesPause,
  "batches.resume": batchesResume,
  "batches.retryFailed": batchesRetryFailed,
  "batches.unpack": batchesUnpack,
  "budgets.get": budgetsGet,
  "budgets.remove": budgetsRemove,
  "budgets.request": budgetsRequest,
  "budgets.set": budgetsSet,
  "clusters.check": clustersCheck,
  "clusters.get": clustersGet,
  "clusters.link": clustersLink,
  "clusters.list": clustersList,
  "clusters.ranges": clustersRanges,
  "clusters.relink": clustersRelink,
  "clusters.setRanges": clustersSetRanges,
  "clusters.unlink": clustersUnlink,
  "compare.create": compareCreate,
  "compare.delete": compareDelete,
  "compare.export": compareExport,
  "compare.get": compareGet,
  "compare.list": compareList,
  "compare.setExpected": compareSetExpected,
  "costs.export": costsExport,
  "costs.now": costsNow,
  "costs.report": costsReport,
  "costs.setSettings": costsSetSettings,
  "costs.settings": costsSettings,
  "costs.total": costsTotal,
  "catalog.add": catalogAdd,
  "catalog.get": catalogGet,
  "catalog.measured": catalogMeasured,
  "catalog.remove": catalogRemove,
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
  "deployments.start": deploymentsStart,
  "deployments.stop": deploymentsStop,
  "documents.delete": documentsDelete,
  "documents.get": documentsGet,
  "documents.hold": documentsHold,
  "documents.list": documentsList,
  "documents.page": documentsPage,
  "documents.rules": documentsRules,
  "documents.setRules": documentsSetRules,
  "documents.upload": documentsUpload,
  "drift.get": driftGet,
  "drift.preview": driftPreview,
  "engines.list": enginesList,
  "environments.create": environmentsCreate,
  "environments.edit": environmentsEdit,
  "environments.list": environmentsList,
  "environments.move": environmentsMove,
  "environments.rules": environmentsRules,
  "environments.setRules": environmentsSetRules,
  "health.get": healthGet,
  "gateway.limits": gatewayLimits,
  "gateway.setLimits": gatewaySetLimits,
  "imports.create": importsCreate,
  "imports.list": importsList,
  "imports.undo": importsUndo,
  "invitations.create": invitationsCreate,
  "invitations.list": invitationsList,
  "invitations.open": invitationsOpen,
  "invitations.redeem": invitationsRedeem,
  "invitations.revoke": invitationsRevoke,
  "invoices.get": invoicesGet,
  "invoices.set": invoicesSet,
  "links.redeemOwner": linksRedeemOwner,
  "logs.follow": logsFollow,
  "logs.read": logsRead,
  "members.candidates": membersCandidates,
  "members.list": membersList,
  "members.remove": membersRemove,
  "members.setRole": membersSetRole,
  "moving.clone": movingClone,
  "moving.export": movingExport,
  "notes.add": notesAdd,
  "notes.list": notesList,
  "notes.remove": notesRemove,
  "notifications.get": notificationsGet,
  "notifications.list": notificationsList,
  "notifications.set": notificationsSet,
  "notifications.test": notificationsTest,
  "previewEnvironments.list": previewEnvironmentsList,
  "previewEnvironments.open": previewEnvironmentsOpen,
  "previewEnvironments.remove": previewEnvironmentsRemove,
  "prices.book": pricesBook,
  "prices.correct": pricesCorrect,
  "prices.list": pricesList,
  "prices.previewCorrection": pricesPreviewCorrection,
  "prices.set": pricesSet,
  "preflight.cluster": preflightCluster,
  "preflight.get": preflightGet,
  "privacy.get": privacyGet,
  "privacy.probe": privacyProbe,
  "privacy.report": privacyReport,
  "roles.list": rolesList,
  "scaling.get": scalingGet,
  "scaling.set": scalingSet,
  "scenarios.delete": scenariosDelete,
  "scenarios.get": scenariosGet,
  "scenarios.list": scenariosList,
  "scenarios.save": scenariosSave,
  "schedules.get": schedulesGet,
  "schedules.keep": schedulesKeep,
  "schedules.list": schedulesList,
  "schedules.savings": schedulesSavings,
  "schedules.setDeployment": schedulesSetDeployment,
  "schedules.setEnvironment": schedulesSetEnvironment,
  "sessions.end": sessionsEnd,
  "sessions.endAll": sessionsEndAll,
  "sessions.list": sessionsList,
  "templates.create": templatesCreate,
  "templates.delete": templatesDelete,
  "templates.list": templatesList,
  "tokens.create": tokensCreate,
  "tokens.list": tokensList,
  "tokens.revoke": tokensRevoke,
  "upgrade.advice": upgradeAdvice,
  "upgrade.preview": upgradePreview,
  "users.disable": usersDisable,
  "users.enable": usersEnable,
  "users.list": usersList,
  "users.setOwner": usersSetOwner,
  "wakes.get": wakesGet,
  "wakes.list": wakesList,
  "wakes.request": wakesRequest,
  "runs.cancel": runsCancel,
  "runs.export": runsExport,
  "runs.get": runsGet,
  "runs.list": runsList,
  "runs.readAgain": runsReadAgain,
  "runs.start": runsStart,
  "samples.remove": samplesRemove,
};

export type Registry = typeof registry;
export type OperationName = keyof Registry;
export type ReadName = { [Name in OperationName]: Registry[Name]["kind"] extends "read" ? Name : never }[OperationName];
export type WriteName = Exclude<OperationName, ReadName>;
export type Input<Name extends OperationName> = z.input<Registry[Name]["input"]>;
export type Output<Name extends OperationName> = z.output<Registry[Name]["output"]>;

/** Looks an operation up by a name that came from outside. */
export function findOperation(name: string): Operation | undefined {
  return Object.hasOwn(registry, name) ? (registry[name as OperationName] as unknown as Operation) : undefined; // hasOwn has checked the name; the pipeline works on the general type
}

/** What the transports see of the services. */
export const door: Door = {
  operations: registry,
  identify: (request) => identify(db(), request),
  execute: async (name, call) => {
    const operation = findOperation(name);
    if (!operation) throw new Error(`no operation ${name}`);
    return execute(operation, { ...call, db: db() });
  },
};
