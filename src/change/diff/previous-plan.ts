import { Deadline } from '../../core/budget/deadline';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { memoize } from '../../core/collections/memoize';
import { getErrorMessage } from '../../core/errors/error-message';
import { checkPlanSize } from '../../core/document/plan-size-limit';
import { isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { OptionError } from '../../core/errors/option-error';
import { FORMAT_VERSION } from '../../core/document/plan-document';
import type { PlanDocument } from '../../core/document/plan-document';
import { sortPlanKeys } from '../../core/document/plan-key-order';
import { findDocumentProblem } from '../../core/values/json-schema';
import type { JsonSchema } from '../../core/values/json-schema';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import { fileBytesOf } from '../../input/file-content';
import type { DiscoveredFile, InputFile } from '../../input/discovered-file';
import { planInput } from '../../plan/plan';
import { resolvePlanBudget } from '../../plan/plan-budget';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { addRefusedObjects, withRefusals } from '../compare/refused-objects';
import { diffBehaviour } from './diff';
import { incompleteInformation } from '../rules/incomplete-information';

/** Thrown for a plan document that cannot be compared. The message says what is wrong and what to write. */
export class PlanDocumentError extends OptionError {
  override readonly name = 'PlanDocumentError';
}

/** The fields without which an item cannot be compared. Others may be missing, as in a document that a program shortened. */
const NEEDED_FIELDS: ReadonlySet<unknown> = new Set(
  'rollouts notPlanned findings objects resource apiVersion kind name provenance count reason code severity path message selects readyEndpoints effect because waves batches minAvailable'.split(
    ' ',
  ),
);

/** Loads the published schema of a plan document, without the fields that need not be there. A digest of another form is none of the objects. */
const loadPlanSchema = memoize((): JsonSchema => {
  const text = JSON.stringify(require('rolloutkit/schemas/plan-1.2.json'), (key, value: unknown) => {
    if (key === 'required' && Array.isArray(value)) return value.filter((name) => NEEDED_FIELDS.has(name));
    return key === 'inputDigest' ? { type: 'string' } : value;
  });
  return JSON.parse(text) as JsonSchema;
});

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
  return checkDocumentSize(plan) ?? findDocumentProblem(plan, loadPlanSchema());
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
  const created = withRefusals(next);
  const plan = addRefusedObjects(planInput({ ...created, findings, deadline }, options), created, { budget, deadline });
  return sortPlanKeys({ ...plan, behaviour: diffBehaviour(old, plan) });
}
