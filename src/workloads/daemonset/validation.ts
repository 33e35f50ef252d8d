import { typeFinding, typeFindings } from '../../cluster/refusals';
import { negativeFields } from '../../cluster/rules/invalid-strategy';
import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { unknownFieldFindings } from '../../core/rules/unknown-field';
import { INT_OR_PERCENT, STRING, map } from '../../core/schema';
import { isLeftOut } from '../deployment/validation';
import { workloadSchema } from '../workload-schema';
import { unknownUpdateTypeFinding } from '../rules/invalid-type';
import { limitsFindings } from './rules/invalid-strategy';

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
  if (!isLeftOut(type) && !TYPES.includes(type)) return [unknownUpdateTypeFinding(path, type, TYPES)];
  return type !== 'OnDelete' && isFields(rollingUpdate) ? limitsFindings(rollingUpdate, childPath(path, 'rollingUpdate')) : [];
}
