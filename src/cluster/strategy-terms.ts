import { childPath } from '../core/field-path';
import { holderPath, set } from '../core/advice';
import type { Edit } from '../core/advice';
import type { FieldPath } from '../core/field-path';

/** What an object calls the fields of a rolling update: a Deployment `maxSurge`, an operator's custom resource `max_surge`. */
export interface StrategyNames {
  /** The level that its limits stand on. @default - the strategy itself, which then has no type either */
  readonly rollingUpdate?: string;
  readonly maxSurge: string;
  readonly maxUnavailable: string;
}

/** Where the limits of a rolling update stand on a level of their own. */
export type LevelledNames = Required<StrategyNames>;

/** The names that Kubernetes itself gives them. */
export const KUBERNETES_NAMES: LevelledNames = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

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
const LEAVES_NO_FIELD: ReadonlySet<StrategyOwner> = new Set(['kserve-llm', 'kserve-scheduler']);

/** What to do where another strategy would be the advice and can't be written. */
export const OWNER_ADVICE: Readonly<Record<StrategyOwner, string>> = {
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
export function limitEdits(limitPath: FieldPath, names: StrategyNames, maxSurge: number, maxUnavailable: number): Edit[] {
  const holder = holderPath(limitPath);
  return [
    ...(names.rollingUpdate === undefined ? [] : [set(childPath(holderPath(holder), 'type'), 'RollingUpdate')]),
    set(childPath(holder, names.maxSurge), maxSurge),
    set(limitPath, maxUnavailable),
  ];
}

/** Where a workload has its strategy, by which names, and who decides it. */
interface StrategyPlace {
  /** Where the strategy stands or would; the part that has none where the object has no field for it. */
  readonly strategyPath: FieldPath;
  readonly names: StrategyNames;
  readonly strategyOwner?: StrategyOwner | undefined;
}

/** A field of a strategy, whether or not it is written; where the object has no field for it, the part of it that has none. */
function strategyField({ strategyPath, strategyOwner }: Omit<StrategyPlace, 'names'>, ...field: readonly string[]): FieldPath {
  return strategyOwner && LEAVES_NO_FIELD.has(strategyOwner) ? strategyPath : childPath(strategyPath, ...field);
}

/** Where a strategy has its type. */
export function strategyTypePath(place: Omit<StrategyPlace, 'names'>): FieldPath {
  return strategyField(place, 'type');
}

/** Where a rolling update has its maxUnavailable. */
export function maxUnavailablePath({ names, ...place }: StrategyPlace): FieldPath {
  return strategyField(place, ...(names.rollingUpdate === undefined ? [] : [names.rollingUpdate]), names.maxUnavailable);
}
