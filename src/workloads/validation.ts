import type { Finding } from '../core/finding';
import { isInt32, isIntOrPercent } from '../core/int-or-percent';
import { fieldsAt, isFields, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { describeValue } from '../core/shape';
import type { FieldType, Shape } from '../core/shape';
import { unknownFieldFindings } from '../core/unknown-fields';
import { intOrPercentFindings, isLiteralZero, negativeFindings, refused, seen, typeFinding, typeFindings } from '../cluster/numbers';
import { DEFAULT_ROLLING_UPDATE, DEPLOYMENT_DEFAULTS, keepsStatefulSetMaxUnavailable } from './strategy';

const STRATEGY_SHAPE: Shape = {
  type: 'string',
  rollingUpdate: 'map',
  'rollingUpdate.maxSurge': 'int-or-percent',
  'rollingUpdate.maxUnavailable': 'int-or-percent',
};

const UPDATE_STRATEGY_SHAPE: Shape = {
  type: 'string',
  rollingUpdate: 'map',
  'rollingUpdate.partition': 'int32',
  'rollingUpdate.maxUnavailable': 'int-or-percent',
};

function containerShape(list: string): Record<string, FieldType> {
  return {
    [list]: 'list',
    [`${list}[]`]: 'map',
    [`${list}[].name`]: 'string',
    [`${list}[].readinessProbe`]: 'map',
    [`${list}[].resources`]: 'map',
    [`${list}[].resources.requests`]: 'map',
    [`${list}[].resources.limits`]: 'map',
  };
}

/** What a Deployment and a StatefulSet have in common, as far as a rollout reads it. */
const WORKLOAD_SHAPE: Shape = {
  metadata: 'map',
  'metadata.name': 'string',
  'metadata.namespace': 'string',
  'metadata.labels': 'string-map',
  'metadata.annotations': 'string-map',
  'metadata.ownerReferences': 'list',
  'metadata.ownerReferences[]': 'map',
  'metadata.ownerReferences[].controller': 'boolean',
  spec: 'map!',
  'spec.replicas': 'int32',
  'spec.minReadySeconds': 'int32',
  'spec.revisionHistoryLimit': 'int32',
  'spec.template': 'map',
  'spec.template.metadata': 'map',
  'spec.template.metadata.labels': 'string-map',
  'spec.template.metadata.annotations': 'string-map',
  'spec.template.spec': 'map',
  ...containerShape('spec.template.spec.initContainers'),
  ...containerShape('spec.template.spec.containers'),
};

const DEPLOYMENT_SHAPE: Shape = { ...WORKLOAD_SHAPE, 'spec.progressDeadlineSeconds': 'int32', 'spec.paused': 'boolean' };

const STATEFUL_SET_SHAPE: Shape = {
  ...WORKLOAD_SHAPE,
  'spec.podManagementPolicy': 'string',
  'spec.ordinals': 'map',
  'spec.ordinals.start': 'int32',
};

/** A missing, null or empty value, which the API server fills in. */
function isLeftOut(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/**
 * Everything that the API server refuses in a Deployment's strategy, and what it drops: types, quoted numbers, unknown fields, and the
 * rules of `ValidateDeploymentStrategy`. A strategy without an error may be given to `storedDeploymentStrategy`.
 *
 * Source: k/k pkg/apis/apps/validation/validation.go.
 *
 * @param path where the strategy stands: `spec.strategy`, `spec.predictor.deploymentStrategy`
 */
export function deploymentStrategyFindings(strategy: unknown, path: string): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [typeFinding(path, 'map', strategy)];
  return [
    ...typeFindings(strategy, STRATEGY_SHAPE, path),
    ...unknownFieldFindings(strategy, path, ['type', 'rollingUpdate']),
    ...unknownFieldFindings(strategy.rollingUpdate, `${path}.rollingUpdate`, ['maxSurge', 'maxUnavailable']),
    ...deploymentStrategyRules(strategy.type, strategy.rollingUpdate, path),
  ];
}

function deploymentStrategyRules(type: unknown, rollingUpdate: unknown, path: string): Finding[] {
  const limitsPath = `${path}.rollingUpdate`;
  if (isLeftOut(type) || type === 'RollingUpdate') return isFields(rollingUpdate) ? rollingUpdateRules(rollingUpdate, limitsPath) : [];
  if (typeof type !== 'string') return [];
  if (type !== 'Recreate') {
    const help = 'Write type: RollingUpdate or type: Recreate.';
    return [refused(path, seen('type', type), 'supported values are "Recreate" and "RollingUpdate"', help)];
  }
  if (!isFields(rollingUpdate)) return [];
  const reason = "may not be specified when strategy `type` is 'Recreate'";
  const help = 'Delete rollingUpdate, or write type: RollingUpdate.';
  return [refused(limitsPath, 'rollingUpdate stands beside type Recreate', reason, help)];
}

function rollingUpdateRules(rollingUpdate: Readonly<Record<string, unknown>>, path: string): Finding[] {
  const maxSurge = rollingUpdate.maxSurge ?? DEFAULT_ROLLING_UPDATE.maxSurge;
  const maxUnavailable = rollingUpdate.maxUnavailable ?? DEFAULT_ROLLING_UPDATE.maxUnavailable;
  const malformed = [
    ...intOrPercentFindings(maxSurge, `${path}.maxSurge`),
    ...intOrPercentFindings(maxUnavailable, `${path}.maxUnavailable`, 'at most 100%'),
  ];
  if (malformed.length > 0 || !isIntOrPercent(maxSurge) || !isIntOrPercent(maxUnavailable)) return malformed;
  if (!isLiteralZero(maxSurge) || !isLiteralZero(maxUnavailable)) return [];
  const zeros = `maxUnavailable is ${describeValue(maxUnavailable)} and maxSurge is ${describeValue(maxSurge)}`;
  const help = 'Write maxUnavailable: 1 to replace pods in place, or maxSurge: 1 to keep every replica available.';
  return [refused(`${path}.maxUnavailable`, zeros, 'maxUnavailable may not be 0 when `maxSurge` is 0', help)];
}

const DEPLOYMENT_COUNTS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** Everything that the API server refuses in a Deployment's rollout. Source: `ValidateDeploymentSpec`. */
export function deploymentFindings(deployment: Manifest): Finding[] {
  const spec = fieldsAt(deployment, 'spec');
  return [
    ...typeFindings(deployment, DEPLOYMENT_SHAPE),
    ...DEPLOYMENT_COUNTS.flatMap((field) => negativeFindings(spec[field], `spec.${field}`)),
    ...deadlineBelowMinReadyFindings(spec),
    ...deploymentStrategyFindings(spec.strategy, 'spec.strategy'),
  ];
}

function deadlineBelowMinReadyFindings(spec: Readonly<Record<string, unknown>>): Finding[] {
  const deadline = spec.progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds;
  const minReady = spec.minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds;
  if (!isInt32(deadline) || !isInt32(minReady) || deadline < 0 || deadline > minReady) return [];
  return [
    refused(
      'spec.progressDeadlineSeconds',
      seen('progressDeadlineSeconds', deadline),
      `must be greater than minReadySeconds (it is ${minReady})`,
      `Write a number above ${minReady} plus the seconds that a pod takes to become ready.`,
    ),
  ];
}

/**
 * Everything that the API server refuses in a StatefulSet's rollout; where the version's gate drops maxUnavailable, it is not judged.
 * Source: `ValidateStatefulSetSpec`.
 */
export function statefulSetFindings(statefulSet: Manifest, kubernetesVersion: string): Finding[] {
  const spec = fieldsAt(statefulSet, 'spec');
  return [
    ...typeFindings(statefulSet, STATEFUL_SET_SHAPE),
    ...negativeFindings(spec.replicas, 'spec.replicas'),
    ...negativeFindings(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...negativeFindings(valueAt(spec, 'ordinals', 'start'), 'spec.ordinals.start'),
    ...policyFindings(spec.podManagementPolicy),
    ...updateStrategyFindings(spec.updateStrategy, 'spec.updateStrategy', kubernetesVersion),
  ];
}

function policyFindings(policy: unknown): Finding[] {
  if (typeof policy !== 'string' || isLeftOut(policy) || policy === 'OrderedReady' || policy === 'Parallel') return [];
  const path = 'spec.podManagementPolicy';
  return [refused(path, seen(path, policy), "must be 'OrderedReady' or 'Parallel'", 'Write OrderedReady or Parallel.')];
}

/** Everything that the API server refuses in a StatefulSet's update strategy, and what it drops. */
function updateStrategyFindings(strategy: unknown, path: string, kubernetesVersion: string): Finding[] {
  if (strategy === undefined || strategy === null) return [];
  if (!isFields(strategy)) return [typeFinding(path, 'map', strategy)];
  return [
    ...typeFindings(strategy, UPDATE_STRATEGY_SHAPE, path),
    ...unknownFieldFindings(strategy, path, ['type', 'rollingUpdate']),
    ...unknownFieldFindings(strategy.rollingUpdate, `${path}.rollingUpdate`, ['partition', 'maxUnavailable']),
    ...updateStrategyRules(strategy.type, strategy.rollingUpdate, path, kubernetesVersion),
  ];
}

function updateStrategyRules(type: unknown, rollingUpdate: unknown, path: string, kubernetesVersion: string): Finding[] {
  const limitsPath = `${path}.rollingUpdate`;
  if (!isLeftOut(type) && typeof type !== 'string') return [];
  if (type === 'OnDelete') {
    if (!isFields(rollingUpdate)) return [];
    const reason = "only allowed for updateStrategy 'RollingUpdate'";
    const help = 'Delete rollingUpdate, or write type: RollingUpdate.';
    return [refused(limitsPath, 'rollingUpdate stands beside type OnDelete', reason, help)];
  }
  if (!isLeftOut(type) && type !== 'RollingUpdate') {
    const help = 'Write type: RollingUpdate or type: OnDelete.';
    return [refused(path, seen('type', type), "must be 'RollingUpdate' or 'OnDelete'", help)];
  }
  if (!isFields(rollingUpdate)) return [];
  const partition = negativeFindings(rollingUpdate.partition, `${limitsPath}.partition`);
  return keepsStatefulSetMaxUnavailable(kubernetesVersion)
    ? [...partition, ...maxUnavailableRules(rollingUpdate.maxUnavailable, `${limitsPath}.maxUnavailable`)]
    : partition;
}

function maxUnavailableRules(value: unknown, path: string): Finding[] {
  const malformed = intOrPercentFindings(value, path, 'at most 100%');
  if (malformed.length > 0 || !isIntOrPercent(value) || !isLiteralZero(value)) return malformed;
  return [refused(path, seen(path, value), 'cannot be 0', 'Write maxUnavailable: 1, or leave the field out.')];
}
