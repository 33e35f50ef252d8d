import { formatDisplayValue } from './display-value';
import type { DisplayValue } from './display-value';
import { pluralize, joinWords } from './text-format';

/** What of YAML's syntax a document breaks. */
export type SyntaxProblem = keyof typeof SYNTAX_PROBLEMS;

const SYNTAX_PROBLEMS = {
  anchor: 'an anchor or alias needs a name of letters, digits, "_" and "-"',
  'behind-value': 'text follows the value of the document, and kubectl drops it without a word',
  'block-header': 'only "+", "-", one digit from 1 to 9 and a comment may stand behind "|" or ">"',
  directive: 'a line that begins with "%" is a directive, and kubectl takes none',
  escape: 'this is not an escape sequence of YAML 1.1',
  'key-here': 'a key cannot begin here',
  'list-here': 'a list cannot begin here',
  'list-open': 'a "," or "]" is missing from the list',
  'map-here': 'a second ": " stands in one line',
  'map-open': 'a "," or "}" is missing from the map',
  'no-colon': 'the key that begins here has no ":"',
  'no-item': 'only an item of the list, which begins with "- ", could stand here',
  'no-key': 'only a key of the map could stand here; look at the indentation and the quotes',
  'no-token': 'no value can begin with this character',
  'no-value': 'a value is missing',
  'quote-open': 'the quotation mark that begins here is never closed',
  tab: 'a tab stands where spaces must indent the line',
  tag: 'this is not a tag',
} as const;

/** A value that stands where a Kubernetes object should. */
export type NonObjectProblem =
  | { readonly kind: 'not-a-map'; readonly value: DisplayValue }
  | { readonly kind: 'no-object'; readonly missing: readonly string[] }
  | { readonly kind: 'plan-document' };

/** What is wrong with a document, with the values seen. */
export type DocumentProblem =
  | { readonly kind: 'syntax'; readonly fault: SyntaxProblem }
  | { readonly kind: 'not-utf8' }
  /** `code` is the number of its character: 27. */
  | { readonly kind: 'control-character'; readonly code: number }
  | { readonly kind: 'too-deep'; readonly levels: number }
  | { readonly kind: 'too-many-aliases'; readonly aliases: number }
  | { readonly kind: 'aliases-too-large'; readonly values: number }
  | { readonly kind: 'alias-without-anchor'; readonly anchor: string }
  | { readonly kind: 'anchor-in-itself'; readonly anchor: string }
  | OverBudgetProblem
  /** On standard input and in a file given by name. */
  | NonObjectProblem
  | { readonly kind: 'key-not-text'; readonly value: DisplayValue }
  | { readonly kind: 'merge-without-map' }
  | { readonly kind: 'tag-unfit'; readonly text: string; readonly type: string }
  | { readonly kind: 'broken-separator'; readonly line: string }
  | { readonly kind: 'text-after-json' }
  /** A blank that is none in JSON; `code` is the number of its character: 160. */
  | { readonly kind: 'blank-after-json'; readonly code: number }
  /** The reader fails on it; `said` is what was thrown. */
  | { readonly kind: 'failed'; readonly said: string };

/** What reading may take, as the option --budget names it. */
export type ReadBudgetName = 'file-megabytes' | 'total-megabytes' | 'alias-megabytes' | 'seconds';

/** What reading and planning may take. */
export type BudgetName = ReadBudgetName | 'output-megabytes';

/** More was asked for than reading may take. */
interface OverBudgetProblem {
  readonly kind: 'over-budget';
  readonly budget: ReadBudgetName;
  readonly limit: number;
}

/** Why a file cannot be had; `reason` is what the operating system says: `permission denied`. */
export type FileProblem =
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken-link'; readonly reason: string }
  | OverBudgetProblem;

/** Why an object given by a program is not plain data. */
export type ObjectProblem =
  | { readonly kind: 'bigint' }
  | { readonly kind: 'too-deep'; readonly levels: number }
  | { readonly kind: 'too-large'; readonly values: number }
  /** A getter or a Proxy throws; `said` are its words. */
  | { readonly kind: 'throws'; readonly said: string };

/** Why nothing is planned of a value given by a program: it is not plain data, or not an object. */
export type ValueProblem =
  | ObjectProblem
  | NonObjectProblem
  /** `null` or `undefined`, as an empty document gives it. */
  | { readonly kind: 'nothing' };

/** What is said of one kind of problem: as the end of a sentence, and what to do, where more is known than to repair it. */
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

/** The four hexadecimal digits of a character: `001b`. */
function formatHex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** A character as Unicode names it: `U+001B`. */
function formatCodePoint(code: number): string {
  return `U+${formatHex(code).toUpperCase()}`;
}

const OVER_BUDGET_TEXTS: Readonly<Record<ReadBudgetName, (limit: number) => string>> = {
  'file-megabytes': (limit) => `it is larger than ${pluralize(limit, 'megabyte')}`,
  'total-megabytes': (limit) => `it and the files before it are larger than ${pluralize(limit, 'megabyte')}`,
  'alias-megabytes': (limit) => `the aliases up to here stand for more than ${pluralize(limit, 'megabyte')}`,
  seconds: (limit) => `reading has taken more than ${pluralize(limit, 'second')}`,
};

export function formatRaiseBudgetHint(budget: BudgetName, limit: number): string {
  return `Raise the budget with --budget ${budget}=${limit * 2}, if this input is to be trusted.`;
}

const OVER_BUDGET: ProblemMessages<OverBudgetProblem> = {
  text: ({ budget, limit }) => OVER_BUDGET_TEXTS[budget](limit),
  help: ({ budget, limit }) => formatRaiseBudgetHint(budget, limit),
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
  'aliases-too-large': { text: ({ values }) => `its aliases stand for more than ${values} values`, help: () => 'Write the values out.' },
  'alias-without-anchor': { text: ({ anchor }) => `the alias *${anchor} has no anchor &${anchor} before it` },
  'anchor-in-itself': { text: ({ anchor }) => `the value of the anchor &${anchor} contains itself` },
  'not-a-map': {
    text: ({ value }) => `it is ${formatDisplayValue(value)}, not an object`,
    help: () => 'Give Kubernetes objects; look at what the command before the pipe says.',
  },
  'no-object': {
    text: ({ missing }) => `it has no ${joinWords(missing, 'and no')}, so it is not a Kubernetes object`,
    help: () => 'Give Kubernetes objects; look at what the command before the pipe says.',
  },
  'plan-document': { text: () => 'it is a plan, which rolloutkit has printed', help: () => 'Give the manifests that the plan is of.' },
  'over-budget': {
    text: (problem) => `${OVER_BUDGET.text(problem)}${problem.budget === 'seconds' ? ', so neither is the rest of the file' : ''}`,
    help: OVER_BUDGET.help!,
  },
  'key-not-text': { text: ({ value }) => `a key must be text, not ${formatDisplayValue(value)}`, help: () => 'Put the key in quotes.' },
  'merge-without-map': { text: () => 'a merge key "<<" needs a map or a list of maps' },
  'tag-unfit': { text: ({ text, type }) => `"${text}" does not fit its tag !!${type}` },
  'broken-separator': { text: ({ line }) => `"${line}" does not separate documents`, help: () => 'Write --- alone on its line.' },
  'text-after-json': {
    text: () => 'only another JSON object may follow a JSON object',
    help: () => 'Keep JSON and YAML in files of their own.',
  },
  'blank-after-json': {
    text: ({ code }) => `the blank ${formatCodePoint(code)} follows a JSON object, and JSON has no such blank`,
    help: () => 'Delete everything behind the last "}" of the file.',
  },
  failed: {
    text: ({ said }) => `rolloutkit fails on it with ${JSON.stringify(said)}`,
    help: () => 'Report this as a fault of rolloutkit, with the document; nothing of this document is planned.',
  },
};

const FILE_PROBLEMS: MessagesByKind<FileProblem> = {
  'over-budget': OVER_BUDGET,
  'not-utf8': NOT_UTF8,
  refused: { text: ({ reason }) => reason },
  'broken-link': { text: ({ reason }) => `the symbolic link is broken (${reason})` },
};

const PROVIDE_OBJECTS_HELP = 'Give Kubernetes objects, which are maps with apiVersion and kind; nothing is planned of this one.';

const OBJECT_PROBLEMS: MessagesByKind<ValueProblem> = {
  bigint: { text: () => 'it holds a bigint, which JSON does not have' },
  'too-deep': { text: ({ levels }) => `it contains itself, or is nested more than ${levels} levels deep` },
  'too-large': { text: ({ values }) => `it holds more than ${values} values, each counted wherever it stands` },
  throws: { text: ({ said }) => `reading it throws ${JSON.stringify(said)}` },
  nothing: { text: () => 'nothing is there, as in an empty document', help: () => PROVIDE_OBJECTS_HELP },
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

/** What is wrong with a document, as the end of a sentence. */
export function formatDocumentProblem(problem: DocumentProblem): string {
  return getDocumentMessages(problem).text(problem);
}
