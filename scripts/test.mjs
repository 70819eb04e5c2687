// `npm test`: installs what is missing, then checks everything in the order in which a mistake shows soonest.
// Plain JavaScript without packages: it runs on a fresh clone.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { playwrightFailures, vitestFailures } from "./test-failures.mjs";

const RESULTS = path.resolve(".data/results");
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" };
const totals = { passed: 0, failed: 0 };
/** What failed, told once more at the end. */
const failures = [];

function counted(title, isGreen) {
  totals[isGreen ? "passed" : "failed"] += 1;
  if (!isGreen) failures.push(`   ${title}`);
}

function has(command) {
  return spawnSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status === 0;
}

function run(title, [command, ...args], extra = {}) {
  console.log(`\n== ${title}`);
  const started = Date.now();
  const result = spawnSync(command, args, { stdio: "inherit", env: { ...env, ...extra } });
  console.log(`   ${title}: ${result.status === 0 ? "done" : "failed"} after ${((Date.now() - started) / 1000).toFixed(0)} s`);
  return result.status === 0;
}

/** A check without cases of its own counts as one. */
function check(title, ...command) {
  counted(title, run(title, command));
}

/** Checks that each keep one core busy, side by side; what they say is printed one after the other. */
async function checks(commands) {
  const one = ([title, command, ...args]) =>
    new Promise((resolve) => {
      const started = Date.now();
      const child = spawn(command, args, { env });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
      child.on("close", (code) => {
        console.log(`\n== ${title}\n${said}   ${title}: ${code === 0 ? "done" : "failed"} after ${((Date.now() - started) / 1000).toFixed(0)} s`);
        counted(title, code === 0);
        if (code !== 0) failures.push(said.slice(-2_000));
        resolve();
      });
    });
  await Promise.all(commands.map(one));
}

/** The registry's list of known holes, for what runs in production; where it cannot be asked, that is said and not counted. */
function vulnerabilities() {
  console.log("\n== Known vulnerabilities");
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", env, timeout: 60_000 });
  const counts = readAudit(stdout);
  if (!counts) return console.log("   The registry does not answer this question here: not counted.");
  console.log(`   critical ${counts.critical}, high ${counts.high}, moderate ${counts.moderate}, low ${counts.low}; a critical one fails`);
  counted("Known vulnerabilities", counts.critical === 0);
}

function readAudit(text) {
  try {
    return JSON.parse(text).metadata?.vulnerabilities ?? null;
  } catch {
    return null;
  }
}

function count(title, file, read) {
  if (!existsSync(file)) return counted(`${title}: no report`, false);
  const { passed, failed, told } = read(JSON.parse(readFileSync(file, "utf8")));
  totals.passed += passed;
  totals.failed += failed;
  failures.push(...told);
}

/** A runner that reports its cases as JSON; when it fails without a failed case, that is one failure. */
function suite(title, args, options) {
  const before = totals.failed;
  const file = path.join(RESULTS, options.file);
  rmSync(file, { force: true });
  const isGreen = run(title, ["npx", ...args(file)], options.env?.(file));
  count(title, file, options.read);
  if (!isGreen && totals.failed === before) counted(title, false);
}

const readVitest = (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests + report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length, told: vitestFailures(report) });
const readPlaywright = (report) => ({ passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected, told: playwrightFailures(report) });

function unit(title, file, extra) {
  suite(title, (out) => ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${out}`, ...extra.args], { file, read: readVitest, env: () => extra.env });
}

function install() {
  const wanted = readFileSync("package-lock.json");
  const stamp = "node_modules/.package-lock.json";
  const isFresh = existsSync(stamp) && existsSync("lib/generated/prisma") && wanted.length > 0;
  if (isFresh) return;
  if (!run("Install packages", ["npm", "ci"])) fail("The packages could not be installed.");
}

function fail(sentence) {
  console.error(sentence);
  console.log(`${totals.passed} passed, ${totals.failed + 1} failed`);
  process.exit(1);
}

function apt(...packages) {
  if (process.platform !== "linux" || !has("apt-get")) return false;
  const prefix = process.getuid?.() === 0 ? [] : has("sudo") ? ["sudo", "-n"] : null;
  if (!prefix) return false;
  const call = (...args) => spawnSync([...prefix, "apt-get"][0], [...prefix.slice(1), ...(prefix.length ? ["apt-get"] : []), ...args], { stdio: "ignore", env: { ...env, DEBIAN_FRONTEND: "noninteractive" } }).status === 0;
  return call("update") && call("install", "-y", "--no-install-recommends", ...packages);
}

/** The system's Chromium, else Debian's package, else the one that Playwright downloads. */
function browser() {
  const found = () => [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find((file) => file && existsSync(file));
  if (found()) return found();
  console.log("\n== Install a browser");
  if (apt("chromium") && found()) return found();
  execFileSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit", env });
  return undefined;
}

/** Debian's PostgreSQL, for the second run of the unit suite. */
function otherPostgres() {
  const base = "/usr/lib/postgresql";
  const find = () => (existsSync(base) ? readdirSync(base) : []).sort((a, b) => Number(b) - Number(a)).map((version) => `${base}/${version}/bin`).find((dir) => existsSync(`${dir}/initdb`));
  if (find()) return find();
  apt("postgresql");
  return find();
}

/** CI also runs what uses a database on Debian's PostgreSQL; at a desk `npm test -- --second-postgres` does. */
function secondPostgres() {
  const pgBin = otherPostgres();
  if (!pgBin) return console.log("\nThe unit tests were not run on a second PostgreSQL: none is installed and none could be.");
  unit(`Unit tests that use a database, ${pgBin}`, "unit-system.json", { args: ["--project", "node", "lib/services", "lib/platform/listen", "lib/client", "scripts"], env: { PG_BIN: pgBin } });
}

install();
mkdirSync(RESULTS, { recursive: true });
await checks([
  ["Types", "npm", "run", "--silent", "typecheck"],
  ["Lint", "npm", "run", "--silent", "lint"],
]);
vulnerabilities();
check("Migrations match the schema", "npm", "run", "--silent", "db:check");
if (!has("pdftoppm") && !apt("poppler-utils")) console.log("\nPoppler is not here: the comparisons with its pictures and texts are skipped.");
unit("Unit tests, PostgreSQL of the npm package", "unit.json", { args: [], env: {} });
if (env.CI || process.argv.includes("--second-postgres")) secondPostgres();
// As in CI: types were checked above, and no cache is written that a fresh clone never reads.
counted("Build", run("Build", ["npm", "run", "--silent", "build"], { CI: "1" }));
const chromium = browser();
suite("End to end", () => ["playwright", "test"], {
  file: "e2e.json",
  read: readPlaywright,
  env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) }),
});
if (failures.length > 0) console.log(`\n== What failed\n${failures.join("\n")}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
