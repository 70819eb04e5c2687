import { describe, expect, it } from "vitest";
import { approvalRefusal, approvalStateAt, decisionRefusal, isUsable, type Approval } from "./approval";

const now = new Date("2026-11-30T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const one = (change: Partial<Approval> = {}): Approval => ({ state: "pending", isBypass: false, requestedById: "asks", decidedById: null, expiresAt: later(1000), ...change });
const approved = (change: Partial<Approval> = {}) => one({ state: "approved", decidedById: "decides", ...change });
const rules = { protection: { needsApproval: true, approvers: [{ kind: "person" as const, userId: "decides" }, { kind: "group" as const, group: "release" }] }, now };
const person = (userId: string | null, more: { isOwner?: boolean; groups?: string[] } = {}) => ({ userId, isOwner: false, groups: [], ...more });

describe("who decides", () => {
  it.each([
    ["a named person", one(), person("decides"), undefined],
    ["a member of a named group", one(), person("x", { groups: ["release"] }), undefined],
    ["an owner who is not named", one(), person("x", { isOwner: true }), undefined],
    ["whoever asked, though named", one({ requestedById: "decides" }), person("decides"), /yourself/],
    ["an owner who asked", one({ requestedById: "x" }), person("x", { isOwner: true }), /yourself/],
    ["somebody else", one(), person("x", { groups: ["other"] }), /do not name you/],
    ["nobody", one(), person(null), /person/],
    ["too late", one({ expiresAt: now }), person("decides"), /expired/],
    ["a second time", approved(), person("decides"), /approved/],
  ])("%s", (_what, approval, decider, refusal) => {
    const answer = decisionRefusal(approval, decider, rules);
    if (refusal) expect(answer).toMatch(refusal);
    else expect(answer).toBeUndefined();
  });
});

describe("what an approval is good for", () => {
  it.each([
    ["in time, for whoever asked", approved(), "asks", true],
    ["in time, for a third person", approved(), "third", true],
    ["not for whoever approved it", approved(), "decides", false],
    ["not at its end", approved({ expiresAt: now }), "asks", false],
    ["not when used", approved({ state: "used" }), "asks", false],
    ["not while pending", one(), "asks", false],
    ["a bypass for who declared it", approved({ isBypass: true, decidedById: "asks" }), "asks", true],
    ["a bypass not for others", approved({ isBypass: true, decidedById: "asks" }), "third", false],
    ["for nobody unknown", approved(), null, false],
  ] as const)("%s", (_what, approval, userId, isGood) => {
    expect(isUsable(approval, { userId, now })).toBe(isGood);
  });

  it("says what is missing", () => {
    const at = { environment: "Production", userId: "decides", now };
    expect(approvalRefusal([], at)).toBe("Production needs an approval by somebody else for exactly this version. Ask for one.");
    expect(approvalRefusal([approved()], at)).toMatch(/yourself/);
    expect(approvalRefusal([one()], at)).toMatch(/nobody has decided/);
    expect(approvalRefusal([one({ state: "rejected" })], at)).toMatch(/rejected/);
    expect(approvalRefusal([one({ expiresAt: now })], at)).toMatch(/24 hours/);
    expect(approvalRefusal([approved({ state: "used" })], at)).toMatch(/used/);
    expect(approvalStateAt(one({ state: "void", expiresAt: now }), now)).toBe("void");
  });
});
