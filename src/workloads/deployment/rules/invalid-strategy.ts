import { toRejectionSourceData, formatRejectionSource } from '../../../cluster/rejections/rejection-source';
import type { RejectionSource } from '../../../cluster/rejections/rejection-source';
import { invalidStrategy, formatRejectedValue } from '../../../cluster/rules/invalid-strategy';
import type { CheckedValue, ValueData } from '../../../cluster/rules/invalid-strategy';
import type { StrategyFieldNames } from '../../../cluster/rollout/strategy-field-names';
import { toFieldPath, resolveLazyPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32, isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { DEPLOYMENT_DEFAULTS } from '../strategy';

interface BothZeroData extends RejectionSource {
  readonly maxSurge: DisplayValue;
  readonly maxUnavailable: DisplayValue;
  /** The field names that the object uses for the two limits. */
  readonly names: { readonly maxSurge: string; readonly maxUnavailable: string };
}

interface DeadlineData extends ValueData {
  readonly minReadySeconds: number;
}

/** Reports combinations of values that the API server refuses in a Deployment. */
export const deploymentInvalidStrategy = extendRule(invalidStrategy, {
  bothZero: defineMessage<BothZeroData>({
    text: ({ maxSurge, maxUnavailable, names, ...rejection }) =>
      `${names.maxUnavailable} is ${formatDisplayValue(maxUnavailable)} and ${names.maxSurge} is ${formatDisplayValue(maxSurge)}, which ${formatRejectionSource(rejection)}: ` +
      `${names.maxUnavailable} may not be 0 when \`${names.maxSurge}\` is 0.`,
    help: ({ names }) =>
      `Write ${names.maxUnavailable}: 1 to replace pods in place, or ${names.maxSurge}: 1 to keep every replica available.`,
    sample: { maxSurge: 0, maxUnavailable: 0, names: { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' } },
    variants: [
      {
        maxSurge: '0',
        maxUnavailable: '0%',
        names: { maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' },
        writer: 'the operator',
      },
    ],
  }),
  deadline: defineMessage<DeadlineData>({
    text: (data) => formatRejectedValue(data, `must be greater than minReadySeconds (it is ${data.minReadySeconds})`),
    help: ({ minReadySeconds }) => `Write a number above ${minReadySeconds} plus the seconds that a pod needs to become ready.`,
    sample: { field: 'progressDeadlineSeconds', value: 10, minReadySeconds: 30 },
  }),
});

/** Reports limits that are both 0, so that no pod could be replaced. @param names the field names that the object uses */
export function validateLimitsNotBothZero(maxSurge: CheckedValue, maxUnavailable: CheckedValue, names: StrategyFieldNames): Finding[] {
  const limits = [maxSurge, maxUnavailable];
  if (!limits.every(({ value }) => isIntOrPercent(value) && isLiteralZero(value))) return [];
  const [surge, unavailable] = limits.map(({ value, rawValue: specified = value }) => toDisplayValue(specified)) as [
    DisplayValue,
    DisplayValue,
  ];
  const data = { maxSurge: surge, maxUnavailable: unavailable, names, ...toRejectionSourceData(maxUnavailable) };
  return [deploymentInvalidStrategy.createFinding('bothZero', { path: resolveLazyPath(maxUnavailable.path), data })];
}

/** Reports a deadline that expires before any pod can become available. */
export function validateProgressDeadline(spec: Fields): Finding[] {
  const deadline = spec.progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds;
  const minReadySeconds = spec.minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds;
  if (!isInt32(deadline) || !isInt32(minReadySeconds) || deadline < 0 || deadline > minReadySeconds) return [];
  const data = { field: 'progressDeadlineSeconds', value: deadline, minReadySeconds };
  return [deploymentInvalidStrategy.createFinding('deadline', { path: toFieldPath`spec.progressDeadlineSeconds`, data })];
}
