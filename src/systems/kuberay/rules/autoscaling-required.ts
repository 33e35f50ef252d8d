import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { VALID_RAY_SERVICE_TEXT, withRayCluster } from './examples';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

interface AutoscalingRequiredData extends OperatorRejection {
  /** What enableInTreeAutoscaling is; null where it is not set. */
  readonly enabled: false | null;
}

/** An incremental upgrade of a cluster that nobody scales. */
export const autoscalingRequired = defineRule({
  code: 'kuberay/autoscaling-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade without enableInTreeAutoscaling.',
  why:
    'The upgrade sets the share of Serve replicas that a cluster runs; it is the in-tree autoscaler that adds and removes pods for them. ' +
    'The operator refuses the spec without it. kubectl does not say so: the webhook looks only at the metadata.',
  fix: 'Write `enableInTreeAutoscaling: true` under `spec.rayClusterConfig`.',
  example: withRayCluster('enableInTreeAutoscaling: true\n    ', ''),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    required: defineMessage<AutoscalingRequiredData>({
      text: ({ enabled, ...rejection }) =>
        `enableInTreeAutoscaling is ${enabled === null ? 'not set' : 'false'}. ` +
        formatOperatorRejection(rejection, 'Ray Autoscaler is required for NewClusterWithIncrementalUpgrade'),
      help: () => 'Write enableInTreeAutoscaling: true under spec.rayClusterConfig.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, true)),
      sample: { enabled: null, ...SAMPLE_REJECTION },
    }),
  },
});

/** An incremental upgrade without the autoscaler; a cluster under another name is told of alone. */
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
