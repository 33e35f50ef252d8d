import { createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import type { ParsedRayService } from './ray-service';

/** Rules that all rollouts share, applied to a RayService. */
export const RAY_SERVICE_CHECKS: RuleTable<ParsedRayService> = {
  fencepost: createNotApplicable('kuberay/zero-surge and kuberay/zero-step report a surge or step of 0, with which the upgrade deadlocks'),
  outage: createNotApplicable('the running cluster keeps serving until the new one is ready'),
  'surge-needs-headroom': createNotApplicable(
    'kubernetes/insufficient-capacity and kuberay/doubles-accelerators report what a second cluster needs',
  ),
  'hpa-owns-replicas': createNotApplicable('Ray scales its workers itself'),
  'foreign-owner': createNotApplicable('no controller known to rolloutkit creates RayServices'),
};
