import { toFieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { getListAt, getValueAt } from '../../core/manifest';
import { createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import { checkStartupAnnotation } from '../../workloads/rules/startup-annotation';
import type { ParsedRayService } from './ray-service';

/** Reports start-up seconds of the head or of a worker group that are not a number. */
function checkRayStartupAnnotations({ cluster, paths }: ParsedRayService): Finding[] {
  const head = { group: cluster.headGroupSpec, path: toFieldPath`${paths.cluster}.headGroupSpec` };
  const workers = getListAt(cluster, 'workerGroupSpecs').map((group, index) => {
    return { group, path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}]` };
  });
  return [head, ...workers].flatMap(({ group, path }) =>
    checkStartupAnnotation({ value: getValueAt(group, 'template', 'metadata'), path: toFieldPath`${path}.template.metadata` }),
  );
}

/** Shared pod rules, applied to a RayService. */
export const RAY_SERVICE_CHECKS: RuleTable<ParsedRayService> = {
  'startup-annotation': checkRayStartupAnnotations,
  fencepost: createNotApplicable('kuberay/zero-surge and kuberay/zero-step report a surge or step of 0, with which the upgrade deadlocks'),
  outage: createNotApplicable('the running cluster keeps serving until the new one is ready'),
  'surge-needs-headroom': createNotApplicable(
    'kubernetes/insufficient-capacity and kuberay/doubles-accelerators report what a second cluster needs',
  ),
  'hpa-owns-replicas': createNotApplicable('Ray scales its workers itself'),
  'no-readiness-probe': createNotApplicable('the operator adds probes to the Ray containers'),
  'foreign-owner': createNotApplicable('no controller known to rolloutkit creates RayServices'),
};
