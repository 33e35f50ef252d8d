import { at } from '../core/field-path';
import { listAt, valueAt } from '../core/manifest';
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
import { readBy } from '../input/given-value';
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
 * @returns the selector
 * @throws Error for props that there are not, and for other kinds
 */
export function checkedSelector<T>(given: T, known: readonly string[]): T {
  const selector = checked('applyToAll', given, { matchLabels: STRING_MAP, kinds: LIST });
  const kinds = valueAt(selector, 'kinds');
  if (kinds !== undefined && !Array.isArray(kinds)) throw new Error(`applyToAll: kinds is ${describeValue(kinds)}; write a list`);
  for (const [index, kind] of listAt(selector, 'kinds').entries()) {
    if (known.some((name) => name === kind)) continue;
    throw new Error(`applyToAll: ${at`kinds[${index}]`} is ${describeValue(kind)}; write ${listed(known, 'or')}`);
  }
  return selector;
}
