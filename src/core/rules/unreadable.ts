import { message, rule } from '../finding';
import { documentProblemText, documentWords, fileWords, objectWords, raiseText } from '../reading-problem';
import type { DocumentProblem, FileProblem, GivenProblem } from '../reading-problem';
import { show } from '../seen';
import type { Seen } from '../seen';
import { counted, listed } from '../words';

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

interface TooLargeData {
  /** The object: `Deployment shop/web`. */
  readonly resource: string;
  /** What a request may be long. */
  readonly bytes: number;
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
  /** Absent of objects that a program gives. */
  readonly file?: string;
  /** How many were told one by one. */
  readonly told: number;
  readonly more: number;
}

interface ObjectData {
  /** Which of the objects given by a program, counted from 1. */
  readonly position: number;
  /** What it says it is, where that can be read: `Deployment shop/web`. */
  readonly resource?: string;
  readonly problem: GivenProblem;
}

function leftOutText({ rollouts, findings, first }: LeftOut): string {
  const which = first === undefined ? '' : ` (${rollouts === 1 ? '' : 'the first is '}${show(first)})`;
  const parts = [
    ...(rollouts === 0 ? [] : [`${counted(rollouts, 'rollout')}${which}`]),
    ...(findings === 0 ? [] : [counted(findings, 'finding')]),
  ];
  return listed(parts);
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
    'Of one file, and of the objects that a program gives, the first 100 are told one by one, and the others together. ' +
    'So is an object that is planned and larger than a request to the API server may be. ' +
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
        { begin: 1, problem: { kind: 'over-budget', budget: 'seconds', limit: 300 } },
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
      text: ({ position, resource, problem }) =>
        `Object ${position} of those given${resource === undefined ? '' : `, ${resource},`} cannot be read: ${objectWords(problem).text(problem)}.`,
      help: ({ problem }) =>
        objectWords(problem).help?.(problem) ?? 'Give it as plain data, as a JSON file would hold it; nothing of this object is planned.',
      sample: { position: 2, problem: { kind: 'bigint' } },
      variants: [
        { position: 3, resource: 'Deployment shop/web', problem: { kind: 'bigint' } },
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
        file === undefined
          ? `Of the objects given ${more} more cannot be read; the first ${told} are told one by one.`
          : `Of the file ${file} ${counted(more, 'more document or item', 'more documents or items')} cannot be read as objects; the first ${told} are told one by one.`,
      help: ({ file }) => `Mend those that are told${file === undefined ? '' : ', or leave the file out'}, and look again.`,
      sample: { file: 'log.yaml', told: 100, more: 999_900 },
      variants: [
        { file: 'log.yaml', told: 100, more: 1 },
        { told: 100, more: 20 },
      ],
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
    'too-large': message<TooLargeData>({
      text: ({ resource, bytes }) =>
        `${resource} is not planned: the API server takes no request of more than ${bytes / 1024 / 1024} MiB, and it is larger.`,
      help: () => 'Make it smaller: keep long texts in ConfigMaps or images, and split what one object need not hold.',
      sample: { resource: 'Deployment shop/web', bytes: 3_145_728 },
    }),
    failed: message<FailureData>({
      text: ({ resource, said }) => `${resource} cannot be planned: rolloutkit fails on it with ${JSON.stringify(said)}.`,
      help: () => 'Report this as a fault of rolloutkit, with the object; all other objects are planned as if this one were not there.',
      sample: { resource: 'Deployment shop/web', said: 'Maximum call stack size exceeded' },
    }),
  },
});
