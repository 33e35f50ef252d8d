import type { Edit } from '../../core/advice';
import { editedDocument } from '../../input/edit/document-edit';
import type { Chunk } from '../../input/split';
import type { SourceText } from '../../input/source-text';
import { replaced } from '../../input/edit/document-parts';
import type { PlacedEdit } from './candidates';

/** The files that edits change, by name, each with its new text; undefined where one can't be written. */
export function writtenFiles(edits: readonly PlacedEdit[]): Map<string, string> | undefined {
  const byText = new Map<SourceText, Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>>();
  for (const { origin, edit } of edits) {
    const { text, chunk } = origin;
    const byChunk = byText.get(text) ?? new Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>();
    byText.set(text, byChunk);
    const known = byChunk.get(chunk.at);
    if (known) known.edits.push(edit);
    else byChunk.set(chunk.at, { chunk, edits: [edit] });
  }
  const files = new Map<string, string>();
  for (const [source, byChunk] of byText) {
    let { text } = source;
    // From the end, so that the places of the documents before stay what they are.
    for (const { chunk, edits: own } of [...byChunk.values()].toSorted((a, b) => b.chunk.at - a.chunk.at)) {
      const written = editedDocument(text.slice(chunk.at, chunk.end), own, chunk.json !== undefined);
      if (written === undefined) return undefined;
      text = replaced(text, chunk.at, chunk.end, written);
    }
    files.set(source.file, text);
  }
  return files;
}
