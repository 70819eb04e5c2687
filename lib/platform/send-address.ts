import "server-only";
import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { DomainError } from "@/lib/domain/errors";

/** Which addresses an origin may resolve to. `allowPrivate` lists CIDR ranges that an owner has allowed. */
export type AddressPolicy = { allowLoopback: boolean; allowPrivate: readonly string[] };

/** Metadata and wire-server addresses that lie in ranges which may be allowed otherwise (AWS over IPv6, Azure, Alibaba). */
const neverAddresses = new Set(["fd00:ec2::254", "168.63.129.16", "100.100.100.200"]);
const privateRanges = new Set(["private", "uniqueLocal", "carrierGradeNat"]);

/** Whether one address may be connected to. IPv4 inside IPv6 (mapped or NAT64) is judged as the IPv4 address that it is. */
export function isAllowedAddress(text: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = embeddedIpv4(ipaddr.process(text));
  if (neverAddresses.has(address.toNormalizedString()) || neverAddresses.has(address.toString())) return false;
  const range = address.range();
  if (range === "unicast") return true;
  if (range === "loopback") return policy.allowLoopback;
  return privateRanges.has(range) && policy.allowPrivate.some((cidr) => isInside(address, cidr));
}

/** Who answers for names: the system, or a test. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A resolver for sockets: asks once, refuses the name when any of its addresses is refused, and connects to what was checked. */
export function checkedLookup(policy: AddressPolicy, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const refused = addresses.find((each) => !isAllowedAddress(each.address, policy));
      const first = addresses[0];
      if (refused || !first) return callback(refusedAddress(hostname), "", 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** The error for a host whose address may not be connected to; the address itself is not told. */
export function refusedAddress(host: string): DomainError {
  return new DomainError(
    "forbidden",
    `${host} has an address that Lectern does not connect to (loopback, link-local, metadata or a private range): ask an owner to allow its range.`,
  );
}

function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6) || address.range() !== "rfc6052") return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(12));
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return network.kind() === address.kind() && address.match(network, bits);
}
