// What failed, in a few lines each, from the runners' JSON reports: `npm test` repeats it at its end, where a cut log still has it.
import path from "node:path";

const MESSAGE_LINES = 12;

function brief(message) {
  const plain = String(message ?? "no message").replace(/\u001b\[[0-9;]*m/g, "");
  return plain.split("\n").slice(0, MESSAGE_LINES).map((line) => `     ${line.slice(0, 300)}`).join("\n");
}

const entry = (file, title, message) => `   ${path.relative(process.cwd(), file)} › ${title}\n${brief(message)}`;

/** Vitest's failed cases, and the files that failed before their first case. */
export function vitestFailures(report) {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((one) => one.status === "failed");
    if (failed.length === 0) return file.status === "failed" ? [entry(file.name, "before its first case", file.message)] : [];
    return failed.map((one) => entry(file.name, one.fullName, one.failureMessages?.[0]));
  });
}

/** Playwright's failed cases; suites hold suites. */
export function playwrightFailures(report) {
  const inSuite = (suite) => [...(suite.specs ?? []).filter((spec) => !spec.ok).map(ofSpec), ...(suite.suites ?? []).flatMap(inSuite)];
  const ofSpec = (spec) => entry(`e2e/${spec.file}`, spec.title, spec.tests.at(-1)?.results.at(-1)?.error?.message);
  return [...report.suites.flatMap(inSuite), ...(report.errors ?? []).map((error) => entry("e2e", "the runner", error.message))];
}
