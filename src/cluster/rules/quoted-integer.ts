import { byChoice, plainly, set } from '../../core/advice';
import type { Advice } from '../../core/advice';
import { fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { MAX_INT32, isDigitString, isInt32 } from '../../core/int-or-percent';
import { nameOfField } from '../../core/schema';
import type { ProblemOf } from '../../core/schema';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { refusedBy, refuser } from '../refuser';
import type { Refused } from '../refuser';

interface QuotedData extends Refused {
  readonly field: string;
  /** The digits between the quotes. */
  readonly value: Seen;
}

interface TooLongData extends QuotedData {
  readonly digits: number;
  /** May a percentage stand there? */
  readonly takesPercent: boolean;
}

/** The number in quotes, where it can be meant. */
function meant(value: Seen): number | undefined {
  const digits = typeof value === 'string' ? Number(value) : undefined;
  return isInt32(digits) && digits >= 0 ? digits : undefined;
}

/** The number to write. */
function number(value: Seen): string {
  return String(meant(value) ?? 'a whole number of at least 0');
}

function isDigit(value: Seen): boolean {
  return typeof value === 'string' && value.length === 1;
}

function unquoting(value: Seen, path: FieldPath, isSure: boolean): Advice | undefined {
  const written = meant(value);
  if (written === undefined) return undefined;
  return isSure ? plainly(set(path, written)) : byChoice(set(path, written));
}

/** A number in quotes where the API server takes no string, or a percentage alone. */
export const quotedInteger = rule({
  code: 'kubernetes/quoted-integer',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A number stands in quotes where the API server wants a whole number, or a whole number or a percentage; ' +
    'or without quotes and with more than 308 digits, which YAML reads as text.',
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
        `${field} is ${show(value)}, a number in quotes, which ${refuser(refused)}: this field takes a whole number and no string.`,
      help: ({ value }) => `Write ${number(value)} without quotes.`,
      advice: ({ value }, path) => unquoting(value, path, true),
      sample: { field: 'replicas', value: '2' },
      variants: [{ field: 'replicas', value: '-1', writer: 'the operator' }],
    }),
    numberOrPercent: message<QuotedData>({
      text: ({ field, value, ...refused }) =>
        `${field} is ${show(value)}, a number in quotes, which ${refuser(refused)}: a valid percent string must be a numeric string followed by an ending '%'.`,
      help: ({ value }) => `Write ${number(value)} without quotes, or a percentage such as "25%".`,
      // "1" is a number of pods; "25" may be a percentage that has lost its sign.
      advice: ({ value }, path) => unquoting(value, path, isDigit(value)),
      sample: { field: 'maxSurge', value: '1' },
      variants: [{ field: 'maxSurge', value: '-1', writer: 'the operator' }],
    }),
    tooLong: message<TooLongData>({
      text: ({ field, value, digits, ...refused }) =>
        `${field} is a text of ${digits} digits, ${show(value)}, which ${refuser(refused)}: no number is so long, with quotes or without.`,
      help: ({ takesPercent }) => `Write a whole number of at most ${MAX_INT32}${takesPercent ? ', or a percentage such as "25%"' : ''}.`,
      sample: { field: 'replicas', value: { described: '"999…"' }, digits: 400, takesPercent: false },
      variants: [{ field: 'maxSurge', value: { described: '"999…"' }, digits: 400, takesPercent: true }],
    }),
  },
});

/** Beyond 64-bit floats digits are text for kubectl even without quotes. */
function tooLongFinding(field: string, path: FieldPath, value: string, takesPercent: boolean, refused: Refused): Finding | undefined {
  if (Number.isFinite(Number(value))) return undefined;
  const digits = value.length - (/^[+-]/.test(value) ? 1 : 0);
  return quotedInteger.finding('tooLong', { path, data: { field, value: seen(value), digits, takesPercent, ...refusedBy(refused) } });
}

/** A number in quotes where a whole number is wanted; undefined for any other value. */
export function quotedNumberFinding(problem: Omit<ProblemOf<'wrong-type'>, 'kind'>, refused: Refused = {}): Finding | undefined {
  const { path, value, expected } = problem;
  if ((expected !== 'int32' && expected !== 'int64') || !isDigitString(value)) return undefined;
  const field = nameOfField(problem);
  return (
    tooLongFinding(field, path, value, false, refused) ??
    quotedInteger.finding('number', { path, data: { field, value: seen(value), ...refusedBy(refused) } })
  );
}

/** A number in quotes where a whole number or a percentage is wanted. */
export function quotedLimitFinding(path: FieldPath, value: string, refused: Refused = {}): Finding {
  const field = fieldName(path);
  return (
    tooLongFinding(field, path, value, true, refused) ??
    quotedInteger.finding('numberOrPercent', { path, data: { field, value: seen(value), ...refusedBy(refused) } })
  );
}
