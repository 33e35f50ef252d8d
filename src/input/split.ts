import type { DocumentProblem } from '../core/input-problem';
import { readJson } from './json-document';
import type { JsonReadResult } from './json-document';

/** A piece of a file's text that holds one document. */
export interface Chunk {
  /** The offset at which it begins, and that behind its end. */
  readonly at: number;
  readonly end: number;
  /** What it was read as, where it is JSON. */
  readonly json?: JsonReadResult;
}

/** A piece that no document can be read from. */
export interface BrokenChunk {
  readonly at: number;
  readonly problem: DocumentProblem;
}

const DOCUMENT_MARK = '---';

// The characters are those that Go takes for blanks.
const SPACE_OR_COMMENT = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:#|$)/;
/** All that stands behind a JSON object and its line, where kubectl has too few bytes of it to see that it is blank. */
const LONE_BLANK = /^[\u0085\u00a0]$/;
const CONTENT = /[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const JSON_CONTENT = /[^ \t\r\n]/g;

/** The next line, from the beginning of one on, that begins with the mark; -1 where there is none. */
function findMark(text: string, line: number): number {
  if (text.startsWith(DOCUMENT_MARK, line)) return line;
  const before = text.indexOf(`\n${DOCUMENT_MARK}`, line);
  return before < 0 ? -1 : before + 1;
}

/**
 * Splits YAML at the lines that begin with `---`, before any of it is parsed, so that one torn document leaves the others whole.
 * Only a comment may follow on such a line. One before any other line stays with its document, as in kubectl.
 *
 * No character but LF ends a line here, however many do for the parser.
 * Source: apimachinery v0.34 `YAMLReader.Read`.
 */
export function* splitYaml(text: string, from: number): Generator<Chunk | BrokenChunk> {
  let begin = from;
  let broken: BrokenChunk | undefined;
  let line = from;
  for (;;) {
    const mark = findMark(text, line);
    if (mark < 0) break;
    const lineEnd = text.indexOf('\n', mark);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    const rest = text.slice(mark + DOCUMENT_MARK.length, lineEnd < 0 ? text.length : lineEnd);
    const isSeparator = SPACE_OR_COMMENT.test(rest);
    if (!isSeparator || mark > begin || broken) {
      if (mark > begin || broken) yield broken ?? { at: begin, end: mark };
      begin = next;
      broken = isSeparator ? undefined : { at: mark, problem: { kind: 'broken-separator', line: (DOCUMENT_MARK + rest).trim() } };
    }
    if (next === text.length) break;
    line = next;
  }
  yield broken ?? { at: begin, end: text.length };
}

/** Where the next character stands that is no blank, by Go or by JSON; the end of the text where there is none. */
function findContent(text: string, from: number, content = CONTENT): number {
  content.lastIndex = from;
  return content.exec(text)?.index ?? text.length;
}

/**
 * Where YAML begins that is no JSON, or stands behind it: it may follow one object, on a line of its own; after several,
 * kubectl takes nothing but JSON. Blanks before a text that was tried as JSON are gone, up to the end of their line.
 */
function findYamlStart(objects: number, text: string, end: number): number | undefined {
  const content = findContent(text, end);
  if (objects === 0 && text[content] !== '{') return end;
  const next = text.indexOf('\n', end) + 1;
  if (next > 0 && next <= content) return objects <= 1 ? next : undefined;
  return objects === 0 ? content : undefined;
}

/** Are the blanks behind the only JSON object more than JSON has, and too few for kubectl to see that they are blanks? */
function isBeyondLookahead(blanks: string): boolean {
  const [line, ...next] = blanks.split('\n');
  return next.length === 0 || findContent(line!, 0, JSON_CONTENT) < line!.length || LONE_BLANK.test(next.join('\n'));
}

/**
 * Splits the text of a file into its documents: a stream of JSON objects, or YAML.
 *
 * A text that begins with `{` is tried as JSON first; after one object, what follows may still be YAML, unless it begins with another value of JSON,
 * which is a document of its own: `"kind": Pod` is the text "kind" to kubectl, and then an error.
 * A blank that is none in JSON, on the line of the last object and with nothing behind it, is an error:
 * for want of bytes to look ahead, kubectl tries no YAML there. So is one of two bytes that ends the text alone on the next line.
 * Source: apimachinery v0.34 `YAMLOrJSONDecoder.Decode`, `consumeWhitespace`.
 *
 * @param length - of the text as it was given, before it got a line break at its end
 * @param isLate - has reading taken longer than it may? Then JSON is left to the reader of YAML, which says so
 */
export function* splitDocuments(text: string, length: number, isLate?: () => boolean): Generator<Chunk | BrokenChunk> {
  let objects = 0;
  let end = 0;
  for (;;) {
    const at = findContent(text, end);
    const nonBlankAt = findContent(text, end, JSON_CONTENT);
    const isJson = nonBlankAt === at;
    if (at === text.length && objects > 0 && (isJson || objects > 1 || isBeyondLookahead(text.slice(end, length)))) {
      if (!isJson) yield { at: nonBlankAt, problem: { kind: 'blank-after-json', code: text.charCodeAt(nonBlankAt) } };
      return;
    }
    const json = isJson && (objects > 0 || text[at] === '{') ? readJson(text, at, undefined, isLate) : undefined;
    if (!json) break;
    yield { at, end: json.end, json };
    objects++;
    end = json.end;
  }
  const yaml = findYamlStart(objects, text, end);
  if (yaml !== undefined) {
    yield* splitYaml(text, yaml);
    return;
  }
  yield { at: findContent(text, end), problem: { kind: 'text-after-json' } };
  const [, ...others] = splitYaml(text, end);
  yield* others;
}
