import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isDigitString, isInt32 } from '../../../core/values/int-or-percent';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { parseQuotedNumber } from '../strategy';

interface QuotedData {
  readonly field: string;
  /** The digits between the quotes. */
  readonly value: DisplayValue;
  readonly number: number;
}

/** Reports a quoted number that the operator reads as a number. */
export const bawQuotedInteger = defineRule({
  code: 'baw/quoted-integer',
  since: '0.1.0',
  severity: 'info',
  fires:
    "The strategy of an operator's custom resource has a quoted number, which the operator reads as a number. " +
    'It does not fire for limits of a resource with the annotation `rolloutkit/numbers: quoted`, which OperatorRollingUpdate writes.',
  why:
    'IBM\'s page shows `max_surge: "1"`. The operator converts it to the number 1 in the Deployment that it writes, ' +
    'so the resource is valid. In a Deployment the same string is refused (kubernetes/quoted-integer), ' +
    'which matters if you copy the value there.',
  fix: 'No change is needed. Without quotes the value means the same in both resources.',
  example: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rolling_update:
      max_surge: "1"
      max_unavailable: "99%"
`,
  fixedExample: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rolling_update:
      max_surge: 1
      max_unavailable: "99%"
`,
  messages: {
    accepted: defineMessage<QuotedData>({
      text: ({ field, value, number }) =>
        `${field} is the quoted number ${formatDisplayValue(value)}: it is valid in this resource, where the operator reads it as ${number}, but it would be refused in a Deployment.`,
      help: ({ number }) => `Keep it, or write ${number} without quotes. If you copy it into a Deployment, write it without quotes.`,
      sample: { field: 'max_surge', value: '1', number: 1 },
    }),
  },
});

/** Returns one finding per field with a quoted number. */
export function checkBawQuotedInteger(holder: Fields, holderPath: FieldPath, fields: readonly string[]): Finding[] {
  return fields.flatMap((field) => {
    const value = holder[field];
    const number = parseQuotedNumber(value);
    if (!isDigitString(value) || !isInt32(number) || number < 0) return [];
    return [
      bawQuotedInteger.createFinding('accepted', {
        path: appendToPath(holderPath, field),
        data: { field, value: toDisplayValue(value), number },
      }),
    ];
  });
}
