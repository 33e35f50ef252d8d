import { at } from '../core/field-path';
import { listAt } from '../core/manifest';
import { INT32, INT_OR_PERCENT, LIST, STRING, STRING_MAP, map, whole } from '../core/schema';
import type { FieldSchema, FieldSchemas, SchemasOf } from '../core/schema';
import { describeValue } from '../core/seen';
import { listed } from '../core/words';
import { daemonPolicy, statefulPolicy, statelessPolicy } from '../workloads/policies';
import type {
  DaemonPolicy,
  DaemonSetPolicyProps,
  StatefulPolicy,
  StatefulPolicyProps,
  StatefulRollingUpdateProps,
  StatelessPolicy,
  StatelessPolicyProps,
  StatelessRollingUpdateProps,
} from '../workloads/policies';
import { readBy, readProps } from '../input/given-value';
import type { PropPlaces } from './prop-places';
import { unusableProps } from './usable-props';

/** The props of each policy; which of them go together is a rule of its own. */
const POLICY_PROPS = {
  stateless: {
    update: STRING,
    maxSurge: INT_OR_PERCENT,
    maxUnavailable: INT_OR_PERCENT,
    replicas: INT32,
    revisionHistory: INT32,
  } satisfies SchemasOf<StatelessRollingUpdateProps>,
  stateful: {
    update: STRING,
    partition: INT32,
    replicas: INT32,
    revisionHistory: INT32,
  } satisfies SchemasOf<StatefulRollingUpdateProps>,
  daemonSet: {
    update: STRING,
    maxSurge: INT_OR_PERCENT,
    maxUnavailable: INT_OR_PERCENT,
    revisionHistory: INT32,
  } satisfies SchemasOf<Required<DaemonSetPolicyProps>>,
};

/** From which props of a policy the fields of a workload are written. */
export const POLICY_PLACES: PropPlaces = [
  ...['spec.strategy', 'spec.updateStrategy'].flatMap((field): PropPlaces => [
    [`${field}.rollingUpdate.maxSurge`, 'maxSurge'],
    [`${field}.rollingUpdate.maxUnavailable`, 'maxUnavailable'],
    [`${field}.rollingUpdate.partition`, 'partition'],
    [`${field}.type`, 'update'],
    [field, 'update'],
  ]),
  ['spec.revisionHistoryLimit', 'revisionHistory'],
  ['spec.replicas', 'replicas'],
];

/** The same as the schema of one prop. */
export function policySchema(policy: keyof typeof POLICY_PROPS): FieldSchema {
  return whole(map(POLICY_PROPS[policy]));
}

/** The props, unless there are others: a value has no construct path, so what it was made by stands in front of what is thrown. */
function checked<T>(maker: string, given: T, schemas: FieldSchemas): T {
  const props = readBy(maker, given);
  const unusable = unusableProps(props, { maps: {}, props: schemas });
  if (unusable.length > 0) throw new Error(unusable.map((line) => `${maker}: ${line}`).join('\n'));
  return props;
}

/**
 * A policy for Deployments.
 *
 * @throws Error for props that there are not
 */
export function checkedStatelessPolicy(props: StatelessPolicyProps): StatelessPolicy {
  return statelessPolicy(checked('DeploymentPolicy.stateless', props, POLICY_PROPS.stateless));
}

/**
 * A policy for StatefulSets.
 *
 * @throws Error for props that there are not
 */
export function checkedStatefulPolicy(props: StatefulPolicyProps): StatefulPolicy {
  return statefulPolicy(checked('DeploymentPolicy.stateful', props, POLICY_PROPS.stateful));
}

/**
 * A policy for DaemonSets.
 *
 * @throws Error for props that there are not
 */
export function checkedDaemonPolicy(props: DaemonSetPolicyProps): DaemonPolicy {
  return daemonPolicy(checked('DaemonSetPolicy', props, POLICY_PROPS.daemonSet));
}

/**
 * Which workloads `applyToAll` takes: a misspelt `matchLabels` would be every one of them.
 *
 * @param known kinds that the policy's class is for
 * @returns the selector, or why there is none: props that there are not, and other kinds
 */
export function checkedSelector<T extends object>(given: T, known: readonly string[]): T | { readonly refused: readonly string[] } {
  const read = readProps(given);
  if (read.unreadable !== undefined) return { refused: [`applyToAll: ${read.unreadable}`] };
  const selector = read.props;
  const unusable = unusableProps(selector, { maps: {}, props: { matchLabels: STRING_MAP, kinds: LIST } });
  listAt(selector, 'kinds').forEach((kind, index) => {
    if (!known.some((name) => name === kind))
      unusable.push(`${at`kinds[${index}]`} is ${describeValue(kind)}; write ${listed(known, 'or')}`);
  });
  return unusable.length === 0 ? selector : { refused: unusable.map((line) => `applyToAll: ${line}`) };
}
