import { quotedNumberFinding } from '../cluster/rules/quoted-integer';
import { WHOLE_OBJECT, at } from '../core/field-path';
import type { Finding } from '../core/finding';
import { selects } from '../core/label-selector';
import { fieldsAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { entryOf, inside } from '../core/place';
import type { Place } from '../core/place';
import { tooNewFinding, unknownField, unknownFieldFinding } from '../core/rules/unknown-field';
import { wrongTypeFinding } from '../core/rules/wrong-type';
import { ANY, STRING, map, nameOfField, ofKind, schemaProblems, whole } from '../core/schema';
import type { FieldSchema, ProblemOf } from '../core/schema';
import { seen } from '../core/seen';
import { together } from '../core/together';
import { struct } from './pod/field';
import type { ApiFields } from './pod/field';
import { keptPart } from './pod/kept';
import { OBJECT_META } from './pod/object-meta';
import { annotationFindings, labelFindings, objectMetaFindings, selectorFindings } from './pod/validation/labels';
import { podSpecFindings } from './pod/validation/pod';
import type { TemplateTraits } from './pod/validation/pod';
import { choiceFindings, isGiven, mapOf, refused, textOf } from './pod/validation/refusal';
import { invalidWorkload } from './rules/invalid-workload';

/** What is judged of a kind beside its strategy. */
export interface WorkloadRules {
  /** Every field of its spec; `strategyField` is judged with the strategy. */
  readonly spec: ApiFields;
  readonly strategyField: string;
  /** Of its name: what it is part of may be no longer than a label. */
  readonly name: 'dns-label' | 'dns-subdomain';
  readonly traits?: (spec: Fields) => TemplateTraits;
  /** Does the pod template stand in another object, and with it the selector? @default - never */
  readonly hasTemplateElsewhere?: (spec: Fields) => boolean;
  /** What else of its spec. */
  readonly rules?: (spec: Fields, place: Place) => readonly Finding[];
}

/** The schema of whole objects of a kind. */
function objectSchema({ spec, strategyField }: WorkloadRules): FieldSchema {
  return whole(
    map({
      apiVersion: STRING,
      kind: STRING,
      metadata: struct(OBJECT_META),
      spec: { ...whole(map({ ...spec, [strategyField]: ANY })), isNeeded: true },
      status: ANY,
    }),
  );
}

const SCHEMAS = new WeakMap<WorkloadRules, FieldSchema>();

function schemaOf(rules: WorkloadRules): FieldSchema {
  const known = SCHEMAS.get(rules) ?? objectSchema(rules);
  SCHEMAS.set(rules, known);
  return known;
}

/** A value of another type than its field has: the API server can't decode the object. */
function typeFinding(problem: ProblemOf<'wrong-type'>): Finding {
  return quotedNumberFinding(problem) ?? wrongTypeFinding(problem);
}

function goneFinding({ path, until }: ProblemOf<'gone'>, version: string): Finding {
  return unknownField.finding('gone', { path, data: { field: nameOfField({ path }), product: 'Kubernetes', version, until } });
}

const SELECTOR = at`spec.selector`;
const TEMPLATE = at`spec.template`;

function textLabels(labels: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(mapOf(labels) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function shownLabels(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(',');
}

/** A selector as text: `app=web,tier in (front, back)`. */
function shownSelector(selector: Fields): string {
  const expressions = Array.isArray(selector.matchExpressions) ? (selector.matchExpressions as readonly unknown[]) : [];
  const texts = expressions.map((expression) => {
    const { key, operator, values } = fieldsAt(expression);
    const list = Array.isArray(values) && values.length > 0 ? ` (${values.join(', ')})` : '';
    return `${String(key)} ${String(operator)}${list}`;
  });
  return [shownLabels(mapOf(selector.matchLabels) ?? {}), ...texts].filter(Boolean).join(',');
}

/** A selector has to be there, to select by something, and to select the pods of the template. */
function matchFindings(spec: Fields): readonly Finding[] {
  const labels = fieldsAt(spec, 'template', 'metadata').labels;
  if (!isGiven(spec.selector)) {
    return [invalidWorkload.finding('selectorMissing', { path: SELECTOR, data: { labels: textLabels(labels) } })];
  }
  const selector = mapOf(spec.selector);
  if (!selector) return [];
  const found = selectorFindings(selector, SELECTOR);
  if (found.length > 0) return found;
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.length : 0;
  if (Object.keys(mapOf(selector.matchLabels) ?? {}).length + expressions === 0) {
    return [invalidWorkload.finding('selectorEmpty', { path: SELECTOR, data: { labels: textLabels(labels) } })];
  }
  if (selects(selector, labels)) return [];
  const data = { selector: seen(shownSelector(selector)), labels: seen(shownLabels(textLabels(labels))) };
  return [invalidWorkload.finding('notSelected', { path: at`spec.template.metadata.labels`, data })];
}

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** The order in which pods go when there are fewer: a number of 32 bits. */
function deletionCostFindings(annotations: unknown, place: Place): readonly Finding[] {
  const value = mapOf(annotations)?.[DELETION_COST];
  if (typeof value !== 'string') return [];
  const isNumber = /^(?:0|-[0-9]+|[1-9][0-9]*)$/.test(value) && Math.abs(Number(value) + 0.5) < 2 ** 31;
  return isNumber ? [] : [refused('deletionCost', value, entryOf(place, DELETION_COST))];
}

/** What the API server refuses in the template of any pods; when they restart, and for how long they may run, is their owner's to say. */
export function podTemplateFindings(template: unknown, version: string, place: Place, traits: TemplateTraits = {}): readonly Finding[] {
  const { labels, annotations } = fieldsAt(template, 'metadata');
  const metadata = inside(place, 'metadata');
  return together(
    labelFindings(labels, inside(metadata, 'labels')),
    annotationFindings(annotations, inside(metadata, 'annotations')),
    deletionCostFindings(annotations, inside(metadata, 'annotations')),
    podSpecFindings(fieldsAt(template, 'spec'), version, inside(place, 'spec'), traits),
  );
}

/** What runs for good may not end by itself. */
function runningFindings(pod: Fields, place: Place): readonly Finding[] {
  const restart = textOf(pod.restartPolicy);
  const isOther = restart === 'Never' || restart === 'OnFailure';
  return together(
    isOther
      ? [refused('restartPolicy', restart, inside(place, 'restartPolicy'))]
      : choiceFindings(restart, ['Always'], inside(place, 'restartPolicy')),
    isGiven(pod.activeDeadlineSeconds)
      ? [refused('notForWorkload', pod.activeDeadlineSeconds, inside(place, 'activeDeadlineSeconds'))]
      : [],
  );
}

/** The same of pods that run for good, as those of every workload do, whoever writes the workload. */
export function workloadTemplateFindings(template: unknown, version: string, top: Place, traits: TemplateTraits): readonly Finding[] {
  return together(podTemplateFindings(template, version, top, traits), runningFindings(fieldsAt(template, 'spec'), inside(top, 'spec')));
}

/** The same of the pod alone, where an object has it without metadata. */
export function workloadPodFindings(pod: Fields, version: string, place: Place): readonly Finding[] {
  return together(podSpecFindings(pod, version, place, {}), runningFindings(pod, place));
}

/** The server judges what it can decode. */
function ruleFindings(object: Manifest, rules: WorkloadRules, version: string): readonly Finding[] {
  const spec = fieldsAt(object, 'spec');
  const isElsewhere = rules.hasTemplateElsewhere?.(spec) ?? false;
  return together(
    objectMetaFindings(object.metadata, rules.name, at`metadata`),
    isElsewhere ? [] : matchFindings(spec),
    isElsewhere ? [] : workloadTemplateFindings(spec.template, version, TEMPLATE, rules.traits?.(spec) ?? {}),
    rules.rules?.(spec, at`spec`) ?? [],
  );
}

/**
 * Everything that the API server of a version refuses in a whole object of apps/v1, its strategy apart, and what it drops:
 * fields of another type, unknown ones, and the rules of its validation.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go at 1.34.4.
 */
export function wholeWorkloadFindings(object: Manifest, rules: WorkloadRules, version: string): readonly Finding[] {
  const problems = schemaProblems(object, schemaOf(rules), WHOLE_OBJECT, { version });
  const mistyped = ofKind(problems, 'wrong-type').map(typeFinding);
  const dropped = ofKind(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path);
  return together(
    mistyped,
    ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ofKind(problems, 'too-new').map((problem) => tooNewFinding(problem, 'kubernetes', version)),
    ofKind(problems, 'gone').map((problem) => goneFinding(problem, version)),
    mistyped.length > 0 ? [] : ruleFindings(keptPart(object, dropped), rules, version),
  );
}
