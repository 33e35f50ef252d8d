import { isGoal } from '../advise/goal';
import { toFieldPath, buildFieldPath, parseFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { ANY, defineMap } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import type { PlanDocument } from '../core/document/plan-document';
import { planInput } from '../plan/plan';
import { parseMountPath, buildOperatorResource } from '../systems/operator-resource/manifests';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { createBawSystemAt } from '../systems/operator-resource/system';
import { validateIntent } from '../workloads/deployment/rules/invalid-intent';
import { readLimits } from './goal-origin';
import type { GoalOrigin } from './goal-origin';
import { replaceGoal, resolveRolloutGoal, toRolloutIntent } from './goals';
import type { SurroundingsReader } from './goals';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Expected props of an operator's resource. */
export const OPERATOR_SHAPE: PropsShape = {
  maps: { strategy: 'required', resource: 'optional' },
  props: {
    resource: defineMap({ metadata: METADATA_PROPS }),
    strategy: ANY,
    replicas: ANY,
    mountPath: ANY,
    numbers: ANY,
  } satisfies SchemasFor<OperatorRollingUpdateProps>,
};

/** A resolved resource of an operator. */
export interface ResolvedOperatorResource {
  readonly manifest: Manifest;
  /** Path of its strategy. */
  readonly mountPath: string;
  /** Findings about a malformed intent. The manifest then has a rolling update without limits instead. */
  readonly malformed: readonly Finding[];
  /** Origins of a strategy that follows from a goal. */
  readonly origins: readonly GoalOrigin[];
}

/**
 * Resolves the operator's resource with the strategy of the intent.
 *
 * @param name of the resource, unless its metadata has one
 * @param surroundings other objects that limit its pods, such as quotas; only read for a goal
 * @throws MountPathError for a mount path that is not a field below `spec`, that the resource does not have, or that is not a strategy
 * @throws IntentError for a goal that cannot be resolved
 * @throws Error for a resource whose apiVersion, kind or metadata has another type
 */
export function resolveOperatorResource(
  name: string,
  props: OperatorRollingUpdateProps,
  surroundings: SurroundingsReader = () => [],
): ResolvedOperatorResource {
  const mountPath = parseMountPath(props);
  const malformed = validateIntent(props.strategy, toFieldPath`strategy`);
  const named = (manifest: Manifest): Manifest => ({ ...manifest, metadata: { name, ...manifest.metadata } });
  if (malformed.length > 0) {
    return { manifest: named(buildOperatorResource({ ...props, strategy: { type: 'RollingUpdate' } })), mountPath, malformed, origins: [] };
  }
  const { strategy } = props;
  if (!isGoal(strategy)) return { manifest: named(buildOperatorResource(props)), mountPath, malformed, origins: [] };
  const unresolved = named(buildOperatorResource({ ...props, strategy: replaceGoal(strategy) }));
  const resolved = resolveRolloutGoal({
    intent: strategy,
    prop: 'strategy',
    input: { objects: [unresolved, ...surroundings()], systems: [createBawSystemAt(mountPath)] },
    options: {},
  });
  const manifest = named(buildOperatorResource({ ...props, strategy: toRolloutIntent(resolved.strategy) }));
  return { manifest, mountPath, malformed, origins: [{ reason: resolved.reason, values: readLimits(resolved.strategy) }] };
}

/** Builds the prop paths of an operator's resource. Everything except the strategy and the replicas next to it comes from `resource`. */
export function buildOperatorPropPaths(mountPath: string, strategy: unknown): PropPaths {
  const isByRatio = getValueAt(strategy, 'mode') !== undefined;
  const parentPath = buildFieldPath(...parseFieldPath(mountPath).slice(0, -1));
  return [
    [`${mountPath}.rolling_update.max_surge`, isByRatio ? 'strategy.ratio' : 'strategy.maxSurge'],
    [`${mountPath}.rolling_update.max_unavailable`, isByRatio ? 'strategy.ratio' : 'strategy.maxUnavailable'],
    [mountPath, 'strategy'],
    [`${parentPath}.replicas`, 'replicas'],
    ['metadata', 'resource.metadata'],
    ['spec', 'resource.spec'],
  ];
}

/** Plans an operator's resource with its strategy at `mountPath`, which may have any field name, and other objects that limit its pods. */
export function planOperatorResource(objects: readonly Manifest[], mountPath: string): PlanDocument {
  return planInput({ objects, systems: [createBawSystemAt(mountPath)] });
}
