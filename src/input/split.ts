import type { DocumentProblem } from '../core/rules/unreadable';

/** A piece of a file that holds one document, and where it begins. */
export interface Chunk {
  readonly text: string;
  readonly at: number;
}

/** A piece that no document can be read from. */
export interface BrokenChunk {
  readonly at: number;
  readonly problem: DocumentProblem;
}

const SEPARATOR = /^---(.*)$/gm;
const ONLY_SPACE_OR_COMMENT = /^\s*(?:#|$)/;

/**
 * Splits YAML at the lines that begin with `---`, before any of it is parsed, so that one torn document leaves the others whole.
 *
 * Only a comment may follow on such a line. Source: apimachinery v0.34 `YAMLReader.Read`.
 */
function splitYaml(text: string, from: number): (Chunk | BrokenChunk)[] {
  const chunks: (Chunk | BrokenChunk)[] = [];
  let begin = from;
  let broken: BrokenChunk | undefined;
  const close = (end: number) => chunks.push(broken ?? { text: text.slice(begin, end), at: begin });
  SEPARATOR.lastIndex = from;
  for (let match = SEPARATOR.exec(text); match; match = SEPARATOR.exec(text)) {
    close(match.index);
    begin = Math.min(match.index + match[0].length + 1, text.length);
    broken = ONLY_SPACE_OR_COMMENT.test(match[1]!)
      ? undefined
      : { at: match.index, problem: { kind: 'broken-separator', line: match[0].trim() } };
  }
  close(text.length);
  return chunks;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** The place behind the quote that closes a JSON string; undefined when it is never closed. A loop, since a pattern keeps a step for each escape. */
function endOfString(text: string, from: number): number | undefined {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code === BACKSLASH) index++;
  }
  return undefined;
}

/** The end of the JSON object that begins at `from`; undefined when it is never closed. */
function endOfObject(text: string, from: number): number | undefined {
  const marks = /["{}[\]]/g;
  marks.lastIndex = from;
  let open = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    if (match[0] === '"') {
      const end = endOfString(text, marks.lastIndex);
      if (end === undefined) return undefined;
      marks.lastIndex = end;
      continue;
    }
    open += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (open === 0) return marks.lastIndex;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The JSON objects that a text begins with, and where what follows them begins. */
function leadingJson(text: string): { readonly chunks: readonly Chunk[]; readonly end: number } {
  const chunks: Chunk[] = [];
  const toObject = /\s*(?=\{)/y;
  let end = 0;
  for (;;) {
    toObject.lastIndex = end;
    if (!toObject.test(text)) break;
    const at = toObject.lastIndex;
    const close = endOfObject(text, at);
    if (close === undefined || !isJson(text.slice(at, close))) break;
    chunks.push({ text: text.slice(at, close), at });
    end = close;
  }
  return { chunks, end };
}

/** YAML may follow one JSON object, on a line of its own; after several, kubectl takes nothing but JSON. */
function problemAfterJson(objects: number, rest: string, at: number): BrokenChunk[] {
  if (objects === 0 || (objects === 1 && /^[^\S\n]*\n/.test(rest))) return [];
  return [{ at, problem: { kind: 'text-after-json' } }];
}

/**
 * Splits the text of a file into its documents: a stream of JSON objects, or YAML.
 *
 * A text that begins with `{` is tried as JSON first; after one object, what follows may still be YAML.
 * Source: apimachinery v0.34 `YAMLOrJSONDecoder.Decode`.
 */
export function splitDocuments(text: string): (Chunk | BrokenChunk)[] {
  const { chunks, end } = leadingJson(text);
  const rest = text.slice(end);
  const content = rest.search(/\S/);
  if (chunks.length > 0 && content < 0) return [...chunks];
  const problem = problemAfterJson(chunks.length, rest, end + content);
  const others = splitYaml(text, end);
  return [...chunks, ...problem, ...(problem.length > 0 ? others.slice(1) : others)];
}
