import { getFieldName } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';

interface NumberData {
  readonly field: string;
  readonly value: DisplayValue;
}

/** Rule about a limit that the API server stores but that overflows Fleet's own types. */
export const fleetInt32Overflow = extendRule(wrongType, {
  int32Overflow: defineMessage<NumberData>({
    text: ({ field, value }) =>
      `${field} is ${formatDisplayValue(value)}, which does not fit into 32 bits. The API server stores it because the CRD sets no bounds. ` +
      "Fleet's controller then can't decode it and fails to list this Bundle and every other one.",
    help: () => 'Use a smaller number, or a percentage such as "25%".',
    sample: { field: 'maxUnavailable', value: 3_000_000_000 },
  }),
});

/**
 * Creates the finding.
 *
 * Source: rancher/fleet v0.16.1 crds.yaml (x-kubernetes-int-or-string without bounds); apimachinery `intstr.IntOrString`, an int32.
 */
export function createFleetInt32OverflowFinding(path: FieldPath, value: number): Finding {
  return fleetInt32Overflow.createFinding('int32Overflow', { path, data: { field: getFieldName(path), value: toDisplayValue(value) } });
}
