import { intOrPercentFindings } from '../../../cluster/refusals';
import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import { childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { isLeftOut } from '../../deployment/validation';
import { filledLimits } from '../../rolling-limits';
import { DEFAULT_ROLLING_UPDATE } from '../strategy';

interface LimitsData {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
}

interface BothSetData extends LimitsData {
  /** Was maxUnavailable left out, so that its default stands there? */
  readonly isDefault: boolean;
}

/** What the API server refuses in the two limits of a DaemonSet. */
export const invalidDaemonSet = partOf(invalidStrategy, {
  daemonsBothZero: message<LimitsData>({
    text: ({ maxSurge, maxUnavailable }) =>
      `maxUnavailable is ${show(maxUnavailable)} and maxSurge is ${show(maxSurge)}, which the API server refuses: cannot be 0 when maxSurge is 0.`,
    help: () => 'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1 beside maxUnavailable: 0 to keep every node served.',
    sample: { maxSurge: 0, maxUnavailable: 0 },
  }),
  daemonsBothSet: message<BothSetData>({
    text: ({ maxSurge, maxUnavailable, isDefault }) =>
      `maxSurge is ${show(maxSurge)} and maxUnavailable ${isDefault ? `is ${show(maxUnavailable)}, its default` : show(maxUnavailable)}, ` +
      'which the API server refuses in a DaemonSet: may not be set when maxUnavailable is non-zero.',
    help: () => 'Write maxUnavailable: 0 beside maxSurge, or delete maxSurge.',
    sample: { maxSurge: 1, maxUnavailable: 1, isDefault: true },
  }),
});

/**
 * Exactly one of the limits has to be above 0, with the defaults filled in: maxSurge alone meets the default 1 of maxUnavailable.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go, `ValidateRollingUpdateDaemonSet`.
 */
export function limitsFindings(rollingUpdate: Fields, path: FieldPath): Finding[] {
  const { maxSurge, maxUnavailable } = filledLimits<unknown>(rollingUpdate, DEFAULT_ROLLING_UPDATE);
  const surgePath = childPath(path, 'maxSurge');
  const unavailablePath = childPath(path, 'maxUnavailable');
  const malformed = [
    ...intOrPercentFindings({ path: unavailablePath, value: maxUnavailable }, 'at most 100%'),
    ...intOrPercentFindings({ path: surgePath, value: maxSurge }, 'at most 100%'),
  ];
  const data = { maxSurge: seen(maxSurge), maxUnavailable: seen(maxUnavailable) };
  if (isSet(maxSurge) && isSet(maxUnavailable)) {
    const isDefault = isLeftOut(rollingUpdate.maxUnavailable);
    return [...malformed, invalidDaemonSet.finding('daemonsBothSet', { path: surgePath, data: { ...data, isDefault } })];
  }
  if (malformed.length > 0 || !isIntOrPercent(maxSurge) || !isIntOrPercent(maxUnavailable)) return malformed;
  if (!isLiteralZero(maxSurge) || !isLiteralZero(maxUnavailable)) return [];
  return [invalidDaemonSet.finding('daemonsBothZero', { path: unavailablePath, data })];
}

/** Is a limit meant to be something else than 0, well written or not? A value that says nothing of the kind counts as 0. */
function isSet(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number' && value !== 0;
  return /^(?:[+-]?[0-9]+|[0-9]+%)$/.test(value) && Number.parseInt(value, 10) !== 0;
}
