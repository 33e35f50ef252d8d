import { toFieldPath } from '../core/manifest/field-path';
import { isDeepEqual } from '../core/collections/deep-equal';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { ANY, INT32, INT_OR_PERCENT, LIST, STRING, STRING_MAP, closeSchema, defineMap, limitValues } from '../core/values/schema';
import type { FieldSchema, FieldSchemas, SchemasFor } from '../core/values/schema';
import { allowIntegers } from '../core/values/value-limit';
import { DRAIN } from '../workloads/drain';
import { describeValue } from '../core/text/display-value';
import { joinWords, pluralize } from '../core/text/text-format';
import { buildDaemonPolicy, buildStatefulPolicy, buildStatelessPolicy } from '../workloads/policies';
import type {
  DaemonPolicy,
  DaemonSetPolicyProps,
  GoalPolicyProps,
  StatefulPolicy,
  StatefulPolicyProps,
  StatefulRollingUpdateProps,
  StatelessPolicy,
  StatelessPolicyProps,
  StatelessRollingUpdateProps,
  WorkloadPolicy,
} from '../workloads/policies';
import { readPropsOf, readProps } from '../input/read-props';
import type { PropPaths } from './prop-paths';
import { formatTokenRefusal, listTokenPaths } from './tokens';
import { collectPropErrors } from './validate-props';

/** Props of each policy. A separate rule checks their combinations. */
const POLICY_PROPS = {
  stateless: {
    update: STRING,
    maxSurge: INT_OR_PERCENT,
    maxUnavailable: INT_OR_PERCENT,
    replicas: INT32,
    revisionHistory: INT32,
    rollout: ANY,
    kubernetes: STRING,
    drain: DRAIN,
  } satisfies SchemasFor<StatelessRollingUpdateProps & Omit<GoalPolicyProps, 'update'>>,
  stateful: {
    update: STRING,
    partition: INT32,
    replicas: INT32,
    // The API server stores a negative one.
    revisionHistory: limitValues(INT32, allowIntegers(0), 'which is no number of revisions'),
    rollout: ANY,
    kubernetes: STRING,
    drain: DRAIN,
  } satisfies SchemasFor<StatefulRollingUpdateProps & Omit<GoalPolicyProps, 'update'>>,
  daemonSet: {
    update: STRING,
    maxSurge: INT_OR_PERCENT,
    maxUnavailable: INT_OR_PERCENT,
    revisionHistory: INT32,
    rollout: ANY,
    kubernetes: STRING,
    drain: DRAIN,
    nodes: limitValues(INT32, allowIntegers(1), 'which is no number of nodes'),
  } satisfies FieldSchemas,
};

/** Prop paths of the fields that a policy writes. */
export const POLICY_PROP_PATHS: PropPaths = [
  ...['spec.strategy', 'spec.updateStrategy'].flatMap((field): PropPaths => [
    [`${field}.rollingUpdate.maxSurge`, 'maxSurge'],
    [`${field}.rollingUpdate.maxUnavailable`, 'maxUnavailable'],
    [`${field}.rollingUpdate.partition`, 'partition'],
    [`${field}.rollingUpdate`, 'update'],
    [`${field}.type`, 'update'],
    [field, 'update'],
  ]),
  ['spec.revisionHistoryLimit', 'revisionHistory'],
  ['spec.replicas', 'replicas'],
];

/** Returns the props of a policy as the schema of one prop. */
export function getPolicySchema(policy: keyof typeof POLICY_PROPS): FieldSchema {
  return closeSchema(defineMap(POLICY_PROPS[policy]));
}

/** Finds the props that a goal decides. Returns one line each. */
function findLimitsBesideGoal(props: unknown): string[] {
  if (getValueAt(props, 'rollout') === undefined) return [];
  return ['update', 'maxSurge', 'maxUnavailable', 'partition'].flatMap((prop) =>
    getValueAt(props, prop) === undefined ? [] : [`${prop} is set next to the goal in rollout, which decides it: delete one of them`],
  );
}

/** Finds a policy that states no update at all. The types exclude it. Returns one line. */
export function findMissingUpdate(policy: keyof typeof POLICY_PROPS, props: unknown): string[] {
  // The API server reads an empty text as omitted.
  const hasUpdate = (getValueAt(props, 'update') ?? '') !== '' || getValueAt(props, 'rollout') !== undefined;
  if (hasUpdate || !isFields(props)) return [];
  if (policy === 'daemonSet') {
    const hasLimit = props.maxSurge !== undefined || props.maxUnavailable !== undefined;
    return hasLimit ? [] : ["maxUnavailable, maxSurge and update are missing; write one of them, such as maxUnavailable: '10%'"];
  }
  const other = policy === 'stateful' ? 'OnDelete' : 'Recreate';
  return [`update is missing; write update: 'RollingUpdate' or update: '${other}'`];
}

/** Returns the props that a policy decides, by name. */
function listDecidedProps({ spec, drain }: WorkloadPolicy): Fields {
  const strategy = getFieldsAt(spec, 'strategy' in spec ? 'strategy' : 'updateStrategy');
  const { maxSurge, maxUnavailable, partition } = getFieldsAt(strategy, 'rollingUpdate');
  const replicas = getValueAt(spec, 'replicas');
  return { update: strategy.type, maxSurge, maxUnavailable, partition, replicas, revisionHistory: spec.revisionHistoryLimit, drain };
}

/** Props that leave what another policy has written, if they are not set. */
const OPTIONAL_PROPS: readonly string[] = ['replicas', 'revisionHistory', 'drain'];

const LIMIT_PROPS: readonly string[] = ['maxSurge', 'maxUnavailable', 'partition'];

function describeProp(value: unknown): string {
  return value === undefined ? 'not set' : describeValue(value);
}

/**
 * Describes how a policy contradicts an earlier one of the same object: `maxSurge is 2, and 1 in the other policy`. Returns undefined if both can
 * apply.
 */
export function describePolicyConflict(earlier: WorkloadPolicy, later: WorkloadPolicy): string | undefined {
  const before = listDecidedProps(earlier);
  const after = listDecidedProps(later);
  const isOther = before.update !== after.update;
  const differences = Object.entries(after).flatMap(([prop, value]) => {
    const other = before[prop];
    // The limits of another type differ anyway.
    if (isOther && LIMIT_PROPS.includes(prop)) return [];
    if (isDeepEqual(value, other) || (OPTIONAL_PROPS.includes(prop) && (value === undefined || other === undefined))) return [];
    return [`${prop} is ${describeProp(value)} here and ${describeProp(other)} there`];
  });
  return differences.length === 0 ? undefined : joinWords(differences);
}

/**
 * Finds a partition above the replicas, which no index reaches. Returns one line. A partition that equals the replicas is the usual way to hold
 * all pods back.
 *
 * @param isAutoscaled - whether an autoscaler may add pods up to the partition
 */
export function findUnreachablePartition(policy: WorkloadPolicy, workloadSpec: unknown, isAutoscaled: boolean): string[] {
  const { partition } = listDecidedProps(policy);
  const replicas = getValueAt(policy.spec, 'replicas') ?? getValueAt(workloadSpec, 'replicas');
  if (typeof partition !== 'number' || typeof replicas !== 'number' || replicas < 1 || partition <= replicas || isAutoscaled) return [];
  return [
    `partition is ${partition}, but the StatefulSet has ${pluralize(replicas, 'replica')}, and the highest index is ${replicas - 1}: no update reaches a ` +
      `pod; write ${replicas - 1} or less to update the pods from that index on, or ${replicas} to hold all of them back`,
  ];
}

/** Returns the props, or throws for unknown ones. A policy has no construct path, so the error begins with the function that creates it. */
function validatePolicyProps<T>(caller: string, input: T, policy: keyof typeof POLICY_PROPS): T {
  const schemas: FieldSchemas = POLICY_PROPS[policy];
  const props = readPropsOf(caller, input);
  const tokens = listTokenPaths(props).map(formatTokenRefusal);
  if (tokens.length > 0) throw new Error(tokens.map((line) => `${caller}: ${line}`).join('\n'));
  const propErrors = collectPropErrors(props, { maps: {}, props: schemas });
  // A misspelt prop may be the missing one.
  const missing = propErrors.length > 0 ? [] : findMissingUpdate(policy, props);
  const problems = [...propErrors, ...missing, ...findLimitsBesideGoal(props)];
  if (problems.length > 0) throw new Error(problems.map((line) => `${caller}: ${line}`).join('\n'));
  return props;
}

/**
 * Parses a policy for Deployments.
 *
 * @throws Error for unknown props
 */
export function parseStatelessPolicy(props: StatelessPolicyProps): StatelessPolicy {
  return buildStatelessPolicy(validatePolicyProps('DeploymentPolicy.stateless', props, 'stateless'));
}

/**
 * Parses a policy for StatefulSets.
 *
 * @throws Error for unknown props
 */
export function parseStatefulPolicy(props: StatefulPolicyProps): StatefulPolicy {
  return buildStatefulPolicy(validatePolicyProps('DeploymentPolicy.stateful', props, 'stateful'));
}

/**
 * Parses a policy for DaemonSets.
 *
 * @throws Error for unknown props
 */
export function parseDaemonPolicy(props: DaemonSetPolicyProps): DaemonPolicy {
  return buildDaemonPolicy(validatePolicyProps('DaemonSetPolicy', props, 'daemonSet'));
}

/**
 * Parses the selector of `applyToAll`. Unknown props are errors, because a misspelt `matchLabels` would select every workload.
 *
 * @param allowedKinds kinds that the policy's class supports
 * @returns the selector, or the reasons why it is refused: unknown props and other kinds
 */
export function parseWorkloadSelector<T extends object>(
  input: T,
  allowedKinds: readonly string[],
): T | { readonly refused: readonly string[] } {
  const read = readProps(input);
  if (read.unreadable !== undefined) return { refused: [`applyToAll: ${read.unreadable}`] };
  const selector = read.props;
  const tokens = listTokenPaths(selector).map(formatTokenRefusal);
  if (tokens.length > 0) return { refused: tokens.map((line) => `applyToAll: ${line}`) };
  const problems = collectPropErrors(selector, { maps: {}, props: { matchLabels: STRING_MAP, kinds: LIST } });
  getListAt(selector, 'kinds').forEach((kind, index) => {
    if (!allowedKinds.some((name) => name === kind))
      problems.push(`${toFieldPath`kinds[${index}]`} is ${describeValue(kind)}; write ${joinWords(allowedKinds, 'or')}`);
  });
  return problems.length === 0 ? selector : { refused: problems.map((line) => `applyToAll: ${line}`) };
}
