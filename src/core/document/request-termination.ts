/** How long a request that runs when its pod is deleted lives at most. All values are seconds. */
export interface RequestTermination {
  /** The preStop hook and the drain together. */
  readonly requestSeconds: number;
  /** Time of the preStop hook, before SIGTERM. */
  readonly preStopSeconds: number;
  /** Time for which the server finishes requests after SIGTERM. */
  readonly drainSeconds: number;
  /** Grace period of the pod. */
  readonly graceSeconds: number;
  /** Container that ends the request before the server does: `istio-proxy`. @default - the server ends it */
  readonly container?: string;
  /**
   * What ends the request, if not the deletion of its pod alone: Ray Serve stops its replica while the pod stays, or the operator deletes the old
   * cluster so long after the requests moved, which is the least time that a request has. @default - the pod is deleted
   */
  readonly endedBy?: 'ray-serve' | 'cluster-deletion';
}
