import { REDACTED_VALUE } from '../document/change';
import { getFieldName } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { describeType } from '../values/field-type';
import { normalizeQuantity } from '../values/normalize-quantity';
import { getProblemFieldName } from '../values/schema';
import type { ProblemOf } from '../values/schema';
import { toDisplayValue, formatDisplayValue } from '../text/display-value';
import type { DisplayValue } from '../text/display-value';

/** Consequences of the wrong type for the object or file that contains the field. */
const OUTCOME_TEXTS = {
  refused: 'here and refuses the entire object',
  'file-unread': 'here and fails to read the file',
  'left-out': 'here: the plan ignores the value',
} as const;

interface FieldData {
  readonly field: string;
  /** Kind of the object, if the message must name it. */
  readonly kind?: string;
  readonly value: DisplayValue;
  /** Required type, as a message names it: `a whole number`. */
  readonly expectedType: string;
  /** Reader of the field. @default the API */
  readonly reader?: string;
  /** Consequence for the object or file that contains the field. @default refused */
  readonly outcome?: keyof typeof OUTCOME_TEXTS;
  /** Writer of the Deployment that is refused because of the field: `the operator`; absent if the object itself is refused. */
  readonly writer?: string;
}

function formatOutcome({ outcome = 'refused', writer }: FieldData): string {
  return writer === undefined ? OUTCOME_TEXTS[outcome] : `in the Deployment that ${writer} writes, and refuses that Deployment`;
}

/** The messageId of the finding about a number that JSON cannot represent. */
export const NOT_FINITE_ID = 'notFinite';

/** A field of a type other than its reader requires. */
export const wrongType = defineRule({
  code: 'input/wrong-type',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'An object of a known kind has a field of a type other than the API requires, such as `spec: null` or a number as name, or an object of any kind has `.nan` or `.inf`.',
  why:
    'The API server cannot decode such an object and refuses it. ' +
    'An annotation `rolloutkit/startup-seconds` that is not a number of seconds is a warning: to the API server every annotation is text. ' +
    'Only the plan reads how long a pod takes to start, and it ignores a value that it cannot read.',
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
        const { field, kind, value, expectedType, reader = 'the API' } = data;
        return `${field}${kind === undefined ? '' : ` of a ${kind}`} is ${formatDisplayValue(value)}, but ${reader} requires ${expectedType} ${formatOutcome(data)}.`;
      },
      help: ({ expectedType }) => `Write ${expectedType}.`,
      sample: { field: 'name', value: 2024, expectedType: 'a string' },
      variants: [{ field: 'max_surge', value: true, expectedType: 'a whole number', writer: 'the operator' }],
    }),
    [NOT_FINITE_ID]: defineMessage<{ readonly field: string }>({
      text: ({ field }) =>
        `${field} is infinite or not a number, which JSON cannot represent: kubectl fails at this document and applies nothing of it.`,
      help: () => 'Write a number, or quote the value if it is meant as a string.',
      sample: { field: 'weight' },
    }),
  },
});

/** Creates the finding for a number that JSON cannot represent. */
export function createNotFiniteFinding(path: FieldPath, source: Source): Finding {
  return wrongType.createFinding(NOT_FINITE_ID, { path, data: { field: getFieldName(path) }, source });
}

/** Further facts about a field of the wrong type. */
export interface WrongTypeOccurrence extends Pick<FieldData, 'kind' | 'reader' | 'outcome' | 'writer'> {
  /** Value as written in the object. @default - the value as parsed */
  readonly originalValue?: unknown;
  /** @default - the location of the path in the object of the rollout */
  readonly source?: Source;
}

/** Describes the required type. If a fraction is refused as a number, the description is the quantity to write. */
function describeExpectedType({ value, expected }: Pick<ProblemOf<'wrong-type'>, 'value' | 'expected'>): string {
  const quantity = expected === 'whole-quantity' && typeof value === 'number' ? normalizeQuantity(value, true) : undefined;
  return typeof quantity === 'string' ? `a whole number or a quantity in quotes such as "${quantity}"` : describeType(expected);
}

/** Creates the finding for a field whose value has the wrong type. */
export function createWrongTypeFinding(problem: Omit<ProblemOf<'wrong-type'>, 'kind'>, occurrence: WrongTypeOccurrence = {}): Finding {
  const { path, value, isSecret } = problem;
  const { originalValue = value, source, ...extraData } = occurrence;
  const data = {
    field: getProblemFieldName(problem),
    value: isSecret ? { described: REDACTED_VALUE } : toDisplayValue(originalValue),
    expectedType: describeExpectedType(problem),
    ...extraData,
  };
  return wrongType.createFinding('field', { path, data, source });
}
