import "server-only";
import { copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const LANGUAGES = ["eng", "fra", "deu", "osd"];

/**
 * Puts the trained data of all languages into one directory, `<dataDir>/tessdata`, as tesseract.js wants it; a file that
 * is there in full is left alone, a new one appears whole or not at all. Returns the directory.
 * @throws when a language package is not installed or the folder cannot be written.
 */
export async function provideTrainedData(dataDir: string): Promise<string> {
  const directory = path.join(dataDir, "tessdata");
  await mkdir(directory, { recursive: true });
  await Promise.all(LANGUAGES.map((language) => provide(language, directory)));
  return directory;
}

async function provide(language: string, directory: string): Promise<void> {
  const name = `${language}.traineddata.gz`;
  const source = path.join(packageFolder(`@tesseract.js-data/${language}`), "4.0.0_best_int", name);
  const target = path.join(directory, name);
  if ((await sizeOf(target)) === (await stat(source)).size) return;
  const partial = `${target}.${process.pid}.part`;
  try {
    await copyFile(source, partial);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Resolved from the working directory, the checkout's root: inside a bundle `import.meta.url` is not a file of the checkout. */
function packageFolder(name: string): string {
  const require = createRequire(path.join(process.cwd(), "package.json"));
  return path.dirname(require.resolve(`${name}/package.json`));
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (stats) => stats.size,
    () => undefined,
  );
}
