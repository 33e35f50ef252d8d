import { checkTime } from '../core/budget/deadline';
import { addToGroup } from '../core/collections/group-by';
import {
  annotationOf,
  getFieldsAt,
  getListAt,
  getValueAt,
  groupOf,
  hasMetadataValue,
  nameOf,
  namespaceOf,
} from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { isLocalConfig } from '../core/sources/local-config';
import { matchesLabelSelector } from '../core/values/label-selector';

/** Objects among which a budget is looked for, and what is known of them. */
export interface BudgetContext {
  readonly objects: readonly Manifest[];
  /** Returns the namespaces that files around an object, such as a kustomization, may give to it. */
  readonly setNamespacesOf: (object: Manifest) => readonly string[];
  /** Returns the places of an object: a namespace for each way to apply the files. Two objects in one place are in one namespace of one cluster. */
  readonly placesOf: (object: Manifest) => readonly string[];
  /** Reports whether the API server refuses to create an object. */
  readonly isRefused: (object: Manifest) => boolean;
}

/** A budget that selects the pods of a workload, but does not count for it. */
export interface UncertainBudget {
  readonly name: string;
  /** What is not certain: that it is in the namespace of the pods, or that no other one of its name replaces it. */
  readonly lacks: 'namespace' | 'permanence';
}

/** Reports whether an object is a PodDisruptionBudget. */
export function isDisruptionBudget(object: Manifest): boolean {
  return object.kind === 'PodDisruptionBudget' && groupOf(object) === 'policy';
}

/** Returns all namespaces in which an object may be: its own, and those that files around it may give to it. */
export function listNamespaces(object: Manifest, setNamespacesOf: BudgetContext['setNamespacesOf']): readonly string[] {
  return [...new Set([namespaceOf(object) ?? 'default', ...setNamespacesOf(object)])];
}

/** Annotations with which a tool does not apply an object, or only for a phase of an apply. With values, those say so, and a label does too. @default - any value */
const NOT_KEPT_MARKS: readonly { readonly name: string; readonly values?: readonly string[] }[] = [
  { name: 'helm.sh/hook' },
  { name: 'argocd.argoproj.io/hook' },
  { name: 'kustomize.toolkit.fluxcd.io/reconcile', values: ['disabled'] },
  { name: 'kustomize.toolkit.fluxcd.io/ssa', values: ['ignore', 'ifnotpresent'] },
  { name: 'kapp.k14s.io/exists' },
  { name: 'kapp.k14s.io/noop' },
  { name: 'configmanagement.gke.io/managed', values: ['disabled'] },
  { name: 'configsync.gke.io/cluster-name-selector' },
  { name: 'werf.io/deploy-on' },
];

/** Reports whether every tool applies a budget, and it stays. */
function isAppliedByEveryTool(object: Manifest): boolean {
  if (isLocalConfig(object)) return false;
  return !NOT_KEPT_MARKS.some(({ name, values }) =>
    values ? values.some((value) => hasMetadataValue(object, name, value)) : annotationOf(object, name) !== undefined,
  );
}

/** Returns the first label that the selector of a budget requires; undefined if it has only expressions. */
function firstLabelOf(budget: Manifest): readonly [string, unknown] | undefined {
  return Object.entries(getFieldsAt(budget, 'spec', 'selector', 'matchLabels'))[0];
}

/** Lists the owners of an object, each with all by which the garbage collector looks for it. */
function listOwners(object: Manifest): readonly string[] {
  const owners = getListAt(object, 'metadata', 'ownerReferences');
  return owners.map((owner) => JSON.stringify(['apiVersion', 'kind', 'name', 'uid'].map((field) => getValueAt(owner, field))));
}

/**
 * Reports whether a budget stays as long as a workload. A manifest cannot show that an owner exists, and without any the garbage collector
 * deletes the budget, so it must have each owner of the workload.
 */
function staysWith(budget: Manifest, workload: Manifest): boolean {
  const owners = new Set(listOwners(budget));
  const needed = listOwners(workload);
  return owners.size === 0 || (needed.length > 0 && needed.every((owner) => owners.has(owner)));
}

/** Budgets of one name that may be in one namespace, by what matters here. Undefined stands for one that may not be kept. */
type Namesakes = Map<string, Manifest | undefined>;

/** A budget that is kept, and those with which it may share a namespace and its name. */
interface KeptBudget {
  readonly budget: Manifest;
  readonly namesakes: readonly Namesakes[];
}

/** Budgets that are kept, by namespace and the first label of their selectors. */
type BudgetIndex = ReadonlyMap<string, readonly KeptBudget[]>;

const INDEXES = new WeakMap<readonly Manifest[], BudgetIndex>();

const formatLabelKey = (namespace: string, label: readonly [string, unknown] | undefined) => JSON.stringify([namespace, ...(label ?? [])]);

/** Indexes the budgets. No tool applies one without a name, such as one with a generateName. */
function indexBudgets({ objects, setNamespacesOf, isRefused }: BudgetContext): BudgetIndex {
  const index = new Map<string, KeptBudget[]>();
  const byName = new Map<string, Namesakes>();
  for (const budget of objects.filter((object) => isDisruptionBudget(object) && nameOf(object) !== '')) {
    const isKept = isAppliedByEveryTool(budget) && !isRefused(budget);
    const content = isKept ? JSON.stringify([getValueAt(budget, 'spec', 'selector'), listOwners(budget)]) : '';
    const namespaces = listNamespaces(budget, setNamespacesOf);
    const namesakes = namespaces.map((namespace) => {
      const key = JSON.stringify([namespace, nameOf(budget)]);
      const inNamespace: Namesakes = byName.get(key) ?? new Map<string, Manifest | undefined>();
      byName.set(key, inNamespace.set(content, isKept ? budget : undefined));
      return inNamespace;
    });
    if (!isKept) continue;
    for (const namespace of namespaces) addToGroup(index, formatLabelKey(namespace, firstLabelOf(budget)), { budget, namesakes });
  }
  return index;
}

/** Creates a function that reports whether a budget selects the pods of a workload and stays as long as it. */
function createSelectionTest(workload: Manifest): (budget: Manifest) => boolean {
  const labels = getFieldsAt(workload, 'spec', 'template', 'metadata', 'labels');
  // The API server stores null as an empty label of a new object, and an apply to a live one deletes the label.
  const updated = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== null));
  return (budget) =>
    [labels, updated].every((each) => matchesLabelSelector(getValueAt(budget, 'spec', 'selector'), each)) && staysWith(budget, workload);
}

/** Creates a function that reports whether each budget that may replace a budget selects the pods too. Many budgets may have the same namesakes. */
function createPermanenceTest(selects: (budget: Manifest) => boolean): (kept: KeptBudget) => boolean {
  const known = new Map<Namesakes, boolean>();
  const hasOther = (namesakes: Namesakes): boolean => {
    for (const budget of namesakes.values()) {
      checkTime();
      if (budget === undefined || !selects(budget)) return true;
    }
    return false;
  };
  return ({ namesakes }) =>
    namesakes.every((each) => {
      const doAllSelect = known.get(each) ?? !hasOther(each);
      known.set(each, doAllSelect);
      return doAllSelect;
    });
}

/** What is found if a workload lacks a budget. */
export interface MissingBudget {
  /** @default - no budget in view selects its pods in one of its namespaces */
  readonly uncertain?: UncertainBudget;
}

/**
 * Finds out whether a workload lacks a budget in one of its places; undefined if it does not. Any other budget of its name that may be in one of its
 * namespaces may replace a budget: which one is applied last depends on the tool. So each of them must select the pods.
 */
export function findMissingBudget(workload: Manifest, context: BudgetContext): MissingBudget | undefined {
  const { objects, setNamespacesOf, placesOf } = context;
  const index = INDEXES.get(objects) ?? indexBudgets(context);
  INDEXES.set(objects, index);
  const selects = createSelectionTest(workload);
  const stays = createPermanenceTest(selects);
  const labels = [undefined, ...Object.entries(getFieldsAt(workload, 'spec', 'template', 'metadata', 'labels'))];
  const candidates = listNamespaces(workload, setNamespacesOf).flatMap((namespace) =>
    labels.flatMap((label) => index.get(formatLabelKey(namespace, label)) ?? []),
  );
  const unprotected = new Set(placesOf(workload));
  for (const candidate of candidates) {
    checkTime();
    const reached = placesOf(candidate.budget).filter((place) => unprotected.has(place));
    if (reached.length > 0 && stays(candidate)) for (const place of reached) unprotected.delete(place);
    if (unprotected.size === 0) return undefined;
  }
  const staying = candidates.find(stays);
  if (staying) return { uncertain: { name: nameOf(staying.budget), lacks: 'namespace' } };
  const selecting = candidates.find(({ budget }) => selects(budget));
  return selecting ? { uncertain: { name: nameOf(selecting.budget), lacks: 'permanence' } } : {};
}
