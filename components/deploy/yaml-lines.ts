"use client";

import { createElement, useEffect, useState, type ReactNode } from "react";
import type { HighlighterCore } from "shiki/core";

let loading: Promise<HighlighterCore> | undefined;

/** One highlighter for the page, with one grammar, fetched when the first YAML is shown. */
function highlighter(): Promise<HighlighterCore> {
  loading ??= (async () => {
    const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }, yaml] = await Promise.all([
      import("shiki/core"),
      import("shiki/engine/javascript"),
      import("@shikijs/langs/yaml"),
    ]);
    return createHighlighterCore({ themes: [createCssVariablesTheme()], langs: [yaml.default], engine: createJavaScriptRegexEngine() });
  })();
  return loading;
}

/** The lines of a YAML text as coloured spans; undefined until the highlighter is there, plain text meanwhile. */
export function useYamlLines(yaml: string): ReactNode[] | undefined {
  const [colour, setColour] = useState<HighlighterCore>();
  useEffect(() => {
    let isGone = false;
    void highlighter().then((ready) => !isGone && setColour(ready));
    return () => {
      isGone = true;
    };
  }, []);
  if (!colour) return undefined;
  const { tokens } = colour.codeToTokens(yaml.replace(/\n$/, ""), { lang: "yaml", theme: "css-variables" });
  return tokens.map((line) => (line.length === 0 ? "" : line.map((token, index) => createElement("span", { key: index, style: { color: token.color } }, token.content))));
}
