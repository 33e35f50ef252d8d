import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { listAt, valueAt } from '../../core/manifest';
import { notFor } from '../../workloads/checks';
import type { ChecksOf } from '../../workloads/checks';
import { startupAnnotationFindings } from '../../workloads/rules/startup-annotation';
import type { ReadRayService } from './ray-service';

/** Start-up seconds of the head or of a worker group that are not a number. */
function startupFindings({ cluster, places }: ReadRayService): Finding[] {
  const head = { group: cluster.headGroupSpec, path: at`${places.cluster}.headGroupSpec` };
  const workers = listAt(cluster, 'workerGroupSpecs').map((group, index) => {
    return { group, path: at`${places.cluster}.workerGroupSpecs[${index}]` };
  });
  return [head, ...workers].flatMap(({ group, path }) =>
    startupAnnotationFindings({ value: valueAt(group, 'template', 'metadata'), path: at`${path}.template.metadata` }),
  );
}

/** The rules that all pods share, of a RayService. */
export const RAY_SERVICE_CHECKS: ChecksOf<ReadRayService> = {
  'startup-annotation': startupFindings,
  fencepost: notFor('a surge of 0 is refused, and a step of 0 stalls, which kuberay/zero-surge and kuberay/zero-step say'),
  outage: notFor('the running cluster keeps serving until the new one is ready'),
  'surge-needs-headroom': notFor('kubernetes/no-room and kuberay/doubles-accelerators say what a second cluster needs'),
  'hpa-owns-replicas': notFor('Ray scales its workers itself'),
  'no-readiness-probe': notFor('the operator adds probes to the containers of Ray'),
  'foreign-owner': notFor('no controller that is known here makes RayServices'),
};
