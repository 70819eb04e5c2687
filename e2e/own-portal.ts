import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { ENVIRONMENT } from "./settings";

export type Ended = { code: number | null; signal: string | null; output: string };

/** A portal of a test's own, apart from the suite's: it may be killed. */
export class OwnPortal {
  output = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<Ended>;

  constructor(script: string, options: { port: number; dataDir: string }) {
    const { OIDC_ISSUER: _issuer, ...env } = ENVIRONMENT;
    this.child = spawn(process.execPath, ["--import", "tsx", script], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, NODE_ENV: "production", PORT: String(options.port), NEXTAUTH_URL: `http://localhost:${options.port}`, LECTERN_DATA_DIR: path.resolve(options.dataDir), LECTERN_LOG_LEVEL: "warn" },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (piece: Buffer) => (this.output += piece.toString()));
    this.ended = once(this.child, "exit").then(([code, signal]) => ({ code, signal, output: this.output }) as Ended); // the event's own two arguments
  }

  end(): Promise<Ended> {
    return this.ended;
  }

  /** Until it has said these words; throws with all it said when it ends before. */
  async ready(words = /Lectern is ready/): Promise<void> {
    while (!words.test(this.output)) {
      const next = await Promise.race([this.ended, once(this.child.stdout ?? this.child, "data")]);
      if (!Array.isArray(next)) throw new Error(`it ended before it was ready: ${next.output}`);
    }
  }

  kill(signal: "SIGKILL" | "SIGTERM"): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
