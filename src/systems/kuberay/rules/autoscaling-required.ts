import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { WHOLE_SERVICE, withCluster } from './examples';
import { operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

interface RequiredData extends Refusal {
  /** What enableInTreeAutoscaling is; null where it is not set. */
  readonly enabled: false | null;
}

/** An incremental upgrade of a cluster that nobody scales. */
export const autoscalingRequired = rule({
  code: 'kuberay/autoscaling-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade without enableInTreeAutoscaling.',
  why:
    'The upgrade sets the share of Serve replicas that a cluster runs; it is the in-tree autoscaler that adds and removes pods for them. ' +
    'The operator refuses the spec without it. kubectl does not say so: the webhook looks only at the metadata.',
  fix: 'Write `enableInTreeAutoscaling: true` under `spec.rayClusterConfig`.',
  example: withCluster('enableInTreeAutoscaling: true\n    ', ''),
  fixed: WHOLE_SERVICE,
  messages: {
    required: message<RequiredData>({
      text: ({ enabled, ...refusal }) =>
        `enableInTreeAutoscaling is ${enabled === null ? 'not set' : 'false'}. ` +
        operatorRefuses(refusal, 'Ray Autoscaler is required for NewClusterWithIncrementalUpgrade'),
      help: () => 'Write enableInTreeAutoscaling: true under spec.rayClusterConfig.',
      advice: (_data, path) => byChoice(set(path, true)),
      sample: { enabled: null, ...SAMPLE_REFUSAL },
    }),
  },
});

/** An incremental upgrade without the autoscaler; a cluster under another name is told of alone. */
export function autoscalingFindings(service: ReadRayService): Finding[] {
  const { type, spec, cluster, places } = service;
  const isMisnamed = (spec.rayClusterConfig ?? undefined) === undefined && spec.rayClusterSpec !== undefined;
  if (type !== INCREMENTAL || cluster.enableInTreeAutoscaling === true || isMisnamed) return [];
  return [
    autoscalingRequired.finding('required', {
      path: at`${places.cluster}.enableInTreeAutoscaling`,
      data: { enabled: cluster.enableInTreeAutoscaling === false ? false : null, ...refusalOf(service) },
    }),
  ];
}
