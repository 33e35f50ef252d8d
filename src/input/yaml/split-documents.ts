import type { DocumentProblem } from '../../core/findings/input-problem';
import { countUtf8Bytes } from '../../core/values/bytes';
import { readJson } from './json-reader';
import type { JsonReadResult } from './json-reader';

/** A part of a file's text that contains one document. */
export interface Chunk {
  /** The offset of its start, and the offset after its end. */
  readonly at: number;
  readonly end: number;
  /** The result of reading it, if it is JSON. */
  readonly json?: JsonReadResult;
}

/** A part from which no document can be read. */
export interface BrokenChunk {
  readonly at: number;
  readonly problem: DocumentProblem;
}

const DOCUMENT_MARK = '---';

// The characters that Go treats as blanks.
const SPACE_OR_COMMENT = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:#|$)/;
/** A blank after a JSON object and its line that has too few bytes for kubectl to recognize it. */
const LONE_BLANK = /^[\u0085\u00a0]$/;
const CONTENT = /[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const JSON_CONTENT = /[^ \t\r\n]/g;

/** Number of bytes in which kubectl looks for the `{` of JSON. Source: cli-runtime v0.34 resource/visitor.go, `StreamVisitor.Visit`. */
const GUESSED_BYTES = 4096;

/** Number of bytes of a line that kubectl reads at once. */
const BUFFER_BYTES = 4096;
const CARRIAGE_RETURN = 13;

/** Reports whether kubectl tries a text as JSON if it has `{` at an offset, after blanks only. */
function isTriedAsJson(text: string, at: number): boolean {
  return at < GUESSED_BYTES && countUtf8Bytes(text.slice(0, at)) < GUESSED_BYTES;
}

/** Finds the next line that begins with the mark, from the start of a line. Returns -1 if there is none. */
function findMark(text: string, line: number): number {
  if (text.startsWith(DOCUMENT_MARK, line)) return line;
  const before = text.indexOf(`\n${DOCUMENT_MARK}`, line);
  return before < 0 ? -1 : before + 1;
}

/**
 * Splits YAML at the lines that begin with `---` before any of it is parsed, so one broken document does not affect the others.
 * Only a comment may follow on such a line. A mark before any other line stays with its document, as in kubectl.
 *
 * Only LF ends a line here, although the parser accepts other line breaks.
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

/**
 * Reports whether kubectl drops the last line of a text, as if the file ended before it: the line has no line break, and ends with a full buffer.
 * A CR at the end of a buffer is put into the next one.
 * Source: apimachinery v0.34 `LineReader.Read` and `YAMLReader.Read`; Go `bufio.Reader.ReadLine`.
 *
 * @param length - length of the text without the added final line break
 */
function isLastLineDropped(text: string, length: number): boolean {
  const line = new TextEncoder().encode(text.slice(text.lastIndexOf('\n', length - 1) + 1, length));
  let at = 0;
  while (line.length - at >= BUFFER_BYTES) at += line[at + BUFFER_BYTES - 1] === CARRIAGE_RETURN ? BUFFER_BYTES - 1 : BUFFER_BYTES;
  return at > 0 && at === line.length;
}

/** Splits YAML that kubectl reads from a file. Its last document is broken if kubectl drops a line of it. */
function* splitReadYaml(text: string, from: number, length: number): Generator<Chunk | BrokenChunk> {
  const isBroken = isLastLineDropped(text, length);
  for (const chunk of splitYaml(text, from)) {
    const isLast = 'end' in chunk && chunk.end === text.length;
    yield isBroken && isLast ? { at: chunk.at, problem: { kind: 'last-line-dropped', bytes: BUFFER_BYTES } } : chunk;
  }
}

/** Returns the offset of the next character that is not blank, in the sense of Go or JSON; the end of the text if there is none. */
function findContent(text: string, from: number, content = CONTENT): number {
  content.lastIndex = from;
  return content.exec(text)?.index ?? text.length;
}

/**
 * Returns the offset at which YAML begins. YAML may follow one JSON object, on a line of its own; after several, kubectl accepts only JSON.
 * kubectl drops blanks before a text that it tries as JSON, up to the end of their line.
 */
function findYamlStart(objects: number, text: string, end: number): number | undefined {
  const content = findContent(text, end);
  if (objects === 0 && text[content] !== '{') return end;
  const next = text.indexOf('\n', end) + 1;
  if (next > 0 && next <= content) return objects <= 1 ? next : undefined;
  return objects === 0 ? content : undefined;
}

/** Reports whether the blanks after the only JSON object include some that JSON does not allow, and are too few for kubectl to recognize. */
function isBeyondLookahead(blanks: string): boolean {
  const [line, ...next] = blanks.split('\n');
  return next.length === 0 || findContent(line!, 0, JSON_CONTENT) < line!.length || LONE_BLANK.test(next.join('\n'));
}

/**
 * Splits the text of a file into its documents: a stream of JSON objects, or YAML.
 *
 * A text that begins with `{`, after fewer than 4,096 bytes of blanks, is tried as JSON first. After one object, the rest may still be YAML, unless it begins with another JSON value.
 * That value is a document of its own: to kubectl, `"kind": Pod` is the text "kind", followed by an error.
 * A blank that JSON does not allow is an error if it ends the text on the line of the last object:
 * kubectl lacks bytes to look ahead, and does not try YAML there. So is a blank of two bytes that is the entire next line.
 * Source: apimachinery v0.34 `YAMLOrJSONDecoder.Decode`, `consumeWhitespace`.
 *
 * @param length - length of the original text, without the added final line break
 * @param isLate - whether reading has exceeded its time. JSON then goes to the YAML reader, which reports that
 */
export function* splitDocuments(text: string, length: number, isLate?: () => boolean): Generator<Chunk | BrokenChunk> {
  let objects = 0;
  let end = 0;
  if (!isTriedAsJson(text, findContent(text, 0))) {
    yield* splitReadYaml(text, 0, length);
    return;
  }
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
    yield* splitReadYaml(text, yaml, length);
    return;
  }
  yield { at: findContent(text, end), problem: { kind: 'text-after-json' } };
  const [, ...others] = splitYaml(text, end);
  yield* others;
}

/**
 * Ends the last line of a text, as kubectl does before it calls its parser.
 * A text that ends with CR CR is left as it is: kubectl strips one CR only from CR CR LF, so these are two line breaks.
 */
export function withFinalLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') || text.endsWith('\r\r') ? text : `${text}\n`;
}
