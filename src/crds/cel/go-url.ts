import { addToGroup } from '../../core/collections/group-by';
import { isIPv6 } from 'node:net';

/*
 * URLs as Go reads them. Source: Go 1.26 net/url. A host may have several colons, as in a program of Go 1.24 and before Go 1.26. Each
 * character is one byte here.
 */

/** Parts of a URL. */
export interface GoUrl {
  readonly scheme: string;
  /** Text after the scheme if no slash follows the scheme. */
  readonly opaque: string;
  /** User information with its `@`. */
  readonly user: string;
  readonly host: string;
  /** Path as written if that is a valid encoding. */
  readonly escapedPath: string;
  /** Query with its question mark; empty if there is none. */
  readonly query: string;
  readonly fragment: string;
}

type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/** Characters that are not escaped in a part, in addition to letters, digits and `-_.~`. */
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

/** Reports whether these two hexadecimal digits may follow a percent sign. */
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

/** Splits a text at the first occurrence of a sign. */
function splitOnce(text: string, sign: string): readonly [string, string | undefined] {
  const index = text.indexOf(sign);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** Parses an IPv6 address in brackets, which may have a zone after `%25` and a port. */
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

/** Returns a text as written if that is a valid encoding, otherwise encoded again. */
function normalizeEscapes(text: string, part: 'path' | 'fragment'): string | undefined {
  const plain = unescapeText(text, part);
  if (plain === undefined) return undefined;
  const isValid = Array.from(text).every((byte) => isPlain(byte, part) || `!$&'()*+,;=:@[]%`.includes(byte));
  return isValid ? text : escapeText(plain, part);
}

const NO_HOST = { user: '', host: '' } as const;

/** Splits a URL into its scheme and the rest; undefined if a colon comes first. */
function splitScheme(url: string): { readonly scheme: string; readonly rest: string } | undefined {
  const match = /^([a-z][a-z\d+.-]*):/i.exec(url);
  if (match) return { scheme: match[1]!.toLowerCase(), rest: url.slice(match[0].length) };
  return url.startsWith(':') ? undefined : { scheme: '', rest: url };
}

/** Parses a URL without a fragment. Source: `parse`. */
function parseUrl(url: string, isRequest: boolean): Omit<GoUrl, 'fragment'> | undefined {
  // oxlint-disable-next-line no-control-regex -- those are refused
  if (/[\u0000-\u001f\u007f]/.test(url) || (url === '' && isRequest)) return undefined;
  const bare = { scheme: '', opaque: '', query: '', ...NO_HOST };
  if (url === '*') return { ...bare, escapedPath: '*' };
  const schemeAndRest = splitScheme(url);
  if (!schemeAndRest) return undefined;
  const { scheme } = schemeAndRest;
  const [rest, queryText] = splitOnce(schemeAndRest.rest, '?');
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

/** Converts a text to its bytes, one character each. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Reports whether a text is an absolute URL or path. Source: `ParseRequestURI`. */
export function isRequestUrl(text: string): boolean {
  return parseUrl(toBytes(text), true) !== undefined;
}

/** Parses an absolute URL or path; undefined for any other text. Source: apiserver v0.34 pkg/cel/library/urls.go, `stringToUrl`. */
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

/** Functions of expressions that return a part of a URL. */
export const URL_GETTERS: Readonly<Record<string, (url: GoUrl) => string>> = {
  getScheme: ({ scheme }) => scheme,
  getHost: ({ host }) => fromBytes(host),
  getHostname: ({ host }) => fromBytes(splitHost(host).name),
  getPort: ({ host }) => splitHost(host).port,
  getEscapedPath: ({ escapedPath }) => fromBytes(escapedPath),
};

/** Returns the values of each key. Pairs that cannot be parsed are omitted. Source: `ParseQuery`. */
export function parseQuery({ query }: GoUrl): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.slice(1).split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [key, value] = splitOnce(pair, '=').map((part) => unescapeText(part ?? '', 'query'));
    if (key === undefined || value === undefined) continue;
    addToGroup(values, fromBytes(key), fromBytes(value));
  }
  return values;
}
