/** The expressions that a browser matches in a short time: parts of names, and `.*` at most twice. */
const FAST_EXPRESSION = /^\^[A-Za-z0-9.|-]*(?:\.\*[A-Za-z0-9.|-]*){0,2}\$$/;

/**
 * Matches with the expressions of the browser, in place of the package `re2js`, which is as large as a tenth of the engine. Only the annotations
 * of Reloader are matched here, since no CRDs are read. A browser can take years for an expression such as `(a+)+`, so all others may match.
 */
export class RE2JS {
  private constructor(
    private readonly expression: RegExp,
    private readonly isFast: boolean,
  ) {}

  /** @throws SyntaxError for a text that is no expression */
  static compile(pattern: string): RE2JS {
    return new RE2JS(new RegExp(pattern), FAST_EXPRESSION.test(pattern));
  }

  matcher(text: string): { readonly find: () => boolean } {
    return { find: () => !this.isFast || this.expression.test(text) };
  }
}
