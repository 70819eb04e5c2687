import "server-only";
import { budgetsGet, budgetsRemove, budgetsRequest, budgetsSet } from "./budgets";
import { costsNow, costsReport, costsTotal } from "./costs";
import { costsExport, costsExportTotal } from "./costs-export";
import { costsSetSettings, costsSettings } from "./costs-settings";
import { importsCreate, importsList, importsUndo } from "./imports";
import { invoicesGet, invoicesSet } from "./invoices";
import { notesAdd, notesList, notesRemove } from "./notes";
import { pricesBook, pricesCorrect, pricesList, pricesPreviewCorrection, pricesSet } from "./prices";
import { scenariosDelete, scenariosGet, scenariosList, scenariosSave } from "./scenarios";
import { samplesRemove } from "./showcase";

/** Pay: costs, prices, history, scenarios, budgets. */
export const payOperations = {
  "budgets.get": budgetsGet,
  "budgets.remove": budgetsRemove,
  "budgets.request": budgetsRequest,
  "budgets.set": budgetsSet,
  "costs.export": costsExport,
  "costs.exportTotal": costsExportTotal,
  "costs.now": costsNow,
  "costs.report": costsReport,
  "costs.setSettings": costsSetSettings,
  "costs.settings": costsSettings,
  "costs.total": costsTotal,
  "imports.create": importsCreate,
  "imports.list": importsList,
  "imports.undo": importsUndo,
  "invoices.get": invoicesGet,
  "invoices.set": invoicesSet,
  "notes.add": notesAdd,
  "notes.list": notesList,
  "notes.remove": notesRemove,
  "prices.book": pricesBook,
  "prices.correct": pricesCorrect,
  "prices.list": pricesList,
  "prices.previewCorrection": pricesPreviewCorrection,
  "prices.set": pricesSet,
  "samples.remove": samplesRemove,
  "scenarios.delete": scenariosDelete,
  "scenarios.get": scenariosGet,
  "scenarios.list": scenariosList,
  "scenarios.save": scenariosSave,
};
