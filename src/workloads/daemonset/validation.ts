import { buildTypeFinding, checkFieldTypes } from '../../cluster/rules/type-errors';
import { checkNonNegativeFields } from '../../cluster/rules/invalid-strategy';
import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkUnknownField } from '../../core/rules/unknown-field';
import { INT_OR_PERCENT, STRING, defineMap } from '../../core/values/schema';
import { isUnset } from '../deployment/validation';
import { defineWorkloadSchema } from '../workload-schema';
import { reportUnknownUpdateType } from '../rules/invalid-strategy-type';
import { validateDaemonSetLimits } from './rules/invalid-strategy';

const DAEMON_SET_SCHEMA = defineWorkloadSchema({});

const UPDATE_STRATEGY_SCHEMA = defineMap({
  type: STRING,
  rollingUpdate: defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT }),
});

const UPDATE_STRATEGY_TYPES = ['RollingUpdate', 'OnDelete'];

/** All fields of the spec in apps/v1. Other fields, such as the `replicas` of a former Deployment, are dropped. */
const SPEC_FIELDS = ['selector', 'template', 'updateStrategy', 'minReadySeconds', 'revisionHistoryLimit'];

/** Reports everything that the API server refuses in a DaemonSet's rollout. Source: `ValidateDaemonSetSpec`. */
export function validateDaemonSet(daemonSet: Manifest): Finding[] {
  const spec = getFieldsAt(daemonSet, 'spec');
  return [
    ...checkFieldTypes(daemonSet, DAEMON_SET_SCHEMA),
    ...checkUnknownField(daemonSet.spec, toFieldPath`spec`, SPEC_FIELDS),
    ...checkNonNegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], toFieldPath`spec`),
    ...validateUpdateStrategy(spec.updateStrategy, toFieldPath`spec.updateStrategy`),
  ];
}

/** Reports everything that the API server refuses or drops in a DaemonSet's update strategy. */
function validateUpdateStrategy(strategy: unknown, path: FieldPath): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [buildTypeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' })];
  return [
    ...checkFieldTypes(strategy, UPDATE_STRATEGY_SCHEMA, path),
    ...checkUnknownField(strategy, path, ['type', 'rollingUpdate']),
    ...checkUnknownField(strategy.rollingUpdate, appendToPath(path, 'rollingUpdate'), ['maxSurge', 'maxUnavailable']),
    ...validateTypeAndLimits(strategy.type, strategy.rollingUpdate, path),
  ];
}

/** Reports an unknown type, and limits that are refused. With OnDelete the API server does not validate limits. */
function validateTypeAndLimits(type: unknown, rollingUpdate: unknown, path: FieldPath): Finding[] {
  if (!isUnset(type) && typeof type !== 'string') return [];
  if (!isUnset(type) && !UPDATE_STRATEGY_TYPES.includes(type)) return [reportUnknownUpdateType(path, type, UPDATE_STRATEGY_TYPES)];
  return type !== 'OnDelete' && isFields(rollingUpdate) ? validateDaemonSetLimits(rollingUpdate, appendToPath(path, 'rollingUpdate')) : [];
}
