/* Kubernetes' expressions may hold optional values (`a.?b`, `a[?k]`, `[?a]`, `{?k: a}`), a syntax that the parser does not read: it is given calls. */

/** The calls that stand for optional syntax. No field has such a name: an expression sees `__` escaped. */
export const OPTIONAL_CALLS = { field: 'optional_field__', index: 'optional_index__', entry: 'optional_entry__' } as const;

/** What may stand before a quote, such as `r` where a backslash means itself. */
const BEFORE_QUOTE = /(?:[bB]?[rR][bB]?|[bB]?)(?=["'])/y;
/** A comment, a name, a number, blanks, or any other sign. */
const UNQUOTED = /\/\/[^\n]*|[A-Za-z_]\w*|\d[\w.]*|\s+|[\s\S]/y;

/** Where a text ends whose first quote stands at `from`; undefined where it does not end. */
function endOfQuoted(expression: string, from: number, isRaw: boolean): number | undefined {
  const quote = expression[from]!;
  const closing = expression.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + closing.length; at < expression.length; at++) {
    if (expression.startsWith(closing, at)) return at + closing.length;
    if (closing === quote && expression[at] === '\n') return undefined;
    if (!isRaw && expression[at] === '\\') at++;
  }
  return undefined;
}

function endOfToken(expression: string, at: number): number {
  BEFORE_QUOTE.lastIndex = at;
  const before = BEFORE_QUOTE.exec(expression)?.[0];
  const end = before === undefined ? undefined : endOfQuoted(expression, at + before.length, /[rR]/.test(before));
  if (end !== undefined) return end;
  UNQUOTED.lastIndex = at;
  return at + UNQUOTED.exec(expression)![0].length;
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < expression.length; at += tokens.at(-1)!.length) tokens.push(expression.slice(at, endOfToken(expression, at)));
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
  questions: number;
}

function isBlank(token: string | undefined): boolean {
  return token !== undefined && (/^\s/.test(token) || token.startsWith('//'));
}

/** Does a token end a value, so that a bracket behind it is an index? */
function endsValue(token: string): boolean {
  return token !== 'in' && /[\w)\]}"']$/.test(token);
}

class Rewriting {
  private readonly tokens: readonly string[];
  private readonly brackets: Bracket[] = [];
  private written = '';
  private before = '';
  private at = 0;

  constructor(expression: string) {
    this.tokens = tokensOf(expression);
  }

  text(): string {
    while (this.at < this.tokens.length) this.token(this.tokens[this.at++]!);
    return this.written;
  }

  /** Passes over a question mark that comes next. */
  private takesQuestion(): boolean {
    let next = this.at;
    while (isBlank(this.tokens[next])) next++;
    if (this.tokens[next] !== '?') return false;
    this.at = next + 1;
    return true;
  }

  private name(): string {
    while (isBlank(this.tokens[this.at])) this.at++;
    return this.tokens[this.at++] ?? '';
  }

  private token(token: string): void {
    const from = this.at;
    this.written += isBlank(token) ? token : this.rewritten(token);
    // What was passed over is the name behind `.?`, or a question mark.
    if (!isBlank(token)) this.before = token === '.' && this.at > from ? ')' : token;
  }

  private rewritten(token: string): string {
    if (token === '.') return this.takesQuestion() ? `.${OPTIONAL_CALLS.field}("${this.name()}")` : token;
    if ('[{('.includes(token)) return this.opened(token);
    if (']})'.includes(token)) return this.closed(token);
    const bracket = this.brackets.at(-1);
    if (!bracket) return token;
    if (token === '?') bracket.questions++;
    if (token === ',') return this.nextEntry(bracket);
    return token === ':' ? this.colon(bracket) : token;
  }

  private opened(token: string): string {
    const kind = token === '{' ? 'map' : token === '(' ? 'other' : endsValue(this.before) ? 'index' : 'list';
    const isOptional = kind !== 'other' && this.takesQuestion();
    const isIndex = isOptional && kind === 'index';
    this.brackets.push({ kind, closing: isIndex ? ')' : token === '[' ? ']' : '', isEntry: isOptional && !isIndex, questions: 0 });
    if (isIndex) return `.${OPTIONAL_CALLS.index}(`;
    return isOptional ? `${token}${OPTIONAL_CALLS.entry}(` : token;
  }

  private closed(token: string): string {
    const bracket = this.brackets.pop();
    return (bracket?.isEntry ? ')' : '') + (bracket?.closing || token);
  }

  private nextEntry(bracket: Bracket): string {
    const end = bracket.isEntry ? '),' : ',';
    bracket.isEntry = (bracket.kind === 'list' || bracket.kind === 'map') && this.takesQuestion();
    return bracket.isEntry ? `${end}${OPTIONAL_CALLS.entry}(` : end;
  }

  /** The colon of a ternary, or the one behind a key. */
  private colon(bracket: Bracket): string {
    if (bracket.questions > 0) {
      bracket.questions--;
      return ':';
    }
    const end = bracket.isEntry ? '):' : ':';
    bracket.isEntry = false;
    return end;
  }
}

/** The expression with calls instead of optional syntax. */
export function withoutOptionalSyntax(expression: string): string {
  return /[.[{,]\s*\?/.test(expression) ? new Rewriting(expression).text() : expression;
}
