import { byChoice, plainly, set } from '../../core/advice';
import type { Advice } from '../../core/advice';
import { fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { isDigitString, isInt32 } from '../../core/int-or-percent';
import { nameOfField } from '../../core/schema';
import type { ProblemOf } from '../../core/schema';
import { refusedBy, refuser } from '../refuser';
import type { Refused } from '../refuser';

interface QuotedData extends Refused {
  readonly field: string;
  /** The digits between the quotes. */
  readonly value: string;
}

/** The number in quotes, where it can be meant. */
function meant(value: string): number | undefined {
  const digits = Number(value);
  return isInt32(digits) && digits >= 0 ? digits : undefined;
}

/** The number to write. */
function number(value: string): string {
  return String(meant(value) ?? 'a whole number of at least 0');
}

function unquoting(value: string, path: FieldPath, isSure: boolean): Advice | undefined {
  const written = meant(value);
  if (written === undefined) return undefined;
  return isSure ? plainly(set(path, written)) : byChoice(set(path, written));
}

/** A number in quotes where the API server takes no string, or a percentage alone. */
export const quotedInteger = rule({
  code: 'kubernetes/quoted-integer',
  since: '0.1.0',
  severity: 'error',
  fires: 'A number stands in quotes where the API server wants a whole number, or a whole number or a percentage.',
  why:
    'The only string that maxSurge and maxUnavailable take is a percentage (`^[0-9]+%$`), ' +
    'and fields such as replicas take no string at all. The KServe and IBM guides print `"1"`: ' +
    'the API server refuses an object that has it from there, and a controller ' +
    'that copies it into a Deployment fails at every reconcile.',
  fix: 'Write the number without quotes, or a percentage with its sign.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: "1"
      maxUnavailable: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    number: message<QuotedData>({
      text: ({ field, value, ...refused }) =>
        `${field} is "${value}", a number in quotes, which ${refuser(refused)}: this field takes a whole number and no string.`,
      help: ({ value }) => `Write ${number(value)} without quotes.`,
      advice: ({ value }, path) => unquoting(value, path, true),
      sample: { field: 'replicas', value: '2' },
      variants: [{ field: 'replicas', value: '-1', writer: 'the operator' }],
    }),
    numberOrPercent: message<QuotedData>({
      text: ({ field, value, ...refused }) =>
        `${field} is "${value}", a number in quotes, which ${refuser(refused)}: a valid percent string must be a numeric string followed by an ending '%'.`,
      help: ({ value }) => `Write ${number(value)} without quotes, or a percentage such as "25%".`,
      // "1" is a number of pods; "25" may be a percentage that has lost its sign.
      advice: ({ value }, path) => unquoting(value, path, value.length === 1),
      sample: { field: 'maxSurge', value: '1' },
      variants: [{ field: 'maxSurge', value: '-1', writer: 'the operator' }],
    }),
  },
});

/** A number in quotes where a whole number is wanted; undefined for any other value. */
export function quotedNumberFinding(problem: Omit<ProblemOf<'wrong-type'>, 'kind'>, refused: Refused = {}): Finding | undefined {
  const { path, value, expected } = problem;
  if ((expected !== 'int32' && expected !== 'int64') || !isDigitString(value)) return undefined;
  return quotedInteger.finding('number', { path, data: { field: nameOfField(problem), value, ...refusedBy(refused) } });
}

/** A number in quotes where a whole number or a percentage is wanted. */
export function quotedLimitFinding(path: FieldPath, value: string, refused: Refused = {}): Finding {
  return quotedInteger.finding('numberOrPercent', { path, data: { field: fieldName(path), value, ...refusedBy(refused) } });
}
