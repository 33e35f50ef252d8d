import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import {
  requireAtLeast,
  requireAtMost,
  allowValues,
  requireOneOf,
  requireFormat,
  formatInvalidValue,
  isSet,
  toNumberOrZero,
  requireValue,
  formatGoJson,
  toTextOrEmpty,
  requireUnique,
  checkWhen,
} from './checks';
import { checkSchedule } from './cron';
import { parseIndexes } from './job-indexes';
import { buildSelectorRules } from './label-selector';
import { prependRulePath, checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';
import { checkTimeZone } from './time-zone';

/* Jobs and CronJobs. Source: k/k pkg/apis/batch/validation/validation.go. */

/** Returns the spec of the Job that contains a location; for a CronJob that of its template. */
function jobSpecOf({ object }: ValueLocation): unknown {
  return getValueAt(object, 'spec', 'jobTemplate', 'spec') ?? getValueAt(object, 'spec');
}

const isIndexed = (location: ValueLocation) => getValueAt(jobSpecOf(location), 'completionMode') === 'Indexed';
const isNotIndexed = (location: ValueLocation) => !isIndexed(location);
const hasFailurePolicy = (location: ValueLocation) => isSet(getValueAt(jobSpecOf(location), 'podFailurePolicy'));
const completionsOf = (location: ValueLocation) => toNumberOrZero(getValueAt(jobSpecOf(location), 'completions'));

const rejectWithoutIndexes: Check = (value) => (isSet(value) ? formatInvalidValue(value, 'requires indexed completion mode') : undefined);

const MAX_INDEXED_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const LARGE_COMPLETIONS = 100_000;
const MAX_OF_LARGE_JOB = 10_000;

const isLargeIndexedJob = (location: ValueLocation) =>
  isIndexed(location) && completionsOf(location) > LARGE_COMPLETIONS && isSet(getValueAt(jobSpecOf(location), 'backoffLimitPerIndex'));

const checkLargeJobLimit = requireAtMost(
  MAX_OF_LARGE_JOB,
  `must be less than or equal to ${MAX_OF_LARGE_JOB} when completions are above ${LARGE_COMPLETIONS} and used with backoff limit per index`,
);

/** A character that a path must not contain. Matching single characters avoids a stack overflow on a very long path. */
const INVALID_PATH_CHARACTER = /[^A-Za-z0-9/\-._~%!$&'(*+),;=:]/;

/** Checks a path with a domain prefix. Source: apimachinery pkg/api/validation/path, `IsDomainPrefixedPath`. */
const checkDomainPrefixedPath: Check = (value, location) => {
  const text = toTextOrEmpty(value);
  if (text === '') return 'Required value';
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return formatInvalidValue(text, 'must be a domain-prefixed path (such as "acme.io/foo")');
  const domain = requireFormat('dns-subdomain')(text.slice(0, slash), location);
  const rest = text.slice(slash + 1);
  if (domain !== undefined || !INVALID_PATH_CHARACTER.test(rest)) return domain;
  return formatInvalidValue(rest, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
};

const MAX_MANAGER_LENGTH = 63;

const checkManagerLength: Check = (value) =>
  toTextOrEmpty(value).length > MAX_MANAGER_LENGTH ? `Too long: may not be more than ${MAX_MANAGER_LENGTH} bytes` : undefined;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const EXIT_OPERATORS = ['In', 'NotIn'];

function requireChoice(choices: readonly string[]): Check {
  return requireValue(`valid values: [${choices.map(formatGoJson).join(' ')}]`);
}

const checkFailIndex: Check = (value, location) =>
  value === 'FailIndex' && !isSet(getValueAt(jobSpecOf(location), 'backoffLimitPerIndex'))
    ? formatInvalidValue(value, 'requires the backoffLimitPerIndex to be set')
    : undefined;

const checkContainerName: Check = (value, location) => {
  const pod = getValueAt(jobSpecOf(location), 'template', 'spec');
  const names = [...getListAt(pod, 'containers'), ...getListAt(pod, 'initContainers')].map((container) => getValueAt(container, 'name'));
  if (!isSet(value) || names.includes(value)) return undefined;
  return formatInvalidValue(value, 'must be one of the container or initContainer names in the pod template');
};

const MAX_EXIT_CODES = 255;

const checkExitCodes: Check = (value) => {
  const codes = Array.isArray(value) ? (value as readonly unknown[]).map(toNumberOrZero) : [];
  if (codes.length === 0) return formatInvalidValue(value ?? null, 'at least one value is required');
  if (codes.length > MAX_EXIT_CODES) return `Too many: ${codes.length}: must have at most ${MAX_EXIT_CODES} items`;
  return undefined;
};

const checkExitCodeOrder: Check = (value) => {
  const codes = Array.isArray(value) ? (value as readonly unknown[]).map(toNumberOrZero) : [];
  return codes.some((code, index) => index > 0 && codes[index - 1]! > code) ? formatInvalidValue(codes, 'must be ordered') : undefined;
};

const checkSingleCause: Check = (value) => {
  const [exits, conditions] = [isSet(getValueAt(value, 'onExitCodes')), getListAt(value, 'onPodConditions').length > 0];
  if (exits !== conditions) return undefined;
  return exits
    ? 'Invalid value: specifying both OnExitCodes and OnPodConditions is not supported'
    : 'Invalid value: specifying one of OnExitCodes and OnPodConditions is required';
};

const FAILURE_RULE = 'podFailurePolicy.rules[]';

const FAILURE_POLICY: readonly ValueRule[] = [
  checkField(`${FAILURE_RULE}.action`, requireChoice(ACTIONS), checkFailIndex, allowValues(...ACTIONS)),
  checkField(`${FAILURE_RULE}.onExitCodes.operator`, requireChoice(EXIT_OPERATORS), allowValues(...EXIT_OPERATORS)),
  checkField(`${FAILURE_RULE}.onExitCodes.containerName`, checkContainerName),
  checkField(`${FAILURE_RULE}.onExitCodes.values`, checkExitCodes),
  checkField(
    `${FAILURE_RULE}.onExitCodes.values[]`,
    (code, { holder }) =>
      holder.operator === 'In' && toNumberOrZero(code) === 0 ? formatInvalidValue(0, 'must not be 0 for the In operator') : undefined,
    requireUnique((code) => code),
  ),
  checkField(`${FAILURE_RULE}.onExitCodes.values`, checkExitCodeOrder),
  checkField(`${FAILURE_RULE}.onPodConditions[].type`, requireFormat('qualified-name')),
  checkField(`${FAILURE_RULE}.onPodConditions[].status`, requireOneOf('False', 'True', 'Unknown')),
  checkField(FAILURE_RULE, checkSingleCause),
];

const checkSucceededCount: Check = (value, location) => {
  const count = toNumberOrZero(value);
  const all = completionsOf(location);
  if (!isSet(value)) return undefined;
  if (count < 0) return formatInvalidValue(count, 'must be greater than or equal to 0');
  if (count > all) return formatInvalidValue(count, `must be less than or equal to ${all} (the number of specified completions)`);
  const parsedIndexes = isSet(location.holder.succeededIndexes)
    ? parseIndexes(toTextOrEmpty(location.holder.succeededIndexes), all)
    : undefined;
  const total = parsedIndexes !== undefined && 'total' in parsedIndexes ? parsedIndexes.total : 0;
  if (parsedIndexes === undefined || count <= total) return undefined;
  return formatInvalidValue(
    count,
    `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
  );
};

const checkSucceededIndexes: Check = (value, location) => {
  if (!isSet(value)) return undefined;
  const parsedIndexes = parseIndexes(toTextOrEmpty(value), completionsOf(location));
  return 'why' in parsedIndexes ? formatInvalidValue(value, `error parsing succeededIndexes: ${parsedIndexes.why}`) : undefined;
};

const SUCCESS_POLICY: readonly ValueRule[] = [
  checkField(
    'successPolicy.rules',
    checkWhen(isIndexed, requireValue('at least one rules must be specified when the successPolicy is specified')),
  ),
  checkField(
    'successPolicy.rules[]',
    checkWhen(isIndexed, (value) =>
      isSet(getValueAt(value, 'succeededCount')) || isSet(getValueAt(value, 'succeededIndexes'))
        ? undefined
        : 'Required value: at least one of succeededCount or succeededIndexes must be specified',
    ),
  ),
  checkField('successPolicy.rules[].succeededIndexes', checkWhen(isIndexed, checkSucceededIndexes)),
  checkField('successPolicy.rules[].succeededCount', checkWhen(isIndexed, checkSucceededCount)),
];

/** Returns a policy as Go prints it. */
function toGoPolicy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toGoPolicy);
  if (!isFields(value)) return value;
  const { succeededIndexes: names = null, succeededCount: count = null } = value;
  return 'rules' in value ? { Rules: toGoPolicy(value.rules) } : { SucceededIndexes: names, SucceededCount: count };
}

const checkRestartPolicy: Check = (value, location) => {
  const policy = toTextOrEmpty(value);
  if (policy === '' || policy === 'Always') return 'Required value: valid values: "OnFailure", "Never"';
  if (policy !== 'Never' && policy !== 'OnFailure') return allowValues('OnFailure', 'Never')(policy, location);
  return hasFailurePolicy(location) && policy !== 'Never'
    ? formatInvalidValue(policy, 'only "Never" is supported when podFailurePolicy is specified')
    : undefined;
};

/** Rejects a selector that is not generated. A generated one has a label of the server. */
const checkGeneratedSelector: Check = (value, { holder }) => {
  const labels = getValueAt(value, 'matchLabels');
  const names = isFields(labels) ? Object.keys(labels) : [];
  const isOwn = !isSet(value) || holder.manualSelector === true || names.length === 0;
  if (isOwn || names.some((name) => name.endsWith('controller-uid'))) return undefined;
  return formatInvalidValue(value, '`selector` not auto-generated');
};

const NON_NEGATIVE_FIELDS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

const JOB_SPEC_VALUES: readonly ValueRule[] = [
  ...NON_NEGATIVE_FIELDS.map((name) => checkField(name, requireAtLeast(0))),
  checkField(
    'backoffLimitPerIndex',
    checkWhen(
      ({ holder }) => isSet(holder.maxFailedIndexes) && !isSet(holder.backoffLimitPerIndex),
      requireValue('when maxFailedIndexes is specified'),
    ),
  ),
  checkField(
    'managedBy',
    checkWhen(({ holder }) => isSet(holder.managedBy), checkDomainPrefixedPath, checkManagerLength),
  ),
  checkField('completionMode', allowValues('NonIndexed', 'Indexed')),
  checkField('completions', checkWhen(isIndexed, requireValue('when completion mode is Indexed'))),
  checkField(
    'parallelism',
    checkWhen(
      isIndexed,
      requireAtMost(MAX_INDEXED_PARALLELISM, `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`),
    ),
  ),
  checkField(
    'maxFailedIndexes',
    checkWhen(isIndexed, (value, location) =>
      isSet(value) && isSet(location.holder.completions) && toNumberOrZero(value) > completionsOf(location)
        ? formatInvalidValue(value, 'must be less than or equal to completions')
        : undefined,
    ),
    checkWhen(isIndexed, requireAtMost(MAX_FAILED_INDEXES)),
    checkWhen(isLargeIndexedJob, requireValue(`must be specified when completions is above ${LARGE_COMPLETIONS}`), checkLargeJobLimit),
  ),
  checkField('parallelism', checkWhen(isLargeIndexedJob, checkLargeJobLimit)),
  checkField('backoffLimitPerIndex', checkWhen(isNotIndexed, rejectWithoutIndexes)),
  checkField('maxFailedIndexes', checkWhen(isNotIndexed, rejectWithoutIndexes)),
  ...FAILURE_POLICY,
  checkField(
    'successPolicy',
    checkWhen(isNotIndexed, (value) =>
      isSet(value) ? formatInvalidValue(toGoPolicy({ rules: null, ...(value as object) }), 'requires indexed completion mode') : undefined,
    ),
  ),
  ...SUCCESS_POLICY,
  checkField('podReplacementPolicy', checkWhen(hasFailurePolicy, allowValues('Failed')), allowValues('Failed', 'TerminatingOrFailed')),
];

const RESTART_RULES: readonly ValueRule[] = [checkField('template.spec.restartPolicy', checkRestartPolicy)];

export const JOB_VALUES: readonly ValueRule[] = prependRulePath('spec', [
  ...JOB_SPEC_VALUES,
  checkField(
    'selector',
    checkGeneratedSelector,
    checkWhen(({ holder }) => holder.manualSelector === true, requireValue()),
  ),
  ...buildSelectorRules('selector'),
]);

/** Values that are validated after the pod template. */
export const JOB_RESTART_VALUES = prependRulePath('spec', RESTART_RULES);

const MAX_CRON_JOB_NAME_LENGTH = 52;

export const CRON_JOB_VALUES: readonly ValueRule[] = [
  checkField('spec.schedule', requireValue(), checkSchedule),
  checkField('spec.startingDeadlineSeconds', requireAtLeast(0)),
  checkField('spec.timeZone', checkTimeZone),
  checkField('spec.concurrencyPolicy', allowValues('Allow', 'Forbid', 'Replace')),
  ...prependRulePath('spec.jobTemplate.spec', [
    ...JOB_SPEC_VALUES,
    checkField('manualSelector', (value) => (value === true ? 'Unsupported value: true: supported values: "nil", "false"' : undefined)),
    checkField('selector', (value) => (isSet(value) ? formatInvalidValue(value, '`selector` will be auto-generated') : undefined)),
  ]),
  checkField('spec.successfulJobsHistoryLimit', requireAtLeast(0)),
  checkField('spec.failedJobsHistoryLimit', requireAtLeast(0)),
  checkField('metadata.name', (value) =>
    toTextOrEmpty(value).length > MAX_CRON_JOB_NAME_LENGTH
      ? formatInvalidValue(value, `must be no more than ${MAX_CRON_JOB_NAME_LENGTH} characters`)
      : undefined,
  ),
];

export const CRON_JOB_RESTART_VALUES = prependRulePath('spec.jobTemplate.spec', RESTART_RULES);
