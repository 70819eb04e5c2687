import { describe, expect, it } from "vitest";
import type { DomainError } from "@/lib/domain/errors";
import { checkedLookup, isAllowedAddress } from "./send-address";

describe("addresses", () => {
  const policy = { allowLoopback: false, allowPrivate: ["10.20.0.0/16", "fd12::/16", "100.100.0.0/16"] };
  it.each([
    ["8.8.8.8", true],
    ["2606:4700::1111", true],
    ["10.20.3.4", true],
    ["10.21.3.4", false],
    ["192.168.1.1", false],
    ["172.16.0.1", false],
    ["127.0.0.1", false],
    ["::1", false],
    ["0.0.0.0", false],
    ["::", false],
    ["169.254.169.254", false],
    ["fe80::1", false],
    ["224.0.0.1", false],
    ["ff02::1", false],
    ["255.255.255.255", false],
    ["::ffff:10.0.0.1", false],
    ["::ffff:10.20.0.1", true],
    ["64:ff9b::7f00:1", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["64:ff9b::808:808", true],
    ["2002:7f00:1::", false],
    ["2001:0:53aa:64c::1", false],
    ["fd00:ec2::254", false],
    ["fd12::1", true],
    ["168.63.129.16", false],
    ["100.100.100.200", false],
    ["100.100.1.1", true],
    ["240.0.0.1", false],
    ["not an address", false],
  ])("%s: %s", (address, allowed) => {
    expect(isAllowedAddress(address, policy)).toBe(allowed);
  });

  it("lets loopback through only where it is switched on", () => {
    expect(isAllowedAddress("127.0.0.1", { ...policy, allowLoopback: true })).toBe(true);
    expect(isAllowedAddress("169.254.169.254", { allowLoopback: true, allowPrivate: ["0.0.0.0/0"] })).toBe(false);
  });

  const names: Record<string, string[]> = { mixed: ["8.8.8.8", "127.0.0.1"], public: ["8.8.8.8", "8.8.4.4"], rebound: ["169.254.169.254"] };
  it.each([
    ["mixed", "forbidden"],
    ["rebound", "forbidden"],
    ["public", "8.8.8.8"],
  ])("of the name %s: %s", async (name, outcome) => {
    const resolver = checkedLookup(policy, (hostname, _, callback) =>
      callback(
        null,
        (names[hostname] ?? []).map((address) => ({ address, family: 4 })),
      ),
    );
    const answer = await new Promise((resolve) =>
      resolver(name, {}, (error, address) => resolve(error ? (error as unknown as DomainError).code : address)),
    );
    expect(answer).toBe(outcome);
  });
});
