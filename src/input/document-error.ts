import { documentProblemText } from '../core/rules/unreadable';
import type { DocumentProblem } from '../core/rules/unreadable';

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
