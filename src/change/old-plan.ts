import { WHOLE_OBJECT } from '../core/field-path';
import { errorText } from '../core/error-text';
import { checkPlanSize } from '../core/given-plan';
import { isFields, valueAt } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { FORMAT_VERSION, summarise } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { inContractOrder } from '../core/plan-order';
import { describeType } from '../core/field-type';
import { ANY, INT64, STRING, listOf, map, needed, schemaProblems } from '../core/schema';
import { seen, show } from '../core/seen';
import { bytesOf } from '../input/content';
import type { FoundFile, InputFile } from '../input/found-file';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { behaviourOf } from './diff';
import { notKnown } from './rules/not-known';

/** Thrown for a plan document that can't be compared; the message says what was seen and what to write. */
export class PlanDocumentError extends OptionError {
  override readonly name = 'PlanDocumentError';
}

const FINDING = {
  code: needed(STRING),
  severity: needed(STRING),
  messageId: STRING,
  path: needed(STRING),
  message: needed(STRING),
  help: STRING,
  source: map({ file: needed(STRING), line: needed(INT64), column: INT64 }),
};

/** What a comparison reads of a plan document. */
const PLAN = map({
  rollouts: needed(
    listOf({
      resource: needed(
        map({ apiVersion: needed(STRING), kind: needed(STRING), namespace: STRING, name: needed(STRING), component: STRING }),
      ),
      strategy: ANY,
      provenance: needed(listOf({ field: needed(STRING), layer: needed(STRING) })),
      findings: needed(listOf(FINDING)),
    }),
  ),
  notPlanned: needed(listOf({ apiVersion: needed(STRING), kind: needed(STRING), count: needed(INT64), reason: needed(STRING) })),
  findings: needed(listOf(FINDING)),
});

/** What every item of the lists of a plan document has. */
const NEEDED = {
  rollouts: [['resource', 'apiVersion'], ['resource', 'kind'], ['resource', 'name'], ['provenance'], ['findings']],
  notPlanned: [['apiVersion'], ['kind'], ['count'], ['reason']],
  findings: [['code'], ['severity'], ['path'], ['message']],
} as const;

/** The first item of a list that lacks something, in words. */
function lackOf(list: keyof typeof NEEDED, items: unknown): string | undefined {
  if (!Array.isArray(items)) return `it has no ${list}`;
  const lacks = items.map((item) => NEEDED[list].find((field) => valueAt(item, ...field) === undefined));
  const broken = lacks.findIndex((field) => field !== undefined);
  return broken < 0 ? undefined : `${list}[${broken}] has no ${lacks[broken]!.join('.')}`;
}

/** What keeps its size from being a plan's, in words. */
function sizeProblemOf(plan: object): string | undefined {
  try {
    checkPlanSize(plan);
    return undefined;
  } catch (error) {
    return `it ${errorText(error)}`;
  }
}

/** The first thing that keeps a plan from being compared, in words. */
function problemOf(plan: Fields): string | undefined {
  const large = sizeProblemOf(plan);
  if (large !== undefined) return large;
  const [problem] = schemaProblems(plan, PLAN, WHOLE_OBJECT);
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${show(seen(problem.value))}, which is not ${describeType(problem.expected)}`;
  return lackOf('rollouts', plan.rollouts) ?? lackOf('notPlanned', plan.notPlanned) ?? lackOf('findings', plan.findings);
}

/** Where a plan document says what it is. */
const HEAD_CHARACTERS = 200;

function jsonOf(text: string): unknown {
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
  const value = jsonOf(text);
  if (!isFields(value) || !Array.isArray(value.rollouts)) return undefined;
  const { formatVersion } = value;
  if (formatVersion !== FORMAT_VERSION) {
    throw new PlanDocumentError(
      `${name} is a plan document of format ${show(seen(formatVersion))}, and this rolloutkit reads ${FORMAT_VERSION}; plan the old manifests anew`,
    );
  }
  const problem = problemOf(value);
  if (problem !== undefined) throw new PlanDocumentError(`${name} is not a plan document as plan --format json prints it: ${problem}`);
  return value as unknown as PlanDocument;
}

/** Files as they are found, and the plan document that they are. */
export interface OpenedFiles {
  readonly files: Iterable<FoundFile>;
  /** Where the first file is one, given by name or on standard input. */
  readonly plan?: PlanDocument;
}

function* resumed(first: FoundFile, rest: Iterator<FoundFile>): Generator<FoundFile> {
  yield first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function textOf({ content }: InputFile): string {
  return bytesOf(content).toString('utf8');
}

/**
 * Looks at the first file alone: a plan document is given by its name.
 *
 * @throws PlanDocumentError for a plan document that can't be compared
 */
export function openedFiles(files: Iterable<FoundFile>): OpenedFiles {
  const iterator = files[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return { files: [] };
  const file = first.value;
  const plan = 'content' in file && file.given?.as !== 'folder' ? parsePlanDocument(textOf(file), file.file) : undefined;
  return { files: resumed(file, iterator), ...(plan && { plan }) };
}

/**
 * The plan of NEW beside a plan document of OLD: how rollouts behave is compared, and what applying does to each object is not known.
 *
 * @throws as `planInput`
 */
export function planBesidePlan(old: PlanDocument, next: PlanInput, options: PlanOptions): PlanDocument {
  const findings = [...(next.findings ?? []), notKnown.finding('plan-document', { path: WHOLE_OBJECT, data: {} })];
  const plan = planInput({ ...next, findings }, options);
  return inContractOrder({ ...plan, behaviour: behaviourOf(old, plan), summary: summarise(plan) });
}
