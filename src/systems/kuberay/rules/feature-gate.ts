import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { findFirstVersion } from '../versions';
import { VALID_RAY_SERVICE_TEXT } from './examples';

interface GateData {
  /** KubeRay version. */
  readonly version: string;
  /** The first version that has the gate on by default. */
  readonly enabledSince: string;
}

/** Rule about an incremental upgrade that needs a feature gate that is off by default. */
export const featureGate = defineRule({
  code: 'kuberay/feature-gate',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A RayService uses an incremental upgrade with a KubeRay version before 1.7.',
  why:
    'Before 1.7 the gate RayServiceIncrementalUpgrade is off unless it was turned on when the operator was installed. ' +
    'With the gate off, the operator accepts the type, does not check the options, and rolls out no change of the cluster. ' +
    'The plan assumes that the gate is on. Since 1.7 it is on by default.',
  fix:
    'Install the operator with `--set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true`, ' +
    'or run KubeRay 1.7: `--versions kuberay=1.7`.',
  example: `# rolloutkit plan --versions kuberay=1.6 llm.yaml\n${VALID_RAY_SERVICE_TEXT}`,
  fixedExample: `# rolloutkit plan --versions kuberay=1.7 llm.yaml\n${VALID_RAY_SERVICE_TEXT}`,
  messages: {
    off: defineMessage<GateData>({
      text: ({ version }) =>
        `type is ${INCREMENTAL_UPGRADE}, but in KubeRay ${version} the gate RayServiceIncrementalUpgrade is off by default. ` +
        'With the gate off, no change of the cluster is rolled out. This plan assumes that the gate is on.',
      help: ({ enabledSince }) =>
        'Install the operator with --set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true, ' +
        `or use KubeRay ${enabledSince}.`,
      sample: { version: '1.6', enabledSince: '1.7' },
    }),
  },
});

/** Reports an incremental upgrade by an operator whose gate is off by default. If Git drives the upgrade, no gate is needed. */
export function checkFeatureGate({ behaviour, drivenBy, version, paths }: ParsedRayService): Finding[] {
  if (behaviour.gate === 'on' || drivenBy === 'git') return [];
  return [
    featureGate.createFinding('off', { path: paths.type, data: { version, enabledSince: findFirstVersion(({ gate }) => gate === 'on') } }),
  ];
}
