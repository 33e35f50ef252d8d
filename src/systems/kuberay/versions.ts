import { valueSince } from '../../core/versions';

/** What differs between KubeRay versions, as far as an upgrade shows it. */
export interface KubeRayBehaviour {
  /** Feature gate RayServiceIncrementalUpgrade as released. */
  readonly gate: 'off' | 'on';
  /** A stepSizePercent above maxSurgePercent moves no more than maxSurgePercent, or is refused (V:736, #4663). */
  readonly stepAboveSurge: 'capped' | 'refused';
  /** Can the operator go back to the old cluster in the middle of an upgrade? (#4109) */
  readonly rollsBack: boolean;
  /** Does the API have spec.suspend? (#4841) */
  readonly hasSuspend: boolean;
  /** What becomes of a spec that the operator refuses, as a message ends. */
  readonly onRefusal: string;
}

const FIRST: KubeRayBehaviour = {
  gate: 'off',
  stepAboveSurge: 'capped',
  rollsBack: false,
  hasSuspend: false,
  onRefusal: 'it logs the error, tries again for ever and changes nothing',
};

const WITH_ROLLBACK: KubeRayBehaviour = {
  ...FIRST,
  rollsBack: true,
  onRefusal: 'it sets the condition Ready=False with reason ValidationFailed and changes nothing',
};

const BETA: KubeRayBehaviour = { ...WITH_ROLLBACK, gate: 'on', stepAboveSurge: 'refused', hasSuspend: true };

const HISTORY: readonly (readonly [since: string, behaviour: KubeRayBehaviour])[] = [
  ['0', FIRST],
  ['1.6', WITH_ROLLBACK],
  ['1.7', BETA],
];

/** How a KubeRay version behaves. Source: ray-project/kuberay v1.5.1, v1.6.0 and v1.7.0, `rayservice_controller.go` and `validation.go`. */
export function behaviourOf(version: string): KubeRayBehaviour {
  return valueSince(HISTORY, version);
}
