/**
 * Matches with the expressions of the browser, in place of the package `re2js`, which is as large as a tenth of the engine. Only the annotations
 * of Reloader are matched here, since no CRDs are read.
 */
export class RE2JS {
  private constructor(private readonly expression: RegExp) {}

  /** @throws SyntaxError for a text that is no expression */
  static compile(pattern: string): RE2JS {
    return new RE2JS(new RegExp(pattern));
  }

  matcher(text: string): { readonly find: () => boolean } {
    return { find: () => this.expression.test(text) };
  }
}
