import { readFileSync } from "node:fs";
import { DomainError } from "@/lib/domain/errors";

/** A JSON file, or standard input for "-". Throws DomainError `invalid_input` with what must be in it; `holds` says that: "one deployment spec". */
export function readJson(file: string, holds: string): unknown {
  const what = file === "-" ? "Standard input" : `The file ${file}`;
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch {
    throw new DomainError("invalid_input", `The file ${file} cannot be read: check its name and rights.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("invalid_input", `${what} is not valid JSON: it must hold ${holds}.`);
  }
}
