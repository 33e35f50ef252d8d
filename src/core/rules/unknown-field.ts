import { message, rule } from '../finding';

interface UnknownData {
  /** The map that has no such field, as a path: `spec.strategy`; empty for a whole file. */
  readonly holder: string;
  readonly field: string;
  /** Who drops it: `the API server`. */
  readonly reader: string;
  /** The known name that was likely meant. */
  readonly nearest?: string;
  readonly known: readonly string[];
}

interface TooNewData {
  readonly field: string;
  /** `Fleet`. */
  readonly product: string;
  /** As `--versions` names it: `fleet`. */
  readonly option: string;
  readonly version: string;
  readonly since: string;
}

/** What comes of a field that an earlier version drops, who drops it, and what else to do about it. */
const CONSEQUENCES = {
  'no-canary': { by: 'the API server', outcome: 'there will be no canary', instead: 'delete it' },
  'plain-name': { by: 'the API server', outcome: 'the Deployment is named without it', instead: 'delete it' },
  'no-defaults': {
    by: 'its parser',
    outcome: 'services without a strategy of their own get 25%/25%',
    instead: 'give each service a deploymentStrategy',
  },
} as const;

interface BeforeData {
  readonly field: string;
  readonly product: string;
  readonly since: string;
  readonly consequence: keyof typeof CONSEQUENCES;
}

interface OtherVersionData {
  readonly field: string;
  /** The object's, which lacks the field: `ray.io/v1alpha1`. */
  readonly apiVersion: string;
  /** One that has it: `ray.io/v1`. */
  readonly hasIt: string;
}

interface UnmergedData {
  /** The option, as a path in the customization: `helm.maxHistory`. */
  readonly field: string;
}

function advice({ nearest, known }: UnknownData): string {
  return nearest === undefined ? `Delete the field; known here: ${known.join(', ')}.` : `Write ${nearest}, or delete the field.`;
}

/** A field that its reader does not know and drops. */
export const unknownField = rule({
  code: 'input/unknown-field',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A strategy object holds a field that its consumer does not know and drops silently.',
  why:
    'The API server prunes unknown fields (kubectl warns of them at most), and a controller never sees them, so what was meant does not happen. ' +
    'Looked for where a rollout is configured: Deployment, StatefulSet, DaemonSet and deploymentStrategy objects, rolloutStrategy, fleet.yaml, and `spec.canary` before KServe 0.20.',
  fix: 'Write the field as the API spells it, or delete it.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      max_surge: 1
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate:
      maxSurge: 1
`,
  messages: {
    unknown: message<UnknownData>({
      text: ({ holder, field, reader }) => `${holder} has no field "${field}"; ${reader} drops it, so it has no effect.`,
      help: advice,
      sample: {
        holder: 'spec.strategy.rollingUpdate',
        field: 'max_surge',
        reader: 'the API server',
        nearest: 'maxSurge',
        known: ['maxSurge', 'maxUnavailable'],
      },
    }),
    inFile: message<UnknownData>({
      text: ({ field, reader }) => `${reader} knows no field "${field}" here and drops it in silence.`,
      help: advice,
      sample: { holder: '', field: 'rolloutStrateg', reader: 'Fleet', nearest: 'rolloutStrategy', known: ['rolloutStrategy', 'helm'] },
    }),
    tooNew: message<TooNewData>({
      text: ({ product, version, field, since }) =>
        `${product} ${version} does not know ${field}, which came with ${since}, and drops it in silence.`,
      help: ({ product, since, option }) => `Delete the field, or plan for ${product} ${since} or later: --versions ${option}=${since}.`,
      sample: { field: 'maxNew', product: 'Fleet', option: 'fleet', version: '0.15', since: '0.16' },
    }),
    otherVersion: message<OtherVersionData>({
      text: ({ field, apiVersion }) => `${apiVersion} has no field ${field}; the API server drops it, so it has no effect.`,
      help: ({ hasIt }) => `Write apiVersion: ${hasIt}, which has it, or delete the field.`,
      sample: { field: 'upgradeStrategy', apiVersion: 'ray.io/v1alpha1', hasIt: 'ray.io/v1' },
    }),
    unmerged: message<UnmergedData>({
      text: ({ field }) => `Fleet does not merge ${field} of a customization and drops it in silence.`,
      help: ({ field }) => `Set ${field} for the whole bundle, or delete it here.`,
      sample: { field: 'helm.maxHistory' },
    }),
    before: message<BeforeData>({
      text: ({ product, since, field, consequence }) => {
        const { by, outcome } = CONSEQUENCES[consequence];
        return `${product} before ${since} has no ${field}; ${by} drops it: ${outcome}.`;
      },
      help: ({ product, since, consequence }) => `Upgrade to ${product} ${since} or later, or ${CONSEQUENCES[consequence].instead}.`,
      sample: { field: 'spec.canary', product: 'KServe', since: '0.20', consequence: 'no-canary' },
      variants: [
        { field: 'spec.predictor.name', product: 'KServe', since: '0.20', consequence: 'plain-name' },
        { field: 'deploymentRolloutStrategy', product: 'KServe', since: '0.16', consequence: 'no-defaults' },
      ],
    }),
  },
});
