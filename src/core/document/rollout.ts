import type { RolloutBudget } from '../budget/budget';
import type { Finding } from '../findings/finding';
import type { RollsLike } from '../sources/operator-resource-map';
import { sortKeys } from '../collections/key-order';
import type { KeyOrder } from '../collections/key-order';
import { formatReference } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';
import type { Provenance } from './provenance';
import type { CapacityResult } from './capacity-result';
import type { Simulation } from '../simulations/simulation';
import type { RolloutGroups, RolloutWorkers } from './pod-group-size';
import type { InitialRolloutState, RolloutRollback } from './initial-state';
import type { RequestTermination } from './request-termination';

/** Systems whose rollouts can be planned. */
export type SystemName =
  | 'kubernetes'
  | 'kserve'
  | 'kuberay'
  | 'fleet'
  | 'baw'
  | 'operator'
  | 'lws'
  | 'argo-rollouts'
  | 'argo-cd'
  | 'flagger'
  | 'knative';

/** The object that is rolled out. */
export interface ResourceRef {
  /** Group and version of the object: `apps/v1`. */
  readonly apiVersion: string;
  /** Kind of the object: `Deployment`. */
  readonly kind: string;
  /** Namespace; absent if the object names none. */
  readonly namespace?: string;
  /** Name; empty if the object has none. */
  readonly name: string;
  /** Part of the object, if one object creates several rollouts: `predictor`, `worker`, `canary/v2`. */
  readonly component?: string;
}

const RESOURCE_KEYS: KeyOrder<ResourceRef> = { apiVersion: true, kind: true, namespace: true, name: true, component: true };

/** Sorts the keys of a reference in the order of the contract. */
export function sortResourceKeys(resource: ResourceRef): ResourceRef {
  return sortKeys(resource, RESOURCE_KEYS);
}

/** An object that a controller will create. */
export interface CreatedObject {
  /** Group and version: `apps/v1`. */
  readonly apiVersion: string;
  /** Kind: `Deployment`. */
  readonly kind: string;
  /** Name that the controller generates. */
  readonly name: string;
  /** Namespace; absent if the object that it is created for names none. */
  readonly namespace?: string;
  /** Number of pods; absent if it is not known. */
  readonly replicas?: number;
  /** Labels of its pods. */
  readonly selector?: Readonly<Record<string, string>>;
  /** Strategy as the controller writes it. */
  readonly strategy?: unknown;
}

/** What a guide documents, if the controller behaves differently. */
export interface DocumentedRollout {
  /** Guide: `IBM BAW 25.0.1, "Applying a rolling update strategy"`. */
  readonly source: string;
  /** Steps of the guide, in the form of the simulation next to which they are shown. */
  readonly simulation: Simulation;
  /** Difference between the two, in one line. */
  readonly difference: string;
}

/** Rollouts with the fewest and the most replicas that an autoscaler may choose. */
export interface AutoscaledRollout {
  /** Autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly by: string;
  /** Rollout with the fewest replicas that it may choose. */
  readonly minimum: Simulation;
  /** Rollout with the most replicas that it may choose. */
  readonly maximum: Simulation;
  /** Whether the rollout fits at the maximum; absent if neither a quota nor a capacity limits its pods. */
  readonly maximumCapacity?: CapacityResult;
}

/** Duration of a rollout, and how much a bad one breaks. */
export interface RolloutDuration {
  /** Seconds until a pod becomes ready. */
  readonly startupSeconds: number;
  /** Minimum seconds: every wave waits for its pods to be available, and every step for its interval. */
  readonly lowerBoundSeconds: number;
  /**
   * Expected seconds if all pods take the same time, with the waits for the capacity of old pods and for the controller's reconciles; null
   * if the rollout never finishes.
   */
  readonly expectedSeconds: number | null;
  /** Seconds until a broken image is detected; null if nothing ever detects it. */
  readonly abortSeconds: number | null;
  /**
   * Pods of the new version that are broken by then. For a StatefulSet, pods that are unavailable, including those that were deleted and
   * not started again.
   * For a Fleet bundle, clusters that have the new version; for an ApplicationSet, Applications.
   */
  readonly blastRadius: number;
  /**
   * Whether the pods of a StatefulSet's batch start together, as with `podManagementPolicy: Parallel`. Absent if they do not, or if a batch
   * is one pod.
   */
  readonly startsInParallel?: true;
}

/**
 * Bundles that a Fleet bundle waits for on each cluster. Until they are in one of the accepted states there, it is released but not
 * applied.
 */
export interface RolloutDependency {
  /** Name of the bundle. */
  readonly name?: string;
  /** Labels of the bundles, if they are not named. */
  readonly selector?: unknown;
  /** Accepted states; any one is enough. */
  readonly acceptedStates: readonly string[];
}

/** State after one check of an analysis, which the controller makes once an interval. */
export interface AnalysisCheck {
  /** Counted from 1, the check that detects the new version. */
  readonly check: number;
  /** Seconds since that check. */
  readonly elapsedSeconds: number;
  /** Phase of the Canary. From `Promoting` on the serving pods have the new version. */
  readonly phase: 'Progressing' | 'Promoting' | 'Finalising' | 'Succeeded';
  /** Pods of the target. */
  readonly pods: number;
  /** Percentage of the requests that the target gets. */
  readonly newWeight: number;
  /** Whether the target gets copies of the requests. Absent if it does not. */
  readonly mirrors?: true;
}

/** The analysis of a new version next to the one that serves, if its pods become ready at once, its checks pass and its hooks approve. */
export interface RolloutAnalysis {
  /** How the new version gets requests, or that it is promoted without an analysis. */
  readonly strategy: 'canary' | 'blue-green' | 'ab-testing' | 'skipped';
  /** How requests are routed: `istio`, `kubernetes`. */
  readonly provider: string;
  /** Whether the object does not name the provider, so that it is the default of the controller. Absent if it names one. */
  readonly isProviderAssumed?: true;
  /** Seconds between two checks. */
  readonly intervalSeconds: number;
  /** Rows in order; if the analysis never ends, those until nothing changes. */
  readonly checks: readonly AnalysisCheck[];
  /** Minimum seconds from the first row to the last. */
  readonly durationSeconds: number;
  /** Whether the new version can be promoted. */
  readonly outcome: 'promoted' | 'never-promoted';
  /** Hooks that must approve a step. Absent if there are none. */
  readonly approvals?: readonly string[];
  /** Rows omitted between the first 50 and the last 50; absent if there are none. */
  readonly elided?: number;
}

/** A rollout that follows from a map in `rolloutkit.yaml`. The code of its operator was not analysed. */
export interface MappedRollout {
  /** Whether the rollout of the operator is verified. */
  readonly isVerified: false;
  /** Kind whose rollout is shown. */
  readonly rollsLike: RollsLike;
}

/** How the change of one object rolls out. */
export interface PlannedRollout {
  /** System whose controller rolls it out. */
  readonly system: SystemName;
  /** Object that is rolled out. */
  readonly resource: ResourceRef;
  /** Map of the configuration that the rollout follows from; absent if a system was analysed. */
  readonly mapped?: MappedRollout;
  /** Unit that it belongs to, or its file if the units do not distinguish it either; absent if its name is unique among the rollouts. */
  readonly unit?: string;
  /** Strategy that the API server stores once the controller has written it; null if it is refused. */
  readonly strategy: unknown;
  /** Origin of each field of the strategy; empty if the strategy is null. */
  readonly provenance: readonly Provenance[];
  /** State of the cluster before an apply; absent if no change is planned, or nothing runs yet. */
  readonly initialState?: InitialRolloutState;
  /** Simulation of the rollout; null if nothing rolls out or nothing is known, which a finding explains. */
  readonly simulation: Simulation | null;
  /** How to undo the rollout if the new version is bad; absent if no change is planned or no pod is replaced. */
  readonly rollback?: RolloutRollback;
  /** What a guide documents; absent if no guide covers the rollout or its guide is right. */
  readonly documented?: DocumentedRollout;
  /** Rollouts at the limits of an autoscaler; absent if no autoscaler targets the object. */
  readonly autoscaled?: AutoscaledRollout;
  /** Whether its pods fit; absent if neither a quota nor a capacity limits them. */
  readonly capacity?: CapacityResult;
  /** Budgets that cover its pods; absent if none does. */
  readonly budgets?: readonly RolloutBudget[];
  /** Duration of the rollout; absent if the time until a pod becomes ready is not known. */
  readonly duration?: RolloutDuration;
  /** How long a running request lives at most when its pod is replaced; absent if the manifests do not show the server. */
  readonly termination?: RequestTermination;
  /** What picks the pod of each request by its load and cache, so that the share of the new version is not known; absent if no component does. */
  readonly requestsPickedBy?: 'endpoint-picker';
  /** Workers of a RayService; absent for other kinds, if nothing rolls out, or if its workers are not known. */
  readonly workers?: RolloutWorkers;
  /** Size of its groups; absent if its pods are not replaced in groups, or if nothing rolls out. */
  readonly groups?: RolloutGroups;
  /** Analysis that precedes it; absent if none does. */
  readonly analysis?: RolloutAnalysis;
  /** Bundles that it waits for on each cluster; absent if there are none. */
  readonly dependsOn?: readonly RolloutDependency[];
  /** Objects that a controller creates from it; absent if there are none. */
  readonly creates?: readonly CreatedObject[];
  /** All findings about it, including errors. */
  readonly findings: readonly Finding[];
}

/** Builds a reference to an object, to name it in a table or a message: `Deployment web/shop`. */
export function toResourceRef(object: Manifest, name: string, namespace?: string, component?: string): ResourceRef {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(component !== undefined && { component }),
  };
}

/** Formats a resource for a message: `Deployment shop/web`, `InferenceService shop/model (predictor)`. */
export function describeResource(resource: Omit<ResourceRef, 'apiVersion'>): string {
  const { component } = resource;
  return `${formatReference(resource)}${component === undefined ? '' : ` (${component})`}`;
}
