import { isRecord } from "./diff-path";
import { overridesAnnotation } from "./manifest/metadata";

/** The paths that somebody has overridden in an object, as its annotation says; none for a text that is no list. */
export function overriddenPaths(object: unknown): string[] {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  const text = isRecord(metadata.annotations) ? metadata.annotations[overridesAnnotation] : undefined;
  if (typeof text !== "string") return [];
  try {
    const paths: unknown = JSON.parse(text);
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}
