/** A PodDisruptionBudget that covers the pods of a rollout, and whether the rollout keeps to it; a controller itself never asks a budget. */
export interface RolloutBudget {
  /** Of the PodDisruptionBudget. */
  readonly name: string;
  /** Pods that it covers at full strength, those of other workloads too. */
  readonly pods: number;
  /** Pods of them that it wants healthy. */
  readonly desiredHealthy: number;
  /** Pods of them that stay healthy while this rollout runs and no other does. */
  readonly lowest: number;
  /** What it wants healthy of the pods of this rollout alone while all others are. */
  readonly ownDesiredHealthy: number;
}
