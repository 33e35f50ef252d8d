/** An extended resource, such as `nvidia.com/gpu` or `google.com/tpu`, that workers or groups of pods ask for. */
export interface WorkerAccelerator {
  /** As the pods name it. */
  readonly resource: string;
  /** Of one whole cluster, or of all groups that are wanted. */
  readonly count: number;
  /** More at the worst of the rows. */
  readonly surge: number;
}

/** What a rollout means in pods that are replaced in groups. */
export interface RolloutGroups {
  /** Pods of a group. */
  readonly size: number;
  /** Of all groups that are wanted. */
  readonly pods: number;
  /** Groups more at the worst of the rows. */
  readonly surgeGroups: number;
  /** Pods more at the worst of the rows. */
  readonly surgePods: number;
  /** Each extended resource by its name; absent where the pods ask for none. */
  readonly accelerators?: readonly WorkerAccelerator[];
}

/** What the second cluster of a RayService means in worker pods. */
export interface WorkerSize {
  /** Of one whole cluster. */
  readonly pods: number;
  /** Of one whole cluster. */
  readonly gpus: number;
  /** More at the worst of the rows. The head pod of the new cluster comes on top. */
  readonly surgePods: number;
  /** More at the worst of the rows. */
  readonly surgeGpus: number;
  /** Each extended resource by its name, GPUs among them; absent where the workers ask for none. */
  readonly accelerators?: readonly WorkerAccelerator[];
}

/** The same as written, and as the autoscaler of the cluster may have it. */
export interface RolloutWorkers extends WorkerSize {
  /** An autoscaler changes these numbers; absent where none does. */
  readonly autoscaled?: true;
  /** The most that it may make of them; absent without an autoscaler, and where a worker group has no maxReplicas. */
  readonly maximum?: WorkerSize;
}
