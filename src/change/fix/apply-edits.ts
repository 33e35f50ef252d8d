import type { Edit } from '../../core/findings/suggested-fix';
import { applyDocumentEdits } from '../../input/edit/document-edit';
import type { Chunk } from '../../input/yaml';
import type { SourceText } from '../../input/source-map';
import type { LocatedEdit } from './candidates';

/** A document with its new text. */
export interface ReplacedDocument {
  readonly chunk: Chunk;
  readonly newText: string;
}

/** Groups edits by file and by document. */
function groupEdits(edits: readonly LocatedEdit[]): ReadonlyMap<SourceText, ReadonlyMap<number, { chunk: Chunk; edits: Edit[] }>> {
  const byText = new Map<SourceText, Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>>();
  for (const { origin, edit } of edits) {
    const { text, chunk } = origin;
    const byChunk = byText.get(text) ?? new Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>();
    byText.set(text, byChunk);
    const existing = byChunk.get(chunk.at);
    if (existing) existing.edits.push(edit);
    else byChunk.set(chunk.at, { chunk, edits: [edit] });
  }
  return byText;
}

/** Returns the documents that the edits change, by file and from its beginning; undefined if an edit cannot be written. */
export function editDocuments(edits: readonly LocatedEdit[]): ReadonlyMap<SourceText, readonly ReplacedDocument[]> | undefined {
  const edited = new Map<SourceText, ReplacedDocument[]>();
  for (const [source, byChunk] of groupEdits(edits)) {
    const documents: ReplacedDocument[] = [];
    for (const { chunk, edits: own } of [...byChunk.values()].toSorted((a, b) => a.chunk.at - b.chunk.at)) {
      const newText = applyDocumentEdits(source.textOf(chunk), own, chunk.json !== undefined);
      if (newText === undefined) return undefined;
      documents.push({ chunk, newText });
    }
    edited.set(source, documents);
  }
  return edited;
}

/** Returns a part of a text with the new text of the documents in it. */
export function replaceDocuments(text: string, documents: readonly ReplacedDocument[], from = 0, to = text.length): string {
  const parts: string[] = [];
  let at = from;
  for (const { chunk, newText } of documents) {
    parts.push(text.slice(at, chunk.at), newText);
    at = chunk.end;
  }
  return [...parts, text.slice(at, to)].join('');
}

/** Returns the new text of each file that the edits change, by name; undefined if an edit cannot be written. */
export function applyEditsToFiles(edits: readonly LocatedEdit[]): Map<string, string> | undefined {
  const edited = editDocuments(edits);
  return edited && new Map([...edited].map(([source, documents]) => [source.file, replaceDocuments(source.text, documents)]));
}
