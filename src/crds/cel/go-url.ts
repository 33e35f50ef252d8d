import { isIPv6 } from 'node:net';

/* URLs as Go reads them. Source: Go 1.26 net/url, with several colons in a host as before 1.26, as a program of Go 1.24 has it. Bytes are characters here. */

/** The parts of a URL. */
export interface GoUrl {
  readonly scheme: string;
  /** What follows a scheme without a slash. */
  readonly opaque: string;
  /** With its `@`. */
  readonly user: string;
  readonly host: string;
  /** As it stands, where that is a valid way to write it. */
  readonly escapedPath: string;
  /** With its question mark, and empty without one. */
  readonly query: string;
  readonly fragment: string;
}

type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/** What stands as it is in a part, beside letters, digits and `-_.~`. */
const UNESCAPED_CHARACTERS: { readonly [P in UrlPart]: string } = {
  path: '$&+,/:;=@',
  host: `!$&'()*+,;=:[]<>"`,
  zone: `!$&'()*+,;=:[]<>"`,
  user: '$&+,;=',
  query: '',
  fragment: '$&+,/:;=?@!()*',
};

function isPlain(byte: string, part: UrlPart): boolean {
  return /[\w.~-]/.test(byte) || UNESCAPED_CHARACTERS[part].includes(byte);
}

function escapeText(text: string, part: UrlPart): string {
  return text.replaceAll(/[\s\S]/g, (byte) =>
    isPlain(byte, part) ? byte : `%${byte.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** May these two digits of base sixteen stand behind a percent sign? */
function canBeEscaped(code: string, part: UrlPart): boolean {
  if (!/^[\da-f]{2}$/i.test(code)) return false;
  const byte = Number.parseInt(code, 16);
  if (part === 'host') return byte >= 0x80 || code === '25';
  if (part === 'zone') return code === '25' || byte === 0x20 || isPlain(String.fromCodePoint(byte), 'host');
  return true;
}

function unescapeText(text: string, part: UrlPart): string | undefined {
  const codes = [...text.matchAll(/%([\s\S]{0,2})/g)].map(([, code = '']) => code);
  if (!codes.every((code) => canBeEscaped(code, part))) return undefined;
  const plain = text.replaceAll(/%[\s\S]{2}/g, '');
  const isHost = part === 'host' || part === 'zone';
  if (isHost && Array.from(plain).some((byte) => byte < '\u0080' && !isPlain(byte, part))) return undefined;
  const withBlanks = part === 'query' ? text.replaceAll('+', ' ') : text;
  return withBlanks.replaceAll(/%(..)/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** Text behind a sign, and what is before it. */
function splitOnce(text: string, sign: string): readonly [string, string | undefined] {
  const index = text.indexOf(sign);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** An IPv6 address between brackets, maybe with a zone behind `%25`, and a port. */
function parseBracketedHost(host: string): string | undefined {
  const end = host.lastIndexOf(']');
  if (host.lastIndexOf('[') > 0 || end < 0 || !isPort(host.slice(end + 1))) return undefined;
  const inner = host.slice(1, end);
  const zoneAt = inner.indexOf('%25');
  const name = unescapeText(zoneAt < 0 ? inner : inner.slice(0, zoneAt), 'host');
  const zone = zoneAt < 0 ? '' : unescapeText(inner.slice(zoneAt), 'zone');
  if (name === undefined || zone === undefined || !isIPv6(name) || name.includes('%') || zone === '%') return undefined;
  return `[${name}${zone}]${host.slice(end + 1)}`;
}

function parseHost(host: string): string | undefined {
  if (host.includes('[')) return parseBracketedHost(host);
  const colon = host.lastIndexOf(':');
  return colon < 0 || isPort(host.slice(colon)) ? unescapeText(host, 'host') : undefined;
}

function parseUser(info: string): string | undefined {
  if (!/^[\w.:~!$&'()*+,;=%@-]*$/.test(info)) return undefined;
  const [name, password] = splitOnce(info, ':');
  const parts = [name, ...(password === undefined ? [] : [password])].map((part) => unescapeText(part, 'user'));
  return parts.includes(undefined) ? undefined : parts.map((part) => escapeText(part!, 'user')).join(':');
}

function parseAuthority(authority: string): Pick<GoUrl, 'user' | 'host'> | undefined {
  const index = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(index + 1));
  const user = index < 0 ? '' : parseUser(authority.slice(0, index));
  return host === undefined || user === undefined ? undefined : { host, user: index < 0 ? '' : `${user}@` };
}

/** As it is written where that is a valid way to, else escaped anew. */
function normalizeEscapes(text: string, part: 'path' | 'fragment'): string | undefined {
  const plain = unescapeText(text, part);
  if (plain === undefined) return undefined;
  const isValid = Array.from(text).every((byte) => isPlain(byte, part) || `!$&'()*+,;=:@[]%`.includes(byte));
  return isValid ? text : escapeText(plain, part);
}

const NO_HOST = { user: '', host: '' } as const;

/** The scheme and what follows it; undefined where a colon comes first. */
function splitScheme(url: string): { readonly scheme: string; readonly rest: string } | undefined {
  const match = /^([a-z][a-z\d+.-]*):/i.exec(url);
  if (match) return { scheme: match[1]!.toLowerCase(), rest: url.slice(match[0].length) };
  return url.startsWith(':') ? undefined : { scheme: '', rest: url };
}

/** A URL without a fragment. Source: `parse`. */
function parseUrl(url: string, isRequest: boolean): Omit<GoUrl, 'fragment'> | undefined {
  // oxlint-disable-next-line no-control-regex -- those are refused
  if (/[\u0000-\u001f\u007f]/.test(url) || (url === '' && isRequest)) return undefined;
  const bare = { scheme: '', opaque: '', query: '', ...NO_HOST };
  if (url === '*') return { ...bare, escapedPath: '*' };
  const split = splitScheme(url);
  if (!split) return undefined;
  const { scheme } = split;
  const [rest, queryText] = splitOnce(split.rest, '?');
  const query = queryText === undefined ? '' : `?${queryText}`;
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...bare, scheme, opaque: rest, query, escapedPath: '' };
    if (isRequest || splitOnce(rest, '/')[0].includes(':')) return undefined;
  }
  const hasHost = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  const [authorityText] = hasHost ? splitOnce(rest.slice(2), '/') : [''];
  const authority = hasHost ? parseAuthority(authorityText) : NO_HOST;
  const escapedPath = normalizeEscapes(hasHost ? rest.slice(2 + authorityText.length) : rest, 'path');
  return authority && escapedPath !== undefined ? { ...bare, scheme, query, ...authority, escapedPath } : undefined;
}

/** Text as its bytes, a character each. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Source: `ParseRequestURI`. */
export function isRequestUrl(text: string): boolean {
  return parseUrl(toBytes(text), true) !== undefined;
}

/** An absolute URL or path; undefined for what is none. Source: apiserver v0.34 pkg/cel/library/urls.go, `stringToUrl`. */
export function parseGoUrl(text: string): GoUrl | undefined {
  if (!isRequestUrl(text)) return undefined;
  const [before, after] = splitOnce(toBytes(text), '#');
  const url = parseUrl(before, false);
  const fragment = after === undefined ? '' : normalizeEscapes(after, 'fragment');
  return url && fragment !== undefined ? { ...url, fragment } : undefined;
}

interface HostAndPort {
  readonly name: string;
  readonly port: string;
}

function splitHost(host: string): HostAndPort {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return { name: name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}

/** What an expression asks of a URL. */
export const URL_GETTERS: Readonly<Record<string, (url: GoUrl) => string>> = {
  getScheme: ({ scheme }) => scheme,
  getHost: ({ host }) => fromBytes(host),
  getHostname: ({ host }) => fromBytes(splitHost(host).name),
  getPort: ({ host }) => splitHost(host).port,
  getEscapedPath: ({ escapedPath }) => fromBytes(escapedPath),
};

/** The values of each key. What can't be read is left out. Source: `ParseQuery`. */
export function parseQuery({ query }: GoUrl): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.slice(1).split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [key, value] = splitOnce(pair, '=').map((part) => unescapeText(part ?? '', 'query'));
    if (key === undefined || value === undefined) continue;
    values.set(fromBytes(key), [...(values.get(fromBytes(key)) ?? []), fromBytes(value)]);
  }
  return values;
}
