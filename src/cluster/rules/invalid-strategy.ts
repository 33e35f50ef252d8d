import { message, rule } from '../../core/finding';
import type { Message } from '../../core/finding';
import { MAX_INT32 } from '../../core/int-or-percent';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { listed } from '../../core/words';
import { refuser } from '../refuser';
import type { Refused } from '../refuser';

/** A field and the value that is refused. */
export interface ValueData extends Refused {
  readonly field: string;
  readonly value: Seen;
}

const NOT_A_PERCENT = "a valid percent string must be a numeric string followed by an ending '%'";
const TOO_LARGE = `it does not fit into 32 bits (at most ${MAX_INT32})`;

function refusedText({ field, value, by }: ValueData, reason: string): string {
  return `${field} is ${show(value)}, which ${refuser(by)}: ${reason}.`;
}

/** A value that is refused for a reason that is always the same. */
function refusedValue(reason: string, help: string, sample: ValueData): Message<ValueData> {
  return message({ text: (data) => refusedText(data, reason), help: () => help, sample });
}

interface WantedData extends ValueData {
  /** What the field takes, as a message names it: `a whole number`. */
  readonly wanted: string;
}

interface ChoiceData extends ValueData {
  /** The values that the field takes. */
  readonly choices: readonly string[];
}

interface BothZeroData extends Refused {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
  /** What the object calls the two. */
  readonly names: { readonly maxSurge: string; readonly maxUnavailable: string };
}

interface LimitsData {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
}

interface BothSetData extends LimitsData {
  /** Was maxUnavailable left out, so that its default stands there? */
  readonly isDefault: boolean;
}

interface StrayLimitsData extends Refused {
  /** What the object calls the limits: `rollingUpdate`. */
  readonly field: string;
  readonly type: 'Recreate' | 'OnDelete';
}

interface DeadlineData extends ValueData {
  readonly minReadySeconds: number;
}

interface GatedMinimumData {
  readonly version: string;
  /** The version that has the gate on. */
  readonly since: string;
}

interface RangeData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface BothLimitsData {
  readonly minAvailable: Seen;
  readonly maxUnavailable: Seen;
}

/** The forms of an intent: what they are called, and what to do with a field of another form. */
const FORMS = {
  mode: { described: 'a mode', advice: 'Write the ratio alone: a mode sets both limits.' },
  RollingUpdate: { described: 'type RollingUpdate', advice: 'Write maxSurge and maxUnavailable.' },
  Recreate: {
    described: 'type Recreate',
    advice: 'Delete it, or write type RollingUpdate: Recreate takes all pods down at once.',
  },
} as const;

interface StrayData {
  readonly field: string;
  readonly value: Seen;
  readonly form: keyof typeof FORMS;
  readonly known: readonly string[];
}

interface WordData {
  readonly value: Seen;
}

interface FieldValueData extends WordData {
  readonly field: string;
}

interface TwoLevelsData {
  /** The component of an InferenceService: `predictor`. */
  readonly component: string;
}

interface ZerosOfLevelsData extends TwoLevelsData {
  readonly limits: readonly { readonly field: string; readonly value: Seen; readonly layer: string }[];
}

interface WrongKindData {
  readonly policy: string;
  /** The kind that the policy is for. */
  readonly wanted: string;
  readonly kind: string;
  readonly name: string;
  readonly apiVersion: string;
  /** The policy for that kind, where there is one: `DeploymentPolicy.stateful`. */
  readonly fitting?: string;
}

/** What the API server refuses in a strategy, or in a number around it. */
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
    bothZero: message<BothZeroData>({
      text: ({ maxSurge, maxUnavailable, names, by }) =>
        `${names.maxUnavailable} is ${show(maxUnavailable)} and ${names.maxSurge} is ${show(maxSurge)}, which ${refuser(by)}: ` +
        `${names.maxUnavailable} may not be 0 when \`${names.maxSurge}\` is 0.`,
      help: ({ names }) =>
        `Write ${names.maxUnavailable}: 1 to replace pods in place, or ${names.maxSurge}: 1 to keep every replica available.`,
      sample: { maxSurge: 0, maxUnavailable: 0, names: { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' } },
      variants: [
        {
          maxSurge: '0',
          maxUnavailable: '0%',
          names: { maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' },
          by: 'operator-deployment',
        },
      ],
    }),
    cannotBeZero: refusedValue('cannot be 0', 'Write maxUnavailable: 1, or leave the field out.', { field: 'maxUnavailable', value: 0 }),
    daemonsBothZero: message<LimitsData>({
      text: ({ maxSurge, maxUnavailable }) =>
        `maxUnavailable is ${show(maxUnavailable)} and maxSurge is ${show(maxSurge)}, which the API server refuses: cannot be 0 when maxSurge is 0.`,
      help: () => 'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1 beside maxUnavailable: 0 to keep every node served.',
      sample: { maxSurge: 0, maxUnavailable: 0 },
    }),
    daemonsBothSet: message<BothSetData>({
      text: ({ maxSurge, maxUnavailable, isDefault }) =>
        `maxSurge is ${show(maxSurge)} and maxUnavailable ${isDefault ? `is ${show(maxUnavailable)}, its default` : show(maxUnavailable)}, ` +
        'which the API server refuses in a DaemonSet: may not be set when maxUnavailable is non-zero.',
      help: () => 'Write maxUnavailable: 0 beside maxSurge, or delete maxSurge.',
      sample: { maxSurge: 1, maxUnavailable: 1, isDefault: true },
    }),
    limitsBesideType: message<StrayLimitsData>({
      text: ({ field, type, by }) =>
        `${field} stands beside type ${type}, which ${refuser(by)}: ` +
        (type === 'Recreate'
          ? "may not be specified when strategy `type` is 'Recreate'."
          : "only allowed for updateStrategy 'RollingUpdate'."),
      help: ({ field }) => `Delete ${field}, or write type: RollingUpdate.`,
      sample: { field: 'rollingUpdate', type: 'Recreate' },
      variants: [
        { field: 'rollingUpdate', type: 'OnDelete' },
        { field: 'rolling_update', type: 'Recreate', by: 'operator-deployment' },
      ],
    }),
    unknownType: message<ChoiceData>({
      text: (data) => refusedText(data, `supported values are ${listed(data.choices.map((choice) => JSON.stringify(choice)))}`),
      help: ({ choices }) => `Write type: ${listed(choices.toReversed(), 'or type:')}.`,
      sample: { field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'] },
      variants: [{ field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'], by: 'operator-deployment' }],
    }),
    unknownUpdateType: message<ChoiceData>({
      text: (data) =>
        refusedText(
          data,
          `must be ${listed(
            data.choices.map((choice) => `'${choice}'`),
            'or',
          )}`,
        ),
      help: ({ choices }) => `Write type: ${listed(choices, 'or type:')}.`,
      sample: { field: 'type', value: 'Recreate', choices: ['RollingUpdate', 'OnDelete'] },
    }),
    unknownPolicy: message<ChoiceData>({
      text: (data) =>
        refusedText(
          data,
          `must be ${listed(
            data.choices.map((choice) => `'${choice}'`),
            'or',
          )}`,
        ),
      help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
      sample: { field: 'podManagementPolicy', value: 'parallel', choices: ['OrderedReady', 'Parallel'] },
    }),
    deadline: message<DeadlineData>({
      text: (data) => refusedText(data, `must be greater than minReadySeconds (it is ${data.minReadySeconds})`),
      help: ({ minReadySeconds }) => `Write a number above ${minReadySeconds} plus the seconds that a pod takes to become ready.`,
      sample: { field: 'progressDeadlineSeconds', value: 10, minReadySeconds: 30 },
    }),
    minReplicas: refusedValue('must be greater than or equal to 1', 'Write a whole number of at least 1.', {
      field: 'minReplicas',
      value: -1,
    }),
    gatedMinReplicas: message<GatedMinimumData>({
      text: ({ version }) =>
        `minReplicas is 0, which the API server of Kubernetes ${version} refuses unless its alpha gate HPAScaleToZero is on: ` +
        'must be greater than or equal to 1.',
      help: ({ since }) => `Write minReplicas: 1 or more, or plan for a version that has the gate on: --versions kubernetes=${since}.`,
      sample: { version: '1.34', since: '1.37' },
    }),
    noMaxReplicas: message<object>({
      text: () => 'maxReplicas is missing, which the API server refuses: it is required.',
      help: () => 'Write maxReplicas: the most pods that there may be.',
      sample: {},
    }),
    maxReplicas: refusedValue('must be greater than 0', 'Write a whole number of at least 1.', { field: 'maxReplicas', value: 0 }),
    emptyRange: message<RangeData>({
      text: ({ minReplicas, maxReplicas }) =>
        `maxReplicas is ${maxReplicas} and minReplicas ${minReplicas}, which the API server refuses: maxReplicas must be greater than or equal to minReplicas.`,
      help: ({ minReplicas, maxReplicas }) => `Write maxReplicas: ${minReplicas} or more, or minReplicas: ${maxReplicas} or less.`,
      sample: { minReplicas: 5, maxReplicas: 3 },
    }),
    bothLimits: message<BothLimitsData>({
      text: ({ minAvailable, maxUnavailable }) =>
        `minAvailable is ${show(minAvailable)} and maxUnavailable ${show(maxUnavailable)}, which the API server refuses: a budget has one of them.`,
      help: () => 'Keep one of them.',
      sample: { minAvailable: 1, maxUnavailable: 1 },
    }),
    ratio: message<WordData>({
      text: ({ value }) =>
        `ratio is ${show(value)}, and the other limit of a mode is 0: the API server refuses a rollout that moves no pod.`,
      help: () => 'Write a ratio of at least 1 or "1%".',
      sample: { value: 0 },
    }),
    stray: message<StrayData>({
      text: ({ field, value, form, known }) =>
        `${field} is ${show(value)}, but a rollout of ${FORMS[form].described} has no fields but ${listed(known)}.`,
      help: ({ form }) => FORMS[form].advice,
      sample: { field: 'maxSurge', value: 1, form: 'mode', known: ['mode', 'ratio'] },
      variants: [
        { field: 'ratio', value: '25%', form: 'RollingUpdate', known: ['type', 'maxSurge', 'maxUnavailable'] },
        { field: 'maxSurge', value: 1, form: 'Recreate', known: ['type'] },
      ],
    }),
    notAnIntent: message<FieldValueData>({
      text: ({ field, value }) => `${field} is ${show(value)}, which is not an intent.`,
      help: () => "Write Rollout.availability('25%') or { mode: 'Availability', ratio: '25%' }.",
      sample: { field: 'rollout', value: '25%' },
    }),
    unknownMode: message<WordData>({
      text: ({ value }) => `mode is ${show(value)}, which is not a mode of a rollout; its case counts.`,
      help: () => 'Write Availability or ResourceAware.',
      sample: { value: 'availability' },
    }),
    unknownIntentType: message<WordData>({
      text: ({ value }) => `type is ${show(value)}, which is not a type of a rollout; its case counts.`,
      help: () => 'Write RollingUpdate or Recreate.',
      sample: { value: 'recreate' },
    }),
    bothIntents: message<TwoLevelsData>({
      text: ({ component }) => `${component} has both rollout and deploymentStrategy, and both are its user level.`,
      help: () => 'Keep one of them.',
      sample: { component: 'predictor' },
    }),
    zerosOfLevels: message<ZerosOfLevelsData>({
      text: ({ limits }) => {
        const zeros = limits.map(({ field, value, layer }) => `${field} ${show(value)} of level ${layer}`);
        return `${listed(zeros)} come together, and the API server refuses both to be 0.`;
      },
      help: ({ component }) => `Give ${component} both limits, at least one of them above 0.`,
      sample: {
        component: 'predictor',
        limits: [
          { field: 'maxSurge', value: 0, layer: 'user' },
          { field: 'maxUnavailable', value: 0, layer: 'platform-config' },
        ],
      },
    }),
    wrongKind: message<WrongKindData>({
      text: ({ policy, wanted, kind, name, apiVersion }) =>
        `A ${policy} policy is applied to the ${kind} "${name}" (${apiVersion}): it sets fields that only a ${wanted} of apps/v1 has.`,
      help: ({ fitting, kind }) =>
        fitting === undefined
          ? 'Apply DeploymentPolicy.stateless to Deployments, DeploymentPolicy.stateful to StatefulSets and DaemonSetPolicy.of to DaemonSets only.'
          : `Use ${fitting} for a ${kind}.`,
      sample: {
        policy: 'stateless',
        wanted: 'Deployment',
        kind: 'StatefulSet',
        name: 'db',
        apiVersion: 'apps/v1',
        fitting: 'DeploymentPolicy.stateful',
      },
      variants: [{ policy: 'stateless', wanted: 'Deployment', kind: 'Deployment', name: 'web', apiVersion: 'extensions/v1beta1' }],
    }),
  },
});
