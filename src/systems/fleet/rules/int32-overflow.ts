import { getFieldName } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';

interface NumberData {
  readonly field: string;
  readonly value: DisplayValue;
}

/** A limit that the API server stores, and that Fleet's own types can't hold. */
export const fleetInt32Overflow = extendRule(wrongType, {
  int32Overflow: defineMessage<NumberData>({
    text: ({ field, value }) =>
      `${field} is ${formatDisplayValue(value)}, beyond 32 bits. The API server stores it, for the CRD sets no bounds; ` +
      "then Fleet's controller can't decode it, and fails to list any Bundle at all, this one and every other.",
    help: () => 'Write a smaller number, or a percentage such as "25%".',
    sample: { field: 'maxUnavailable', value: 3_000_000_000 },
  }),
});

/** Source: rancher/fleet v0.16.1 crds.yaml (x-kubernetes-int-or-string without bounds); apimachinery `intstr.IntOrString`, an int32. */
export function createFleetInt32OverflowFinding(path: FieldPath, value: number): Finding {
  return fleetInt32Overflow.createFinding('int32Overflow', { path, data: { field: getFieldName(path), value: toDisplayValue(value) } });
}
