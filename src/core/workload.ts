import type { Fields } from './manifest';
import type { DeploymentSimulation, Rollout, StatefulSetSimulation } from './rollout';

/** The numbers of pods that an autoscaler keeps to, and its name for messages: `HorizontalPodAutoscaler "web"`. */
export interface ReplicaRange {
  readonly by: string;
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * The pods that a rollout replaces, for all that depends on other objects: disruption budgets, quotas, autoscalers, volumes, nodes.
 *
 * A system that knows them hands them on beside the rollout; they are no part of the plan document.
 */
export interface Workload {
  /** What autoscalers scale: for a Deployment its own kind and name, for a KServe component those of the Deployment that KServe makes. */
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly name: string;
  readonly namespace?: string;
  /** The pods planned for. */
  readonly replicas: number;
  /** The pod template: labels and annotations in `metadata`, containers in `spec`. */
  readonly template: Fields;
  /** Field path of the pod's spec: `spec.template.spec`. */
  readonly podPath: string;
  /** Field path of the strategy: `spec.strategy`. */
  readonly strategyPath: string;
  /** Seconds. @default 0 */
  readonly minReadySeconds?: number;
  /** Seconds without progress after which a Deployment counts as failed; a StatefulSet never does. */
  readonly progressDeadlineSeconds?: number;
  /** Are the pods of a StatefulSet started one after another? */
  readonly startsInOrder?: boolean;
  /** Where the rollout's own system knows the autoscaler, as KServe does that makes one. */
  readonly replicaRange?: ReplicaRange;
  /** The same rollout with another number of pods. */
  simulateAt(replicas: number): DeploymentSimulation | StatefulSetSimulation;
}

/** A rollout and, where its system knows them, its pods. */
export interface PlannedRollout extends Rollout {
  readonly workload?: Workload;
}
