import { fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding, Message } from '../../core/finding';
import { MAX_INT32, isDigitString, isInt32, isPercentString, percentOf } from '../../core/int-or-percent';
import { describeType } from '../../core/field-type';
import { inside, pathOf } from '../../core/place';
import type { Place } from '../../core/place';
import { nameOfField } from '../../core/schema';
import type { ProblemOf } from '../../core/schema';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { ofEach } from '../../core/together';
import { refusedBy, refuser } from '../refuser';
import type { Refused } from '../refuser';

/** A field and the value that is refused. */
export interface ValueData extends Refused {
  readonly field: string;
  readonly value: Seen;
}

const NOT_A_PERCENT = "a valid percent string must be a numeric string followed by an ending '%'";
const TOO_LARGE = `it does not fit into 32 bits (at most ${MAX_INT32})`;

/** `replicas is -1, which the API server refuses: …` */
export function refusedText({ field, value, ...refused }: ValueData, reason: string): string {
  return `${field} is ${show(value)}, which ${refuser(refused)}: ${reason}.`;
}

/** A value that is refused for a reason that is always the same. */
export function refusedValue(reason: string, help: string, sample: ValueData): Message<ValueData> {
  return message({ text: (data) => refusedText(data, reason), help: () => help, sample });
}

interface WantedData extends ValueData {
  /** What the field takes, as a message names it: `a whole number`. */
  readonly wanted: string;
}

interface FieldValueData {
  readonly field: string;
  readonly value: Seen;
}

/** What the API server refuses in a strategy, or in a number around it. Here stands what it says of any number; each kind says the rest. */
export const invalidStrategy = rule({
  code: 'kubernetes/invalid-strategy',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'The API server refuses a value of the strategy, or one of the numbers around it.',
  why:
    'Its rules: maxSurge and maxUnavailable are whole numbers of at least 0 or percentages, not both 0, maxUnavailable at most 100%; ' +
    'a DaemonSet has exactly one of them above 0, and maxUnavailable is 1 where it is left out; ' +
    'Recreate takes no `rollingUpdate`, and neither does OnDelete of a StatefulSet; the type is one of those it knows; ' +
    'progressDeadlineSeconds is above minReadySeconds; replicas and the other counts are at least 0. Numbers are int32: ' +
    'no fraction, nothing above 2147483647. A HorizontalPodAutoscaler has a maxReplicas, at least 1 and not below minReplicas; ' +
    'a budget has one of minAvailable and maxUnavailable. A warning for minReplicas 0 where only an alpha gate allows it, ' +
    'before Kubernetes 1.37. Source: validation.go of pkg/apis/apps, autoscaling and policy of Kubernetes.',
  fix: 'Write a value that the message allows.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 0
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
      maxUnavailable: 0
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
    notPercent: refusedValue(NOT_A_PERCENT, 'Write a whole number such as 1, or a percentage such as "25%".', {
      field: 'maxSurge',
      value: 'a quarter',
    }),
    negative: refusedValue('must be greater than or equal to 0', 'Write a whole number of at least 0.', { field: 'replicas', value: -1 }),
    aboveHundredPercent: refusedValue('must not be greater than 100%', 'Write a percentage from "0%" to "100%".', {
      field: 'maxUnavailable',
      value: '120%',
    }),
    tooLarge: message<WantedData>({
      text: (data) => refusedText(data, TOO_LARGE),
      help: ({ wanted }) => `Write ${wanted}.`,
      sample: { field: 'replicas', value: 3_000_000_000, wanted: 'a whole number' },
    }),
    fraction: message<WantedData>({
      text: (data) => refusedText(data, 'it is not a whole number'),
      help: ({ wanted }) => `Write ${wanted}.`,
      sample: { field: 'replicas', value: 1.5, wanted: 'a whole number' },
    }),
    uncountable: message<FieldValueData>({
      text: ({ field, value }) =>
        `${field} is ${show(value)}, which the API server stores, but the Deployment controller cannot count so many pods: ${TOO_LARGE}.`,
      help: () => 'Write a percentage such as "25%".',
      sample: { field: 'maxSurge', value: '99999999999%' },
    }),
  },
});

/** A value, where it stands, and who refuses it. */
export interface JudgedValue extends Refused {
  readonly path: Place;
  /** As it is read: an operator reads a number in quotes as a number. */
  readonly value: unknown;
  /** As the object has it. @default - as it is read */
  readonly written?: unknown;
}

function valueData({ path, value, written = value, ...refused }: JudgedValue): ValueData {
  return { field: fieldName(pathOf(path)), value: seen(written), ...refusedBy(refused) };
}

/** A number that no int32 is, where one is wanted; undefined for any other value. @param written the value as the object has it */
export function notInt32Finding(
  problem: Omit<ProblemOf<'wrong-type'>, 'kind'>,
  written: unknown = problem.value,
  refused: Refused = {},
): Finding | undefined {
  const { path, value, expected } = problem;
  if ((expected !== 'int32' && expected !== 'int-or-percent') || typeof value !== 'number') return undefined;
  const data = { field: nameOfField(problem), value: seen(written), wanted: describeType(expected), ...refusedBy(refused) };
  const isWhole = Number.isInteger(value) || isDigitString(written);
  return invalidStrategy.finding(isWhole ? 'tooLarge' : 'fraction', { path, data });
}

/** A count that must not be negative. A value that is not an int32 passes: its type is a finding of its own. */
export function negativeFindings(judged: JudgedValue): Finding[] {
  const { path, value } = judged;
  return isInt32(value) && value < 0 ? [invalidStrategy.finding('negative', { path: pathOf(path), data: valueData(judged) })] : [];
}

/** Fields of one map that must not be negative. */
export function negativeFields(fields: Readonly<Record<string, unknown>>, names: readonly string[], path: FieldPath): readonly Finding[] {
  return ofEach(names, (name) => negativeFindings({ path: inside(path, name), value: fields[name] }));
}

/** What is refused in a text that is meant as a percentage. */
export function percentFindings(value: string, judged: JudgedValue, range?: 'at most 100%'): Finding[] {
  const found = (messageId: 'notPercent' | 'aboveHundredPercent' | 'uncountable') => [
    invalidStrategy.finding(messageId, { path: pathOf(judged.path), data: valueData(judged) }),
  ];
  if (!isPercentString(value)) return found('notPercent');
  if (range && percentOf(value) > 100) return found('aboveHundredPercent');
  return percentOf(value) > MAX_INT32 ? found('uncountable') : [];
}
