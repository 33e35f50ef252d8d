import { Composer, Parser } from 'yaml';
import type { CST, Document, Node } from 'yaml';
import { documentProblemText } from '../core/rules/unreadable';
import type { DocumentProblem } from '../core/rules/unreadable';

/** Levels of maps and lists that one document may have. */
export const MAX_LEVELS = 1_000;
/** Levels that are composed in one go: the composer is recursive, and the stack of a process that has just begun ends at some 850. */
const PIECE_LEVELS = 400;

/** Why a document cannot be read, and at which offset of its text. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(
    readonly at: number,
    readonly problem: DocumentProblem,
  ) {
    super(documentProblemText(problem));
  }
}

/** The nodes of a document. */
export interface Syntax {
  readonly contents: Node | null;
  /** What belongs in place of a scalar with this text: the lower levels of a deep document. */
  readonly pieces: ReadonlyMap<string, Node | null>;
}

type Container = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isContainer(token: CST.Token | null | undefined): token is Container {
  return token != null && 'items' in token;
}

/** Stands for a piece; no text of a document can be the same, since it may not hold this character. */
function placeholderFor(token: Container, number: number): CST.FlowScalar {
  return { type: 'scalar', offset: token.offset, indent: token.indent, source: `\0piece ${number}` };
}

/**
 * Cuts the maps and lists that begin a further piece out of the tree. Looks without recursion, so that no document can overflow the stack.
 *
 * @throws DocumentError for a document of too many levels
 */
function cutPieces(root: CST.Token): Map<string, Container> {
  const pieces = new Map<string, Container>();
  const pending: { readonly token: Container; readonly level: number }[] = [];
  const visit = (token: CST.Token | null | undefined, level: number): CST.FlowScalar | undefined => {
    if (!isContainer(token)) return undefined;
    if (level > MAX_LEVELS) throw new DocumentError(token.offset, { kind: 'too-deep', levels: MAX_LEVELS });
    pending.push({ token, level });
    if (level === 1 || level % PIECE_LEVELS !== 1) return undefined;
    const placeholder = placeholderFor(token, pieces.size);
    pieces.set(placeholder.source, token);
    return placeholder;
  };
  if (root.type === 'document') visit(root.value, 1);
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const item of next.token.items) {
      if ('key' in item) item.key = visit(item.key, next.level + 1) ?? item.key;
      item.value = visit(item.value, next.level + 1) ?? item.value;
    }
  }
  return pieces;
}

/** Only syntax is left to the composer: what a scalar means is kubectl's business, not that of a YAML 1.2 schema. */
const SYNTAX_ONLY = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false } as const;

/** What is missing at the end is missed at the last character, not on the line of the next document. */
function lastContent(text: string): number {
  return Math.max(text.trimEnd().length - 1, 0);
}

function contentsOf(document: Document.Parsed | undefined, text: string): Node | null {
  const error = document?.errors[0];
  if (error) throw new DocumentError(Math.min(error.pos[0], lastContent(text)), { kind: 'syntax', said: error.message });
  return document?.contents ?? null;
}

function composePiece(token: Container, text: string): Node | null {
  const [document] = new Composer(SYNTAX_ONLY).compose([{ type: 'document', offset: token.offset, start: [], value: token }]);
  return contentsOf(document, text);
}

/** The tokens up to the end of the first document: a second one begins behind a line of `...`. */
function firstDocumentTokens(text: string): CST.Token[] {
  const tokens: CST.Token[] = [];
  for (const token of new Parser().parse(text)) {
    if (token.type === 'document' && tokens.some(({ type }) => type === 'document')) break;
    tokens.push(token);
  }
  return tokens;
}

/**
 * The syntax tree of the first document of a text.
 *
 * @throws DocumentError for whatever is no YAML
 */
export function parseFirst(text: string): Syntax {
  const tokens = firstDocumentTokens(text);
  const cut = new Map(tokens.flatMap((token) => [...cutPieces(token)]));
  const [document] = new Composer(SYNTAX_ONLY).compose(tokens, true, text.length);
  const contents = contentsOf(document, text);
  return { contents, pieces: new Map([...cut].map(([placeholder, token]) => [placeholder, composePiece(token, text)])) };
}
