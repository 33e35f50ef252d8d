import { appendToPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isDigitString, isInt32 } from '../../../core/int-or-percent';
import type { Fields } from '../../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { parseQuotedNumber } from '../strategy';

interface QuotedData {
  readonly field: string;
  /** The digits between the quotes. */
  readonly value: DisplayValue;
  readonly number: number;
}

/** A number in quotes that the operator reads as a number. */
export const bawQuotedInteger = defineRule({
  code: 'baw/quoted-integer',
  since: '0.1.0',
  severity: 'info',
  fires: "A number stands in quotes in the strategy of an operator's custom resource; the operator reads it as a number.",
  why:
    'IBM\'s page writes `max_surge: "1"`. The operator turns it into the number 1 in the Deployment that it writes, ' +
    'so the resource is fine as it is. In a Deployment the same text is refused (kubernetes/quoted-integer), ' +
    'which matters to whoever copies it there.',
  fix: 'Nothing has to change. Without quotes the value means the same in both places.',
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
        `${field} is ${formatDisplayValue(value)}, a number in quotes: fine in this resource, where the operator reads it as ${number}; a Deployment with it would be refused.`,
      help: ({ number }) => `Leave it, or write ${number} without quotes; write it without quotes wherever you copy it into a Deployment.`,
      sample: { field: 'max_surge', value: '1', number: 1 },
    }),
  },
});

/** One finding for each of these fields that has a number in quotes. */
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
