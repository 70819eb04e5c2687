import { DomainError } from "./errors";
import { DECIMAL } from "./money";

export type FileRate = { base: string; quote: string; rate: string; date: string };

const MOST_RATES = 60;

/**
 * Exchange rates from a file: the ECB's daily feed (eurofxref-daily.xml, units of each currency for one euro), or CSV with the columns
 * base, quote, rate, date. Throws `invalid_input` with the line that cannot be read.
 */
export function ratesOfFile(text: string): FileRate[] {
  const rates = text.includes("<Cube") ? ratesOfFeed(text) : ratesOfCsv(text);
  if (rates.length === 0) throw new DomainError("invalid_input", "The file holds no rates: give the ECB's daily XML, or CSV with base, quote, rate, date.");
  if (rates.length > MOST_RATES) throw new DomainError("invalid_input", `The file holds ${rates.length} rates: give at most ${MOST_RATES} at a time.`);
  return rates;
}

function ratesOfFeed(text: string): FileRate[] {
  const date = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(text)?.[1];
  if (!date) throw new DomainError("invalid_input", "The feed does not say of which day its rates are.");
  return [...text.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([\d.]+)['"]/g)].flatMap(([, quote = "", rate = ""]) => (DECIMAL.test(rate) ? [{ base: "EUR", quote, rate, date }] : []));
}

function ratesOfCsv(text: string): FileRate[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const [base = "", quote = "", rate = "", date = ""] = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"|"$/g, ""));
    if (line.trim() === "" || (index === 0 && !DECIMAL.test(rate))) return [];
    const isRate = /^[A-Z]{3}$/.test(base) && /^[A-Z]{3}$/.test(quote) && base !== quote && DECIMAL.test(rate) && Number(rate) > 0 && !Number.isNaN(Date.parse(date)) && /^\d{4}-\d{2}-\d{2}$/.test(date);
    if (!isRate) throw new DomainError("invalid_input", `Line ${index + 1} is no rate: write it like EUR,USD,1.1133,2026-10-28.`);
    return [{ base, quote, rate, date }];
  });
}
