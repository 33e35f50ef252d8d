import { REDACTED_VALUE } from '../change';
import { defineMessage, defineRule } from '../finding';
import type { Finding, Source } from '../finding';
import { describeType } from '../field-type';
import { getProblemFieldName } from '../schema';
import type { ProblemOf } from '../schema';
import { toDisplayValue, formatDisplayValue } from '../display-value';
import type { DisplayValue } from '../display-value';

/** What becomes of what holds the field. */
const OUTCOME_TEXTS = {
  refused: 'here and refuses the whole object',
  'file-unread': 'here and fails to read the file',
  'left-out': 'here: the plan leaves it out',
} as const;

interface FieldData {
  readonly field: string;
  /** The kind of the object, where the finding stands apart from it. */
  readonly kind?: string;
  readonly value: DisplayValue;
  /** The type that it wants, as a message names it: `a whole number`. */
  readonly expectedType: string;
  /** Who reads it. @default the API */
  readonly reader?: string;
  /** What becomes of what holds the field. @default refused */
  readonly outcome?: keyof typeof OUTCOME_TEXTS;
  /** Who writes the Deployment that is refused for it: `the operator`; absent where the object itself is. */
  readonly writer?: string;
}

function formatOutcome({ outcome = 'refused', writer }: FieldData): string {
  return writer === undefined ? OUTCOME_TEXTS[outcome] : `in the Deployment that ${writer} writes, and refuses that Deployment`;
}

/** A field of another type than its reader wants. */
export const wrongType = defineRule({
  code: 'input/wrong-type',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'An object of a known kind has a field of a type other than the API wants: `spec: null`, a number as name. ' +
    'A warning for an annotation `rolloutkit/startup-seconds` that is not a number of seconds.',
  why:
    'The API server cannot decode such an object and refuses it whole. To the API server every annotation is text, ' +
    'so nothing but the plan reads how long a pod takes to start, and it passes over what it cannot read.',
  fix: 'Write a value of the type that the message names; quote a number or a boolean that is meant as a string.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: 2024
spec:
  replicas: 3
  selector:
    matchLabels:
      app: 2024
  template:
    metadata:
      labels:
        app: 2024
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: "2024"
spec:
  replicas: 3
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
    field: defineMessage<FieldData>({
      text: (data) => {
        const { field, kind, value, expectedType: wanted, reader = 'the API' } = data;
        return `${field}${kind === undefined ? '' : ` of a ${kind}`} is ${formatDisplayValue(value)}, but ${reader} wants ${wanted} ${formatOutcome(data)}.`;
      },
      help: ({ expectedType: wanted }) => `Write ${wanted}.`,
      sample: { field: 'name', value: 2024, expectedType: 'a string' },
      variants: [{ field: 'max_surge', value: true, expectedType: 'a whole number', writer: 'the operator' }],
    }),
  },
});

/** What else is known of a field of another type. */
export interface WrongTypeOccurrence extends Pick<FieldData, 'kind' | 'reader' | 'outcome' | 'writer'> {
  /** As the object has it. @default - as it is read */
  readonly originalValue?: unknown;
  /** @default - where the path stands in the object that the rollout is of */
  readonly source?: Source;
}

/** Says of a field that its value has another type. */
export function createWrongTypeFinding(problem: Omit<ProblemOf<'wrong-type'>, 'kind'>, occurrence: WrongTypeOccurrence = {}): Finding {
  const { path, value, expected, isSecret } = problem;
  const { originalValue = value, source, ...extraData } = occurrence;
  const data = {
    field: getProblemFieldName(problem),
    value: isSecret ? { described: REDACTED_VALUE } : toDisplayValue(originalValue),
    expectedType: describeType(expected),
    ...extraData,
  };
  return wrongType.createFinding('field', { path, data, source });
}
