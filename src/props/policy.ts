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

/** Throws for props that there are not: a value has no construct path, so what it was made by stands in front. */
function refuseUnknown(maker: string, props: unknown, schemas: FieldSchemas): void {
  const unusable = unusableProps(props, { maps: {}, props: schemas });
  if (unusable.length > 0) throw new Error(unusable.map((line) => `${maker}: ${line}`).join('\n'));
}

/**
 * A policy for Deployments.
 *
 * @throws Error for props that there are not
 */
export function checkedStatelessPolicy(props: StatelessPolicyProps): StatelessPolicy {
  refuseUnknown('DeploymentPolicy.stateless', props, POLICY_PROPS.stateless);
  return statelessPolicy(props);
}

/**
 * A policy for StatefulSets.
 *
 * @throws Error for props that there are not
 */
export function checkedStatefulPolicy(props: StatefulPolicyProps): StatefulPolicy {
  refuseUnknown('DeploymentPolicy.stateful', props, POLICY_PROPS.stateful);
  return statefulPolicy(props);
}

/**
 * A policy for DaemonSets.
 *
 * @throws Error for props that there are not
 */
export function checkedDaemonPolicy(props: DaemonSetPolicyProps): DaemonPolicy {
  refuseUnknown('DaemonSetPolicy', props, POLICY_PROPS.daemonSet);
  return daemonPolicy(props);
}

/**
 * Which workloads `applyToAll` takes: a misspelt `matchLabels` would be every one of them.
 *
 * @param known kinds that the policy's class is for
 * @throws Error for props that there are not, and for other kinds
 */
export function refuseUnknownSelector(selector: unknown, known: readonly string[]): void {
  refuseUnknown('applyToAll', selector, { matchLabels: STRING_MAP, kinds: LIST });
  for (const [index, kind] of listAt(selector, 'kinds').entries()) {
    if (known.some((name) => name === kind)) continue;
    throw new Error(`applyToAll: ${at`kinds[${index}]`} is ${describeValue(kind)}; write ${listed(known, 'or')}`);
  }
}
