import {
  intOrPercentFindings,
  isLiteralZero,
  negativeFields,
  typeFinding,
  typeFindings,
  unknownFieldFindings,
} from '../../cluster/refusals';
import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isIntOrPercent } from '../../core/int-or-percent';
import { fieldsAt, isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { INT_OR_PERCENT, STRING, map } from '../../core/schema';
import { seen } from '../../core/seen';
import { isLeftOut } from '../deployment/validation';
import { workloadSchema } from '../pod-template';
import { DEFAULT_ROLLING_UPDATE } from './strategy';

const DAEMON_SET = workloadSchema({});

const UPDATE_STRATEGY = map({ type: STRING, rollingUpdate: map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT }) });

const TYPES = ['RollingUpdate', 'OnDelete'];

/** All that apps/v1 has; `replicas` of a Deployment that became a DaemonSet is dropped. */
const SPEC_FIELDS = ['selector', 'template', 'updateStrategy', 'minReadySeconds', 'revisionHistoryLimit'];

/** Everything that the API server refuses in a DaemonSet's rollout. Source: `ValidateDaemonSetSpec`. */
export function daemonSetFindings(daemonSet: Manifest): Finding[] {
  const spec = fieldsAt(daemonSet, 'spec');
  return [
    ...typeFindings(daemonSet, DAEMON_SET),
    ...unknownFieldFindings(daemonSet.spec, at`spec`, SPEC_FIELDS),
    ...negativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit'], at`spec`),
    ...updateStrategyFindings(spec.updateStrategy, at`spec.updateStrategy`),
  ];
}

/** Everything that the API server refuses in a DaemonSet's update strategy, and what it drops. */
function updateStrategyFindings(strategy: unknown, path: FieldPath): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [typeFinding({ kind: 'wrong-type', path, value: strategy, expected: 'map' })];
  return [
    ...typeFindings(strategy, UPDATE_STRATEGY, path),
    ...unknownFieldFindings(strategy, path, ['type', 'rollingUpdate']),
    ...unknownFieldFindings(strategy.rollingUpdate, childPath(path, 'rollingUpdate'), ['maxSurge', 'maxUnavailable']),
    ...updateStrategyRules(strategy.type, strategy.rollingUpdate, path),
  ];
}

/** Beside OnDelete the API server looks at no limits. */
function updateStrategyRules(type: unknown, rollingUpdate: unknown, path: FieldPath): Finding[] {
  if (!isLeftOut(type) && typeof type !== 'string') return [];
  if (!isLeftOut(type) && !TYPES.includes(type)) {
    return [invalidStrategy.finding('unknownUpdateType', { path, data: { field: 'type', value: seen(type), choices: TYPES } })];
  }
  return type !== 'OnDelete' && isFields(rollingUpdate) ? limitRules(rollingUpdate, childPath(path, 'rollingUpdate')) : [];
}

/**
 * Exactly one of the limits has to be above 0, with the defaults filled in: maxSurge alone meets the default 1 of maxUnavailable.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go, `ValidateRollingUpdateDaemonSet`.
 */
function limitRules(rollingUpdate: Fields, path: FieldPath): Finding[] {
  const maxSurge = rollingUpdate.maxSurge ?? DEFAULT_ROLLING_UPDATE.maxSurge;
  const maxUnavailable = rollingUpdate.maxUnavailable ?? DEFAULT_ROLLING_UPDATE.maxUnavailable;
  const surgePath = childPath(path, 'maxSurge');
  const unavailablePath = childPath(path, 'maxUnavailable');
  const malformed = [
    ...intOrPercentFindings({ path: unavailablePath, value: maxUnavailable }, 'at most 100%'),
    ...intOrPercentFindings({ path: surgePath, value: maxSurge }, 'at most 100%'),
  ];
  const data = { maxSurge: seen(maxSurge), maxUnavailable: seen(maxUnavailable) };
  if (isSet(maxSurge) && isSet(maxUnavailable)) {
    const isDefault = isLeftOut(rollingUpdate.maxUnavailable);
    return [...malformed, invalidStrategy.finding('daemonsBothSet', { path: surgePath, data: { ...data, isDefault } })];
  }
  if (malformed.length > 0 || !isIntOrPercent(maxSurge) || !isIntOrPercent(maxUnavailable)) return malformed;
  if (!isLiteralZero(maxSurge) || !isLiteralZero(maxUnavailable)) return [];
  return [invalidStrategy.finding('daemonsBothZero', { path: unavailablePath, data })];
}

/** Is a limit meant to be something else than 0, well written or not? A value that says nothing of the kind counts as 0. */
function isSet(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number' && value !== 0;
  return /^(?:[+-]?[0-9]+|[0-9]+%)$/.test(value) && Number.parseInt(value, 10) !== 0;
}
