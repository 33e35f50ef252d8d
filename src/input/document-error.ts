import { documentProblemText } from '../core/reading-problem';
import type { DocumentProblem } from '../core/reading-problem';

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
