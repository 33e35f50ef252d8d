import type { RolloutBudget } from './budget';
import type { Finding } from './finding';
import type { Manifest } from './manifest';
import type { Provenance } from './provenance';
import type { CapacityResult } from './capacity-result';
import type { Simulation } from './simulations/simulation';
import type { RolloutGroups, RolloutWorkers } from './pod-group-size';
import type { InitialRolloutState, RolloutRollback } from './initial-state';

/** The systems whose rollouts can be planned. */
export type SystemName = 'kubernetes' | 'kserve' | 'kuberay' | 'fleet' | 'baw' | 'lws' | 'argo-rollouts' | 'argo-cd';

/** The object that a rollout is of. */
export interface ResourceRef {
  /** As the object has it: `apps/v1`. */
  readonly apiVersion: string;
  /** As the object has it: `Deployment`. */
  readonly kind: string;
  /** Absent where the object names none. */
  readonly namespace?: string;
  /** Empty where the object has none. */
  readonly name: string;
  /** The part of the object, where one object makes several rollouts: `predictor`, `worker`, `canary/v2`. */
  readonly component?: string;
}

/** An object that a controller will make. */
export interface CreatedObject {
  /** `apps/v1`. */
  readonly apiVersion: string;
  /** `Deployment`. */
  readonly kind: string;
  /** As the controller makes it up. */
  readonly name: string;
  /** Absent where the object that it is made for names none. */
  readonly namespace?: string;
  /** How many pods; absent where that can't be told. */
  readonly replicas?: number;
  /** Labels of its pods. */
  readonly selector?: Readonly<Record<string, string>>;
  /** As the controller writes it. */
  readonly strategy?: unknown;
}

/** What a guide says will happen, where the controller does otherwise. */
export interface DocumentedRollout {
  /** The guide: `IBM BAW 25.0.1, "Applying a rolling update strategy"`. */
  readonly source: string;
  /** Its steps, in the form of the simulation that they stand beside. */
  readonly simulation: Simulation;
  /** Why the two differ, in one line. */
  readonly difference: string;
}

/** The rollout at the two ends of what an autoscaler may choose. */
export interface AutoscaledRollout {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly by: string;
  /** With the fewest replicas that it may choose. */
  readonly minimum: Simulation;
  /** With the most. */
  readonly maximum: Simulation;
  /** Whether there is room for the rollout at the maximum; absent where neither a quota nor a capacity limits its pods. */
  readonly maximumCapacity?: CapacityResult;
}

/** How long a rollout takes, and how much a bad one breaks. */
export interface RolloutDuration {
  /** Seconds that a pod takes to become ready. */
  readonly startupSeconds: number;
  /** No rollout is faster: every wave waits for its pods to be available, every step for its interval. */
  readonly lowerBoundSeconds: number;
  /** Where all pods take the same time: with the waits for places of old pods and for the controller's rounds; null where it never ends. */
  readonly expectedSeconds: number | null;
  /** When a broken image is noticed; null where nothing ever notices it. */
  readonly abortSeconds: number | null;
  /**
   * Pods of the new version that are broken by then; of a StatefulSet pods that are down, also those deleted and not started again;
   * of a Fleet bundle clusters that have it, of an ApplicationSet Applications.
   */
  readonly blastRadius: number;
  /** Do the pods of a StatefulSet's batch start together, as with `podManagementPolicy: Parallel`? Absent where they do not, or a batch is one pod. */
  readonly startsInParallel?: true;
}

/** Bundles that a Fleet bundle waits for on each cluster: until they are in one of the states there, it is released and not applied. */
export interface RolloutDependency {
  /** Of the bundle. */
  readonly name?: string;
  /** Labels of the bundles, where they are not named. */
  readonly selector?: unknown;
  /** Any of them will do. */
  readonly acceptedStates: readonly string[];
}

/** How one object's change will roll out. */
export interface PlannedRollout {
  /** Whose controller rolls it out. */
  readonly system: SystemName;
  /** The object. */
  readonly resource: ResourceRef;
  /** The unit that it belongs to, or its file where that does not tell either; absent where its name alone tells it from every other rollout. */
  readonly unit?: string;
  /** What the API server stores once the controller has written it; null when it is refused. */
  readonly strategy: unknown;
  /** Empty where the strategy is null: no level has decided what is not there. */
  readonly provenance: readonly Provenance[];
  /** Where the cluster stands before an apply; absent where no change is planned, or nothing runs yet. */
  readonly initialState?: InitialRolloutState;
  /** Null when nothing rolls out or nothing can be told; a finding says why. */
  readonly simulation: Simulation | null;
  /** What undoes the rollout if the new version is bad; absent where no change is planned or no pod is replaced. */
  readonly rollback?: RolloutRollback;
  /** Absent where no guide walks through it or its guide is right. */
  readonly documented?: DocumentedRollout;
  /** Absent where no autoscaler targets it. */
  readonly autoscaled?: AutoscaledRollout;
  /** Absent where neither a quota nor a capacity limits its pods. */
  readonly capacity?: CapacityResult;
  /** Budgets that cover its pods; absent where none does. */
  readonly budgets?: readonly RolloutBudget[];
  /** Absent where it is not known how long a pod takes to become ready. */
  readonly duration?: RolloutDuration;
  /** Absent where it is no RayService, nothing rolls out, or nothing is known of its workers. */
  readonly workers?: RolloutWorkers;
  /** Absent where its pods are not replaced in groups, or nothing rolls out. */
  readonly groups?: RolloutGroups;
  /** What it waits for on each cluster; absent where it waits for nothing. */
  readonly dependsOn?: readonly RolloutDependency[];
  /** Objects that a controller makes of it; absent where none does. */
  readonly creates?: readonly CreatedObject[];
  /** What is to be said of it, errors and all. */
  readonly findings: readonly Finding[];
}

/** What a simulated object is for, to name it in a table or a message: `Deployment web/shop`. */
export function toResourceRef(object: Manifest, name: string, namespace?: string, component?: string): ResourceRef {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(component !== undefined && { component }),
  };
}
