import { isFields } from '../../../core/manifest';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { joinWords } from '../../../core/text-format';
import type { ParsedRayService } from '../ray-service';
import { UPGRADE_TYPES } from '../strategy';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

interface TypeData extends OperatorRejection {
  readonly type: DisplayValue;
}

interface MissingData {
  /** Of KubeRay. */
  readonly version: string;
}

/** A type of upgrade that KubeRay does not know. */
export const invalidType = defineRule({
  code: 'kuberay/invalid-type',
  since: '0.1.0',
  severity: 'error',
  fires: 'upgradeStrategy.type is not one of the three that KubeRay knows; or there is none, with a KubeRay before 1.7.',
  why:
    'The CRD has no enum for it, so the API server accepts any text; the operator refuses the spec afterwards and changes nothing. ' +
    'An upgradeStrategy without type crashes an operator before 1.7 whose gate of incremental upgrades is on, as the plan assumes.',
  fix: 'Write NewClusterWithIncrementalUpgrade, NewCluster or None.',
  example: formatRayServiceExample('type: Incremental'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    unknown: defineMessage<TypeData>({
      text: ({ type, ...rejection }) => `type is ${formatDisplayValue(type)}. ${formatOperatorRejection(rejection)}`,
      help: () => `Write ${joinWords(UPGRADE_TYPES, 'or')}.`,
      sample: { type: 'Incremental', ...SAMPLE_REJECTION },
    }),
    missing: defineMessage<MissingData>({
      text: ({ version }) =>
        'upgradeStrategy has no type. ' +
        `With the gate RayServiceIncrementalUpgrade on, KubeRay ${version} crashes on that at every reconcile, and nothing is rolled out.`,
      help: () => `Write type: ${joinWords(UPGRADE_TYPES, 'or')}; or delete upgradeStrategy.`,
      sample: { version: '1.6.2' },
    }),
  },
});

/** A type that the operator refuses, or none where it crashes without; no upgradeStrategy at all is fine. */
export function checkInvalidType(service: ParsedRayService): Finding[] {
  const { type, paths, spec, behaviour, version } = service;
  if (type === undefined) {
    const crashes = behaviour.crashesWithoutType && isFields(spec.upgradeStrategy);
    return crashes ? [invalidType.createFinding('missing', { path: paths.type, data: { version } })] : [];
  }
  if (UPGRADE_TYPES.includes(type)) return [];
  return [
    invalidType.createFinding('unknown', { path: paths.type, data: { type: toDisplayValue(type), ...operatorRejectionOf(service) } }),
  ];
}
