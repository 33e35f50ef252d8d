import { typeFinding, typeFindings } from '../../cluster/refusals';
import { negativeFields, negativeFindings } from '../../cluster/rules/invalid-strategy';
import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { unknownFieldFindings } from '../../core/rules/unknown-field';
import { INT32, INT_OR_PERCENT, STRING, map } from '../../core/schema';
import { isLeftOut } from '../deployment/validation';
import { workloadSchema } from '../workload-schema';
import { strayLimitsFinding, unknownUpdateTypeFinding } from '../rules/invalid-type';
import { maxUnavailableFindings, policyFindings } from './rules/invalid-strategy';
import { keepsStatefulSetMaxUnavailable } from './strategy';

const STATEFUL_SET = workloadSchema({ replicas: INT32, podManagementPolicy: STRING, ordinals: map({ start: INT32 }) });

const UPDATE_STRATEGY = map({ type: STRING, rollingUpdate: map({ partition: INT32, maxUnavailable: INT_OR_PERCENT }) });

const TYPES = ['RollingUpdate', 'OnDelete'];

/**
 * Everything that the API server refuses in a StatefulSet's rollout; where the version's gate drops maxUnavailable, it is not judged.
 * Source: `ValidateStatefulSetSpec`.
 */
export function statefulSetFindings(statefulSet: Manifest, kubernetesVersion: string): Finding[] {
  const spec = fieldsAt(statefulSet, 'spec');
  return [
    ...typeFindings(statefulSet, STATEFUL_SET),
    ...negativeFields(spec, ['replicas', 'minReadySeconds'], at`spec`),
    ...negativeFindings({ path: at`spec.ordinals.start`, value: valueAt(spec, 'ordinals', 'start') }),
    ...policyFindings(spec.podManagementPolicy),
    ...updateStrategyFindings(spec.updateStrategy, at`spec.updateStrategy`, kubernetesVersion),
  ];
}

/** Everything that the API server refuses in a StatefulSet's update strategy, and what it drops. */
function updateStrategyFindings(strategy: unknown, path: FieldPath, kubernetesVersion: string): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [typeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' })];
  return [
    ...typeFindings(strategy, UPDATE_STRATEGY, path),
    ...unknownFieldFindings(strategy, path, ['type', 'rollingUpdate']),
    ...unknownFieldFindings(strategy.rollingUpdate, childPath(path, 'rollingUpdate'), ['partition', 'maxUnavailable']),
    ...updateStrategyRules(strategy.type, strategy.rollingUpdate, path, kubernetesVersion),
  ];
}

function updateStrategyRules(type: unknown, rollingUpdate: unknown, path: FieldPath, kubernetesVersion: string): Finding[] {
  const limitsPath = childPath(path, 'rollingUpdate');
  if (!isLeftOut(type) && typeof type !== 'string') return [];
  if (type === 'OnDelete') {
    return isFields(rollingUpdate) ? [strayLimitsFinding(limitsPath, 'rollingUpdate', type)] : [];
  }
  if (!isLeftOut(type) && type !== 'RollingUpdate') return [unknownUpdateTypeFinding(path, type, TYPES)];
  if (!isFields(rollingUpdate)) return [];
  const partition = negativeFindings({ path: childPath(limitsPath, 'partition'), value: rollingUpdate.partition });
  return keepsStatefulSetMaxUnavailable(kubernetesVersion)
    ? [...partition, ...maxUnavailableFindings(rollingUpdate.maxUnavailable, childPath(limitsPath, 'maxUnavailable'))]
    : partition;
}
