// `npm run up`: installs, builds and starts Lectern; what is unchanged since the last time is reused.
// Plain JavaScript without packages: it must run, and say what is wrong, before anything is installed.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import process from "node:process";

const MINIMUM = [20, 19];
const SOURCES = ["app", "components", "lib", "prisma", "public", "next.config.ts", "postcss.config.mjs", "proxy.ts", "instrumentation.ts", "package-lock.json", "tsconfig.json"];

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return;
  refuse(`Lectern needs Node ${MINIMUM.join(".")} or later, and this is ${process.versions.node}. Install a newer Node and start again.`);
}

/** Like mkdir -p, one folder after the other: Node's own recursive way never returns below /proc. */
function makeFolder(dir) {
  if (existsSync(dir)) return;
  makeFolder(path.dirname(dir));
  mkdirSync(dir);
}

function dataDir() {
  const dir = path.resolve(process.env.LECTERN_DATA_DIR ?? ".lectern");
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK);
  } catch {
    refuse(`The data folder ${dir} cannot be written. Change its owner, or set LECTERN_DATA_DIR to a folder that this user may write.`);
  }
  return dir;
}

function checkPort(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) =>
      refuse(error.code === "EADDRINUSE" ? `Port ${port} is in use. Stop what listens there, or choose another one: PORT=3001 npm run up` : `Port ${port} cannot be used (${error.code}). Choose another one: PORT=3001 npm run up`),
    );
    server.listen(port, process.env.LECTERN_HOST ?? "127.0.0.1", () => server.close(resolve));
  });
}

function filesBelow(entry) {
  if (!existsSync(entry)) return [];
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry).filter((name) => name !== "generated").sort().flatMap((name) => filesBelow(path.join(entry, name)));
}

function digest(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function run(step, command, args) {
  console.log(step);
  try {
    execFileSync(command, args, { stdio: "inherit", env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
  } catch {
    refuse(`${step} failed: the lines above say why.`);
  }
}

/** Runs the step unless its stamp says that it was done for exactly these files. */
function once({ stamp, files, isThere }, work) {
  const wanted = digest(files);
  if (isThere && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  work();
  writeFileSync(stamp, wanted);
}

checkNode();
const dir = dataDir();
const port = Number(process.env.PORT ?? 3000);
await checkPort(port);
once({ stamp: "node_modules/.lectern-installed", files: ["package-lock.json"], isThere: existsSync("node_modules") }, () => run("Installing packages", "npm", ["ci"]));
once({ stamp: ".next/lectern-built", files: SOURCES.flatMap(filesBelow), isThere: existsSync(".next/BUILD_ID") }, () => run("Building", "npm", ["run", "--silent", "build"]));
if (process.argv.includes("--build-only")) process.exit(0);

const child = spawn(process.execPath, ["--import", "tsx", "scripts/serve.ts"], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "production", PORT: String(port), LECTERN_DATA_DIR: dir },
});
// A terminal sends Ctrl-C to the whole group: the child stops by itself, and this process waits for it.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => signal === "SIGTERM" && child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
