/**
 * Path of a field in its object, as the API server writes it: `spec.containers[0].env`, `data[a.b]`.
 *
 * A path is text from which its parts can be recovered: a name with a dot or a bracket is in brackets. So no path is concatenated by hand;
 * `toFieldPath` builds paths, and `parseFieldPath` splits them.
 */
export type FieldPath = string & { readonly [isFieldPath]: true };

declare const isFieldPath: unique symbol;

/** A field name, or the index of a list item. */
export type PathPart = string | number;

/** Names that need no brackets. */
const UNQUOTED_NAME = /^[^.[\]"]+$/;

function isIndex(name: string): boolean {
  return name.length <= 15 && /^[0-9]+$/.test(name);
}

/** Formats a part in brackets. A name with a bracket or quote, which would end it early, is written as a JSON string. */
function formatInBrackets(part: PathPart): string {
  if (typeof part === 'number') return `[${part}]`;
  return /[[\]"]/.test(part) || part === '' ? `[${JSON.stringify(part)}]` : `[${part}]`;
}

function appendPart(path: string, part: PathPart): string {
  if (typeof part === 'number' || !UNQUOTED_NAME.test(part) || (path !== '' && isIndex(part))) return `${path}${formatInBrackets(part)}`;
  return path === '' ? part : `${path}.${part}`;
}

/** Builds the path of these parts: `buildFieldPath('metadata', 'labels', 'a.b/c')` is `metadata.labels[a.b/c]`. */
export function buildFieldPath(...parts: readonly PathPart[]): FieldPath {
  return parts.reduce<string>(appendPart, '') as FieldPath;
}

/** Builds the path of a field or list item below another: `appendToPath('spec', 'strategy')` is `spec.strategy`. */
export function appendToPath(path: string, ...parts: readonly PathPart[]): FieldPath {
  return parts.reduce<string>(appendPart, path) as FieldPath;
}

/** Builds the path of an entry of a map whose keys are data, as the API server writes it: `metadata.labels[app]`. */
export function appendMapKey(path: string, key: string): FieldPath {
  return `${path}${formatInBrackets(key)}` as FieldPath;
}

/** Reports whether a path leads to the metadata of an object, or into it. */
export function isMetadataPath(path: string): boolean {
  return /^metadata(?![^.[])/.test(path);
}

/** Path of an object itself. */
export const ROOT_PATH = '' as FieldPath;

/** Returns the position after the closing quote of the name that begins at `from`; the end of the text if it is not closed. */
function findQuoteEnd(path: string, from: number): number {
  for (let index = from + 1; index < path.length; index++) {
    if (path[index] === '\\') index++;
    else if (path[index] === '"') return index + 1;
  }
  return path.length;
}

/** Returns the position after the part in brackets that begins at `from`; the end of the text if it is not closed. */
function findBracketEnd(path: string, from: number): number {
  const end = path[from + 1] === '"' ? findQuoteEnd(path, from + 1) : path.indexOf(']', from);
  return end < 0 ? path.length : Math.min(end + 1, path.length);
}

function parseQuotedName(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/**
 * Splits a path into its parts.
 *
 * `parseFieldPath('spec.containers[0].env')` is `['spec', 'containers', 0, 'env']`;
 * `parseFieldPath('data[a.b].mode')` is `['data', 'a.b', 'mode']`.
 */
export function parseFieldPath(path: string): PathPart[] {
  const parts: PathPart[] = [];
  let index = 0;
  while (index < path.length) {
    if (path[index] === '.') {
      index++;
      continue;
    }
    if (path[index] !== '[') {
      const start = index;
      while (index < path.length && path[index] !== '.' && path[index] !== '[') index++;
      parts.push(path.slice(start, index));
      continue;
    }
    const end = findBracketEnd(path, index);
    const name = path.slice(index + 1, end).replace(/\]$/, '');
    if (name.startsWith('"')) parts.push(parseQuotedName(name));
    else parts.push(isIndex(name) ? Number(name) : name);
    index = end;
  }
  return parts;
}

/** Returns the last part of a path, as a message names the field: `maxSurge`. An item or entry includes its list or map: `labels[a.b]`. */
export function getFieldName(path: string): string {
  let begin = 0;
  let index = 0;
  while (index < path.length) {
    if (path[index] === '.') begin = index + 1;
    index = path[index] === '[' ? findBracketEnd(path, index) : index + 1;
  }
  return path.slice(begin);
}

/** Appends a value of a template to the path before it. */
function appendValue(before: string, value: PathPart): string {
  if (before.endsWith('[')) return before + formatInBrackets(value).slice(1, -1);
  const text = String(value);
  if (UNQUOTED_NAME.test(text) && !isIndex(text)) return before + text;
  return (before.endsWith('.') ? before.slice(0, -1) : before) + formatInBrackets(value);
}

/**
 * Builds a path from a template: `` toFieldPath`spec.containers[${index}].readinessProbe` ``.
 *
 * A value at the very start is a path that the template continues. Any other value is one part, whatever characters it contains:
 * `` toFieldPath`${parent}.annotations[${name}]` ``.
 */
export function toFieldPath(strings: TemplateStringsArray, ...values: readonly PathPart[]): FieldPath {
  let path = strings[0]!;
  values.forEach((value, index) => {
    path = index === 0 && path === '' ? String(value) : appendValue(path, value);
    path += strings[index + 1]!;
  });
  // The path of an object itself is empty, so the path of its field begins without a dot.
  return (path.startsWith('.') ? path.slice(1) : path) as FieldPath;
}

/** Path of a value below its parent. */
interface LazyChildPath {
  readonly parent: LazyFieldPath;
  readonly part: PathPart;
  /** Whether it is an entry of a map whose keys are data. */
  readonly isMapEntry: boolean;
}

/** Path of a value. The text is built only for a problem, since most objects have none. */
export type LazyFieldPath = FieldPath | LazyChildPath;

/** Appends a field or list item to a path. */
export function appendLazily(parent: LazyFieldPath, part: PathPart): LazyFieldPath {
  return { parent, part, isMapEntry: false };
}

/** Appends an entry of a map whose keys are data. */
export function appendMapKeyLazily(parent: LazyFieldPath, key: string): LazyFieldPath {
  return { parent, part: key, isMapEntry: true };
}

export function resolveLazyPath(path: LazyFieldPath): FieldPath {
  if (typeof path === 'string') return path;
  const { parent, part, isMapEntry } = path;
  return isMapEntry ? appendMapKey(resolveLazyPath(parent), String(part)) : appendToPath(resolveLazyPath(parent), part);
}
