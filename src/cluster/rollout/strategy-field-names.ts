import { appendToPath } from '../../core/manifest/field-path';
import { getParentPath, setField } from '../../core/findings/suggested-fix';
import type { Edit } from '../../core/findings/suggested-fix';
import type { FieldPath } from '../../core/manifest/field-path';

/** The names of the rolling update fields of an object: `maxSurge` in a Deployment, `max_surge` in an operator's custom resource. */
export interface StrategyFieldNames {
  /** The field that contains the limits. @default - the strategy itself, which then has no type either */
  readonly rollingUpdate?: string;
  readonly maxSurge: string;
  readonly maxUnavailable: string;
}

/** Field names if the limits of a rolling update are in a field of their own. */
export type NestedStrategyFieldNames = Required<StrategyFieldNames>;

/** The field names of Kubernetes itself. */
export const KUBERNETES_FIELD_NAMES: NestedStrategyFieldNames = {
  rollingUpdate: 'rollingUpdate',
  maxSurge: 'maxSurge',
  maxUnavailable: 'maxUnavailable',
};

/**
 * The owner of a strategy that the user of the object cannot change. KServe decides the strategy of multi-node workers, and by its
 * documentation that of their head. Its ConfigMap decides that of canaries, and Knative that of Revisions.
 */
export type StrategyOwner =
  | 'kserve-worker'
  | 'kserve-head'
  | 'kserve-canary'
  | 'kserve-llm'
  | 'kserve-scheduler'
  | 'knative'
  | 'knative-service'
  | 'argo-rollouts';

/** Owners of strategies for which the object has no field at all. */
const OWNERS_WITHOUT_FIELD: ReadonlySet<StrategyOwner> = new Set(['kserve-llm', 'kserve-scheduler', 'knative', 'knative-service']);

/** The advice if another strategy would help but cannot be written. */
export const ADVICE_BY_OWNER: Readonly<Record<StrategyOwner, string>> = {
  'kserve-worker': 'Keep capacity for the new pods: KServe overrides the deploymentStrategy of workers.',
  'kserve-llm': 'Keep capacity for the new pods: KServe up to 0.20 has no field for the strategy.',
  'kserve-scheduler':
    'Apply the change when there are few requests: KServe always recreates the scheduler of a router, and no field changes that.',
  'kserve-head':
    'Keep capacity for a second head and write maxSurge: 100% and maxUnavailable: 0%: all nodes of a model are replaced together.',
  knative: 'Keep capacity for the new pods: Knative has no maxSurge or maxUnavailable between Revisions.',
  'knative-service': 'Keep capacity for the new pods: Knative decides how pods are replaced, and no field changes that.',
  'argo-rollouts':
    'Keep capacity for the new pods: a Rollout has its limits in strategy.canary, and they do not apply with a router or blue-green.',
  'kserve-canary': 'Change the rollout defaults of the ConfigMap: a canary has no strategy of its own.',
};

/** Returns the edits that write a rolling update with these limits. `limitPath` is the path of maxUnavailable, written or not. */
export function buildLimitEdits(limitPath: FieldPath, names: StrategyFieldNames, maxSurge: number, maxUnavailable: number): Edit[] {
  const parent = getParentPath(limitPath);
  return [
    ...(names.rollingUpdate === undefined ? [] : [setField(appendToPath(getParentPath(parent), 'type'), 'RollingUpdate')]),
    setField(appendToPath(parent, names.maxSurge), maxSurge),
    setField(limitPath, maxUnavailable),
  ];
}

/** The path of a workload's strategy, its field names, and its owner. */
interface StrategyLocation {
  /** Path of the strategy, written or not. If the object has no field for it, the path of the part that lacks it. */
  readonly strategyPath: FieldPath;
  readonly names: StrategyFieldNames;
  readonly strategyOwner?: StrategyOwner | undefined;
}

/**
 * Returns the path of a field of a strategy, written or not. If the object has no field for it, returns the path of the part that lacks it.
 */
function resolveStrategyField({ strategyPath, strategyOwner }: Omit<StrategyLocation, 'names'>, ...field: readonly string[]): FieldPath {
  return strategyOwner && OWNERS_WITHOUT_FIELD.has(strategyOwner) ? strategyPath : appendToPath(strategyPath, ...field);
}

/** Returns the path of the type of a strategy. */
export function getStrategyTypePath(location: Omit<StrategyLocation, 'names'>): FieldPath {
  return resolveStrategyField(location, 'type');
}

/** Returns the path of maxUnavailable of a rolling update. */
export function getMaxUnavailablePath({ names, ...location }: StrategyLocation): FieldPath {
  return resolveStrategyField(location, ...(names.rollingUpdate === undefined ? [] : [names.rollingUpdate]), names.maxUnavailable);
}
