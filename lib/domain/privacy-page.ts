import type { PrivacyFact, Verdict } from "./privacy";

export type PrivacyPage = { deployment: string; environment: string; cluster: string; namespace: string; model: string; revision: number; checkedAt: string; facts: PrivacyFact[] };

const WORDS: Record<Verdict, string> = { proved: "Proved", broken: "Not so", not_proved: "Not proved" };
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** A page that prints on paper: no script, nothing loaded, everything escaped. */
export function privacyHtml(page: PrivacyPage): string {
  const rows = page.facts.map(
    (fact) =>
      `<tr class="${fact.verdict}"><th scope="row">${escaped(fact.title)}</th><td>${WORDS[fact.verdict]}</td><td>${escaped(fact.sentence)}${fact.evidence.length > 0 ? `<ul>${fact.evidence.map((each) => `<li>${escaped(each)}</li>`).join("")}</ul>` : ""}</td></tr>`,
  );
  const facts: [string, string][] = [["Environment", page.environment], ["Cluster", page.cluster], ["Namespace", page.namespace], ["Model", page.model], ["Revision", String(page.revision)], ["Checked at", page.checkedAt]];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Privacy of ${escaped(page.deployment)}, ${escaped(page.checkedAt)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:.5rem;text-align:left;vertical-align:top}.broken td:nth-child(2){color:#a40000;font-weight:600}.not_proved td:nth-child(2){color:#7a5200}ul{margin:.25rem 0 0;padding-left:1.2rem;font-family:monospace;font-size:.85em}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0}</style></head>
<body><h1>Privacy of ${escaped(page.deployment)}</h1>
<p>What was found in the cluster itself at the time below. "Not proved" means that nobody could check it, not that it is wrong.</p>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>
<table><thead><tr><th>Fact</th><th>Result</th><th>Found</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></body></html>
`;
}
