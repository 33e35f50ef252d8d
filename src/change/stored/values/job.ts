import { isFields, listAt, valueAt } from '../../../core/manifest';
import {
  atLeast,
  atMost,
  choice,
  choiceNeeded,
  formatted,
  invalid,
  isGiven,
  numberOf,
  required,
  shown,
  textOf,
  unique,
  when,
} from './checks';
import { schedule } from './cron';
import { indexes } from './indexes';
import { below, on } from './rule';
import type { Check, Place, ValueRule } from './rule';
import { timeZone } from './time-zone';

/* Jobs and CronJobs. Source: k/k pkg/apis/batch/validation/validation.go. */

/** The spec of the Job that a place is in: of a CronJob that of its template. */
function jobOf({ object }: Place): unknown {
  return valueAt(object, 'spec', 'jobTemplate', 'spec') ?? valueAt(object, 'spec');
}

const isIndexed = (place: Place) => valueAt(jobOf(place), 'completionMode') === 'Indexed';
const isNotIndexed = (place: Place) => !isIndexed(place);
const hasFailurePolicy = (place: Place) => isGiven(valueAt(jobOf(place), 'podFailurePolicy'));
const completionsOf = (place: Place) => numberOf(valueAt(jobOf(place), 'completions'));

const needsIndexes: Check = (value) => (isGiven(value) ? invalid(value, 'requires indexed completion mode') : undefined);

const MOST_INDEXED_PARALLELISM = 100_000;
const MOST_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MOST_OF_MANY = 10_000;

const hasManyCompletions = (place: Place) =>
  isIndexed(place) && completionsOf(place) > MANY_COMPLETIONS && isGiven(valueAt(jobOf(place), 'backoffLimitPerIndex'));

const ofMany = atMost(
  MOST_OF_MANY,
  `must be less than or equal to ${MOST_OF_MANY} when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`,
);

/** What no path may hold, one character at a time: a pattern over the whole of it would run out of room for a very long one. */
const NOT_OF_A_PATH = /[^A-Za-z0-9/\-._~%!$&'(*+),;=:]/;

/** A name with a domain in front. Source: apimachinery pkg/api/validation/path, `IsDomainPrefixedPath`. */
const domainPrefixed: Check = (value, place) => {
  const text = textOf(value);
  if (text === '') return 'Required value';
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return invalid(text, 'must be a domain-prefixed path (such as "acme.io/foo")');
  const domain = formatted('dns-subdomain')(text.slice(0, slash), place);
  const rest = text.slice(slash + 1);
  if (domain !== undefined || !NOT_OF_A_PATH.test(rest)) return domain;
  return invalid(rest, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
};

const LONGEST_MANAGER = 63;

const shortEnough: Check = (value) =>
  textOf(value).length > LONGEST_MANAGER ? `Too long: may not be more than ${LONGEST_MANAGER} bytes` : undefined;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const EXIT_OPERATORS = ['In', 'NotIn'];

function requiredOf(choices: readonly string[]): Check {
  return required(`valid values: [${choices.map(shown).join(' ')}]`);
}

const failsIndex: Check = (value, place) =>
  value === 'FailIndex' && !isGiven(valueAt(jobOf(place), 'backoffLimitPerIndex'))
    ? invalid(value, 'requires the backoffLimitPerIndex to be set')
    : undefined;

const isContainer: Check = (value, place) => {
  const pod = valueAt(jobOf(place), 'template', 'spec');
  const names = [...listAt(pod, 'containers'), ...listAt(pod, 'initContainers')].map((container) => valueAt(container, 'name'));
  if (!isGiven(value) || names.includes(value)) return undefined;
  return invalid(value, 'must be one of the container or initContainer names in the pod template');
};

const EXIT_CODE_LIMIT = 255;

const exitCodes: Check = (value) => {
  const codes = Array.isArray(value) ? (value as readonly unknown[]).map(numberOf) : [];
  if (codes.length === 0) return invalid(value ?? null, 'at least one value is required');
  if (codes.length > EXIT_CODE_LIMIT) return `Too many: ${codes.length}: must have at most ${EXIT_CODE_LIMIT} items`;
  return undefined;
};

const ordered: Check = (value) => {
  const codes = Array.isArray(value) ? (value as readonly unknown[]).map(numberOf) : [];
  return codes.some((code, index) => index > 0 && codes[index - 1]! > code) ? invalid(codes, 'must be ordered') : undefined;
};

const oneCause: Check = (value) => {
  const [exits, conditions] = [isGiven(valueAt(value, 'onExitCodes')), listAt(value, 'onPodConditions').length > 0];
  if (exits !== conditions) return undefined;
  return exits
    ? 'Invalid value: specifying both OnExitCodes and OnPodConditions is not supported'
    : 'Invalid value: specifying one of OnExitCodes and OnPodConditions is required';
};

const FAILURE_RULE = 'podFailurePolicy.rules[]';

const FAILURE_POLICY: readonly ValueRule[] = [
  on(`${FAILURE_RULE}.action`, requiredOf(ACTIONS), failsIndex, choice(...ACTIONS)),
  on(`${FAILURE_RULE}.onExitCodes.operator`, requiredOf(EXIT_OPERATORS), choice(...EXIT_OPERATORS)),
  on(`${FAILURE_RULE}.onExitCodes.containerName`, isContainer),
  on(`${FAILURE_RULE}.onExitCodes.values`, exitCodes),
  on(
    `${FAILURE_RULE}.onExitCodes.values[]`,
    (code, { holder }) => (holder.operator === 'In' && numberOf(code) === 0 ? invalid(0, 'must not be 0 for the In operator') : undefined),
    unique((code) => code),
  ),
  on(`${FAILURE_RULE}.onExitCodes.values`, ordered),
  on(`${FAILURE_RULE}.onPodConditions[].type`, formatted('qualified-name')),
  on(`${FAILURE_RULE}.onPodConditions[].status`, choiceNeeded('False', 'True', 'Unknown')),
  on(FAILURE_RULE, oneCause),
];

const successes: Check = (value, place) => {
  const count = numberOf(value);
  const all = completionsOf(place);
  if (!isGiven(value)) return undefined;
  if (count < 0) return invalid(count, 'must be greater than or equal to 0');
  if (count > all) return invalid(count, `must be less than or equal to ${all} (the number of specified completions)`);
  const named = isGiven(place.holder.succeededIndexes) ? indexes(textOf(place.holder.succeededIndexes), all) : undefined;
  const total = named !== undefined && 'total' in named ? named.total : 0;
  if (named === undefined || count <= total) return undefined;
  return invalid(count, `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`);
};

const succeededIndexes: Check = (value, place) => {
  if (!isGiven(value)) return undefined;
  const named = indexes(textOf(value), completionsOf(place));
  return 'why' in named ? invalid(value, `error parsing succeededIndexes: ${named.why}`) : undefined;
};

const SUCCESS_POLICY: readonly ValueRule[] = [
  on('successPolicy.rules', when(isIndexed, required('at least one rules must be specified when the successPolicy is specified'))),
  on(
    'successPolicy.rules[]',
    when(isIndexed, (value) =>
      isGiven(valueAt(value, 'succeededCount')) || isGiven(valueAt(value, 'succeededIndexes'))
        ? undefined
        : 'Required value: at least one of succeededCount or succeededIndexes must be specified',
    ),
  ),
  on('successPolicy.rules[].succeededIndexes', when(isIndexed, succeededIndexes)),
  on('successPolicy.rules[].succeededCount', when(isIndexed, successes)),
];

/** A policy as Go prints it. */
function printed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printed);
  if (!isFields(value)) return value;
  const { succeededIndexes: names = null, succeededCount: count = null } = value;
  return 'rules' in value ? { Rules: printed(value.rules) } : { SucceededIndexes: names, SucceededCount: count };
}

const restarts: Check = (value, place) => {
  const policy = textOf(value);
  if (policy === '' || policy === 'Always') return 'Required value: valid values: "OnFailure", "Never"';
  if (policy !== 'Never' && policy !== 'OnFailure') return choice('OnFailure', 'Never')(policy, place);
  return hasFailurePolicy(place) && policy !== 'Never'
    ? invalid(policy, 'only "Never" is supported when podFailurePolicy is specified')
    : undefined;
};

/** What the server generates has a label of its own. */
const isGenerated: Check = (value, { holder }) => {
  const labels = valueAt(value, 'matchLabels');
  const names = isFields(labels) ? Object.keys(labels) : [];
  const isOwn = !isGiven(value) || holder.manualSelector === true || names.length === 0;
  if (isOwn || names.some((name) => name.endsWith('controller-uid'))) return undefined;
  return invalid(value, '`selector` not auto-generated');
};

const NONNEGATIVE = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

const JOB_SPEC_VALUES: readonly ValueRule[] = [
  ...NONNEGATIVE.map((name) => on(name, atLeast(0))),
  on(
    'backoffLimitPerIndex',
    when(
      ({ holder }) => isGiven(holder.maxFailedIndexes) && !isGiven(holder.backoffLimitPerIndex),
      required('when maxFailedIndexes is specified'),
    ),
  ),
  on(
    'managedBy',
    when(({ holder }) => isGiven(holder.managedBy), domainPrefixed, shortEnough),
  ),
  on('completionMode', choice('NonIndexed', 'Indexed')),
  on('completions', when(isIndexed, required('when completion mode is Indexed'))),
  on(
    'parallelism',
    when(
      isIndexed,
      atMost(MOST_INDEXED_PARALLELISM, `must be less than or equal to ${MOST_INDEXED_PARALLELISM} when completion mode is Indexed`),
    ),
  ),
  on(
    'maxFailedIndexes',
    when(isIndexed, (value, place) =>
      isGiven(value) && isGiven(place.holder.completions) && numberOf(value) > completionsOf(place)
        ? invalid(value, 'must be less than or equal to completions')
        : undefined,
    ),
    when(isIndexed, atMost(MOST_FAILED_INDEXES)),
    when(hasManyCompletions, required(`must be specified when completions is above ${MANY_COMPLETIONS}`), ofMany),
  ),
  on('parallelism', when(hasManyCompletions, ofMany)),
  on('backoffLimitPerIndex', when(isNotIndexed, needsIndexes)),
  on('maxFailedIndexes', when(isNotIndexed, needsIndexes)),
  ...FAILURE_POLICY,
  on(
    'successPolicy',
    when(isNotIndexed, (value) =>
      isGiven(value) ? invalid(printed({ rules: null, ...(value as object) }), 'requires indexed completion mode') : undefined,
    ),
  ),
  ...SUCCESS_POLICY,
  on('podReplacementPolicy', when(hasFailurePolicy, choice('Failed')), choice('Failed', 'TerminatingOrFailed')),
];

const RESTARTS: readonly ValueRule[] = [on('template.spec.restartPolicy', restarts)];

export const JOB_VALUES: readonly ValueRule[] = below('spec', [
  ...JOB_SPEC_VALUES,
  on(
    'selector',
    isGenerated,
    when(({ holder }) => holder.manualSelector === true, required()),
  ),
]);

/** What is judged behind the pod template. */
export const JOB_RESTART_VALUES = below('spec', RESTARTS);

const LONGEST_CRON_JOB = 52;

export const CRON_JOB_VALUES: readonly ValueRule[] = [
  on('spec.schedule', required(), schedule),
  on('spec.startingDeadlineSeconds', atLeast(0)),
  on('spec.timeZone', timeZone),
  on('spec.concurrencyPolicy', choice('Allow', 'Forbid', 'Replace')),
  ...below('spec.jobTemplate.spec', [
    ...JOB_SPEC_VALUES,
    on('manualSelector', (value) => (value === true ? 'Unsupported value: true: supported values: "nil", "false"' : undefined)),
    on('selector', (value) => (isGiven(value) ? invalid(value, '`selector` will be auto-generated') : undefined)),
  ]),
  on('spec.successfulJobsHistoryLimit', atLeast(0)),
  on('spec.failedJobsHistoryLimit', atLeast(0)),
  on('metadata.name', (value) =>
    textOf(value).length > LONGEST_CRON_JOB ? invalid(value, `must be no more than ${LONGEST_CRON_JOB} characters`) : undefined,
  ),
];

export const CRON_JOB_RESTART_VALUES = below('spec.jobTemplate.spec', RESTARTS);
