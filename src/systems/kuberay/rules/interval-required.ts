import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';
import { API_SERVER_REJECTION_TEXT, formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

interface IntervalData extends OperatorRejection {
  readonly value: DisplayValue;
}

/** The interval that KubeRay's guide advises. */
const ADVISED_SECONDS = 60;
const HELP = `Set it to 1 second or more; the guide advises ${ADVISED_SECONDS}.`;

/** Rule about an incremental upgrade without an interval between its steps. */
export const intervalRequired = defineRule({
  code: 'kuberay/interval-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade has no intervalSeconds, or one that is not above 0.',
  why:
    'intervalSeconds is the minimum time between two traffic steps. ' +
    'The API server refuses options without the field, and the operator refuses a value below 1.',
  fix: 'Set intervalSeconds to at least 1. The guide advises 60, so that both autoscalers can react to each step.',
  example: withUpgradeOption('intervalSeconds: 10', 'intervalSeconds: 0'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    missing: defineMessage<object>({
      text: () => `intervalSeconds is missing. ${API_SERVER_REJECTION_TEXT}`,
      help: () => HELP,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, ADVISED_SECONDS)),
      sample: {},
    }),
    notAboveZero: defineMessage<IntervalData>({
      text: ({ value, ...rejection }) =>
        `intervalSeconds is ${formatDisplayValue(value)}. ${formatOperatorRejection(rejection, 'intervalSeconds must be greater than 0')}`,
      help: () => HELP,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, ADVISED_SECONDS)),
      sample: { value: 0, ...SAMPLE_REJECTION },
    }),
  },
});

/**
 * Reports options without a valid interval. The API server refuses a missing interval with any type.
 * The operator refuses 0, but only with the type that reads it.
 */
export function checkIntervalRequired(service: ParsedRayService, { intervalSeconds }: Fields): Finding[] {
  const path = toFieldPath`${service.paths.options}.intervalSeconds`;
  if ((intervalSeconds ?? undefined) === undefined) return [intervalRequired.createFinding('missing', { path, data: {} })];
  if (service.type !== INCREMENTAL_UPGRADE || (typeof intervalSeconds === 'number' && intervalSeconds > 0)) return [];
  return [
    intervalRequired.createFinding('notAboveZero', {
      path,
      data: { value: toDisplayValue(intervalSeconds), ...operatorRejectionOf(service) },
    }),
  ];
}
