import { isFields } from '../../../core/manifest/manifest';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import type { ParsedRayService } from '../ray-service';
import { UPGRADE_TYPES } from '../strategy';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

interface TypeData extends OperatorRejection {
  readonly type: DisplayValue;
}

interface MissingData {
  /** KubeRay version. */
  readonly version: string;
}

/** Rule about an upgrade type that KubeRay does not know. */
export const invalidType = defineRule({
  code: 'kuberay/invalid-type',
  since: '0.1.0',
  severity: 'error',
  fires: 'upgradeStrategy.type is not one of the three that KubeRay knows, or it is missing with a KubeRay version before 1.7.',
  why:
    'The CRD has no enum for the type, so the API server accepts any text. The operator then refuses the spec and changes nothing. ' +
    'An upgradeStrategy without a type crashes an operator before 1.7 if its gate for incremental upgrades is on, as the plan assumes.',
  fix: 'Set the type to NewClusterWithIncrementalUpgrade, NewCluster or None.',
  example: formatRayServiceExample('type: Incremental'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    unknown: defineMessage<TypeData>({
      text: ({ type, ...rejection }) => `type is ${formatDisplayValue(type)}. ${formatOperatorRejection(rejection)}`,
      help: () => `Set the type to ${joinWords(UPGRADE_TYPES, 'or')}.`,
      sample: { type: 'Incremental', ...SAMPLE_REJECTION },
    }),
    missing: defineMessage<MissingData>({
      text: ({ version }) =>
        'upgradeStrategy has no type. ' +
        `With the gate RayServiceIncrementalUpgrade on, KubeRay ${version} then crashes at every reconcile and rolls nothing out.`,
      help: () => `Set the type to ${joinWords(UPGRADE_TYPES, 'or')}; or delete upgradeStrategy.`,
      sample: { version: '1.6.2' },
    }),
  },
});

/** Reports a type that the operator refuses, or a missing type that crashes it. No upgradeStrategy at all is valid. */
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
