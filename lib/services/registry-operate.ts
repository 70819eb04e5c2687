import "server-only";
import { adoptionList, adoptionPreview } from "./adoption";
import { alertsList, alertsRules, alertsSetRules } from "./alerts";
import { driftGet, driftPreview } from "./drift";
import { healthGet } from "./health";
import { movingClone, movingExport } from "./moving";
import { notificationsGet, notificationsList, notificationsSet, notificationsTest } from "./notifications";
import { previewEnvironmentsList, previewEnvironmentsOpen, previewEnvironmentsRemove } from "./preview-environments";
import { templatesCreate, templatesDelete, templatesList } from "./preview-environments-templates";
import { privacyGet, privacyReport } from "./privacy";
import { privacyProbe } from "./privacy-probe";
import { scalingGet, scalingSet } from "./scaler";
import { schedulesGet, schedulesKeep, schedulesList, schedulesSetDeployment, schedulesSetEnvironment } from "./schedules";
import { schedulesSavings } from "./schedules-savings";
import { upgradeAdvice, upgradePreview } from "./upgrade";
import { wakesGet, wakesList, wakesRequest } from "./wakes";

/** Operate: hours and sleep, drift, health, privacy, moving, preview environments. */
export const operateOperations = {
  "adoption.list": adoptionList,
  "adoption.preview": adoptionPreview,
  "alerts.list": alertsList,
  "alerts.rules": alertsRules,
  "alerts.setRules": alertsSetRules,
  "drift.get": driftGet,
  "drift.preview": driftPreview,
  "health.get": healthGet,
  "moving.clone": movingClone,
  "moving.export": movingExport,
  "notifications.get": notificationsGet,
  "notifications.list": notificationsList,
  "notifications.set": notificationsSet,
  "notifications.test": notificationsTest,
  "previewEnvironments.list": previewEnvironmentsList,
  "previewEnvironments.open": previewEnvironmentsOpen,
  "previewEnvironments.remove": previewEnvironmentsRemove,
  "privacy.get": privacyGet,
  "privacy.probe": privacyProbe,
  "privacy.report": privacyReport,
  "scaling.get": scalingGet,
  "scaling.set": scalingSet,
  "schedules.get": schedulesGet,
  "schedules.keep": schedulesKeep,
  "schedules.list": schedulesList,
  "schedules.savings": schedulesSavings,
  "schedules.setDeployment": schedulesSetDeployment,
  "schedules.setEnvironment": schedulesSetEnvironment,
  "templates.create": templatesCreate,
  "templates.delete": templatesDelete,
  "templates.list": templatesList,
  "upgrade.advice": upgradeAdvice,
  "upgrade.preview": upgradePreview,
  "wakes.get": wakesGet,
  "wakes.list": wakesList,
  "wakes.request": wakesRequest,
};
