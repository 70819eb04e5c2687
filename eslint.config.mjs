import next from "eslint-config-next/core-web-vitals";
import typescript from "eslint-config-next/typescript";

/** A room, and the rooms it may not import (docs/architecture.md, "Rooms"). */
const zones = [
  { target: "./lib/domain", from: ["./app", "./components", "./lib/client", "./lib/services", "./lib/platform", "./lib/embedded", "./lib/generated"] },
  { target: "./lib/platform", from: ["./app", "./components", "./lib/client", "./lib/services", "./lib/embedded"] },
  { target: "./lib/services", from: ["./app", "./components", "./lib/client", "./lib/embedded"] },
  { target: "./lib/embedded", from: ["./app", "./components", "./lib/client", "./lib/services", "./lib/platform", "./lib/generated"] },
  { target: "./lib/client", from: ["./app", "./components", "./lib/platform", "./lib/embedded", "./lib/generated"] },
  { target: "./components", from: ["./app", "./lib/services", "./lib/platform", "./lib/embedded", "./lib/generated"] },
  { target: "./app", from: ["./lib/embedded", "./lib/generated"] },
].map((zone) => ({ ...zone, message: "This room may not import that one: see docs/architecture.md." }));

const features = ["account", "approvals", "audit", "batches", "clusters", "costs", "deploy", "deployments", "environments", "operate", "overview", "playground", "settings"];
const featureZones = features.map((name) => ({
  target: `./components/${name}`,
  from: features.filter((other) => other !== name).map((other) => `./components/${other}`),
  message: "Component folders do not import each other; share through components/ui or compose in the page.",
}));

const config = [
  { ignores: [".next/**", "lib/generated/**", ".lectern/**", ".data/**", "next-env.d.ts", "playwright-report/**", "test-results/**"] },
  ...next,
  ...typescript,
  {
    files: ["**/*.{ts,tsx,mts,mjs}"],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "import/no-restricted-paths": ["error", { zones: [...zones, ...featureZones] }],
      "max-lines": ["error", { max: 250, skipBlankLines: false, skipComments: false }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 3],
      "max-depth": ["error", 3],
      "no-restricted-properties": ["error", { object: "process", property: "env", message: "Read configuration through lib/platform/env.ts." }],
      "no-restricted-syntax": ["error", { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Untrusted text is rendered through the sanitiser, never as HTML." }],
    },
  },
  { files: ["scripts/test/global-setup.ts"], rules: { "@typescript-eslint/consistent-type-definitions": "off" } }, // merging into vitest's declarations needs an interface
  { files: ["components/playground/page-view.tsx"], rules: { "@next/next/no-img-element": "off" } }, // private pictures must not pass an image optimiser with a cache
  { files: ["components/**/*.tsx", "app/**/*.tsx"], rules: { "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }] } },
  { files: ["**/*.test.ts", "**/*.test.tsx", "e2e/**"], rules: { "max-lines-per-function": "off", "max-lines": ["error", { max: 400 }], "max-depth": "off", "max-params": "off", "react-hooks/rules-of-hooks": "off" } },
  { files: ["lib/platform/env.ts", "scripts/**", "e2e/**", "*.config.ts", "*.config.mjs", "**/*.test.ts"], rules: { "no-restricted-properties": "off" } },
];

export default config;
