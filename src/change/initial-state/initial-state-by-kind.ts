import type { WorkloadName } from '../../workloads/kinds';
import { resolveDaemonSetState } from './daemonset-initial-state';
import { resolveDeploymentState } from './deployment-initial-state';
import { resolveStatefulSetState } from './statefulset-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

/** Resolvers of the initial state, by kind of workload. */
export const INITIAL_STATE_BY_KIND: Readonly<Record<WorkloadName, (query: InitialStateQuery) => WorkloadInitialState>> = {
  Deployment: resolveDeploymentState,
  StatefulSet: resolveStatefulSetState,
  DaemonSet: resolveDaemonSetState,
};
