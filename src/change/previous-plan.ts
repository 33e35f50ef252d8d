import { ROOT_PATH } from '../core/field-path';
import { getErrorMessage } from '../core/error-message';
import { checkPlanSize } from '../core/plan-size-limit';
import { isFields, getValueAt } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { FORMAT_VERSION, summarizePlan } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { sortPlanKeys } from '../core/plan-key-order';
import { describeType } from '../core/field-type';
import { ANY, INT64, STRING, defineList, defineMap, requireNonNull, findSchemaProblems } from '../core/schema';
import { toDisplayValue, formatDisplayValue } from '../core/display-value';
import { fileBytesOf } from '../input/file-content';
import type { DiscoveredFile, InputFile } from '../input/discovered-file';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { diffBehaviour } from './diff';
import { incompleteInformation } from './rules/incomplete-information';

/** Thrown for a plan document that can't be compared; the message says what was seen and what to write. */
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

/** What a comparison reads of a plan document. */
const PLAN_SCHEMA = defineMap({
  rollouts: requireNonNull(
    defineList({
      resource: requireNonNull(
        defineMap({
          apiVersion: requireNonNull(STRING),
          kind: requireNonNull(STRING),
          namespace: STRING,
          name: requireNonNull(STRING),
          component: STRING,
        }),
      ),
      strategy: ANY,
      provenance: requireNonNull(defineList({ field: requireNonNull(STRING), layer: requireNonNull(STRING) })),
      findings: requireNonNull(defineList(FINDING_SCHEMA)),
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

/** What every item of the lists of a plan document has. */
const REQUIRED_FIELDS = {
  rollouts: [['resource', 'apiVersion'], ['resource', 'kind'], ['resource', 'name'], ['provenance'], ['findings']],
  notPlanned: [['apiVersion'], ['kind'], ['count'], ['reason']],
  findings: [['code'], ['severity'], ['path'], ['message']],
} as const;

/** The first item of a list that lacks something, in words. */
function findMissingField(list: keyof typeof REQUIRED_FIELDS, items: unknown): string | undefined {
  if (!Array.isArray(items)) return `it has no ${list}`;
  const missingFields = items.map((item) => REQUIRED_FIELDS[list].find((field) => getValueAt(item, ...field) === undefined));
  const brokenIndex = missingFields.findIndex((field) => field !== undefined);
  return brokenIndex < 0 ? undefined : `${list}[${brokenIndex}] has no ${missingFields[brokenIndex]!.join('.')}`;
}

/** What keeps its size from being a plan's, in words. */
function checkDocumentSize(plan: object): string | undefined {
  try {
    checkPlanSize(plan);
    return undefined;
  } catch (error) {
    return `it ${getErrorMessage(error)}`;
  }
}

/** The first thing that keeps a plan from being compared, in words. */
function findPlanProblem(plan: Fields): string | undefined {
  const sizeProblem = checkDocumentSize(plan);
  if (sizeProblem !== undefined) return sizeProblem;
  const [problem] = findSchemaProblems(plan, PLAN_SCHEMA, ROOT_PATH);
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${formatDisplayValue(toDisplayValue(problem.value))}, which is not ${describeType(problem.expected)}`;
  return (
    findMissingField('rollouts', plan.rollouts) ??
    findMissingField('notPlanned', plan.notPlanned) ??
    findMissingField('findings', plan.findings)
  );
}

/** Where a plan document says what it is. */
const HEAD_CHARACTERS = 200;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The plan document that a text is; undefined for any other.
 *
 * @param name - of the text, for an error
 * @throws PlanDocumentError for a plan document of another format, or a torn one
 */
export function parsePlanDocument(text: string, name: string): PlanDocument | undefined {
  if (!text.slice(0, HEAD_CHARACTERS).includes('"formatVersion"')) return undefined;
  const value = parseJson(text);
  if (!isFields(value) || !Array.isArray(value.rollouts)) return undefined;
  const { formatVersion } = value;
  if (formatVersion !== FORMAT_VERSION) {
    throw new PlanDocumentError(
      `${name} is a plan document of format ${formatDisplayValue(toDisplayValue(formatVersion))}, and this rolloutkit reads ${FORMAT_VERSION}; plan the old manifests anew`,
    );
  }
  const problem = findPlanProblem(value);
  if (problem !== undefined) throw new PlanDocumentError(`${name} is not a plan document as plan --format json prints it: ${problem}`);
  return value as unknown as PlanDocument;
}

/** Files as they are found, and the plan document that they are. */
export interface OldSideFiles {
  readonly files: Iterable<DiscoveredFile>;
  /** Where the first file is one, given by name or on standard input. */
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
 * Looks at the first file alone: a plan document is given by its name.
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
 * The plan of NEW beside a plan document of OLD: how rollouts behave is compared, and what applying does to each object is not known.
 *
 * @throws as `planInput`
 */
export function planAgainstPlanDocument(old: PlanDocument, next: PlanInput, options: PlanOptions): PlanDocument {
  const findings = [...(next.findings ?? []), incompleteInformation.createFinding('plan-document', { path: ROOT_PATH, data: {} })];
  const plan = planInput({ ...next, findings }, options);
  return sortPlanKeys({ ...plan, behaviour: diffBehaviour(old, plan), summary: summarizePlan(plan) });
}
