import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { VALID_RAY_SERVICE_TEXT, withRayCluster } from './examples';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

interface AutoscalingRequiredData extends OperatorRejection {
  /** The value of enableInTreeAutoscaling; null if it is not set. */
  readonly enabled: false | null;
}

/** Rule about an incremental upgrade of a cluster without an autoscaler. */
export const autoscalingRequired = defineRule({
  code: 'kuberay/autoscaling-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'A RayService uses an incremental upgrade, but enableInTreeAutoscaling is not true.',
  why:
    'The upgrade sets the share of Serve replicas that a cluster runs, and the in-tree autoscaler adds and removes pods for them. ' +
    'The operator refuses the spec without the autoscaler. kubectl reports no error because the webhook checks only the metadata.',
  fix: 'Set `enableInTreeAutoscaling: true` under `spec.rayClusterConfig`.',
  example: withRayCluster('enableInTreeAutoscaling: true\n    ', ''),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    required: defineMessage<AutoscalingRequiredData>({
      text: ({ enabled, ...rejection }) =>
        `enableInTreeAutoscaling is ${enabled === null ? 'not set' : 'false'}. ` +
        formatOperatorRejection(rejection, 'Ray Autoscaler is required for NewClusterWithIncrementalUpgrade'),
      help: () => 'Set enableInTreeAutoscaling: true under spec.rayClusterConfig.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, true)),
      sample: { enabled: null, ...SAMPLE_REJECTION },
    }),
  },
});

/** Reports an incremental upgrade without the autoscaler. If the cluster is under the wrong field name, only that is reported. */
export function checkAutoscalingRequired(service: ParsedRayService): Finding[] {
  const { type, spec, cluster, paths } = service;
  const isMisnamed = (spec.rayClusterConfig ?? undefined) === undefined && spec.rayClusterSpec !== undefined;
  if (type !== INCREMENTAL_UPGRADE || cluster.enableInTreeAutoscaling === true || isMisnamed) return [];
  return [
    autoscalingRequired.createFinding('required', {
      path: toFieldPath`${paths.cluster}.enableInTreeAutoscaling`,
      data: { enabled: cluster.enableInTreeAutoscaling === false ? false : null, ...operatorRejectionOf(service) },
    }),
  ];
}
