import { valueSince } from '../../core/versions';

/**
 * What becomes of a spec that the operator refuses. In either case nothing changes.
 *
 * - `retries`: it logs the error and tries again for ever
 * - `condition`: it sets the condition Ready=False with reason ValidationFailed
 */
export type OnRefusal = 'retries' | 'condition';

/** What differs between KubeRay versions, as far as an upgrade shows it; the fields of each version stand in the schema (`fields.ts`). */
export interface KubeRayBehaviour {
  /** Feature gate RayServiceIncrementalUpgrade as released. */
  readonly gate: 'off' | 'on';
  /** A stepSizePercent above maxSurgePercent moves no more than maxSurgePercent, or is refused (V:736, #4663). */
  readonly stepAboveSurge: 'capped' | 'refused';
  /** Can the operator go back to the old cluster in the middle of an upgrade? (#4109) */
  readonly rollsBack: boolean;
  readonly onRefusal: OnRefusal;
}

const FIRST: KubeRayBehaviour = { gate: 'off', stepAboveSurge: 'capped', rollsBack: false, onRefusal: 'retries' };

const WITH_ROLLBACK: KubeRayBehaviour = { ...FIRST, rollsBack: true, onRefusal: 'condition' };

const BETA: KubeRayBehaviour = { ...WITH_ROLLBACK, gate: 'on', stepAboveSurge: 'refused' };

const HISTORY: readonly (readonly [since: string, behaviour: KubeRayBehaviour])[] = [
  ['0', FIRST],
  ['1.6', WITH_ROLLBACK],
  ['1.7', BETA],
];

/** How a KubeRay version behaves. Source: ray-project/kuberay v1.5.1, v1.6.0 and v1.7.0, `rayservice_controller.go` and `validation.go`. */
export function behaviourOf(version: string): KubeRayBehaviour {
  return valueSince(HISTORY, version);
}

/** The first version that behaves so, as messages name it. */
export function firstVersionThat(behaves: (behaviour: KubeRayBehaviour) => boolean): string {
  return HISTORY.find(([, behaviour]) => behaves(behaviour))![0];
}
