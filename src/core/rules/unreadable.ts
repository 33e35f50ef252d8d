import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import {
  formatDocumentProblem,
  getDocumentMessages,
  getFileMessages,
  getObjectMessages,
  formatRaiseBudgetHint,
} from '../findings/input-problem';
import type { DocumentProblem, FileProblem, ValueProblem } from '../findings/input-problem';
import { formatDisplayValue } from '../text/display-value';
import { ROOT_PATH } from '../manifest/field-path';
import type { DisplayValue } from '../text/display-value';
import { pluralize, joinTruncatedNames, joinWords } from '../text/text-format';
import type { TruncatedNames } from '../text/text-format';

interface FileData {
  readonly file: string;
  readonly problem: FileProblem;
}

interface DocumentData {
  /** Line at which the document begins. */
  readonly startLine: number;
  readonly problem: DocumentProblem;
}

interface FailureData {
  /** Object: `Deployment shop/web`. */
  readonly resource: string;
  /** Message of the thrown error. */
  readonly error: string;
}

interface TextData {
  /** Object: `RayService shop/llm`. */
  readonly resource: string;
  /** Name of the field with the text. */
  readonly field: string;
  readonly problem: DocumentProblem;
}

interface TooLargeData {
  /** Object: `Deployment shop/web`. */
  readonly resource: string;
  /** Maximum size of a request. */
  readonly bytes: number;
}

/** What is omitted from a plan because of a budget. */
interface OverBudgetData {
  readonly limit: number;
  /** After `seconds` nothing is planned. */
  readonly omittedOutput: { readonly budget: 'seconds' } | OmittedOutput;
}

/** Output that does not fit into the maximum size of a plan. */
export interface OmittedOutput {
  readonly budget: 'output-megabytes';
  readonly rollouts: number;
  /** Number of omitted findings that belong to no rollout. */
  readonly findings: number;
  /** First omitted rollout: `Deployment shop/web`. */
  readonly first?: DisplayValue;
}

interface ChecksData {
  /** Maximum time. */
  readonly limit: number;
}

interface NamespacesData extends TruncatedNames {
  /** Number of namespaces that are read from the cluster. `names` are those that are not. */
  readonly read: number;
}

interface RoundedData {
  /** Object: `Deployment shop/web`. */
  readonly resource: string;
  readonly path: string;
}

interface ItemData {
  /** Position in the document: `items[2]`. */
  readonly item: string;
  readonly problem: ValueProblem;
}

interface OmittedProblemsData {
  /** Absent for objects that a program passes in. */
  readonly file?: string;
  /** Number of findings that are listed individually. */
  readonly listed: number;
  readonly omitted: number;
}

interface ObjectData {
  /** Position among the objects that a program passes in, from 1. */
  readonly position: number;
  /** Kind and name of the object, if they can be read: `Deployment shop/web`. */
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

/** A file, document or object that cannot be read. */
export const unreadable = defineRule({
  code: 'input/unreadable',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'A file, a document or an object cannot be read, is not a Kubernetes object, is larger than a request to the API server may be, or exceeds a budget of the run. With `--policy` or `--require-planned`, an object has a number beyond 2^53, which is rounded.',
  why:
    'kubectl stops at such a document, so nothing after it reaches the cluster. The plan continues with the rest and does not include this one. ' +
    'Causes: a syntax error, an alias without an anchor, more than 100 aliases or 1,000 levels in one document, ' +
    'a file that is not UTF-8 text, a broken symbolic link. ' +
    'A document must be an object on standard input, in a file given by name and among the objects that a program passes in. ' +
    'In a folder, a document is reported if it has only one of apiVersion and kind, or if it lists objects without being a `List`. ' +
    'In any `List`, an item that is not an object is reported. ' +
    'A document of a folder that is only text is a warning. ' +
    'Null among the objects of a program is an info. So is JSON with comments in a folder that has neither apiVersion nor kind anywhere, such as tsconfig.json. ' +
    'With `--policy` or `--require-planned` it stays an error if it has a `!` or an escape such as `\\u006b`, with which YAML can write these words. ' +
    'The budgets of a run are 100 megabytes for a file, 1,000 for all files, 2 for expanded aliases, 200 for the plan, and 300 seconds; `--budget` raises each. ' +
    'The first 100 problems of a file, or of the objects of a program, are listed individually, and the others together in one finding.',
  fix: 'Fix the YAML at the given line and column; check it with `kubectl apply --dry-run=client -f FILE`.',
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
        { file: 'web.yaml', problem: { kind: 'name-not-utf8' } },
      ],
    }),
    document: defineMessage<DocumentData>({
      text: ({ startLine, problem }) => `The document that begins at line ${startLine} cannot be read: ${formatDocumentProblem(problem)}.`,
      help: ({ problem }) => getDocumentMessages(problem).help?.(problem) ?? 'Fix the YAML here; no part of this document is planned.',
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
        { startLine: 1, problem: { kind: 'ambiguous-key', key: '1' } },
        { startLine: 1, problem: { kind: 'merge-without-map' } },
        { startLine: 1, problem: { kind: 'tag-unfit', text: 'three', type: 'int' } },
        { startLine: 7, problem: { kind: 'broken-separator', line: '--- web' } },
        { startLine: 7, problem: { kind: 'text-after-json' } },
        { startLine: 7, problem: { kind: 'blank-after-json', code: 160 } },
        { startLine: 7, problem: { kind: 'last-line-dropped', bytes: 4096 } },
        { startLine: 1, problem: { kind: 'failed', said: 'Maximum call stack size exceeded' } },
      ],
    }),
    object: defineMessage<ObjectData>({
      text: ({ position, resource, problem }) =>
        `Object ${position}${resource === undefined ? '' : ` (${resource})`} of the input cannot be read: ${getObjectMessages(problem).text(problem)}.`,
      help: ({ problem }) =>
        getObjectMessages(problem).help?.(problem) ??
        'Pass it as plain data, as a JSON file would contain it; no part of this object is planned.',
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
    rounded: defineMessage<RoundedData>({
      text: ({ resource, path }) =>
        `${path} of ${resource} is beyond 2^53, where it is read here as the nearest number that 64 bits of floating point can have: kubectl sends all of its digits.`,
      help: () => 'Write a smaller number, or a quantity in quotes or with a unit, such as 8Pi.',
      sample: { resource: 'ResourceQuota shop/storage', path: 'spec.hard[requests.storage]' },
    }),
    item: defineMessage<ItemData>({
      text: ({ item, problem }) => `kubectl refuses the entire list because of ${item}: ${getObjectMessages(problem).text(problem)}.`,
      help: () => 'Give the item an apiVersion and a kind, or remove it; the other items of the list are planned.',
      sample: { item: 'items[2]', problem: { kind: 'not-a-map', value: 'Error' } },
      variants: [
        { item: 'items[0]', problem: { kind: 'nothing' } },
        { item: 'items[0]', problem: { kind: 'no-object', missing: ['apiVersion', 'kind'] } },
      ],
    }),
    omitted: defineMessage<OmittedProblemsData>({
      text: ({ file, listed, omitted }) =>
        file === undefined
          ? `${pluralize(omitted, 'more object')} of the input cannot be read; only the first ${listed} are listed.`
          : `In the file ${file}, ${pluralize(omitted, 'more document or item', 'more documents or items')} cannot be read as ${omitted === 1 ? 'an object' : 'objects'}; only the first ${listed} are listed.`,
      help: ({ file }) => `Fix those${file === undefined ? '' : ', or exclude the file,'} and run again.`,
      sample: { file: 'log.yaml', listed: 100, omitted: 999_900 },
      variants: [
        { file: 'log.yaml', listed: 100, omitted: 1 },
        { listed: 100, omitted: 20 },
      ],
    }),
    overBudget: defineMessage<OverBudgetData>({
      text: ({ omittedOutput, limit }) =>
        omittedOutput.budget === 'seconds'
          ? `Nothing is planned: planning takes more than ${pluralize(limit, 'second')}.`
          : `The plan omits ${formatOmittedOutput(omittedOutput)}: it would be larger than ${pluralize(limit, 'megabyte')}.`,
      help: ({ omittedOutput: { budget }, limit }) => formatRaiseBudgetHint(budget, limit),
      sample: { limit: 200, omittedOutput: { budget: 'output-megabytes', rollouts: 3, findings: 1, first: 'Deployment shop/web' } },
      variants: [
        { limit: 200, omittedOutput: { budget: 'output-megabytes', rollouts: 1, findings: 0, first: 'Deployment shop/web' } },
        { limit: 300, omittedOutput: { budget: 'seconds' } },
      ],
    }),
    incomplete: defineMessage<ChecksData>({
      text: ({ limit }) => `The check is incomplete: a step of it takes more than ${pluralize(limit, 'second')}.`,
      help: ({ limit }) => formatRaiseBudgetHint('seconds', limit),
      sample: { limit: 300 },
    }),
    checks: defineMessage<ChecksData>({
      text: ({ limit }) => `Checks that compare the files of the input are omitted: they take more than ${pluralize(limit, 'second')}.`,
      help: ({ limit }) => formatRaiseBudgetHint('seconds', limit),
      sample: { limit: 300 },
    }),
    namespaces: defineMessage<NamespacesData>({
      text: ({ read, ...unasked }) =>
        `The objects are in too many namespaces: of the cluster, ${pluralize(read, 'namespace')} ${read === 1 ? 'is' : 'are'} read, and nothing in ${joinTruncatedNames(unasked)}. The plan does not know what runs there.`,
      help: () => 'Plan the files of fewer namespaces in each run.',
      sample: { read: 100, names: ['shop', 'staging'] },
      variants: [{ read: 100, names: ['shop', 'staging', 'test'], omitted: 1_347 }],
    }),
    'too-large': defineMessage<TooLargeData>({
      text: ({ resource, bytes }) =>
        `${resource} is not planned: it is larger than ${bytes / 1024 / 1024} MiB, the largest request that the API server accepts.`,
      help: () => 'Make it smaller: keep long texts in ConfigMaps or images, or split the object.',
      sample: { resource: 'Deployment shop/web', bytes: 3_145_728 },
    }),
    text: defineMessage<TextData>({
      text: ({ resource, field, problem }) =>
        `${resource} is not planned: the text in its ${field} cannot be read here, because ${formatDocumentProblem(problem)}.`,
      help: ({ problem }) => getDocumentMessages(problem).help?.(problem),
      sample: { resource: 'RayService shop/llm', field: 'serveConfigV2', problem: { kind: 'too-many-aliases', aliases: 100 } },
    }),
    failed: defineMessage<FailureData>({
      text: ({ resource, error }) => `${resource} cannot be planned: rolloutkit fails on it with ${JSON.stringify(error)}.`,
      help: () => 'Report this as a bug in rolloutkit, with the object; all other objects are planned as if this one did not exist.',
      sample: { resource: 'Deployment shop/web', error: 'Maximum call stack size exceeded' },
    }),
  },
});

/** Creates the finding about a step that took more than the time of the budget, which no other finding names. */
export function createIncompleteCheckFinding(limit: number): Finding {
  return unreadable.createFinding('incomplete', { path: ROOT_PATH, data: { limit } });
}
