import { checkQuotedInteger } from '../cluster/rules/quoted-integer';
import { ROOT_PATH, toFieldPath, appendMapKeyLazily, appendLazily } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { matchesLabelSelector } from '../core/values/label-selector';
import { getFieldsAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { LazyFieldPath } from '../core/manifest/field-path';
import { createDroppedFieldFindings } from '../core/rules/unknown-field';
import { createWrongTypeFinding } from '../core/rules/wrong-type';
import { ANY, STRING, defineMap, filterProblems, findSchemaProblems, closeSchema } from '../core/values/schema';
import type { FieldSchema, ProblemOf, SchemaProblem } from '../core/values/schema';
import { toDisplayValue } from '../core/text/display-value';
import { joinLists } from '../core/text/join-lists';
import { defineStruct } from './pod/field';
import type { ApiFields } from './pod/field';
import { dropDisabledFields } from './pod/drop-disabled-fields';
import { OBJECT_META } from './pod/object-meta';
import { validateAnnotations, validateLabels, validateObjectMeta, validateLabelSelector } from './pod/validation/labels';
import { validatePodSpec } from './pod/validation/pod';
import type { TemplateTraits } from './pod/validation/pod';
import { validateEnum, isNonNil, asMap, reportInvalid, decodeString } from './pod/validation/field-errors';
import { invalidWorkload } from './rules/invalid-workload';
import { toSafeText } from '../core/text/value-text';

/** The validation of a kind, except its strategy. */
export interface WorkloadValidationSpec {
  /** Every field of its spec. `strategyField` is validated with the strategy. */
  readonly spec: ApiFields;
  readonly strategyField: string;
  /** The format of its name. It is a label if the name becomes part of one. */
  readonly name: 'dns-label' | 'dns-subdomain';
  readonly traits?: (spec: Fields) => TemplateTraits;
  /** Whether the pod template and the selector are in another object. @default - never */
  readonly hasExternalTemplate?: (spec: Fields) => boolean;
  /** Validates other fields of its spec. */
  readonly validateSpec?: (spec: Fields, location: LazyFieldPath) => readonly Finding[];
}

/** Builds the schema of entire objects of a kind. */
function buildObjectSchema({ spec, strategyField }: WorkloadValidationSpec): FieldSchema {
  return closeSchema(
    defineMap({
      apiVersion: STRING,
      kind: STRING,
      metadata: defineStruct(OBJECT_META),
      spec: { ...closeSchema(defineMap({ ...spec, [strategyField]: ANY })), isNonNull: true },
      status: ANY,
    }),
  );
}

const SCHEMA_CACHE = new WeakMap<WorkloadValidationSpec, FieldSchema>();

function getObjectSchema(rules: WorkloadValidationSpec): FieldSchema {
  const schema = SCHEMA_CACHE.get(rules) ?? buildObjectSchema(rules);
  SCHEMA_CACHE.set(rules, schema);
  return schema;
}

/** Finds the fields of an object that have the wrong type, or that a version of Kubernetes does not know or keep. The strategy is not among them. */
export function findWorkloadProblems(object: Manifest, rules: WorkloadValidationSpec, version: string): readonly SchemaProblem[] {
  return findSchemaProblems(object, getObjectSchema(rules), ROOT_PATH, { version });
}

/** Reports a value of the wrong type. The API server can't decode such an object. */
function reportWrongType(problem: ProblemOf<'wrong-type'>): Finding {
  return checkQuotedInteger(problem) ?? createWrongTypeFinding(problem);
}

const SELECTOR_PATH = toFieldPath`spec.selector`;
const TEMPLATE_PATH = toFieldPath`spec.template`;

function pickStringLabels(labels: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asMap(labels) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function formatLabels(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${toSafeText(value)}`)
    .join(',');
}

/** Formats a selector as text: `app=web,tier in (front, back)`. */
function formatSelector(selector: Fields): string {
  const expressions = Array.isArray(selector.matchExpressions) ? (selector.matchExpressions as readonly unknown[]) : [];
  const texts = expressions.map((expression) => {
    const { key, operator, values } = getFieldsAt(expression);
    const list = Array.isArray(values) && values.length > 0 ? ` (${values.join(', ')})` : '';
    return `${toSafeText(key)} ${toSafeText(operator)}${list}`;
  });
  return [formatLabels(asMap(selector.matchLabels) ?? {}), ...texts].filter(Boolean).join(',');
}

/** Validates that a selector is set, is not empty, and selects the pods of the template. */
function validateSelectorMatch(spec: Fields): readonly Finding[] {
  const labels = getFieldsAt(spec, 'template', 'metadata').labels;
  if (!isNonNil(spec.selector)) {
    return [invalidWorkload.createFinding('selectorMissing', { path: SELECTOR_PATH, data: { labels: pickStringLabels(labels) } })];
  }
  const selector = asMap(spec.selector);
  if (!selector) return [];
  const found = validateLabelSelector(selector, SELECTOR_PATH);
  if (found.length > 0) return found;
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.length : 0;
  if (Object.keys(asMap(selector.matchLabels) ?? {}).length + expressions === 0) {
    return [invalidWorkload.createFinding('selectorEmpty', { path: SELECTOR_PATH, data: { labels: pickStringLabels(labels) } })];
  }
  if (matchesLabelSelector(selector, labels)) return [];
  const data = { selector: toDisplayValue(formatSelector(selector)), labels: toDisplayValue(formatLabels(pickStringLabels(labels))) };
  return [invalidWorkload.createFinding('notSelected', { path: toFieldPath`spec.template.metadata.labels`, data })];
}

const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost';

/** Validates the annotation that orders pod deletions when a workload is scaled down: a 32-bit integer. */
function validateDeletionCost(annotations: unknown, location: LazyFieldPath): readonly Finding[] {
  const value = asMap(annotations)?.[DELETION_COST_ANNOTATION];
  if (typeof value !== 'string') return [];
  const isNumber = /^(?:0|-[0-9]+|[1-9][0-9]*)$/.test(value) && Math.abs(Number(value) + 0.5) < 2 ** 31;
  return isNumber ? [] : [reportInvalid('deletionCost', value, appendMapKeyLazily(location, DELETION_COST_ANNOTATION))];
}

/** Reports what the API server refuses in a pod template. The owner validates restartPolicy and activeDeadlineSeconds. */
export function validatePodTemplate(
  template: unknown,
  version: string,
  location: LazyFieldPath,
  traits: TemplateTraits = {},
): readonly Finding[] {
  const { labels, annotations } = getFieldsAt(template, 'metadata');
  const metadata = appendLazily(location, 'metadata');
  return joinLists(
    validateLabels(labels, appendLazily(metadata, 'labels')),
    validateAnnotations(annotations, appendLazily(metadata, 'annotations')),
    validateDeletionCost(annotations, appendLazily(metadata, 'annotations')),
    validatePodSpec(getFieldsAt(template, 'spec'), version, appendLazily(location, 'spec'), traits),
  );
}

/** Validates that pods that run permanently cannot end by themselves. */
function validateRestartPolicy(pod: Fields, location: LazyFieldPath): readonly Finding[] {
  const restart = decodeString(pod.restartPolicy);
  const isOther = restart === 'Never' || restart === 'OnFailure';
  return joinLists(
    isOther
      ? [reportInvalid('restartPolicy', restart, appendLazily(location, 'restartPolicy'))]
      : validateEnum(restart, ['Always'], appendLazily(location, 'restartPolicy')),
    isNonNil(pod.activeDeadlineSeconds)
      ? [reportInvalid('notForWorkload', pod.activeDeadlineSeconds, appendLazily(location, 'activeDeadlineSeconds'))]
      : [],
  );
}

/** Reports what the API server refuses in the template of pods that run permanently, as in every workload. */
export function validateWorkloadTemplate(
  template: unknown,
  version: string,
  templateLocation: LazyFieldPath,
  traits: TemplateTraits,
): readonly Finding[] {
  return joinLists(
    validatePodTemplate(template, version, templateLocation, traits),
    validateRestartPolicy(getFieldsAt(template, 'spec'), appendLazily(templateLocation, 'spec')),
  );
}

/** Reports what the API server refuses in the pod spec of a workload, for an object that has no pod metadata. */
export function validateWorkloadPod(pod: Fields, version: string, location: LazyFieldPath): readonly Finding[] {
  return joinLists(validatePodSpec(pod, version, location, {}), validateRestartPolicy(pod, location));
}

/** Validates an object that the API server can decode. */
function validateDecodedWorkload(object: Manifest, rules: WorkloadValidationSpec, version: string): readonly Finding[] {
  const spec = getFieldsAt(object, 'spec');
  const isExternal = rules.hasExternalTemplate?.(spec) ?? false;
  return joinLists(
    validateObjectMeta(object, rules.name),
    isExternal ? [] : validateSelectorMatch(spec),
    isExternal ? [] : validateWorkloadTemplate(spec.template, version, TEMPLATE_PATH, rules.traits?.(spec) ?? {}),
    rules.validateSpec?.(spec, toFieldPath`spec`) ?? [],
  );
}

/**
 * Reports everything that the API server of a version refuses or drops in an apps/v1 object, except its strategy:
 * fields of the wrong type, unknown fields, and violations of its validation.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go at 1.34.4.
 */
export function validateWorkloadObject(object: Manifest, rules: WorkloadValidationSpec, version: string): readonly Finding[] {
  const problems = findWorkloadProblems(object, rules, version);
  if (problems.length === 0) return validateDecodedWorkload(object, rules, version);
  const wrongTypes = filterProblems(problems, 'wrong-type').map(reportWrongType);
  const dropped = filterProblems(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path);
  return joinLists(
    wrongTypes,
    createDroppedFieldFindings(problems, 'kubernetes', version),
    wrongTypes.length > 0 ? [] : validateDecodedWorkload(dropped.length > 0 ? dropDisabledFields(object, dropped) : object, rules, version),
  );
}
