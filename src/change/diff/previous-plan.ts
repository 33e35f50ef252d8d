import { Deadline } from '../../core/budget/deadline';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { getErrorMessage } from '../../core/errors/error-message';
import { checkPlanSize } from '../../core/document/plan-size-limit';
import { getFieldsAt, getListAt, getOwnValue, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { OptionError } from '../../core/errors/option-error';
import { FORMAT_VERSION } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import { sortPlanKeys } from '../../core/document/plan-key-order';
import { describeType } from '../../core/values/field-type';
import {
  ANY,
  INT64,
  LIST,
  MAP,
  STRING,
  STRING_MAP,
  defineList,
  defineMap,
  requireNonNull,
  findSchemaProblems,
} from '../../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import { toSafeText } from '../../core/text/value-text';
import { PRODUCTS, isVersion } from '../../core/values/versions';
import { fileBytesOf } from '../../input/file-content';
import type { DiscoveredFile, InputFile } from '../../input/discovered-file';
import { planInput } from '../../plan/plan';
import { resolvePlanBudget } from '../../plan/plan-budget';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { addRefusedObjects } from '../compare/refused-objects';
import { diffBehaviour } from './diff';
import { incompleteInformation } from '../rules/incomplete-information';

/** Thrown for a plan document that cannot be compared. The message says what is wrong and what to write. */
export class PlanDocumentError extends OptionError {
  override readonly name = 'PlanDocumentError';
}

const FINDING_SCHEMA = {
  code: requireNonNull(STRING),
  severity: requireNonNull(STRING),
  messageId: STRING,
  path: requireNonNull(STRING),
  message: requireNonNull(STRING),
  help: STRING,
  source: defineMap({ file: requireNonNull(STRING), line: requireNonNull(INT64), column: INT64 }),
};

const RESOURCE_SCHEMA = requireNonNull(
  defineMap({
    apiVersion: requireNonNull(STRING),
    kind: requireNonNull(STRING),
    namespace: STRING,
    name: requireNonNull(STRING),
    component: STRING,
  }),
);

const MAPS = requireNonNull(defineList({}));
const ITEMS = requireNonNull(LIST);

/** The lists in the simulations of all kinds. */
const SIMULATION_SCHEMA = defineMap({
  kind: requireNonNull(STRING),
  waves: MAPS,
  steps: MAPS,
  roles: MAPS,
  partitions: MAPS,
  previews: MAPS,
  order: ITEMS,
  batches: ITEMS,
  untouched: ITEMS,
});

/** The parts of a plan document that commands read. */
const PLAN_SCHEMA = defineMap({
  versions: requireNonNull(STRING_MAP),
  assumedVersions: requireNonNull(STRING_MAP),
  rollouts: requireNonNull(
    defineList({
      resource: RESOURCE_SCHEMA,
      strategy: ANY,
      provenance: requireNonNull(
        defineList({
          field: requireNonNull(STRING),
          layer: requireNonNull(STRING),
          overridden: requireNonNull(defineList({ layer: STRING })),
        }),
      ),
      simulation: SIMULATION_SCHEMA,
      findings: requireNonNull(defineList(FINDING_SCHEMA)),
    }),
  ),
  services: requireNonNull(
    defineList({
      resource: RESOURCE_SCHEMA,
      selects: requireNonNull(defineList(RESOURCE_SCHEMA.fields!)),
      readyEndpoints: requireNonNull(defineMap({ before: INT64, after: INT64 })),
      waves: MAPS,
    }),
  ),
  change: requireNonNull(
    defineMap({
      objects: requireNonNull(defineList({ resource: RESOURCE_SCHEMA, effect: requireNonNull(STRING), because: MAPS })),
      summary: requireNonNull(MAP),
    }),
  ),
  notPlanned: requireNonNull(
    defineList({
      apiVersion: requireNonNull(STRING),
      kind: requireNonNull(STRING),
      count: requireNonNull(INT64),
      reason: requireNonNull(STRING),
    }),
  ),
  findings: requireNonNull(defineList(FINDING_SCHEMA)),
});

/** The names of an object. */
const NAMES = [
  ['resource', 'apiVersion'],
  ['resource', 'kind'],
  ['resource', 'name'],
] as const;

/** The fields that every item of the lists of a plan document has. A list below a field that may be absent is required with it. */
const REQUIRED_FIELDS = {
  rollouts: [...NAMES, ['provenance'], ['findings']],
  notPlanned: [['apiVersion'], ['kind'], ['count'], ['reason']],
  findings: [['code'], ['severity'], ['path'], ['message']],
  services: [...NAMES, ['selects'], ['readyEndpoints']],
  'change.objects': [...NAMES, ['effect'], ['because']],
} as const;

const OPTIONAL_FIELDS: ReadonlySet<string> = new Set(['services', 'change']);

/** Describes the first item of a list that lacks a required field. */
function findMissingField(plan: Fields, list: keyof typeof REQUIRED_FIELDS): string | undefined {
  const path = list.split('.');
  const [top] = path;
  if (OPTIONAL_FIELDS.has(top!) && plan[top!] === undefined) return undefined;
  const items = getValueAt(plan, ...path);
  if (!Array.isArray(items)) return `it has no ${list}`;
  const missingFields = items.map((item) => REQUIRED_FIELDS[list].find((field) => getValueAt(item, ...field) === undefined));
  const brokenIndex = missingFields.findIndex((field) => field !== undefined);
  return brokenIndex < 0 ? undefined : `${list}[${brokenIndex}] has no ${missingFields[brokenIndex]!.join('.')}`;
}

/** Describes the first version that is none. Others are printed as they are. */
function findVersionProblem(versions: Fields): string | undefined {
  const product = PRODUCTS.find((each) => versions[each] !== undefined && !isVersion(toSafeText(versions[each])));
  return product && `assumedVersions.${product} is ${formatDisplayValue(toDisplayValue(versions[product]))}, which is not a version`;
}

/** The field with the rows of a simulation, which `verify` compares with the cluster, by kind. */
const ROW_FIELDS: Readonly<Record<string, string>> = { deployment: 'waves', statefulset: 'batches', daemonset: 'waves' };

/** Describes the first simulation that lacks its rows, or has a batch that is no list. */
function findMissingRows(rollouts: readonly unknown[]): string | undefined {
  for (const [index, rollout] of rollouts.entries()) {
    const simulation = getFieldsAt(rollout, 'simulation');
    const field = getOwnValue(ROW_FIELDS, toSafeText(simulation.kind));
    const rows = field === undefined ? [] : simulation[field];
    if (!Array.isArray(rows)) return `rollouts[${index}].simulation has no ${field}`;
    const broken = field === 'batches' ? rows.findIndex((batch) => !Array.isArray(batch)) : -1;
    if (broken >= 0)
      return `rollouts[${index}].simulation.batches[${broken}] is ${formatDisplayValue(toDisplayValue(rows[broken]))}, which is not a list`;
  }
  return undefined;
}

/** Describes why a document has too large a size for a plan. */
function checkDocumentSize(plan: object): string | undefined {
  try {
    checkPlanSize(plan);
    return undefined;
  } catch (error) {
    return `it ${getErrorMessage(error)}`;
  }
}

/** Describes the first reason why a plan cannot be compared. */
function findPlanProblem(plan: Fields): string | undefined {
  const sizeProblem = checkDocumentSize(plan);
  if (sizeProblem !== undefined) return sizeProblem;
  const [problem] = findSchemaProblems(plan, PLAN_SCHEMA, ROOT_PATH);
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${formatDisplayValue(toDisplayValue(problem.value))}, which is not ${describeType(problem.expected)}`;
  for (const list of Object.keys(REQUIRED_FIELDS) as (keyof typeof REQUIRED_FIELDS)[]) {
    const missing = findMissingField(plan, list);
    if (missing !== undefined) return missing;
  }
  return findMissingRows(getListAt(plan, 'rollouts')) ?? findVersionProblem(getFieldsAt(plan, 'assumedVersions'));
}

/** The number of leading characters in which a plan document identifies itself. */
const HEAD_CHARACTERS = 200;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses text as a plan document; undefined if it is none.
 *
 * @param name - the name of the text, for errors
 * @throws PlanDocumentError for a plan document of another format, or a damaged one
 */
export function parsePlanDocument(text: string, name: string): PlanDocument | undefined {
  if (!text.slice(0, HEAD_CHARACTERS).includes('"formatVersion"')) return undefined;
  const value = parseJson(text);
  if (!isFields(value) || !Array.isArray(value.rollouts)) return undefined;
  const { formatVersion } = value;
  if (formatVersion !== FORMAT_VERSION) {
    throw new PlanDocumentError(
      `${name} is a plan document of format ${formatDisplayValue(toDisplayValue(formatVersion))}, and this rolloutkit reads ${FORMAT_VERSION}; plan the old manifests again`,
    );
  }
  const problem = findPlanProblem(value);
  if (problem !== undefined) throw new PlanDocumentError(`${name} is not a plan document as plan --format json prints it: ${problem}`);
  return value as unknown as PlanDocument;
}

/** Discovered files, or the plan document in them. */
export interface OldSideFiles {
  readonly files: Iterable<DiscoveredFile>;
  /** The plan document, if the first file is one that is passed by name or on standard input. */
  readonly plan?: PlanDocument;
}

function* prependFile(first: DiscoveredFile, rest: Iterator<DiscoveredFile>): Generator<DiscoveredFile> {
  yield first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function decodeText({ content }: InputFile): string {
  return fileBytesOf(content).toString('utf8');
}

/**
 * Checks whether the first file is a plan document. Only that one is read: a plan document is passed by name.
 *
 * @throws PlanDocumentError for a plan document that can't be compared
 */
export function detectPlanDocument(files: Iterable<DiscoveredFile>): OldSideFiles {
  const iterator = files[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return { files: [] };
  const file = first.value;
  const plan = 'content' in file && file.given?.as !== 'folder' ? parsePlanDocument(decodeText(file), file.file) : undefined;
  return { files: prependFile(file, iterator), ...(plan && { plan }) };
}

/**
 * Plans NEW and compares it with a plan document of OLD. It compares how rollouts behave; what applying does to each object is not known, except
 * that the API server refuses to create some.
 *
 * @throws as `planInput`
 */
export function planAgainstPlanDocument(old: PlanDocument, next: PlanInput, options: PlanOptions): PlanDocument {
  const findings = [...(next.findings ?? []), incompleteInformation.createFinding('plan-document', { path: ROOT_PATH, data: {} })];
  const budget = resolvePlanBudget(options.budget);
  const deadline = new Deadline(budget.seconds);
  const plan = addRefusedObjects(planInput({ ...next, findings, deadline }, options), next, { budget, deadline });
  return sortPlanKeys({ ...plan, behaviour: diffBehaviour(old, plan) });
}
