import { isIPv4, isIPv6 } from 'node:net';

/** An IP address, as Go's `net/netip` has it. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** A network in CIDR notation, not masked. */
export interface Network {
  readonly address: Address;
  readonly length: number;
}

export const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function parseIPv4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** Rewrites a last part in IPv4 notation as two groups of hexadecimal digits. */
function expandIPv4Tail(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const last = text.slice(start);
  if (!last.includes('.')) return text;
  const bits = parseIPv4Bits(last);
  return `${text.slice(0, start)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function parseIPv6Bits(text: string): bigint {
  const [head = '', tail] = expandIPv4Tail(text).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const after = tail === undefined ? [] : groups(tail);
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function isIPv4Mapped({ family, bits }: Address): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

/**
 * Parses an IP address; undefined for text that is no address, has a zone, or is an IPv4-mapped IPv6 address. Source: apiserver v0.34
 * pkg/cel/library/ip.go, `parseIPAddr`.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, bits: parseIPv4Bits(text) };
  if (text.includes('%') || !isIPv6(text)) return undefined;
  const address: Address = { family: 6, bits: parseIPv6Bits(text) };
  return isIPv4Mapped(address) ? undefined : address;
}

/** Parses a network in CIDR notation. Source: apiserver v0.34 pkg/cel/library/cidr.go, `parseCIDR`. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.lastIndexOf('/');
  const address = parseAddress(text.slice(0, Math.max(0, slash)));
  const length = text.slice(slash + 1);
  if (!address || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) <= ADDRESS_BITS[address.family] ? { address, length: Number(length) } : undefined;
}

/** Returns the first bits of an address; the others are zero. */
function clearHostBits({ family, bits }: Address, length: number): bigint {
  const hostBits = BigInt(ADDRESS_BITS[family] - length);
  return (bits >> hostBits) << hostBits;
}

export function applyNetworkMask({ address, length }: Network): Network {
  return { address: { ...address, bits: clearHostBits(address, length) }, length };
}

function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.bits === other.bits;
}

function isInNetwork(address: Address, network: Network): boolean {
  return (
    address.family === network.address.family && clearHostBits(address, network.length) === clearHostBits(network.address, network.length)
  );
}

export function containsAddress(network: Network, address: Address): boolean {
  return isInNetwork(address, network);
}

export function containsNetwork(network: Network, other: Network): boolean {
  return network.length <= other.length && isInNetwork(other.address, network);
}

function formatIPv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const runs = [...groups.join(':').matchAll(/(?<![\da-f])0(?::0)+(?![\da-f])/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return groups.join(':');
  const delimited = `:${groups.join(':')}:`;
  const at = delimited.indexOf(`:${longest}:`);
  return `${delimited.slice(1, at)}::${delimited.slice(at + longest.length + 2, -1)}`;
}

/** Formats an address as Go does, by RFC 5952. */
export function formatAddress({ family, bits }: Address): string {
  if (family === 6) return formatIPv6(bits);
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

export function formatNetwork({ address, length }: Network): string {
  return `${formatAddress(address)}/${length}`;
}

/** Networks of each kind of address. Source: Go net/netip. */
const ADDRESS_RANGES = {
  isUnspecified: { 4: ['0.0.0.0/32'], 6: ['::/128'] },
  isLoopback: { 4: ['127.0.0.0/8'], 6: ['::1/128'] },
  isMulticast: { 4: ['224.0.0.0/4'], 6: ['ff00::/8'] },
  isLinkLocalMulticast: { 4: ['224.0.0.0/24'], 6: [] },
  isLinkLocalUnicast: { 4: ['169.254.0.0/16'], 6: ['fe80::/10'] },
} as const;

const BROADCAST: Address = { family: 4, bits: 0xffff_ffffn };

export type AddressKind = keyof typeof ADDRESS_RANGES;

export function isAddressOfKind(address: Address, kind: AddressKind): boolean {
  // ff02::/16 with any flags.
  if (kind === 'isLinkLocalMulticast' && address.family === 6) return ((address.bits >> 112n) & 0xff0fn) === 0xff02n;
  return ADDRESS_RANGES[kind][address.family].some((network) => isInNetwork(address, parseNetwork(network)!));
}

/** Reports whether an address is global unicast: not unspecified, loopback, multicast, link-local or broadcast. */
export function isGlobalUnicast(address: Address): boolean {
  const others: readonly AddressKind[] = ['isUnspecified', 'isLoopback', 'isMulticast', 'isLinkLocalUnicast'];
  return !isSameAddress(address, BROADCAST) && !others.some((kind) => isAddressOfKind(address, kind));
}
