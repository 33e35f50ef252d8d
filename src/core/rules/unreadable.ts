import { message, rule } from '../finding';
import { show } from '../seen';
import type { Seen } from '../seen';
import { counted, listed } from '../words';

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
export type NotAnObject =
  | { readonly kind: 'not-a-map'; readonly value: Seen }
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
  | OverBudget
  /** On standard input and in a file given by name. */
  | NotAnObject
  | { readonly kind: 'key-not-text'; readonly value: Seen }
  | { readonly kind: 'merge-without-map' }
  | { readonly kind: 'tag-unfit'; readonly text: string; readonly type: string }
  | { readonly kind: 'broken-separator'; readonly line: string }
  | { readonly kind: 'text-after-json' }
  /** A blank that is none in JSON; `code` is the number of its character: 160. */
  | { readonly kind: 'blank-after-json'; readonly code: number }
  /** The reader fails on it; `said` is what was thrown. */
  | { readonly kind: 'failed'; readonly said: string };

/** What reading may take, as the option --budget names it. */
export type ReadingBudget = 'file-megabytes' | 'total-megabytes' | 'alias-megabytes' | 'seconds';

/** What reading and planning may take. */
export type BudgetName = ReadingBudget | 'output-megabytes';

/** More was asked for than reading may take. */
interface OverBudget {
  readonly kind: 'over-budget';
  readonly budget: ReadingBudget;
  readonly limit: number;
}

/** Why a file cannot be had; `reason` is what the operating system says: `permission denied`. */
export type FileProblem =
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken-link'; readonly reason: string }
  | OverBudget;

/** Why an object given by a program is not plain data. */
export type ObjectProblem =
  | { readonly kind: 'bigint' }
  | { readonly kind: 'too-deep'; readonly levels: number }
  | { readonly kind: 'too-large'; readonly values: number }
  /** A getter or a Proxy throws; `said` are its words. */
  | { readonly kind: 'throws'; readonly said: string };

/** Why nothing is planned of a value given by a program: it is not plain data, or not an object. */
export type GivenProblem =
  | ObjectProblem
  | NotAnObject
  /** `null` or `undefined`, as an empty document gives it. */
  | { readonly kind: 'nothing' };

interface FileData {
  readonly file: string;
  readonly problem: FileProblem;
}

interface DocumentData {
  /** The line at which the document begins. */
  readonly begin: number;
  readonly problem: DocumentProblem;
}

interface FailureData {
  /** The object: `Deployment shop/web`. */
  readonly resource: string;
  /** What was thrown. */
  readonly said: string;
}

/** What a plan is without, since it would take more than it may. */
interface UnplannedData {
  readonly limit: number;
  /** Beyond `seconds` nothing is planned. */
  readonly without: { readonly budget: 'seconds' } | LeftOut;
}

/** What does not fit into the bytes of a plan. */
export interface LeftOut {
  readonly budget: 'output-megabytes';
  readonly rollouts: number;
  /** About no rollout. */
  readonly findings: number;
  /** The first of the rollouts: `Deployment shop/web`. */
  readonly first?: Seen;
}

interface ItemData {
  /** Where it stands in the document: `items[2]`. */
  readonly item: string;
  readonly problem: GivenProblem;
}

interface MoreData {
  readonly file: string;
  /** How many were told one by one. */
  readonly told: number;
  readonly more: number;
}

interface ObjectData {
  /** Which of the objects given by a program, counted from 1. */
  readonly position: number;
  readonly problem: GivenProblem;
}

/** What is said of one kind of problem: as the end of a sentence, and what to do, where more is known than to repair it. */
interface Words<Problem> {
  readonly text: (problem: Problem) => string;
  readonly help?: (problem: Problem) => string;
}

type WordsByKind<Problem extends { readonly kind: string }> = {
  readonly [Kind in Problem['kind']]: Words<Extract<Problem, { readonly kind: Kind }>>;
};

const NOT_UTF8: Words<unknown> = {
  text: () => 'it is not UTF-8 text',
  help: () => 'Save it as UTF-8; binary and UTF-16 files cannot be read.',
};

/** The four hexadecimal digits of a character: `001b`. */
function hexadecimal(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** A character as Unicode names it: `U+001B`. */
function codePoint(code: number): string {
  return `U+${hexadecimal(code).toUpperCase()}`;
}

const OVER_BUDGET_TEXTS: Readonly<Record<ReadingBudget, (limit: number) => string>> = {
  'file-megabytes': (limit) => `it is larger than ${counted(limit, 'megabyte')}`,
  'total-megabytes': (limit) => `it and the files before it are larger than ${counted(limit, 'megabyte')}`,
  'alias-megabytes': (limit) => `the aliases up to here stand for more than ${counted(limit, 'megabyte')}`,
  seconds: (limit) => `reading has taken more than ${counted(limit, 'second')}`,
};

function raiseText(budget: BudgetName, limit: number): string {
  return `Raise the budget with --budget ${budget}=${limit * 2}, if this input is to be trusted.`;
}

const OVER_BUDGET: Words<OverBudget> = {
  text: ({ budget, limit }) => OVER_BUDGET_TEXTS[budget](limit),
  help: ({ budget, limit }) => raiseText(budget, limit),
};

function leftOutText({ rollouts, findings, first }: LeftOut): string {
  const which = first === undefined ? '' : ` (${rollouts === 1 ? '' : 'the first is '}${show(first)})`;
  const parts = [
    ...(rollouts === 0 ? [] : [`${counted(rollouts, 'rollout')}${which}`]),
    ...(findings === 0 ? [] : [counted(findings, 'finding')]),
  ];
  return listed(parts);
}

const DOCUMENT_PROBLEMS: WordsByKind<DocumentProblem> = {
  syntax: { text: ({ fault }) => SYNTAX_PROBLEMS[fault] },
  'not-utf8': NOT_UTF8,
  'control-character': {
    text: ({ code }) => `the control character ${codePoint(code)} is not allowed`,
    help: ({ code }) => `Write it as "\\u${hexadecimal(code)}" in double quotes.`,
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
    text: ({ value }) => `it is ${show(value)}, not an object`,
    help: () => 'Give Kubernetes objects; look at what the command before the pipe says.',
  },
  'no-object': {
    text: ({ missing }) => `it has no ${listed(missing, 'and no')}, so it is not a Kubernetes object`,
    help: () => 'Give Kubernetes objects; look at what the command before the pipe says.',
  },
  'plan-document': { text: () => 'it is a plan, which rolloutkit has printed', help: () => 'Give the manifests that the plan is of.' },
  'over-budget': OVER_BUDGET,
  'key-not-text': { text: ({ value }) => `a key must be text, not ${show(value)}`, help: () => 'Put the key in quotes.' },
  'merge-without-map': { text: () => 'a merge key "<<" needs a map or a list of maps' },
  'tag-unfit': { text: ({ text, type }) => `"${text}" does not fit its tag !!${type}` },
  'broken-separator': { text: ({ line }) => `"${line}" does not separate documents`, help: () => 'Write --- alone on its line.' },
  'text-after-json': {
    text: () => 'only another JSON object may follow a JSON object',
    help: () => 'Keep JSON and YAML in files of their own.',
  },
  'blank-after-json': {
    text: ({ code }) => `the blank ${codePoint(code)} follows a JSON object, and JSON has no such blank`,
    help: () => 'Delete everything behind the last "}" of the file.',
  },
  failed: {
    text: ({ said }) => `rolloutkit fails on it with ${JSON.stringify(said)}`,
    help: () => 'Report this as a fault of rolloutkit, with the document; nothing of this document is planned.',
  },
};

const FILE_PROBLEMS: WordsByKind<FileProblem> = {
  'over-budget': OVER_BUDGET,
  'not-utf8': NOT_UTF8,
  refused: { text: ({ reason }) => reason },
  'broken-link': { text: ({ reason }) => `the symbolic link is broken (${reason})` },
};

const GIVE_OBJECTS = 'Give Kubernetes objects, which are maps with apiVersion and kind; nothing is planned of this one.';

const OBJECT_PROBLEMS: WordsByKind<GivenProblem> = {
  bigint: { text: () => 'it holds a bigint, which JSON does not have' },
  'too-deep': { text: ({ levels }) => `it contains itself, or is nested more than ${levels} levels deep` },
  'too-large': { text: ({ values }) => `it holds more than ${values} values, each counted wherever it stands` },
  throws: { text: ({ said }) => `reading it throws ${JSON.stringify(said)}` },
  nothing: { text: () => 'nothing is there, as in an empty document', help: () => GIVE_OBJECTS },
  'not-a-map': { text: DOCUMENT_PROBLEMS['not-a-map'].text, help: () => GIVE_OBJECTS },
  'no-object': { text: DOCUMENT_PROBLEMS['no-object'].text, help: () => GIVE_OBJECTS },
  'plan-document': DOCUMENT_PROBLEMS['plan-document'],
};

function documentWords({ kind }: DocumentProblem): Words<DocumentProblem> {
  return DOCUMENT_PROBLEMS[kind] as Words<DocumentProblem>;
}

function fileWords({ kind }: FileProblem): Words<FileProblem> {
  return FILE_PROBLEMS[kind] as Words<FileProblem>;
}

function objectWords({ kind }: GivenProblem): Words<GivenProblem> {
  return OBJECT_PROBLEMS[kind] as Words<GivenProblem>;
}

/** What is wrong with a document, as the end of a sentence. */
export function documentProblemText(problem: DocumentProblem): string {
  return documentWords(problem).text(problem);
}

/** A file, a document or an object that no reader can make sense of. */
export const unreadable = rule({
  code: 'input/unreadable',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'A file, or one document of it, cannot be read; or is not an object, on standard input, in a file given by name or among the objects that a program gives. ' +
    'In a folder, a document that lacks one of apiVersion and kind, or that lists objects without being a `List`; in any `List`, an item that is not an object. ' +
    'A warning for a document of a folder that is text and nothing else. ' +
    'Of one file the first 100 are told one by one, and the others together. ' +
    'An info for null among those, and for what is found in a folder, ' +
    'says neither apiVersion nor kind anywhere, and is JSON with comments, as tsconfig.json.',
  why:
    'kubectl stops at such a document, so nothing behind it reaches the cluster. The plan goes on with the rest and says nothing about this one. ' +
    'Causes: a syntax error, an alias without anchor, more than 100 aliases or 1,000 levels in one document, ' +
    'a file that is not UTF-8 text, a broken symbolic link. So is what would take more than a run may: ' +
    'a file above 100 megabytes, files above 1,000, aliases that stand for more than 10, a plan above 200, or more than 300 seconds; `--budget` raises each.',
  fix: 'Repair the YAML at the line and column given; check it with `kubectl apply --dry-run=client -f FILE`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: [3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    file: message<FileData>({
      text: ({ file, problem }) => `The file ${file} cannot be read: ${fileWords(problem).text(problem)}.`,
      help: ({ problem }) => fileWords(problem).help?.(problem),
      sample: { file: 'web.yaml', problem: { kind: 'refused', reason: 'permission denied' } },
      variants: [
        { file: 'web.yaml', problem: { kind: 'not-utf8' } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'file-megabytes', limit: 100 } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'total-megabytes', limit: 1_000 } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'seconds', limit: 300 } },
        { file: 'web.yaml', problem: { kind: 'broken-link', reason: 'no such file or folder' } },
      ],
    }),
    document: message<DocumentData>({
      text: ({ begin, problem }) => `The document that begins at line ${begin} cannot be read: ${documentProblemText(problem)}.`,
      help: ({ problem }) => documentWords(problem).help?.(problem) ?? 'Repair the YAML here; nothing of this document is planned.',
      sample: { begin: 1, problem: { kind: 'control-character', code: 27 } },
      variants: [
        { begin: 1, problem: { kind: 'syntax', fault: 'list-open' } },
        { begin: 1, problem: { kind: 'not-utf8' } },
        { begin: 1, problem: { kind: 'not-a-map', value: 'Error' } },
        { begin: 1, problem: { kind: 'no-object', missing: ['apiVersion', 'kind'] } },
        { begin: 1, problem: { kind: 'plan-document' } },
        { begin: 1, problem: { kind: 'too-deep', levels: 1_000 } },
        { begin: 1, problem: { kind: 'too-many-aliases', aliases: 100 } },
        { begin: 1, problem: { kind: 'aliases-too-large', values: 1_000_000 } },
        { begin: 1, problem: { kind: 'alias-without-anchor', anchor: 'labels' } },
        { begin: 1, problem: { kind: 'anchor-in-itself', anchor: 'labels' } },
        { begin: 1, problem: { kind: 'over-budget', budget: 'alias-megabytes', limit: 10 } },
        { begin: 1, problem: { kind: 'key-not-text', value: null } },
        { begin: 1, problem: { kind: 'merge-without-map' } },
        { begin: 1, problem: { kind: 'tag-unfit', text: 'three', type: 'int' } },
        { begin: 7, problem: { kind: 'broken-separator', line: '--- web' } },
        { begin: 7, problem: { kind: 'text-after-json' } },
        { begin: 7, problem: { kind: 'blank-after-json', code: 160 } },
        { begin: 1, problem: { kind: 'failed', said: 'Maximum call stack size exceeded' } },
      ],
    }),
    object: message<ObjectData>({
      text: ({ position, problem }) => `Object ${position} of those given cannot be read: ${objectWords(problem).text(problem)}.`,
      help: ({ problem }) =>
        objectWords(problem).help?.(problem) ?? 'Give it as plain data, as a JSON file would hold it; nothing of this object is planned.',
      sample: { position: 2, problem: { kind: 'bigint' } },
      variants: [
        { position: 1, problem: { kind: 'too-deep', levels: 1_000 } },
        { position: 1, problem: { kind: 'too-large', values: 1_000_000 } },
        { position: 1, problem: { kind: 'throws', said: 'no such field' } },
        { position: 1, problem: { kind: 'nothing' } },
        { position: 1, problem: { kind: 'not-a-map', value: 3 } },
        { position: 1, problem: { kind: 'no-object', missing: ['kind'] } },
        { position: 1, problem: { kind: 'plan-document' } },
      ],
    }),
    item: message<ItemData>({
      text: ({ item, problem }) =>
        `The list that kubectl is given is refused as a whole, since ${item} is no object: ${objectWords(problem).text(problem)}.`,
      help: () => 'Give the item an apiVersion and a kind, or take it out; what else the list holds is planned.',
      sample: { item: 'items[2]', problem: { kind: 'not-a-map', value: 'Error' } },
      variants: [
        { item: 'items[0]', problem: { kind: 'nothing' } },
        { item: 'items[0]', problem: { kind: 'no-object', missing: ['apiVersion', 'kind'] } },
      ],
    }),
    more: message<MoreData>({
      text: ({ file, told, more }) =>
        `Of the file ${file} ${counted(more, 'more document or item', 'more documents or items')} cannot be read as objects; the first ${told} are told one by one.`,
      help: () => 'Mend those that are told, or leave the file out, and look again.',
      sample: { file: 'log.yaml', told: 100, more: 999_900 },
      variants: [{ file: 'log.yaml', told: 100, more: 1 }],
    }),
    unplanned: message<UnplannedData>({
      text: ({ without, limit }) =>
        without.budget === 'seconds'
          ? `Nothing is planned: planning has taken more than ${counted(limit, 'second')}.`
          : `The plan is without ${leftOutText(without)}: it would be larger than ${counted(limit, 'megabyte')}.`,
      help: ({ without: { budget }, limit }) => raiseText(budget, limit),
      sample: { limit: 200, without: { budget: 'output-megabytes', rollouts: 3, findings: 1, first: 'Deployment shop/web' } },
      variants: [
        { limit: 200, without: { budget: 'output-megabytes', rollouts: 1, findings: 0, first: 'Deployment shop/web' } },
        { limit: 300, without: { budget: 'seconds' } },
      ],
    }),
    failed: message<FailureData>({
      text: ({ resource, said }) => `${resource} cannot be planned: rolloutkit fails on it with ${JSON.stringify(said)}.`,
      help: () => 'Report this as a fault of rolloutkit, with the object; all other objects are planned as if this one were not there.',
      sample: { resource: 'Deployment shop/web', said: 'Maximum call stack size exceeded' },
    }),
  },
});
