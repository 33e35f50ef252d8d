import { defineMessage, defineRule } from '../finding';
import { formatDocumentProblem, getDocumentMessages, getFileMessages, getObjectMessages, formatRaiseBudgetHint } from '../input-problem';
import type { DocumentProblem, FileProblem, ValueProblem } from '../input-problem';
import { formatDisplayValue } from '../display-value';
import type { DisplayValue } from '../display-value';
import { pluralize, joinWords } from '../text-format';

interface FileData {
  readonly file: string;
  readonly problem: FileProblem;
}

interface DocumentData {
  /** The line at which the document begins. */
  readonly startLine: number;
  readonly problem: DocumentProblem;
}

interface FailureData {
  /** The object: `Deployment shop/web`. */
  readonly resource: string;
  /** What was thrown. */
  readonly error: string;
}

interface TooLargeData {
  /** The object: `Deployment shop/web`. */
  readonly resource: string;
  /** What a request may be long. */
  readonly bytes: number;
}

/** What a plan is without, since it would take more than it may. */
interface OverBudgetData {
  readonly limit: number;
  /** Beyond `seconds` nothing is planned. */
  readonly omittedOutput: { readonly budget: 'seconds' } | OmittedOutput;
}

/** What does not fit into the bytes of a plan. */
export interface OmittedOutput {
  readonly budget: 'output-megabytes';
  readonly rollouts: number;
  /** About no rollout. */
  readonly findings: number;
  /** The first of the rollouts: `Deployment shop/web`. */
  readonly first?: DisplayValue;
}

interface ItemData {
  /** Where it stands in the document: `items[2]`. */
  readonly item: string;
  readonly problem: ValueProblem;
}

interface OmittedProblemsData {
  /** Absent of objects that a program gives. */
  readonly file?: string;
  /** How many were told one by one. */
  readonly listed: number;
  readonly omitted: number;
}

interface ObjectData {
  /** Which of the objects given by a program, counted from 1. */
  readonly position: number;
  /** What it says it is, where that can be read: `Deployment shop/web`. */
  readonly resource?: string;
  readonly problem: ValueProblem;
}

function formatOmittedOutput({ rollouts, findings, first }: OmittedOutput): string {
  const which = first === undefined ? '' : ` (${rollouts === 1 ? '' : 'the first is '}${formatDisplayValue(first)})`;
  const parts = [
    ...(rollouts === 0 ? [] : [`${pluralize(rollouts, 'rollout')}${which}`]),
    ...(findings === 0 ? [] : [pluralize(findings, 'finding')]),
  ];
  return joinWords(parts);
}

/** A file, a document or an object that no reader can make sense of. */
export const unreadable = defineRule({
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
  fixedExample: `apiVersion: apps/v1
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
    file: defineMessage<FileData>({
      text: ({ file, problem }) => `The file ${file} cannot be read: ${getFileMessages(problem).text(problem)}.`,
      help: ({ problem }) => getFileMessages(problem).help?.(problem),
      sample: { file: 'web.yaml', problem: { kind: 'refused', reason: 'permission denied' } },
      variants: [
        { file: 'web.yaml', problem: { kind: 'not-utf8' } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'file-megabytes', limit: 100 } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'total-megabytes', limit: 1_000 } },
        { file: 'web.yaml', problem: { kind: 'over-budget', budget: 'seconds', limit: 300 } },
        { file: 'web.yaml', problem: { kind: 'broken-link', reason: 'no such file or folder' } },
      ],
    }),
    document: defineMessage<DocumentData>({
      text: ({ startLine: begin, problem }) =>
        `The document that begins at line ${begin} cannot be read: ${formatDocumentProblem(problem)}.`,
      help: ({ problem }) => getDocumentMessages(problem).help?.(problem) ?? 'Repair the YAML here; nothing of this document is planned.',
      sample: { startLine: 1, problem: { kind: 'control-character', code: 27 } },
      variants: [
        { startLine: 1, problem: { kind: 'syntax', fault: 'list-open' } },
        { startLine: 1, problem: { kind: 'not-utf8' } },
        { startLine: 1, problem: { kind: 'not-a-map', value: 'Error' } },
        { startLine: 1, problem: { kind: 'no-object', missing: ['apiVersion', 'kind'] } },
        { startLine: 1, problem: { kind: 'plan-document' } },
        { startLine: 1, problem: { kind: 'too-deep', levels: 1_000 } },
        { startLine: 1, problem: { kind: 'too-many-aliases', aliases: 100 } },
        { startLine: 1, problem: { kind: 'aliases-too-large', values: 1_000_000 } },
        { startLine: 1, problem: { kind: 'alias-without-anchor', anchor: 'labels' } },
        { startLine: 1, problem: { kind: 'anchor-in-itself', anchor: 'labels' } },
        { startLine: 1, problem: { kind: 'over-budget', budget: 'alias-megabytes', limit: 10 } },
        { startLine: 1, problem: { kind: 'over-budget', budget: 'seconds', limit: 300 } },
        { startLine: 1, problem: { kind: 'key-not-text', value: null } },
        { startLine: 1, problem: { kind: 'merge-without-map' } },
        { startLine: 1, problem: { kind: 'tag-unfit', text: 'three', type: 'int' } },
        { startLine: 7, problem: { kind: 'broken-separator', line: '--- web' } },
        { startLine: 7, problem: { kind: 'text-after-json' } },
        { startLine: 7, problem: { kind: 'blank-after-json', code: 160 } },
        { startLine: 1, problem: { kind: 'failed', said: 'Maximum call stack size exceeded' } },
      ],
    }),
    object: defineMessage<ObjectData>({
      text: ({ position, resource, problem }) =>
        `Object ${position} of those given${resource === undefined ? '' : `, ${resource},`} cannot be read: ${getObjectMessages(problem).text(problem)}.`,
      help: ({ problem }) =>
        getObjectMessages(problem).help?.(problem) ??
        'Give it as plain data, as a JSON file would hold it; nothing of this object is planned.',
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
    item: defineMessage<ItemData>({
      text: ({ item, problem }) =>
        `The list that kubectl is given is refused as a whole, since ${item} is no object: ${getObjectMessages(problem).text(problem)}.`,
      help: () => 'Give the item an apiVersion and a kind, or take it out; what else the list holds is planned.',
      sample: { item: 'items[2]', problem: { kind: 'not-a-map', value: 'Error' } },
      variants: [
        { item: 'items[0]', problem: { kind: 'nothing' } },
        { item: 'items[0]', problem: { kind: 'no-object', missing: ['apiVersion', 'kind'] } },
      ],
    }),
    omitted: defineMessage<OmittedProblemsData>({
      text: ({ file, listed: told, omitted: more }) =>
        file === undefined
          ? `Of the objects given ${more} more cannot be read; the first ${told} are told one by one.`
          : `Of the file ${file} ${pluralize(more, 'more document or item', 'more documents or items')} cannot be read as objects; the first ${told} are told one by one.`,
      help: ({ file }) => `Mend those that are told${file === undefined ? '' : ', or leave the file out'}, and look again.`,
      sample: { file: 'log.yaml', listed: 100, omitted: 999_900 },
      variants: [
        { file: 'log.yaml', listed: 100, omitted: 1 },
        { listed: 100, omitted: 20 },
      ],
    }),
    overBudget: defineMessage<OverBudgetData>({
      text: ({ omittedOutput: without, limit }) =>
        without.budget === 'seconds'
          ? `Nothing is planned: planning has taken more than ${pluralize(limit, 'second')}.`
          : `The plan is without ${formatOmittedOutput(without)}: it would be larger than ${pluralize(limit, 'megabyte')}.`,
      help: ({ omittedOutput: { budget }, limit }) => formatRaiseBudgetHint(budget, limit),
      sample: { limit: 200, omittedOutput: { budget: 'output-megabytes', rollouts: 3, findings: 1, first: 'Deployment shop/web' } },
      variants: [
        { limit: 200, omittedOutput: { budget: 'output-megabytes', rollouts: 1, findings: 0, first: 'Deployment shop/web' } },
        { limit: 300, omittedOutput: { budget: 'seconds' } },
      ],
    }),
    'too-large': defineMessage<TooLargeData>({
      text: ({ resource, bytes }) =>
        `${resource} is not planned: the API server takes no request of more than ${bytes / 1024 / 1024} MiB, and it is larger.`,
      help: () => 'Make it smaller: keep long texts in ConfigMaps or images, and split what one object need not hold.',
      sample: { resource: 'Deployment shop/web', bytes: 3_145_728 },
    }),
    failed: defineMessage<FailureData>({
      text: ({ resource, error: said }) => `${resource} cannot be planned: rolloutkit fails on it with ${JSON.stringify(said)}.`,
      help: () => 'Report this as a fault of rolloutkit, with the object; all other objects are planned as if this one were not there.',
      sample: { resource: 'Deployment shop/web', error: 'Maximum call stack size exceeded' },
    }),
  },
});
