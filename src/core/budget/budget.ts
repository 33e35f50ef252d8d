/** A PodDisruptionBudget that covers the pods of a rollout, and whether the rollout respects it. Controllers themselves ignore budgets. */
export interface RolloutBudget {
  /** Name of the PodDisruptionBudget. */
  readonly name: string;
  /** Pods that it covers when all desired pods run, including those of other workloads. */
  readonly pods: number;
  /** Covered pods that it requires to be healthy. */
  readonly desiredHealthy: number;
  /** Covered pods that stay healthy while this rollout runs and no other does. */
  readonly lowest: number;
  /** Pods of this rollout that it requires to be healthy while all other pods are. */
  readonly ownDesiredHealthy: number;
}
