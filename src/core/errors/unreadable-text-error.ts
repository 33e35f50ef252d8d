import { formatDocumentProblem } from '../findings/input-problem';
import type { DocumentProblem } from '../findings/input-problem';

/** Thrown for a text in an object that exceeds a limit of the reader, so that the object cannot be planned. */
export class UnreadableTextError extends Error {
  /**
   * @param field - name of the field with the text
   * @param problem - reason why the text cannot be read
   */
  constructor(
    readonly field: string,
    readonly problem: DocumentProblem,
  ) {
    super(`${field} cannot be read: ${formatDocumentProblem(problem)}`);
  }
}
