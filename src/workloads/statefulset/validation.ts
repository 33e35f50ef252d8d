import { buildTypeFinding, checkFieldTypes } from '../../cluster/rules/type-errors';
import { checkNonNegativeFields, checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkUnknownField } from '../../core/rules/unknown-field';
import { INT32, INT_OR_PERCENT, STRING, defineMap } from '../../core/values/schema';
import { isUnset } from '../deployment/validation';
import { defineWorkloadSchema } from '../workload-schema';
import { reportUnusedLimits, reportUnknownUpdateType } from '../rules/invalid-strategy-type';
import { validateStatefulSetMaxUnavailable, validatePodManagementPolicy } from './rules/invalid-strategy';
import { supportsStatefulSetMaxUnavailable } from './strategy';

const STATEFUL_SET_SCHEMA = defineWorkloadSchema({ replicas: INT32, podManagementPolicy: STRING, ordinals: defineMap({ start: INT32 }) });

const UPDATE_STRATEGY_SCHEMA = defineMap({ type: STRING, rollingUpdate: defineMap({ partition: INT32, maxUnavailable: INT_OR_PERCENT }) });

const UPDATE_STRATEGY_TYPES = ['RollingUpdate', 'OnDelete'];

/**
 * Reports everything that the API server refuses in a StatefulSet's rollout. If the version drops maxUnavailable, it is not validated.
 * Source: `ValidateStatefulSetSpec`.
 */
export function validateStatefulSet(statefulSet: Manifest, kubernetesVersion: string): Finding[] {
  const spec = getFieldsAt(statefulSet, 'spec');
  return [
    ...checkFieldTypes(statefulSet, STATEFUL_SET_SCHEMA),
    ...checkNonNegativeFields(spec, ['replicas', 'minReadySeconds'], toFieldPath`spec`),
    ...checkNonNegative({ path: toFieldPath`spec.ordinals.start`, value: getValueAt(spec, 'ordinals', 'start') }),
    ...validatePodManagementPolicy(spec.podManagementPolicy),
    ...validateUpdateStrategy(spec.updateStrategy, toFieldPath`spec.updateStrategy`, kubernetesVersion),
  ];
}

/** Reports everything that the API server refuses or drops in a StatefulSet's update strategy. */
function validateUpdateStrategy(strategy: unknown, path: FieldPath, kubernetesVersion: string): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [buildTypeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' })];
  return [
    ...checkFieldTypes(strategy, UPDATE_STRATEGY_SCHEMA, path),
    ...checkUnknownField(strategy, path, ['type', 'rollingUpdate']),
    ...checkUnknownField(strategy.rollingUpdate, appendToPath(path, 'rollingUpdate'), ['partition', 'maxUnavailable']),
    ...validateTypeAndLimits(strategy.type, strategy.rollingUpdate, path, kubernetesVersion),
  ];
}

function validateTypeAndLimits(type: unknown, rollingUpdate: unknown, path: FieldPath, kubernetesVersion: string): Finding[] {
  const limitsPath = appendToPath(path, 'rollingUpdate');
  if (!isUnset(type) && typeof type !== 'string') return [];
  if (type === 'OnDelete') {
    return isFields(rollingUpdate) ? [reportUnusedLimits(limitsPath, 'rollingUpdate', type)] : [];
  }
  if (!isUnset(type) && type !== 'RollingUpdate') return [reportUnknownUpdateType(path, type, UPDATE_STRATEGY_TYPES)];
  if (!isFields(rollingUpdate)) return [];
  const partition = checkNonNegative({ path: appendToPath(limitsPath, 'partition'), value: rollingUpdate.partition });
  return supportsStatefulSetMaxUnavailable(kubernetesVersion)
    ? [...partition, ...validateStatefulSetMaxUnavailable(rollingUpdate.maxUnavailable, appendToPath(limitsPath, 'maxUnavailable'))]
    : partition;
}
