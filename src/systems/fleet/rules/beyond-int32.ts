import { fieldName } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';

interface NumberData {
  readonly field: string;
  readonly value: Seen;
}

/** A limit that the API server stores, and that Fleet's own types can't hold. */
export const beyondFleet = partOf(wrongType, {
  beyondInt32: message<NumberData>({
    text: ({ field, value }) =>
      `${field} is ${show(value)}, beyond 32 bits. The API server stores it, for the CRD sets no bounds; ` +
      "then Fleet's controller can't decode it, and fails to list any Bundle at all, this one and every other.",
    help: () => 'Write a smaller number, or a percentage such as "25%".',
    sample: { field: 'maxUnavailable', value: 3_000_000_000 },
  }),
});

/** Source: rancher/fleet v0.16.1 crds.yaml (x-kubernetes-int-or-string without bounds); apimachinery `intstr.IntOrString`, an int32. */
export function beyondInt32Finding(path: FieldPath, value: number): Finding {
  return beyondFleet.finding('beyondInt32', { path, data: { field: fieldName(path), value: seen(value) } });
}
