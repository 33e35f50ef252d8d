import { formatDocumentProblem } from '../core/input-problem';
import type { DocumentProblem } from '../core/input-problem';

/** Why a document cannot be read, and at which offset of its text. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(
    readonly at: number,
    readonly problem: DocumentProblem,
  ) {
    super(formatDocumentProblem(problem));
  }
}
