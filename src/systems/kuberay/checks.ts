import { toFieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { getListAt, getValueAt } from '../../core/manifest';
import { createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import { checkStartupAnnotation } from '../../workloads/rules/startup-annotation';
import type { ParsedRayService } from './ray-service';

/** Start-up seconds of the head or of a worker group that are not a number. */
function checkRayStartupAnnotations({ cluster, paths }: ParsedRayService): Finding[] {
  const head = { group: cluster.headGroupSpec, path: toFieldPath`${paths.cluster}.headGroupSpec` };
  const workers = getListAt(cluster, 'workerGroupSpecs').map((group, index) => {
    return { group, path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}]` };
  });
  return [head, ...workers].flatMap(({ group, path }) =>
    checkStartupAnnotation({ value: getValueAt(group, 'template', 'metadata'), path: toFieldPath`${path}.template.metadata` }),
  );
}

/** The rules that all pods share, of a RayService. */
export const RAY_SERVICE_CHECKS: RuleTable<ParsedRayService> = {
  'startup-annotation': checkRayStartupAnnotations,
  fencepost: createNotApplicable('a surge of 0 is refused, and a step of 0 stalls, which kuberay/zero-surge and kuberay/zero-step say'),
  outage: createNotApplicable('the running cluster keeps serving until the new one is ready'),
  'surge-needs-headroom': createNotApplicable(
    'kubernetes/insufficient-capacity and kuberay/doubles-accelerators say what a second cluster needs',
  ),
  'hpa-owns-replicas': createNotApplicable('Ray scales its workers itself'),
  'no-readiness-probe': createNotApplicable('the operator adds probes to the containers of Ray'),
  'foreign-owner': createNotApplicable('no controller that is known here makes RayServices'),
};
