import { isFields } from '../../../core/manifest';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import type { ReadRayService } from '../ray-service';
import { UPGRADE_TYPES } from '../strategy';
import { serviceText, WHOLE_SERVICE } from './examples';
import { operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

interface TypeData extends Refusal {
  readonly type: Seen;
}

interface MissingData {
  /** Of KubeRay. */
  readonly version: string;
}

/** A type of upgrade that KubeRay does not know. */
export const invalidType = rule({
  code: 'kuberay/invalid-type',
  since: '0.1.0',
  severity: 'error',
  fires: 'upgradeStrategy.type is not one of the three that KubeRay knows; or there is none, with a KubeRay before 1.7.',
  why:
    'The CRD has no enum for it, so the API server accepts any text; the operator refuses the spec afterwards and changes nothing. ' +
    'An upgradeStrategy without type crashes an operator before 1.7 whose gate of incremental upgrades is on, as the plan assumes.',
  fix: 'Write NewClusterWithIncrementalUpgrade, NewCluster or None.',
  example: serviceText('type: Incremental'),
  fixed: WHOLE_SERVICE,
  messages: {
    unknown: message<TypeData>({
      text: ({ type, ...refusal }) => `type is ${show(type)}. ${operatorRefuses(refusal)}`,
      help: () => `Write ${listed(UPGRADE_TYPES, 'or')}.`,
      sample: { type: 'Incremental', ...SAMPLE_REFUSAL },
    }),
    missing: message<MissingData>({
      text: ({ version }) =>
        'upgradeStrategy has no type. ' +
        `With the gate RayServiceIncrementalUpgrade on, KubeRay ${version} crashes on that at every reconcile, and nothing is rolled out.`,
      help: () => `Write type: ${listed(UPGRADE_TYPES, 'or')}; or delete upgradeStrategy.`,
      sample: { version: '1.6.2' },
    }),
  },
});

/** A type that the operator refuses, or none where it crashes without; no upgradeStrategy at all is fine. */
export function invalidTypeFindings(service: ReadRayService): Finding[] {
  const { type, places, spec, behaviour, version } = service;
  if (type === undefined) {
    const crashes = behaviour.crashesWithoutType && isFields(spec.upgradeStrategy);
    return crashes ? [invalidType.finding('missing', { path: places.type, data: { version } })] : [];
  }
  if (UPGRADE_TYPES.includes(type)) return [];
  return [invalidType.finding('unknown', { path: places.type, data: { type: seen(type), ...refusalOf(service) } })];
}
