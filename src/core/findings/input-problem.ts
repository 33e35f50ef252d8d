import { formatDisplayValue } from '../text/display-value';
import type { DisplayValue } from '../text/display-value';
import { pluralize, joinWords } from '../text/text-format';

/** Kind of a YAML syntax error. */
export type SyntaxProblem = keyof typeof SYNTAX_PROBLEMS;

const SYNTAX_PROBLEMS = {
  anchor: 'an anchor or alias needs a name of letters, digits, "_" and "-"',
  'behind-value': 'text follows the value of the document, and kubectl silently drops it',
  'block-header': 'only "+", "-", one digit from 1 to 9 and a comment may follow "|" or ">"',
  directive: 'a line that begins with "%" is a directive, which no manifest needs',
  'excessive-aliases': 'nearly all values of the document are from aliases, which the YAML parser of Kubernetes refuses',
  escape: 'this is not an escape sequence of YAML 1.1',
  'key-here': 'a key cannot begin here',
  'list-here': 'a list cannot begin here',
  'list-open': 'a "," or "]" is missing from the list',
  'map-here': 'this line contains a second ": "',
  'map-open': 'a "," or "}" is missing from the map',
  'no-colon': 'the key that begins here has no ":"',
  'no-item': 'only an item of the list, which begins with "- ", is allowed here',
  'no-key': 'only a key of the map is allowed here; check the indentation and the quotes',
  'no-token': 'no value can begin with this character',
  'no-value': 'a value is missing',
  'quote-open': 'the quotation mark that begins here is never closed',
  tab: 'the line is indented with a tab, and YAML requires spaces',
  tag: 'this is not a tag',
} as const;

/** A value that is not a Kubernetes object, where one is required. */
export type NonObjectProblem =
  | { readonly kind: 'not-a-map'; readonly value: DisplayValue }
  | { readonly kind: 'no-object'; readonly missing: readonly string[] }
  | { readonly kind: 'plan-document' };

/** An error of a document, with the values seen. */
export type DocumentProblem =
  | { readonly kind: 'syntax'; readonly fault: SyntaxProblem }
  | { readonly kind: 'not-utf8' }
  /** `code` is the code point of the character: 27. */
  | { readonly kind: 'control-character'; readonly code: number }
  | { readonly kind: 'too-deep'; readonly levels: number }
  | { readonly kind: 'too-many-aliases'; readonly aliases: number }
  | { readonly kind: 'aliases-too-large'; readonly values: number }
  | { readonly kind: 'alias-without-anchor'; readonly anchor: string }
  | { readonly kind: 'anchor-in-itself'; readonly anchor: string }
  | OverBudgetProblem
  /** Only on standard input and in a file given by name. */
  | NonObjectProblem
  | { readonly kind: 'key-not-text'; readonly value: DisplayValue }
  | { readonly kind: 'ambiguous-key'; readonly key: string }
  | { readonly kind: 'merge-without-map' }
  | { readonly kind: 'tag-unfit'; readonly text: string; readonly type: string }
  | { readonly kind: 'broken-separator'; readonly line: string }
  | { readonly kind: 'text-after-json' }
  /** Whitespace that JSON does not allow; `code` is the code point of the character: 160. */
  | { readonly kind: 'blank-after-json'; readonly code: number }
  /** The last line has no line break and a multiple of so many bytes. */
  | { readonly kind: 'last-line-dropped'; readonly bytes: number }
  /** The parser fails on it; `said` is the message of the thrown error. */
  | { readonly kind: 'failed'; readonly said: string };

/** Budgets for reading, as the option --budget names them. */
export type ReadBudgetName = 'file-megabytes' | 'total-megabytes' | 'alias-megabytes' | 'seconds';

/** Budgets for reading and planning. */
export type BudgetName = ReadBudgetName | 'output-megabytes';

/** Reading exceeds a budget. */
interface OverBudgetProblem {
  readonly kind: 'over-budget';
  readonly budget: ReadBudgetName;
  readonly limit: number;
}

/** Reason why a file cannot be read; `reason` is the message of the operating system: `permission denied`. */
export type FileProblem =
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken-link'; readonly reason: string }
  /** Only if every file must be planned. */
  | { readonly kind: 'name-not-utf8' }
  | OverBudgetProblem;

/** Reason why an object that a program passes in is not plain data. */
export type ObjectProblem =
  | { readonly kind: 'bigint' }
  | { readonly kind: 'not-finite' }
  | { readonly kind: 'too-deep'; readonly levels: number }
  | { readonly kind: 'too-large'; readonly values: number }
  /** A getter or a Proxy throws; `said` is the message of the thrown error. */
  | { readonly kind: 'throws'; readonly said: string };

/** Reason why nothing is planned for a value that a program passes in: it is not plain data, or not an object. */
export type ValueProblem =
  | ObjectProblem
  | NonObjectProblem
  /** `null` or `undefined`, the value of an empty document. */
  | { readonly kind: 'nothing' };

/** Messages for one kind of problem: the end of a sentence, and a help if there is more to do than to fix the syntax. */
export interface ProblemMessages<Problem> {
  readonly text: (problem: Problem) => string;
  readonly help?: (problem: Problem) => string;
}

type MessagesByKind<Problem extends { readonly kind: string }> = {
  readonly [Kind in Problem['kind']]: ProblemMessages<Extract<Problem, { readonly kind: Kind }>>;
};

const NOT_UTF8: ProblemMessages<unknown> = {
  text: () => 'it is not UTF-8 text',
  help: () => 'Save it as UTF-8; binary and UTF-16 files cannot be read.',
};

/** Formats a code point as four hexadecimal digits: `001b`. */
function formatHex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** Formats a code point as Unicode does: `U+001B`. */
function formatCodePoint(code: number): string {
  return `U+${formatHex(code).toUpperCase()}`;
}

const OVER_BUDGET_TEXTS: Readonly<Record<ReadBudgetName, (limit: number) => string>> = {
  'file-megabytes': (limit) => `it is larger than ${pluralize(limit, 'megabyte')}`,
  'total-megabytes': (limit) => `it and the files before it are larger than ${pluralize(limit, 'megabyte')}`,
  'alias-megabytes': (limit) => `the aliases up to here expand to more than ${pluralize(limit, 'megabyte')}`,
  seconds: (limit) => `reading takes more than ${pluralize(limit, 'second')}`,
};

/** Maximum size of one file, whatever its budget is: a text of Node.js has at most 536,870,888 characters. */
export const MAX_FILE_MEGABYTES = 500;

export function formatRaiseBudgetHint(budget: BudgetName, limit: number): string {
  const raised = budget === 'file-megabytes' ? Math.min(limit * 2, MAX_FILE_MEGABYTES) : limit * 2;
  if (raised <= limit) return `Split the file: one has at most ${MAX_FILE_MEGABYTES} megabytes.`;
  return `Raise the budget with --budget ${budget}=${raised}, if you trust this input.`;
}

/** Describes a budget that reading exceeds, and how to raise it. */
export function describeOverBudget(budget: ReadBudgetName, limit: number): { readonly text: string; readonly help: string } {
  return { text: OVER_BUDGET_TEXTS[budget](limit), help: formatRaiseBudgetHint(budget, limit) };
}

const OVER_BUDGET: ProblemMessages<OverBudgetProblem> = {
  text: ({ budget, limit }) => describeOverBudget(budget, limit).text,
  help: ({ budget, limit }) => describeOverBudget(budget, limit).help,
};

const DOCUMENT_PROBLEMS: MessagesByKind<DocumentProblem> = {
  syntax: { text: ({ fault }) => SYNTAX_PROBLEMS[fault] },
  'not-utf8': NOT_UTF8,
  'control-character': {
    text: ({ code }) => `the control character ${formatCodePoint(code)} is not allowed`,
    help: ({ code }) => `Write it as "\\u${formatHex(code)}" in double quotes.`,
  },
  'too-deep': { text: ({ levels }) => `it is nested more than ${levels} levels deep`, help: () => 'Flatten it.' },
  'too-many-aliases': {
    text: ({ aliases }) => `it has more than ${aliases} aliases`,
    help: () => 'Write the values out, or split the document.',
  },
  'aliases-too-large': {
    text: ({ values }) => `its aliases or merges expand to more than ${values} values`,
    help: () => 'Write the values out.',
  },
  'alias-without-anchor': { text: ({ anchor }) => `the alias *${anchor} has no anchor &${anchor} before it` },
  'anchor-in-itself': { text: ({ anchor }) => `the value of the anchor &${anchor} contains itself` },
  'not-a-map': {
    text: ({ value }) => `it is ${formatDisplayValue(value)}, not an object`,
    help: () => 'Provide Kubernetes objects; check the output of the command before the pipe.',
  },
  'no-object': {
    text: ({ missing }) => `it has no ${joinWords(missing, 'and no')}, so it is not a Kubernetes object`,
    help: ({ missing }) =>
      `Write ${joinWords(missing, 'and')}, in quotes if YAML reads the value as something else than text, such as y. If a command printed the document, check its output.`,
  },
  'plan-document': { text: () => 'it is a plan that rolloutkit printed', help: () => 'Provide the manifests of the plan instead.' },
  'over-budget': {
    text: (problem) => `${OVER_BUDGET.text(problem)}${problem.budget === 'seconds' ? ', so the rest of the file is not read either' : ''}`,
    help: OVER_BUDGET.help!,
  },
  'ambiguous-key': {
    text: ({ key }) => `a map has two keys of different types that both become "${key}", and kubectl uses either`,
    help: () => 'Delete one of the keys.',
  },
  'key-not-text': { text: ({ value }) => `a key must be text, not ${formatDisplayValue(value)}`, help: () => 'Put the key in quotes.' },
  'merge-without-map': { text: () => 'a merge key "<<" needs a map or a list of maps' },
  'tag-unfit': { text: ({ text, type }) => `"${text}" does not fit its tag !!${type}` },
  'broken-separator': { text: ({ line }) => `"${line}" does not separate documents`, help: () => 'Write --- on a line of its own.' },
  'text-after-json': {
    text: () => 'only another JSON object may follow a JSON object',
    help: () => 'Keep JSON and YAML in separate files.',
  },
  'blank-after-json': {
    text: ({ code }) => `the whitespace character ${formatCodePoint(code)} follows a JSON object, but JSON does not allow it`,
    help: () => 'Delete everything after the last "}" of the file.',
  },
  'last-line-dropped': {
    text: ({ bytes }) => `kubectl does not read its last line, which ends after a multiple of ${bytes} bytes and without a line break`,
    help: () => 'End the line with a line break.',
  },
  failed: {
    text: ({ said }) => `rolloutkit fails on it with ${JSON.stringify(said)}`,
    help: () => 'Report this as a bug in rolloutkit, with the document; no part of this document is planned.',
  },
};

const FILE_PROBLEMS: MessagesByKind<FileProblem> = {
  'over-budget': {
    text: (problem) => `${OVER_BUDGET.text(problem)}${problem.budget === 'seconds' ? ', so no file after it is read either' : ''}`,
    help: OVER_BUDGET.help!,
  },
  'not-utf8': NOT_UTF8,
  refused: { text: ({ reason }) => reason },
  'broken-link': { text: ({ reason }) => `the symbolic link is broken (${reason})` },
  'name-not-utf8': {
    text: () => 'its name, or that of a folder on its path, is not UTF-8, so another path may look the same',
    help: () => 'Rename it.',
  },
};

const PROVIDE_OBJECTS_HELP = 'Provide Kubernetes objects, which are maps with apiVersion and kind; nothing is planned for this one.';

const OBJECT_PROBLEMS: MessagesByKind<ValueProblem> = {
  bigint: { text: () => 'it contains a bigint, which JSON does not support' },
  'not-finite': { text: () => 'it contains NaN or an infinite number, which JSON does not support' },
  'too-deep': { text: ({ levels }) => `it contains itself, or is nested more than ${levels} levels deep` },
  'too-large': { text: ({ values }) => `it contains more than ${values} values, counting each occurrence` },
  throws: { text: ({ said }) => `reading it throws ${JSON.stringify(said)}` },
  nothing: { text: () => 'it has no value, like an empty document', help: () => PROVIDE_OBJECTS_HELP },
  'not-a-map': { text: DOCUMENT_PROBLEMS['not-a-map'].text, help: () => PROVIDE_OBJECTS_HELP },
  'no-object': { text: DOCUMENT_PROBLEMS['no-object'].text, help: () => PROVIDE_OBJECTS_HELP },
  'plan-document': DOCUMENT_PROBLEMS['plan-document'],
};

export function getDocumentMessages({ kind }: DocumentProblem): ProblemMessages<DocumentProblem> {
  return DOCUMENT_PROBLEMS[kind] as ProblemMessages<DocumentProblem>;
}

export function getFileMessages({ kind }: FileProblem): ProblemMessages<FileProblem> {
  return FILE_PROBLEMS[kind] as ProblemMessages<FileProblem>;
}

export function getObjectMessages({ kind }: ValueProblem): ProblemMessages<ValueProblem> {
  return OBJECT_PROBLEMS[kind] as ProblemMessages<ValueProblem>;
}

/** Formats an error of a document as the end of a sentence. */
export function formatDocumentProblem(problem: DocumentProblem): string {
  return getDocumentMessages(problem).text(problem);
}
