import { checkIntOrPercent } from '../../../cluster/rules/type-errors';
import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { isUnset } from '../../deployment/validation';
import { applyLimitDefaults } from '../../default-limits';
import { DEFAULT_DAEMON_SET_ROLLING_UPDATE } from '../strategy';

interface LimitsData {
  readonly maxSurge: DisplayValue;
  readonly maxUnavailable: DisplayValue;
}

interface BothSetData extends LimitsData {
  /** Whether maxUnavailable is not set, so that it has its default. */
  readonly isDefault: boolean;
}

/** Reports limits of a DaemonSet that the API server refuses. */
export const daemonSetInvalidStrategy = extendRule(invalidStrategy, {
  daemonsBothZero: defineMessage<LimitsData>({
    text: ({ maxSurge, maxUnavailable }) =>
      `maxUnavailable is ${formatDisplayValue(maxUnavailable)} and maxSurge is ${formatDisplayValue(maxSurge)}, which the API server refuses: cannot be 0 when maxSurge is 0.`,
    help: () =>
      'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1 and maxUnavailable: 0 to keep an available pod on every node.',
    sample: { maxSurge: 0, maxUnavailable: 0 },
  }),
  daemonsBothSet: defineMessage<BothSetData>({
    text: ({ maxSurge, maxUnavailable, isDefault }) =>
      `maxSurge is ${formatDisplayValue(maxSurge)} and maxUnavailable ${isDefault ? `is ${formatDisplayValue(maxUnavailable)}, its default` : formatDisplayValue(maxUnavailable)}, ` +
      'which the API server refuses in a DaemonSet: may not be set when maxUnavailable is non-zero.',
    help: () => 'Write maxUnavailable: 0 in addition to maxSurge, or delete maxSurge.',
    sample: { maxSurge: 1, maxUnavailable: 1, isDefault: true },
  }),
});

/**
 * Validates that exactly one of the limits is above 0 once defaults are filled in.
 * A maxSurge without maxUnavailable is refused, because maxUnavailable defaults to 1.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go, `ValidateRollingUpdateDaemonSet`.
 */
export function validateDaemonSetLimits(rollingUpdate: Fields, path: FieldPath): Finding[] {
  const { maxSurge, maxUnavailable } = applyLimitDefaults<unknown>(rollingUpdate, DEFAULT_DAEMON_SET_ROLLING_UPDATE);
  const surgePath = appendToPath(path, 'maxSurge');
  const unavailablePath = appendToPath(path, 'maxUnavailable');
  const malformed = [
    ...checkIntOrPercent({ path: unavailablePath, value: maxUnavailable }, 'at most 100%'),
    ...checkIntOrPercent({ path: surgePath, value: maxSurge }, 'at most 100%'),
  ];
  const data = { maxSurge: toDisplayValue(maxSurge), maxUnavailable: toDisplayValue(maxUnavailable) };
  if (isNonZeroLimit(maxSurge) && isNonZeroLimit(maxUnavailable)) {
    const isDefault = isUnset(rollingUpdate.maxUnavailable);
    return [...malformed, daemonSetInvalidStrategy.createFinding('daemonsBothSet', { path: surgePath, data: { ...data, isDefault } })];
  }
  if (malformed.length > 0 || !isIntOrPercent(maxSurge) || !isIntOrPercent(maxUnavailable)) return malformed;
  if (!isLiteralZero(maxSurge) || !isLiteralZero(maxUnavailable)) return [];
  return [daemonSetInvalidStrategy.createFinding('daemonsBothZero', { path: unavailablePath, data })];
}

/** Reports whether the API server reads a limit as non-zero, even if it is malformed. Text that is no number or percentage counts as 0. */
function isNonZeroLimit(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number' && value !== 0;
  return /^(?:[+-]?[0-9]+|[0-9]+%)$/.test(value) && Number.parseInt(value, 10) !== 0;
}
