import { formatDocumentProblem } from '../../core/findings/input-problem';
import type { DocumentProblem } from '../../core/findings/input-problem';

/** Error of a document that cannot be read, with the offset in its text. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(
    readonly at: number,
    readonly problem: DocumentProblem,
    /** Value before the error, which kubectl reads as the document, since it drops the rest. @default - none */
    readonly valueBefore?: unknown,
  ) {
    super(formatDocumentProblem(problem));
  }
}
