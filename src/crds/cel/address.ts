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

export const WIDTHS = { 4: 32, 6: 128 } as const;

function bitsOfIPv4(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** The last part as two groups of hexadecimal digits, where it is written as an IPv4 address. */
function withHexTail(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const last = text.slice(start);
  if (!last.includes('.')) return text;
  const bits = bitsOfIPv4(last);
  return `${text.slice(0, start)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function bitsOfIPv6(text: string): bigint {
  const [head = '', tail] = withHexTail(text).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const behind = tail === undefined ? [] : groups(tail);
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0');
  return [...before, ...zeros, ...behind].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function isMapped({ family, bits }: Address): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

/** Undefined for what is no address, has a zone, or is an IPv4 address in IPv6. Source: apiserver v0.34 pkg/cel/library/ip.go, `parseIPAddr`. */
export function addressOf(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, bits: bitsOfIPv4(text) };
  if (text.includes('%') || !isIPv6(text)) return undefined;
  const address: Address = { family: 6, bits: bitsOfIPv6(text) };
  return isMapped(address) ? undefined : address;
}

/** Source: apiserver v0.34 pkg/cel/library/cidr.go, `parseCIDR`. */
export function networkOf(text: string): Network | undefined {
  const slash = text.lastIndexOf('/');
  const address = addressOf(text.slice(0, Math.max(0, slash)));
  const length = text.slice(slash + 1);
  if (!address || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) <= WIDTHS[address.family] ? { address, length: Number(length) } : undefined;
}

/** The first bits of an address; the others are zero. */
function firstBits({ family, bits }: Address, length: number): bigint {
  const rest = BigInt(WIDTHS[family] - length);
  return (bits >> rest) << rest;
}

export function masked({ address, length }: Network): Network {
  return { address: { ...address, bits: firstBits(address, length) }, length };
}

function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.bits === other.bits;
}

function isWithin(address: Address, network: Network): boolean {
  return address.family === network.address.family && firstBits(address, network.length) === firstBits(network.address, network.length);
}

export function containsAddress(network: Network, address: Address): boolean {
  return isWithin(address, network);
}

export function containsNetwork(network: Network, other: Network): boolean {
  return network.length <= other.length && isWithin(other.address, network);
}

function textOfIPv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const runs = [...groups.join(':').matchAll(/(?<![\da-f])0(?::0)+(?![\da-f])/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return groups.join(':');
  const whole = `:${groups.join(':')}:`;
  const at = whole.indexOf(`:${longest}:`);
  return `${whole.slice(1, at)}::${whole.slice(at + longest.length + 2, -1)}`;
}

/** An address as Go writes it: RFC 5952. */
export function addressText({ family, bits }: Address): string {
  if (family === 6) return textOfIPv6(bits);
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

export function networkText({ address, length }: Network): string {
  return `${addressText(address)}/${length}`;
}

/** The kinds of addresses: how many first bits are which. Source: Go net/netip. */
const KINDS = {
  isUnspecified: { 4: ['0.0.0.0/32'], 6: ['::/128'] },
  isLoopback: { 4: ['127.0.0.0/8'], 6: ['::1/128'] },
  isMulticast: { 4: ['224.0.0.0/4'], 6: ['ff00::/8'] },
  isLinkLocalMulticast: { 4: ['224.0.0.0/24'], 6: [] },
  isLinkLocalUnicast: { 4: ['169.254.0.0/16'], 6: ['fe80::/10'] },
} as const;

const BROADCAST: Address = { family: 4, bits: 0xffff_ffffn };

export type AddressKind = keyof typeof KINDS;

export function isOfKind(address: Address, kind: AddressKind): boolean {
  // ff02::/16, whatever the flags.
  if (kind === 'isLinkLocalMulticast' && address.family === 6) return ((address.bits >> 112n) & 0xff0fn) === 0xff02n;
  return KINDS[kind][address.family].some((network) => isWithin(address, networkOf(network)!));
}

/** Neither nobody's, this host's, a group's nor this link's. */
export function isGlobalUnicast(address: Address): boolean {
  const others: readonly AddressKind[] = ['isUnspecified', 'isLoopback', 'isMulticast', 'isLinkLocalUnicast'];
  return !isSameAddress(address, BROADCAST) && !others.some((kind) => isOfKind(address, kind));
}
