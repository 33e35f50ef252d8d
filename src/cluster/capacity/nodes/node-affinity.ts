import { getFieldsAt, isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { NodeTraits, Taint } from '../../context/capacity';
import type { PodSet } from '../../rollout/pod-set';

/** The running pods of a set, or the pods that a rollout creates. */
export type Revision = 'old' | 'new';

/** An expression of required node affinity, on a label or the field `metadata.name`. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  /** Values, as a set because thousands of names may be looked up for every node. */
  readonly values: ReadonlySet<string>;
}

/** What the pods of a set require of a node. */
export interface NodeRules {
  /** Labels of the node selector, with their values. */
  readonly selector: readonly (readonly [string, string])[];
  /** Terms of required node affinity. One of them must fully match. Unset without required affinity. */
  readonly terms?: readonly (readonly Requirement[])[];
  readonly tolerations: readonly unknown[];
  /** A key shared by equal rules. */
  readonly key: string;
}

const NODE_NAME = 'metadata.name';
const HOSTNAME = 'kubernetes.io/hostname';

/**
 * Labels that the kubelet or the cloud sets on every node. A pool that does not list one still has an unknown value for it.
 *
 * Source: k/k staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go, `kubeletLabels`.
 */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  HOSTNAME,
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function parseRequirement(expression: unknown): Requirement {
  const { key, operator } = isFields(expression) ? expression : {};
  return { key: toText(key), operator: toText(operator), values: new Set(getListAt(expression, 'values').map(toText)) };
}

/** Parses the terms of required node affinity. A term without expressions matches no node. */
function parseTerms(required: unknown): Requirement[][] | undefined {
  if (!isFields(required)) return undefined;
  const terms = getListAt(required, 'nodeSelectorTerms').map((term) => [
    ...getListAt(term, 'matchExpressions'),
    ...getListAt(term, 'matchFields'),
  ]);
  return terms.filter(({ length }) => length > 0).map((expressions) => expressions.map(parseRequirement));
}

/** Formats rules as JSON, with sets as lists. */
function formatRulesKey(rules: readonly unknown[]): string {
  return JSON.stringify(rules, (_key, value: unknown) => (value instanceof Set ? [...value] : value));
}

/** Parses node rules. A pod with a node name is on that node only. */
function parseNodeRules(podSpec: unknown): NodeRules {
  const selector = Object.entries(getFieldsAt(podSpec, 'nodeSelector')).map(([key, value]) => [key, toText(value)] as const);
  const required = parseTerms(getValueAt(podSpec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'));
  const nodeName = getValueAt(podSpec, 'nodeName');
  const isAssigned = typeof nodeName === 'string' && nodeName !== '';
  const ownNode = { key: NODE_NAME, operator: 'In', values: new Set([nodeName as string]) };
  const terms = isAssigned ? (required ?? [[]]).map((term) => [...term, ownNode]) : required;
  const tolerations = getListAt(podSpec, 'tolerations');
  return { selector, terms, tolerations, key: formatRulesKey([selector, terms, tolerations]) };
}

function parseRulesOfSet({ template }: PodSet): NodeRules {
  return parseNodeRules(template.spec);
}

/** Returns the node rules of a pod set. Memoized, because every pool reads them. */
export function nodeRulesOf(podSet: PodSet, cache: PlanCache): NodeRules {
  return cache.derive(podSet, parseRulesOfSet);
}

/** Returns the label keys that rules require, and possibly the field `metadata.name`. */
export function listRequiredLabelKeys({ selector, terms = [] }: NodeRules): string[] {
  return [...selector.map(([key]) => key), ...terms.flat().map(({ key }) => key)];
}

/** Reports whether every node has a value for a key, known or not. */
export function isOnEveryNode(key: string): boolean {
  return key === NODE_NAME || KUBELET_LABELS.has(key);
}

/** Returns the value of a label, or of the field `metadata.name`. Returns null if the node has none, and undefined if that is not known. */
export function traitOf({ labels, nodeName }: NodeTraits, key: string): string | null | undefined {
  if (key === NODE_NAME) return nodeName;
  if (labels === undefined) return undefined;
  if (Object.hasOwn(labels, key)) return labels[key];
  return nodeName === undefined && KUBELET_LABELS.has(key) ? undefined : null;
}

/** Parses a 64-bit integer. Go accepts nothing else here. */
function parseInteger(value: string | undefined): bigint | undefined {
  if (value === undefined || !/^[+-]?\d{1,20}$/.test(value)) return undefined;
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

/** Compares two values if both are integers. */
function compareIntegers(
  trait: string | null,
  values: ReadonlySet<string>,
  isSatisfied: (value: bigint, bound: bigint) => boolean,
): boolean {
  const [value, bound] = [parseInteger(trait ?? undefined), parseInteger([...values][0])];
  return value !== undefined && bound !== undefined && isSatisfied(value, bound);
}

/**
 * Tests by operator: those of label selectors, and two that compare integers. A node without the label satisfies NotIn and DoesNotExist.
 */
const OPERATOR_TESTS: Readonly<Record<string, (trait: string | null, values: ReadonlySet<string>) => boolean>> = {
  In: (trait, values) => trait !== null && values.has(trait),
  NotIn: (trait, values) => trait === null || !values.has(trait),
  Exists: (trait) => trait !== null,
  DoesNotExist: (trait) => trait === null,
  Gt: (trait, values) => compareIntegers(trait, values, (value, bound) => value > bound),
  Lt: (trait, values) => compareIntegers(trait, values, (value, bound) => value < bound),
};

/** Reports whether a requirement matches what is known of a node. */
export function matchesRequirement({ key, operator, values }: Requirement, traits: NodeTraits): boolean {
  const trait = traitOf(traits, key);
  if (trait === undefined) return true;
  return Object.hasOwn(OPERATOR_TESTS, operator) && OPERATOR_TESTS[operator]!(trait, values);
}

/**
 * Reports whether a node has the labels that rules require. Source: k/k
 * staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity, `GetRequiredNodeAffinity`.
 */
export function hasLabels({ selector, terms }: NodeRules, traits: NodeTraits): boolean {
  const isSelected = selector.every(([key, value]) => {
    const trait = traitOf(traits, key);
    return trait === undefined || trait === value;
  });
  if (!isSelected || terms === undefined) return isSelected;
  return terms.some((term) => term.every((requirement) => matchesRequirement(requirement, traits)));
}

/** Reports whether a toleration matches a taint. Source: k/k staging/src/k8s.io/api/core/v1/toleration.go, `ToleratesTaint`. */
function matchesTaint(toleration: unknown, taint: Taint): boolean {
  const { key, operator, value, effect } = isFields(toleration) ? toleration : { operator: 'none' };
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || ((!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? ''));
}

/** Reports whether the node controller adds a taint for a condition of the node, such as cordoned, while pods run there. */
function isConditionTaint({ key }: Taint): boolean {
  return key.startsWith('node.kubernetes.io/');
}

function dropConditionTaints<Traits extends NodeTraits>(traits: Traits): Traits {
  return { ...traits, taints: traits.taints?.filter((taint) => !isConditionTaint(taint)) };
}

/** Returns a new node of the same kind: without condition taints, and with a name of its own. */
export function toTemplateNode<Traits extends NodeTraits>(traits: Traits): Traits {
  if (traits.nodeName === undefined) return dropConditionTaints(traits);
  const { [HOSTNAME]: _, ...labels } = traits.labels ?? {};
  return { ...dropConditionTaints(traits), nodeName: '', labels };
}

/** Reports whether a node keeps pods that it would not accept now, because it is cordoned or under pressure. */
export function hasConditionTaint({ taints = [] }: NodeTraits): boolean {
  return taints.some(isConditionTaint);
}

/** Returns the first taint that the pods do not tolerate. Returns undefined if they can run there. */
export function findUntoleratedTaint({ tolerations }: NodeRules, { taints = [] }: NodeTraits): Taint | undefined {
  const isTolerated = (taint: Taint) => tolerations.some((toleration) => matchesTaint(toleration, taint));
  return taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint));
}

/** Reports whether a taint keeps new pods off a node, and pods that run there stay. The node controller does not set it. */
function keepsRunningPods(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' && !isConditionTaint(taint);
}

/** Reports whether a node has a taint that a user may have added while pods ran there. Nodes of a pool are created with their taints. */
export function mayBeTaintedLater({ nodeName, taints = [] }: NodeTraits): boolean {
  return nodeName !== undefined && taints.some(keepsRunningPods);
}

/** Reports whether pods that ran on a node before it got its taints are still there. */
function isKeptByTaints(rules: NodeRules, traits: NodeTraits): boolean {
  const evicting = traits.taints?.filter((taint) => !isConditionTaint(taint) && !keepsRunningPods(taint)) ?? [];
  return findUntoleratedTaint(rules, { taints: evicting }) === undefined;
}

/** Reports whether pods of a set may have run on a node before it got its taints, and have stayed there. */
export function mayStayOn(podSet: PodSet, traits: NodeTraits, cache: PlanCache): boolean {
  const rules = nodeRulesOf(podSet, cache);
  return mayBeTaintedLater(traits) && hasLabels(rules, traits) && isKeptByTaints(rules, traits);
}

/**
 * Reports whether the pods of a set can run on a node if there is capacity, according to node selector, required node affinity and
 * tolerations.
 *
 * @param revision old pods run there already, regardless of condition taints added since
 */
export function canRunOn(podSet: PodSet, traits: NodeTraits, revision: Revision, cache: PlanCache): boolean {
  return matchesNode(nodeRulesOf(podSet, cache), traits, revision);
}

/** Reports whether pods with some rules can run on a node if there is capacity. */
export function matchesNode(rules: NodeRules, traits: NodeTraits, revision: Revision): boolean {
  if (!hasLabels(rules, traits)) return false;
  return findUntoleratedTaint(rules, revision === 'old' && hasConditionTaint(traits) ? dropConditionTaints(traits) : traits) === undefined;
}
