import { appendToPath } from '../core/field-path';
import { getParentPath, setField } from '../core/suggested-fix';
import type { Edit } from '../core/suggested-fix';
import type { FieldPath } from '../core/field-path';

/** What an object calls the fields of a rolling update: a Deployment `maxSurge`, an operator's custom resource `max_surge`. */
export interface StrategyFieldNames {
  /** The level that its limits stand on. @default - the strategy itself, which then has no type either */
  readonly rollingUpdate?: string;
  readonly maxSurge: string;
  readonly maxUnavailable: string;
}

/** Where the limits of a rolling update stand on a level of their own. */
export type NestedStrategyFieldNames = Required<StrategyFieldNames>;

/** The names that Kubernetes itself gives them. */
export const KUBERNETES_FIELD_NAMES: NestedStrategyFieldNames = {
  rollingUpdate: 'rollingUpdate',
  maxSurge: 'maxSurge',
  maxUnavailable: 'maxUnavailable',
};

/**
 * Who decides a strategy where the user of the object can't: KServe for the workers of several nodes, and by what it documents for their head,
 * its ConfigMap for canaries, Knative for Revisions.
 */
export type StrategyOwner =
  | 'kserve-worker'
  | 'kserve-head'
  | 'kserve-canary'
  | 'kserve-llm'
  | 'kserve-scheduler'
  | 'knative'
  | 'argo-rollouts';

/** Those beside whom the object has no field for a strategy at all. */
const OWNERS_WITHOUT_FIELD: ReadonlySet<StrategyOwner> = new Set(['kserve-llm', 'kserve-scheduler']);

/** What to do where another strategy would be the advice and can't be written. */
export const ADVICE_BY_OWNER: Readonly<Record<StrategyOwner, string>> = {
  'kserve-worker': 'Keep room for them: KServe overrides what a deploymentStrategy says of workers.',
  'kserve-llm': 'Keep room for them: KServe up to 0.20 has no field for it.',
  'kserve-scheduler': 'Apply it when few requests come: KServe always recreates the scheduler of a router, and no field changes that.',
  'kserve-head':
    'Keep room for a second head and write maxSurge: 100% and maxUnavailable: 0%: the nodes of one model are replaced as a whole.',
  knative: 'Keep room for them: Knative knows no maxSurge and no maxUnavailable between Revisions.',
  'argo-rollouts': 'Keep room for them: a Rollout has its limits in strategy.canary, and with a router or blue-green none hold.',
  'kserve-canary': 'Change it in the rollout defaults of the ConfigMap: a canary has no other level.',
};

/** The edits that write a rolling update with these limits; `limitPath` is that of maxUnavailable, written or not. */
export function buildLimitEdits(limitPath: FieldPath, names: StrategyFieldNames, maxSurge: number, maxUnavailable: number): Edit[] {
  const holder = getParentPath(limitPath);
  return [
    ...(names.rollingUpdate === undefined ? [] : [setField(appendToPath(getParentPath(holder), 'type'), 'RollingUpdate')]),
    setField(appendToPath(holder, names.maxSurge), maxSurge),
    setField(limitPath, maxUnavailable),
  ];
}

/** Where a workload has its strategy, by which names, and who decides it. */
interface StrategyLocation {
  /** Where the strategy stands or would; the part that has none where the object has no field for it. */
  readonly strategyPath: FieldPath;
  readonly names: StrategyFieldNames;
  readonly strategyOwner?: StrategyOwner | undefined;
}

/** A field of a strategy, whether or not it is written; where the object has no field for it, the part of it that has none. */
function resolveStrategyField({ strategyPath, strategyOwner }: Omit<StrategyLocation, 'names'>, ...field: readonly string[]): FieldPath {
  return strategyOwner && OWNERS_WITHOUT_FIELD.has(strategyOwner) ? strategyPath : appendToPath(strategyPath, ...field);
}

/** Where a strategy has its type. */
export function getStrategyTypePath(location: Omit<StrategyLocation, 'names'>): FieldPath {
  return resolveStrategyField(location, 'type');
}

/** Where a rolling update has its maxUnavailable. */
export function getMaxUnavailablePath({ names, ...location }: StrategyLocation): FieldPath {
  return resolveStrategyField(location, ...(names.rollingUpdate === undefined ? [] : [names.rollingUpdate]), names.maxUnavailable);
}
