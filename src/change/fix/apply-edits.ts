import type { Edit } from '../../core/findings/suggested-fix';
import { applyDocumentEdits } from '../../input/edit/document-edit';
import type { Chunk } from '../../input/yaml';
import type { SourceText } from '../../input/source-map';
import { replaceTextRange } from '../../input/edit/document-parts';
import type { LocatedEdit } from './candidates';

/** Returns the new text of each file that the edits change, by name; undefined if an edit cannot be written. */
export function applyEditsToFiles(edits: readonly LocatedEdit[]): Map<string, string> | undefined {
  const byText = new Map<SourceText, Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>>();
  for (const { origin, edit } of edits) {
    const { text, chunk } = origin;
    const byChunk = byText.get(text) ?? new Map<number, { readonly chunk: Chunk; readonly edits: Edit[] }>();
    byText.set(text, byChunk);
    const existing = byChunk.get(chunk.at);
    if (existing) existing.edits.push(edit);
    else byChunk.set(chunk.at, { chunk, edits: [edit] });
  }
  const files = new Map<string, string>();
  for (const [source, byChunk] of byText) {
    let { text } = source;
    // Apply edits from the end, so that the offsets of earlier documents stay valid.
    for (const { chunk, edits: own } of [...byChunk.values()].toSorted((a, b) => b.chunk.at - a.chunk.at)) {
      const newText = applyDocumentEdits(text.slice(chunk.at, chunk.end), own, chunk.json !== undefined);
      if (newText === undefined) return undefined;
      text = replaceTextRange(text, chunk.at, chunk.end, newText);
    }
    files.set(source.file, text);
  }
  return files;
}
