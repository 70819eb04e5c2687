/**
 * Writes api-types.json: the fields of every served kind, read from the models of the npm package @kubernetes/client-node (Apache-2.0).
 * Run it with `node lib/embedded/cluster/data/generate-api-types.mjs` after that package has changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import * as models from "../../../../node_modules/@kubernetes/client-node/dist/gen/models/all.js";

const here = new URL(".", import.meta.url);
const catalog = JSON.parse(readFileSync(new URL("api-groups.json", here), "utf8"));
const types = {};

function element(type) {
  return type
    .replace(/^(Array|Set)<(.*)>$/, "$2")
    .replace(/^\{ \[key: string\]: (.*); \}$/, "$1")
    .trim();
}

function shorten(type) {
  if (/^(Array|Set)</.test(type)) return `[]${shorten(element(type))}`;
  if (type.startsWith("{ [key: string]")) return `{}${shorten(element(type))}`;
  return type;
}

function collect(name) {
  const model = models[name];
  if (!model?.attributeTypeMap || types[name]) return;
  types[name] = {};
  for (const { baseName, type } of model.attributeTypeMap) {
    types[name][baseName] = shorten(type);
    let inner = type;
    while (inner !== element(inner)) inner = element(inner);
    collect(inner);
  }
}

const prefix = (version) => version.charAt(0).toUpperCase() + version.slice(1);
for (const { groupVersion, resources } of catalog) {
  const version = prefix(groupVersion.split("/").at(-1));
  for (const { kind } of resources) {
    const name = [`${version}${kind}`, `Core${version}${kind}`, `Events${version}${kind}`].find((candidate) => models[candidate]);
    if (name) collect(name);
  }
}
for (const name of [
  "V1Scale",
  "V1DeleteOptions",
  "CoreV1Event",
  "EventsV1Event",
  "AuthenticationV1TokenRequest",
  "DiscoveryV1EndpointPort",
  "CoreV1EndpointPort",
])
  collect(name);
writeFileSync(new URL("api-types.json", here), `${JSON.stringify(Object.fromEntries(Object.entries(types).sort()))}\n`);
