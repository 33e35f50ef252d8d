import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { findFirstVersion } from '../versions';
import { VALID_RAY_SERVICE_TEXT } from './examples';

interface GateData {
  /** Of KubeRay. */
  readonly version: string;
  /** The version that has the gate on. */
  readonly enabledSince: string;
}

/** An incremental upgrade that only takes place where a gate was turned on. */
export const featureGate = defineRule({
  code: 'kuberay/feature-gate',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An incremental upgrade with a KubeRay version before 1.7.',
  why:
    'There the gate RayServiceIncrementalUpgrade is off unless it was turned on when the operator was installed. ' +
    'With it off the type is accepted, the options are not checked, and changes of the cluster are not rolled out at all. ' +
    'The plan assumes that it is on. From 1.7 on it is on by default.',
  fix:
    'Install the operator with `--set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true`, ' +
    'or run KubeRay 1.7: `--versions kuberay=1.7`.',
  example: `# rolloutkit plan --versions kuberay=1.6 llm.yaml\n${VALID_RAY_SERVICE_TEXT}`,
  fixedExample: `# rolloutkit plan --versions kuberay=1.7 llm.yaml\n${VALID_RAY_SERVICE_TEXT}`,
  messages: {
    off: defineMessage<GateData>({
      text: ({ version }) =>
        `type is ${INCREMENTAL_UPGRADE}, and in KubeRay ${version} the gate RayServiceIncrementalUpgrade is off unless it was turned on. ` +
        'With it off no change of the cluster is rolled out. This plan assumes that it is on.',
      help: ({ enabledSince: onSince }) =>
        'Install the operator with --set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true, ' +
        `or use KubeRay ${onSince}.`,
      sample: { version: '1.6', enabledSince: '1.7' },
    }),
  },
});

/** An incremental upgrade by an operator whose gate is off as released; where Git drives the upgrade, it needs no gate. */
export function checkFeatureGate({ behaviour, drivenBy, version, paths }: ParsedRayService): Finding[] {
  if (behaviour.gate === 'on' || drivenBy === 'git') return [];
  return [
    featureGate.createFinding('off', { path: paths.type, data: { version, enabledSince: findFirstVersion(({ gate }) => gate === 'on') } }),
  ];
}
