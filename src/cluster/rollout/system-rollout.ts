import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout } from '../../core/document/rollout';
import type { ServiceRole } from '../../core/document/service-plan';
import type { Simulation } from '../../core/simulations/simulation';
import { sortBy } from '../../core/collections/sort-by';
import type { ClusterPods, BudgetedPods, GroupPods } from './pod-groups';
import type { PodSet } from './pod-set';
import type { ClusterService, RoutedService } from './created-services';
import type { Workload, LimitedRollout } from './workload';

/** The pods of a rollout: those of one workload, of a cluster that a second one is created next to, or of groups. */
export type RolloutPods =
  | { readonly kind: 'workload'; readonly workload: Workload }
  | { readonly kind: 'clusters'; readonly clusters: ClusterPods }
  | { readonly kind: 'groups'; readonly groups: GroupPods };

/** A rollout as its system returns it, with its pods if the system knows them. */
export interface SystemRollout extends PlannedRollout {
  readonly pods?: RolloutPods;
  /** Services whose selector its controller restricts to the pods of one version, by name. @default - none */
  readonly serviceRoles?: ReadonlyMap<string, ServiceRole>;
  /** Name of the Service that its controller creates for its pods, and deletes with its object. @default - none is known */
  readonly createdService?: string;
  /** Service that its controller creates for its pods, if a route of the controller splits requests between several. @default - none */
  readonly routedService?: RoutedService;
  /** Services that its controller creates for the pods of a cluster and of the one that replaces it. @default - none */
  readonly clusterServices?: readonly ClusterService[];
  /** The object that it is a component of, if its rows are checked together with those of other components. @default - they are not */
  readonly componentOf?: Manifest;
  /** Returns findings about the rows that happen of several components of the object. @default - none */
  readonly checkComponents?: (simulationOf: (component: string) => Simulation | null) => readonly Finding[];
  /** Whether its running pods stay until those of another object, which takes its place, are ready. @default false */
  readonly keepsPodsUntilReplaced?: boolean;
  /**
   * The finding for which a webhook refuses the complete object although its rollout can be planned. It is null if the API server stores
   * the object and refuses only what is created from it. @default - the first error of a rollout that cannot be planned at all
   */
  readonly rejectionCause?: Finding | null;
  /** The reason for which the pods of its object also count as not planned. @default - they are planned, or there are none */
  readonly notPlanned?: string;
}

/** Returns the pod sets of a rollout, as they run while nothing rolls out. */
export function podSetsOf({ pods }: SystemRollout): readonly PodSet[] {
  if (pods === undefined) return [];
  if (pods.kind === 'workload') return [pods.workload];
  return pods.kind === 'groups' ? pods.groups.podSets : pods.clusters.podSets;
}

/**
 * Returns the desired pods of a rollout. Returns undefined if its system does not know them, or if the nodes that they run on are not
 * known.
 */
export function countDesiredPods(rollout: SystemRollout): number | undefined {
  const podSets = podSetsOf(rollout);
  if (podSets.length === 0 || podSets.some(({ onePerNode, replicas }) => onePerNode && replicas === 0)) return undefined;
  return podSets.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Returns a rollout with each of its pod sets changed. */
export function withPodSets(rollout: SystemRollout, change: <Pods extends PodSet>(pods: Pods) => Pods): SystemRollout {
  const { pods } = rollout;
  if (pods === undefined) return rollout;
  if (pods.kind === 'workload') {
    const workload = change(pods.workload);
    return workload === pods.workload ? rollout : { ...rollout, pods: { kind: 'workload', workload } };
  }
  if (pods.kind === 'groups') {
    return { ...rollout, pods: { ...pods, groups: { ...pods.groups, podSets: pods.groups.podSets.map((podSet) => change(podSet)) } } };
  }
  const podSets = pods.clusters.podSets.map((podSet) => change(podSet));
  return { ...rollout, pods: { ...pods, clusters: { ...pods.clusters, podSets } } };
}

/** Returns the pod sets of a rollout that budgets may select. */
export function getBudgetedPods({ pods }: SystemRollout): readonly BudgetedPods[] {
  if (pods === undefined || pods.kind === 'clusters') return [];
  return pods.kind === 'workload' ? [pods.workload] : pods.groups.podSets;
}

/** Returns the workload of a rollout. Returns undefined if it has none. */
export function workloadOf({ pods }: SystemRollout): Workload | undefined {
  return pods?.kind === 'workload' ? pods.workload : undefined;
}

/** Returns the workload and its rollout if it is simulated pod by pod. Returns undefined for any other rollout. */
export function getLimitedRollout(planned: SystemRollout): LimitedRollout | undefined {
  const workload = workloadOf(planned);
  return workload?.rollout && { workload, rollout: workload.rollout };
}

/**
 * Sorts rollouts by name, so that no verdict depends on the order of files. If there is too little capacity for the running pods, the first
 * rollouts by name are assumed to have it.
 */
export function sortRollouts(planned: readonly SystemRollout[]): SystemRollout[] {
  return sortBy(planned, ({ resource: { apiVersion, kind, namespace = '', name, component = '' } }) =>
    [namespace, kind, name, component, apiVersion].join('\0'),
  );
}

/** Returns the part of a rollout that the plan document shows. */
export function toPlannedRollout(rollout: SystemRollout): PlannedRollout {
  const {
    pods: _pods,
    serviceRoles: _roles,
    createdService: _created,
    routedService: _routed,
    clusterServices: _services,
    keepsPodsUntilReplaced: _keeps,
    componentOf: _object,
    checkComponents: _check,
    rejectionCause: _cause,
    notPlanned: _reason,
    ...documented
  } = rollout;
  return documented;
}
