"use client";

import "katex/dist/katex.min.css";
import Markdown, { type Components } from "react-markdown";
import rehypeKatex from "rehype-katex";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";

/** What may remain of a model's text: prose, lists, tables, code and formulas; no pictures, no forms, links to the web only. */
const schema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((tag) => !["img", "input", "picture", "source"].includes(tag)),
  attributes: { ...defaultSchema.attributes, code: [["className", "language-math", "math-inline", "math-display"]], td: ["colSpan", "rowSpan"], th: ["colSpan", "rowSpan"] },
  protocols: { href: ["http", "https", "mailto"] },
};

type BlockTextProps = { label: string; text: string };

/** Links lead out and say nothing of where from; a wide table scrolls in a frame that the keyboard reaches. */
const PARTS: Components = {
  a: ({ href, children }) => <a href={href} rel="noreferrer noopener nofollow" target="_blank" className="underline">{children}</a>,
  table: ({ children }) => <div tabIndex={0} role="region" aria-label="Table" className="overflow-x-auto"><table>{children}</table></div>,
};

/** A block's text as Markdown with HTML tables, sanitised after it was converted; formulas are set last, from text that is already clean. Code stays as it is. */
export function BlockText({ label, text }: BlockTextProps) {
  if (label === "code") return <pre tabIndex={0} role="region" aria-label="Code" className="overflow-x-auto font-mono text-sm whitespace-pre">{text.replace(/^```[^\n]*\n?|\n?```$/g, "")}</pre>;
  return (
    <div className="block-text min-w-0 break-words">
      <Markdown
        remarkPlugins={[remarkGfm, remarkMath]}
        rehypePlugins={[rehypeRaw, [rehypeSanitize, schema], [rehypeKatex, { trust: false, throwOnError: false, maxExpand: 200, maxSize: 20 }]]}
        components={PARTS}
      >
        {label === "formula" && !/^(?:\$|\\\[|\\\()/.test(text) ? `$$\n${text}\n$$` : text}
      </Markdown>
    </div>
  );
}
