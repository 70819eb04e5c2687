import { convert, type Rates } from "./cost/currency";
import { exactOf, formatMoney, moneyText, type MoneyText } from "./cost-format";
import { divide, multiply, exact, subtract, toDecimal, type Exact } from "./money";

/** `difference`: invoice less total, in the total's currency; `percent` of the total with one place, signed. */
export type AgainstInvoice = { state: "compared"; difference: MoneyText; percent: string } | { state: "open"; reason: string };

/** What was invoiced against what Lectern counts. Nothing is compared that has no total, no rate, or a total of nothing. */
export function againstInvoice(total: MoneyText | null, invoiced: MoneyText, rates: Rates): AgainstInvoice {
  if (!total) return { state: "open", reason: "the total is open: something has no price, or there is no rate" };
  const converted = convert(exactOf(invoiced), { from: invoiced.currency, to: total.currency }, rates);
  if (!converted) return { state: "open", reason: `there is no rate from ${invoiced.currency} to ${total.currency}` };
  const counted = exactOf(total);
  if (counted.n === 0n) return { state: "open", reason: "nothing was counted in this month" };
  const difference = subtract(converted, counted);
  return { state: "compared", difference: moneyText(difference, total.currency), percent: toDecimal(ratioOf(difference, counted), 1) };
}

/** 100 × a / b; the sign of `a` is kept. */
function ratioOf(a: Exact, b: Exact): Exact {
  return multiply(exact(100), divide(a, b));
}

/** "The invoice of 540.00 USD is 4.5 % above the total." */
export function invoiceSentence(invoiced: MoneyText, found: AgainstInvoice): string {
  const what = `The invoice of ${formatMoney(invoiced)}`;
  if (found.state === "open") return `${what} is not compared: ${found.reason}.`;
  const size = found.percent.replace("-", "");
  if (Number(size) === 0) return `${what} agrees with the total.`;
  return `${what} is ${size}\u00a0% ${found.percent.startsWith("-") ? "below" : "above"} the total.`;
}
