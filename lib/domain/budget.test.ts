import { describe, expect, it } from "vitest";
import { Budget, budgetSentence, lookAtBudget } from "./budget";
import { exact } from "./money";

const DAY = 86_400_000;
const hours = (rule: "warn" | "approve" | "block" = "block") => Budget.parse({ kind: "node_hours", amount: "200", rule });
const look = (used: string | null, day: number) => lookAtBudget(hours(), { used: used === null ? null : exact(used), elapsedMs: day * DAY, wholeMs: 30 * DAY });

describe("a budget", () => {
  it.each<[string | null, number, string]>([
    ["30", 5, "fine"],
    ["39.99", 6, "fine"],
    ["40.01", 6, "early"],
    ["40.01", 5, "fine"], // too early in the month for a pace
    ["159.99", 24, "fine"],
    ["160", 25, "warned"],
    ["199.99", 30, "warned"],
    ["200", 30, "spent"],
    ["260", 12, "spent"],
    [null, 12, "unknown"],
  ])("with %s h used on day %i is %s", (used, day, state) => expect(look(used, day).state).toBe(state));

  it("says how much, and how it ends", () => {
    const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, " ");
    expect(plain(budgetSentence(hours(), look("160", 20), "November 2026"))).toBe("The node-hour budget of November 2026 is used to 80 %: 160.00 h of 200.00 h. At this pace the month ends at 240.00 h.");
    expect(plain(budgetSentence(hours(), look("212.5", 20), "November 2026"))).toBe("The node-hour budget of November 2026 is used up: 212.50 h of 200.00 h (106 %).");
    const money = Budget.parse({ kind: "money", amount: "500", currency: "EUR", rule: "warn" });
    expect(plain(budgetSentence(money, lookAtBudget(money, { used: null, elapsedMs: DAY, wholeMs: 30 * DAY }), "May 2026"))).toContain("cannot be checked");
  });

  it("has a currency exactly when it is money", () => {
    expect(Budget.safeParse({ kind: "money", amount: "500", rule: "warn" }).success).toBe(false);
    expect(Budget.safeParse({ kind: "node_hours", amount: "500", currency: "USD", rule: "warn" }).success).toBe(false);
    expect(Budget.safeParse({ kind: "node_hours", amount: "0", rule: "warn" }).success).toBe(false);
  });
});
