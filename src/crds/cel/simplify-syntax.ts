/*
 * Kubernetes expressions may contain optional values (`a.?b`, `a[?k]`, `[?a]`, `{?k: a}`). The parser does not support this syntax, so it
 * is replaced with calls.
 */

/** Calls that replace optional syntax. No field has such a name, since an expression sees `__` escaped. */
export const OPTIONAL_CALLS = { field: 'optional_field__', index: 'optional_index__', entry: 'optional_entry__' } as const;

/** Prefix of a quote, such as `r`, after which a backslash is literal. */
const BEFORE_QUOTE = /(?:[bB]?[rR][bB]?|[bB]?)(?=["'])/y;
/** A comment, a name, a number, whitespace, or any other character. */
const UNQUOTED = /\/\/[^\n]*|[A-Za-z_]\w*|\d[\w.]*|[\t\n\f\r ]+|[\s\S]/y;

/** Returns the end of the string whose first quote is at `from`; undefined if it is not terminated. */
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
  // No expression continues after a string that is not terminated, so it is not looked at again from each quote in it.
  if (before !== undefined) return findQuoteEnd(expression, index + before.length, /[rR]/.test(before)) ?? expression.length;
  UNQUOTED.lastIndex = index;
  return index + UNQUOTED.exec(expression)![0].length;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  for (let index = 0; index < expression.length; index += tokens.at(-1)!.length)
    tokens.push(expression.slice(index, findTokenEnd(expression, index)));
  return tokens;
}

/** An open bracket: an index, a list, a map, or arguments. */
interface Bracket {
  readonly kind: 'index' | 'list' | 'map' | 'other';
  /** Closing text, if it differs from the closing bracket itself. */
  readonly closing: string;
  /** Whether an optional entry is open. */
  isEntry: boolean;
  /** Number of ternaries whose colon is still missing. */
  openTernaries: number;
}

function isBlank(token: string | undefined): boolean {
  return token !== undefined && /^(?:[\t\n\f\r ]|\/\/)/.test(token);
}

/** Reports whether a token ends a value, so that a bracket after it is an index. */
function isValueEnd(token: string): boolean {
  return token !== 'in' && /[\w)\]}"']$/.test(token);
}

class SyntaxRewriter {
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

  /** Skips a question mark that comes next. */
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
    if (isBlank(token)) {
      if (!this.output.endsWith(' ')) this.output += ' ';
      return;
    }
    this.output += this.rewriteToken(token);
    // The skipped text is the name after `.?`, or a question mark.
    this.previousToken = token === '.' && this.position > from ? ')' : token;
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

  /** Rewrites the colon of a ternary, or the one after a key. */
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

/** Maximum number of expressions within each other, the outermost included. Source: cel-go v0.26 parser/parser.go, `maxRecursionDepth`. */
const MAX_NESTED_EXPRESSIONS = 250;

const OPENING = /[([{?]/g;

/**
 * Reports whether brackets and conditions are nested deeper than the parser of the API server reads: 250 pairs of parentheses, or `a ? b : ` 250
 * times in succession. The parser of this evaluator calls itself for each of them, so they are counted before.
 */
export function exceedsParserDepth(expression: string): boolean {
  if ((expression.match(OPENING)?.length ?? 0) < MAX_NESTED_EXPRESSIONS) return false;
  const outer: { readonly conditions: number; readonly questions: number }[] = [];
  let depth = 1;
  // The conditions around the current position in the innermost bracket, and those that have no colon yet.
  let conditions = 0;
  let questions = 0;
  const leaveConditions = () => {
    depth -= conditions;
    [conditions, questions] = [0, 0];
  };
  let previous = '';
  for (const token of tokenize(expression)) {
    if (isBlank(token)) continue;
    if ('([{'.includes(token)) {
      outer.push({ conditions, questions });
      [conditions, questions] = [0, 0];
      depth++;
    } else if (')]}'.includes(token)) {
      leaveConditions();
      const around = outer.pop();
      if (around) ({ conditions, questions } = around);
      depth--;
    } else if (token === '?' && isValueEnd(previous)) questions++;
    else if (token === ':' && questions > 0) {
      questions--;
      conditions++;
      depth++;
    } else if (token === ',' || token === ':') leaveConditions();
    if (depth > MAX_NESTED_EXPRESSIONS) return true;
    previous = token;
  }
  return false;
}

/** Optional syntax, a comment, or several blanks. */
const REWRITTEN = /[.[{,]\s*\?|\/\/|[\t\n\f\r ]{2}/;

/**
 * Replaces the optional syntax of an expression with calls, and blanks and comments with a space: the parser takes quadratic time for blanks,
 * and knows no comment at the end.
 */
export function simplifySyntax(expression: string): string {
  return REWRITTEN.test(expression) ? new SyntaxRewriter(expression).rewrite() : expression;
}
