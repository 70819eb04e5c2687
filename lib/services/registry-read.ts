import "server-only";
import { batchesCreate, batchesGet, batchesList } from "./batches";
import { batchesCancel, batchesPause, batchesResume, batchesRetryFailed } from "./batches-control";
import { batchesExport, batchesUnpack } from "./batches-files";
import { compareCreate, compareDelete, compareGet, compareList, compareSetExpected } from "./compare";
import { compareExport } from "./compare-export";
import { documentsList } from "./document-list";
import { documentsRules, documentsSetRules } from "./document-rules";
import { documentsDelete, documentsGet, documentsHold, documentsUpload } from "./documents";
import { enginesList } from "./engines";
import { gatewayLimits, gatewaySetLimits } from "./gateway-limits";
import { runsReadAgain } from "./page-again";
import { documentsPage } from "./page-image";
import { runsExport } from "./run-export";
import { runsCancel, runsGet, runsList, runsStart } from "./runs";

/** Read: documents, runs, engines, batches, comparisons, the gateway. */
export const readOperations = {
  "batches.cancel": batchesCancel,
  "batches.create": batchesCreate,
  "batches.export": batchesExport,
  "batches.get": batchesGet,
  "batches.list": batchesList,
  "batches.pause": batchesPause,
  "batches.resume": batchesResume,
  "batches.retryFailed": batchesRetryFailed,
  "batches.unpack": batchesUnpack,
  "compare.create": compareCreate,
  "compare.delete": compareDelete,
  "compare.export": compareExport,
  "compare.get": compareGet,
  "compare.list": compareList,
  "compare.setExpected": compareSetExpected,
  "documents.delete": documentsDelete,
  "documents.get": documentsGet,
  "documents.hold": documentsHold,
  "documents.list": documentsList,
  "documents.page": documentsPage,
  "documents.rules": documentsRules,
  "documents.setRules": documentsSetRules,
  "documents.upload": documentsUpload,
  "engines.list": enginesList,
  "gateway.limits": gatewayLimits,
  "gateway.setLimits": gatewaySetLimits,
  "runs.cancel": runsCancel,
  "runs.export": runsExport,
  "runs.get": runsGet,
  "runs.list": runsList,
  "runs.readAgain": runsReadAgain,
  "runs.start": runsStart,
};
