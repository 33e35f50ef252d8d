import { message, rule } from '../finding';
import { show } from '../seen';
import type { Seen } from '../seen';
import { listed } from '../words';

/** What becomes of what holds the field. */
const OUTCOMES = {
  refused: 'here and refuses the whole object',
  'deployment-refused': 'in the Deployment that the operator writes, and refuses that Deployment',
  'file-unread': 'here and fails to read the file',
  'left-out': 'here: the plan leaves it out',
} as const;

interface FieldData {
  readonly field: string;
  /** The kind of the object, where the finding stands apart from it. */
  readonly kind?: string;
  readonly value: Seen;
  /** The type that it wants, as a message names it: `a whole number`. */
  readonly wanted: string;
  /** Who reads it. @default the API */
  readonly reader?: string;
  /** @default refused */
  readonly outcome?: keyof typeof OUTCOMES;
}

interface ChoiceData {
  readonly field: string;
  readonly value: Seen;
  readonly choices: readonly string[];
  /** Who refuses it. @default the API server */
  readonly by?: string;
}

interface DependencyData {
  /** Where it stands: `spec.dependsOn[1]`. */
  readonly dependency: string;
}

interface EntryData {
  /** The entry of the ConfigMap: `deploy`. */
  readonly entry: string;
  readonly value: Seen;
}

interface AnnotationData {
  readonly annotation: string;
  readonly value: Seen;
}

interface TokenData {
  readonly field: string;
}

/** A field of another type than its reader wants. */
export const wrongType = rule({
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
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: "2024"
spec:
  replicas: 3
`,
  messages: {
    field: message<FieldData>({
      text: ({ field, kind, value, wanted, reader = 'the API', outcome = 'refused' }) =>
        `${field}${kind === undefined ? '' : ` of a ${kind}`} is ${show(value)}, but ${reader} wants ${wanted} ${OUTCOMES[outcome]}.`,
      help: ({ wanted }) => `Write ${wanted}.`,
      sample: { field: 'name', value: 2024, wanted: 'a string' },
      variants: [{ field: 'max_surge', value: true, wanted: 'a whole number', outcome: 'deployment-refused' }],
    }),
    choice: message<ChoiceData>({
      text: ({ field, value, by = 'the API server' }) => `${field} is ${show(value)}, which ${by} refuses.`,
      help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
      sample: { field: 'targetCustomizationMode', value: 'allMatches', choices: ['FirstMatch', 'AllMatches'] },
    }),
    unnamedDependency: message<DependencyData>({
      text: ({ dependency }) => `${dependency} has neither name nor selector: Fleet refuses the bundle.`,
      help: () => 'Write the name of a bundle, or a selector of its labels.',
      sample: { dependency: 'spec.dependsOn[1]' },
    }),
    jsonText: message<EntryData>({
      text: ({ entry, value }) =>
        `${entry} is ${show(value)}, but a ConfigMap holds text alone, so the API server refuses the whole object.`,
      help: ({ entry }) => `Write the JSON as text: begin with \`${entry}: |-\`.`,
      sample: { entry: 'deploy', value: { described: 'a map' } },
    }),
    startupSeconds: message<AnnotationData>({
      text: ({ annotation, value }) => `${annotation} is ${show(value)}, which is not a number of seconds: the plan passes it over.`,
      help: () => 'Write seconds as a number in quotes, such as "120", or delete the annotation.',
      sample: { annotation: 'rolloutkit/startup-seconds', value: '2 minutes' },
    }),
    token: message<TokenData>({
      text: ({ field }) => `${field} is a token that is resolved at synth, but a Serve config is one text, which is written before that.`,
      help: () => 'Write the plain value.',
      sample: { field: 'serveConfig.applications[0].name' },
    }),
  },
});
