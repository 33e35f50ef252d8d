import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { firstVersionThat } from '../versions';
import { WHOLE_SERVICE } from './examples';

interface GateData {
  /** Of KubeRay. */
  readonly version: string;
  /** The version that has the gate on. */
  readonly onSince: string;
}

/** An incremental upgrade that only takes place where a gate was turned on. */
export const featureGate = rule({
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
  example: `# rolloutkit plan --versions kuberay=1.6 llm.yaml\n${WHOLE_SERVICE}`,
  fixed: `# rolloutkit plan --versions kuberay=1.7 llm.yaml\n${WHOLE_SERVICE}`,
  messages: {
    off: message<GateData>({
      text: ({ version }) =>
        `type is ${INCREMENTAL}, and in KubeRay ${version} the gate RayServiceIncrementalUpgrade is off unless it was turned on. ` +
        'With it off no change of the cluster is rolled out. This plan assumes that it is on.',
      help: ({ onSince }) =>
        'Install the operator with --set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true, ' +
        `or use KubeRay ${onSince}.`,
      sample: { version: '1.6', onSince: '1.7' },
    }),
  },
});

/** An incremental upgrade by an operator whose gate is off as released; where Git drives the upgrade, it needs no gate. */
export function gateFindings({ behaviour, drivenBy, version, places }: ReadRayService): Finding[] {
  if (behaviour.gate === 'on' || drivenBy === 'git') return [];
  return [featureGate.finding('off', { path: places.type, data: { version, onSince: firstVersionThat(({ gate }) => gate === 'on') } })];
}
