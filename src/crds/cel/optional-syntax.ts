/* Kubernetes' expressions may hold optional values (`a.?b`, `a[?k]`, `[?a]`, `{?k: a}`), a syntax that the parser does not read: it is given calls. */

/** The calls that stand for optional syntax. No field has such a name: an expression sees `__` escaped. */
export const OPTIONAL_CALLS = { field: 'optional_field__', index: 'optional_index__', entry: 'optional_entry__' } as const;

/** What may stand before a quote, such as `r` where a backslash means itself. */
const BEFORE_QUOTE = /(?:[bB]?[rR][bB]?|[bB]?)(?=["'])/y;
/** A comment, a name, a number, blanks, or any other sign. */
const UNQUOTED = /\/\/[^\n]*|[A-Za-z_]\w*|\d[\w.]*|\s+|[\s\S]/y;

/** Where a text ends whose first quote stands at `from`; undefined where it does not end. */
function findQuoteEnd(expression: string, from: number, isRaw: boolean): number | undefined {
  const quote = expression[from]!;
  const closing = expression.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let index = from + closing.length; index < expression.length; index++) {
    if (expression.startsWith(closing, index)) return index + closing.length;
    if (closing === quote && expression[index] === '\n') return undefined;
    if (!isRaw && expression[index] === '\\') index++;
  }
  return undefined;
}

function findTokenEnd(expression: string, index: number): number {
  BEFORE_QUOTE.lastIndex = index;
  const before = BEFORE_QUOTE.exec(expression)?.[0];
  const end = before === undefined ? undefined : findQuoteEnd(expression, index + before.length, /[rR]/.test(before));
  if (end !== undefined) return end;
  UNQUOTED.lastIndex = index;
  return index + UNQUOTED.exec(expression)![0].length;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  for (let index = 0; index < expression.length; index += tokens.at(-1)!.length)
    tokens.push(expression.slice(index, findTokenEnd(expression, index)));
  return tokens;
}

/** What is written around a value: an index, a list, a map, arguments. */
interface Bracket {
  readonly kind: 'index' | 'list' | 'map' | 'other';
  /** What closes it beside its own sign. */
  readonly closing: string;
  /** Is an optional entry open? */
  isEntry: boolean;
  /** Questions whose colon has not come yet. */
  openTernaries: number;
}

function isBlank(token: string | undefined): boolean {
  return token !== undefined && (/^\s/.test(token) || token.startsWith('//'));
}

/** Does a token end a value, so that a bracket behind it is an index? */
function isValueEnd(token: string): boolean {
  return token !== 'in' && /[\w)\]}"']$/.test(token);
}

class OptionalSyntaxRewriter {
  private readonly tokens: readonly string[];
  private readonly brackets: Bracket[] = [];
  private output = '';
  private previousToken = '';
  private position = 0;

  constructor(expression: string) {
    this.tokens = tokenize(expression);
  }

  rewrite(): string {
    while (this.position < this.tokens.length) this.appendToken(this.tokens[this.position++]!);
    return this.output;
  }

  /** Passes over a question mark that comes next. */
  private skipQuestionMark(): boolean {
    let next = this.position;
    while (isBlank(this.tokens[next])) next++;
    if (this.tokens[next] !== '?') return false;
    this.position = next + 1;
    return true;
  }

  private readName(): string {
    while (isBlank(this.tokens[this.position])) this.position++;
    return this.tokens[this.position++] ?? '';
  }

  private appendToken(token: string): void {
    const from = this.position;
    this.output += isBlank(token) ? token : this.rewriteToken(token);
    // What was passed over is the name behind `.?`, or a question mark.
    if (!isBlank(token)) this.previousToken = token === '.' && this.position > from ? ')' : token;
  }

  private rewriteToken(token: string): string {
    if (token === '.') return this.skipQuestionMark() ? `.${OPTIONAL_CALLS.field}("${this.readName()}")` : token;
    if ('[{('.includes(token)) return this.openBracket(token);
    if (']})'.includes(token)) return this.closeBracket(token);
    const bracket = this.brackets.at(-1);
    if (!bracket) return token;
    if (token === '?') bracket.openTernaries++;
    if (token === ',') return this.startEntry(bracket);
    return token === ':' ? this.rewriteColon(bracket) : token;
  }

  private openBracket(token: string): string {
    const kind = token === '{' ? 'map' : token === '(' ? 'other' : isValueEnd(this.previousToken) ? 'index' : 'list';
    const isOptional = kind !== 'other' && this.skipQuestionMark();
    const isIndex = isOptional && kind === 'index';
    this.brackets.push({ kind, closing: isIndex ? ')' : token === '[' ? ']' : '', isEntry: isOptional && !isIndex, openTernaries: 0 });
    if (isIndex) return `.${OPTIONAL_CALLS.index}(`;
    return isOptional ? `${token}${OPTIONAL_CALLS.entry}(` : token;
  }

  private closeBracket(token: string): string {
    const bracket = this.brackets.pop();
    return (bracket?.isEntry ? ')' : '') + (bracket?.closing || token);
  }

  private startEntry(bracket: Bracket): string {
    const end = bracket.isEntry ? '),' : ',';
    bracket.isEntry = (bracket.kind === 'list' || bracket.kind === 'map') && this.skipQuestionMark();
    return bracket.isEntry ? `${end}${OPTIONAL_CALLS.entry}(` : end;
  }

  /** The colon of a ternary, or the one behind a key. */
  private rewriteColon(bracket: Bracket): string {
    if (bracket.openTernaries > 0) {
      bracket.openTernaries--;
      return ':';
    }
    const end = bracket.isEntry ? '):' : ':';
    bracket.isEntry = false;
    return end;
  }
}

/** The expression with calls instead of optional syntax. */
export function replaceOptionalSyntax(expression: string): string {
  return /[.[{,]\s*\?/.test(expression) ? new OptionalSyntaxRewriter(expression).rewrite() : expression;
}
