import { matchesLabelSelector } from '../../../core/values/label-selector';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { PodSet } from '../../rollout/pod-set';
import { toSafeText } from '../../../core/text/value-text';

/** What the scheduler reads of a pod, whether it runs or will be created. */
export interface PodShape {
  readonly namespace: string;
  /** Labels of the namespace, if the Namespace is in the input. */
  readonly namespaceLabels?: Fields;
  /** Labels, including the one that distinguishes the pods of a revision. */
  readonly labels: Fields;
  readonly spec: Fields;
}

/** Returns what the scheduler reads of the pods of a set. */
export function toShape({ namespace = 'default', namespaceLabels }: PodSet, labels: Fields, spec: Fields): PodShape {
  return { namespace, ...(namespaceLabels && { namespaceLabels }), labels, spec };
}

/** Returns what the scheduler reads of the new pods of a set. */
export function toPodShape(podSet: PodSet): PodShape {
  return toShape(podSet, getFieldsAt(podSet.template, 'metadata', 'labels'), getFieldsAt(podSet.template, 'spec'));
}

/** Old or new pods of a set. */
export interface SetShape {
  readonly podSet: PodSet;
  readonly shape: PodShape;
}

/** A required anti-affinity term of old or new pods of a set. */
export interface SetTerm extends PodSelector {
  readonly namespace: string;
  readonly podSet: PodSet;
  readonly term: AffinityTerm;
}

/** Lists the required anti-affinity terms of old or new pods of a set. */
export function listSetTerms({ podSet, shape }: SetShape): SetTerm[] {
  return listAffinityTerms(shape, 'podAntiAffinity').map((term) => ({ ...term, namespace: shape.namespace, podSet, term }));
}

/** What selects pods by their labels. */
export interface PodSelector {
  /** Label selector, with the keys of `matchLabelKeys` and `mismatchLabelKeys`. */
  readonly selector: unknown;
  /** Whether it selects only pods of the pod's own namespace. */
  readonly isInOwnNamespace: boolean;
}

/** A required term of pod affinity or anti-affinity, as the API server stores it. */
export interface AffinityTerm extends PodSelector {
  readonly topologyKey: string;
  /** Reports whether the term selects a pod. */
  matches(pod: PodShape): boolean;
  /** Reports whether the term may select a pod, because the labels of its namespace are not known. */
  mayMatch(pod: PodShape): boolean;
}

/** A hard spread constraint, as the API server stores it. */
export interface SpreadConstraint extends PodSelector {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
  /** Whether the constraint counts the pod that has it. */
  readonly countsItself: boolean;
  /** Reports whether the constraint counts a pod. */
  counts(pod: PodShape): boolean;
}

/** Returns requirements for the values that a pod has for label keys. A key that the pod lacks is ignored. */
function buildKeyRequirements(keys: readonly unknown[], operator: 'In' | 'NotIn', labels: Fields): Fields[] {
  return keys.flatMap((key) => (typeof key === 'string' && Object.hasOwn(labels, key) ? [{ key, operator, values: [labels[key]] }] : []));
}

/**
 * Merges `matchLabelKeys` and `mismatchLabelKeys` of a term or constraint into its selector. Without a selector nothing is merged, and
 * nothing matches.
 *
 * Source: k/k pkg/registry/core/pod/strategy.go, `applyMatchLabelKeysAndMismatchLabelKeys`.
 */
function mergeLabelKeys(term: unknown, labels: Fields): unknown {
  const selector = getValueAt(term, 'labelSelector');
  if (!isFields(selector)) return undefined;
  const requirements = [
    ...buildKeyRequirements(getListAt(term, 'matchLabelKeys'), 'In', labels),
    ...buildKeyRequirements(getListAt(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ];
  if (requirements.length === 0) return selector;
  return { ...selector, matchExpressions: [...getListAt(selector, 'matchExpressions'), ...requirements] };
}

const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/**
 * Reports whether an affinity term of a pod includes a namespace. Without namespaces and a selector, a term includes only the pod's own.
 * Source: k/k pkg/scheduler/framework, `getNamespacesFromPodAffinityTerm`.
 */
function isTermInNamespace(term: unknown, ownNamespace: string, namespace: string, namespaceLabels?: Fields): boolean {
  const selector = getValueAt(term, 'namespaceSelector');
  const namespaces = getListAt(term, 'namespaces');
  if (namespaces.length === 0 && !isFields(selector)) return namespace === ownNamespace;
  return namespaces.includes(namespace) || matchesLabelSelector(selector, { ...namespaceLabels, [NAMESPACE_NAME]: namespace });
}

/** Reports whether a term selects namespaces by a label other than their name, which every namespace has. */
function needsNamespaceLabels(term: unknown): boolean {
  const selector = getValueAt(term, 'namespaceSelector');
  const keys = [
    ...Object.keys(getFieldsAt({ selector }, 'selector', 'matchLabels')),
    ...getListAt(selector, 'matchExpressions').map((expression) => getValueAt(expression, 'key')),
  ];
  return keys.some((key) => key !== NAMESPACE_NAME);
}

/** Returns the required terms of a pod's affinity or anti-affinity. */
export function listAffinityTerms(pod: PodShape, kind: 'podAffinity' | 'podAntiAffinity'): AffinityTerm[] {
  return getListAt(pod.spec, 'affinity', kind, 'requiredDuringSchedulingIgnoredDuringExecution').map((term) => {
    const selector = mergeLabelKeys(term, pod.labels);
    const isSelected = (other: PodShape) => matchesLabelSelector(selector, other.labels);
    const isInNamespace = (other: PodShape) => isTermInNamespace(term, pod.namespace, other.namespace, other.namespaceLabels);
    return {
      topologyKey: toSafeText(getValueAt(term, 'topologyKey')),
      selector,
      isInOwnNamespace: getListAt(term, 'namespaces').length === 0 && !isFields(getValueAt(term, 'namespaceSelector')),
      matches: (other) => isSelected(other) && isInNamespace(other),
      mayMatch: (other) => isSelected(other) && other.namespaceLabels === undefined && needsNamespaceLabels(term),
    };
  });
}

function isEmptySelector(selector: unknown): boolean {
  return (
    isFields(selector) &&
    Object.keys(getFieldsAt(selector, 'matchLabels')).length === 0 &&
    getListAt(selector, 'matchExpressions').length === 0
  );
}

function readPositive(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? value : 1;
}

/**
 * Returns the hard spread constraints of a pod. An empty selector counts no pod, but matches the pod itself.
 *
 * Source: k/k pkg/scheduler/framework/plugins/podtopologyspread/common.go, `countPodsMatchSelector`.
 */
export function listSpreadConstraints(pod: PodShape): SpreadConstraint[] {
  return getListAt(pod.spec, 'topologySpreadConstraints')
    .filter((constraint) => getValueAt(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway')
    .map((constraint) => {
      const selector = mergeLabelKeys(constraint, pod.labels);
      const isEmpty = isEmptySelector(selector);
      return {
        topologyKey: toSafeText(getValueAt(constraint, 'topologyKey')),
        selector,
        isInOwnNamespace: true,
        maxSkew: readPositive(getValueAt(constraint, 'maxSkew')),
        minDomains: readPositive(getValueAt(constraint, 'minDomains')),
        honorsAffinity: getValueAt(constraint, 'nodeAffinityPolicy') !== 'Ignore',
        honorsTaints: getValueAt(constraint, 'nodeTaintsPolicy') === 'Honor',
        countsItself: matchesLabelSelector(selector, pod.labels),
        counts: (other) => !isEmpty && other.namespace === pod.namespace && matchesLabelSelector(selector, other.labels),
      };
    });
}
