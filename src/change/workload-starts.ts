import type { WorkloadName } from '../workloads/kinds';
import { daemonSetStart } from './daemonset-start';
import { deploymentStart } from './deployment-start';
import { statefulSetStart } from './statefulset-start';
import type { StartQuery, WorkloadStart } from './workload-start';

/** Where a workload of each kind stands before the apply. */
export const STARTS: Readonly<Record<WorkloadName, (query: StartQuery) => WorkloadStart>> = {
  Deployment: deploymentStart,
  StatefulSet: statefulSetStart,
  DaemonSet: daemonSetStart,
};
