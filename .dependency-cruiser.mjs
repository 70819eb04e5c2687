/** The import graph: no cycles, and its picture (`npm run graph`). Which room may import which is ESLint's (eslint.config.mjs). */
const config = {
  forbidden: [{ name: "no-circular", severity: "error", comment: "Two files that import each other are one file, or miss a third.", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } }],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.test\\.tsx?$|^lib/generated|^scripts|^e2e|^\\.next|fixtures|testing" },
    includeOnly: "^(app|components|lib|instrumentation|proxy)",
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"], extensions: [".ts", ".tsx", ".mjs", ".js", ".json"] },
  },
};

export default config;
