/** An extended resource, such as `nvidia.com/gpu` or `google.com/tpu`, that workers or groups of pods request. */
export interface WorkerAccelerator {
  /** Name of the resource in the pods. */
  readonly resource: string;
  /** Amount for one entire cluster, or for all desired groups. */
  readonly count: number;
  /** Additional amount in the worst row. */
  readonly surge: number;
}

/** Size of a rollout whose pods are replaced in groups. */
export interface RolloutGroups {
  /** Pods per group. */
  readonly size: number;
  /** Pods of all desired groups. */
  readonly pods: number;
  /** Additional groups in the worst row. */
  readonly surgeGroups: number;
  /** Additional pods in the worst row. */
  readonly surgePods: number;
  /** Amounts of each extended resource by its name; absent if the pods request none. */
  readonly accelerators?: readonly WorkerAccelerator[];
}

/** Size of the second cluster of a RayService, in worker pods. */
export interface WorkerSize {
  /** Worker pods of one entire cluster. */
  readonly pods: number;
  /** GPUs of one entire cluster. */
  readonly gpus: number;
  /** Additional worker pods in the worst row, without the head pod of the new cluster. */
  readonly surgePods: number;
  /** Additional GPUs in the worst row. */
  readonly surgeGpus: number;
  /** Amounts of each extended resource by its name, including GPUs; absent if the workers request none. */
  readonly accelerators?: readonly WorkerAccelerator[];
}

/** The size as written, and the maximum that the autoscaler of the cluster can reach. */
export interface RolloutWorkers extends WorkerSize {
  /** Whether an autoscaler changes these numbers; absent if none does. */
  readonly autoscaled?: true;
  /** Maximum size with the autoscaler; absent without an autoscaler, and if a worker group has no maxReplicas. */
  readonly maximum?: WorkerSize;
}
