import "server-only";
import type { Db } from "@/lib/platform/db";
import { publish } from "./live";
import { sealingOf, type ReadablePage } from "./page-outcome";
import { held } from "./page-queue";
import { sealLiveText, sealPageText } from "./run-rows";

/** Half of what a person notices; the other half is the way to the screen. */
const FLUSH_MS = 40;

/** Collects pieces of text, stores them and passes them on together, so that a fast model does not mean a write per token. */
export function createPassOn(db: Db, page: ReadablePage) {
  let text = "";
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    timer = undefined;
    if (sent === text.length) return;
    const topic = `run:${page.runId}` as const;
    const offset = sent;
    const piece = text.slice(offset);
    sent = text.length;
    const data = { sealedText: sealPageText({ id: page.id, environmentId: page.run.environmentId }, text, sealingOf(page)), textLength: text.length };
    await db.$transaction(async (tx) => {
      const mine = await tx.runPage.updateMany({ where: held(page), data });
      if (mine.count === 1) await publish(tx, topic, { data: { page: page.number, state: "running", offset }, sealed: sealLiveText(topic, piece, sealingOf(page)) });
    });
  }

  return {
    add(delta: string) {
      text += delta;
      timer ??= setTimeout(() => {
        writing = writing.then(flush);
        writing.catch(() => undefined); // `end` reports it
      }, FLUSH_MS);
    },
    async end() {
      clearTimeout(timer);
      writing = writing.then(flush);
      await writing;
    },
  };
}
