import { toFieldPath, buildFieldPath, parseFieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { ANY, defineMap } from '../core/schema';
import type { SchemasFor } from '../core/schema';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import { parseMountPath, buildOperatorResource } from '../systems/operator-resource/manifests';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { createBawSystemAt } from '../systems/operator-resource/system';
import type { RolloutIntent } from '../workloads/deployment/intent';
import { validateIntent } from '../workloads/deployment/rules/invalid-intent';
import { isGoalIntent, replaceGoal, resolveRolloutGoal, toRolloutIntent } from './goals';
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
}

/**
 * Resolves the operator's resource with the strategy of the intent.
 *
 * @param name of the resource, unless its metadata has one
 * @throws MountPathError for a mount path that is not a field below `spec`, that the resource does not have, or that is not a strategy
 * @throws Error for a resource whose apiVersion, kind or metadata has another type
 */
export function resolveOperatorResource(name: string, props: OperatorRollingUpdateProps): ResolvedOperatorResource {
  const mountPath = parseMountPath(props);
  const malformed = validateIntent(props.strategy, toFieldPath`strategy`);
  const manifest =
    malformed.length > 0
      ? buildOperatorResource({ ...props, strategy: { type: 'RollingUpdate' } })
      : buildOperatorResource({ ...props, strategy: resolveOperatorGoal(props, mountPath) });
  return { manifest: { ...manifest, metadata: { name, ...manifest.metadata } }, mountPath, malformed };
}

/** Resolves a goal to the best strategy of the operator's Deployment. Returns any other intent as it is. */
function resolveOperatorGoal(props: OperatorRollingUpdateProps, mountPath: string): RolloutIntent {
  const { strategy } = props;
  if (!isGoalIntent(strategy)) return strategy;
  const manifest = buildOperatorResource({ ...props, strategy: replaceGoal(strategy) });
  const input = { objects: [manifest], systems: [createBawSystemAt(mountPath)] };
  return toRolloutIntent(resolveRolloutGoal({ intent: strategy, prop: 'strategy', input, options: {} }).strategy);
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

/** Plans an operator's resource with its strategy at `mountPath`, which may have any field name. */
export function planOperatorResource(manifest: Manifest, mountPath: string): PlanDocument {
  return planInput({ objects: [manifest], systems: [createBawSystemAt(mountPath)] });
}
