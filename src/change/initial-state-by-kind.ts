import type { WorkloadName } from '../workloads/kinds';
import { resolveDaemonSetState } from './daemonset-initial-state';
import { resolveDeploymentState } from './deployment-initial-state';
import { resolveStatefulSetState } from './statefulset-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

/** Where a workload of each kind stands before the apply. */
export const INITIAL_STATE_BY_KIND: Readonly<Record<WorkloadName, (query: InitialStateQuery) => WorkloadInitialState>> = {
  Deployment: resolveDeploymentState,
  StatefulSet: resolveStatefulSetState,
  DaemonSet: resolveDaemonSetState,
};
