import { checkIntOrPercent } from '../../cluster/rules/type-errors';
import type { InitialState } from '../../cluster/rollout/initial-state';
import { describeValue } from '../../core/text/display-value';
import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { RollsLike } from '../../core/sources/operator-resource-map';
import type { RolloutGroups } from '../../core/document/pod-group-size';
import { INT32, INT_OR_PERCENT, STRING, defineMap, findSchemaProblems } from '../../core/values/schema';
import type { Simulation } from '../../core/simulations/simulation';
import type { Versions } from '../../core/values/versions';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { buildGroupRollout, summarizeGroups } from '../../workloads/leader-worker-set/rollout';
import { simulateGroups } from '../../workloads/leader-worker-set/simulate';
import { defaultLwsStrategy, resolveGroupLimits, resolveLeaderLimit } from '../../workloads/leader-worker-set/strategy';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { STATEFUL_SET } from '../../workloads/statefulset/kind';
import { toDeploymentStrategy } from './strategy';

/** The mapped values of a resource. */
export interface MappedValues {
  readonly replicas: number;
  /** Pods of a group. */
  readonly size: number;
  /** The strategy as written, a map. Undefined if there is none. */
  readonly strategy: Fields | undefined;
  readonly strategyPath: FieldPath;
  readonly versions: Versions;
}

/** The rollout of a kind for mapped values. */
export interface MappedKindRollout {
  /** Strategy with the defaults of the kind. */
  readonly strategy: object;
  readonly simulate: (initialState: InitialState) => Simulation;
  /** Size of the groups. Undefined for pods without groups. */
  readonly groups?: RolloutGroups;
  /** What must happen before pods are replaced, as text after "until". Undefined if a new template replaces them. */
  readonly heldUntil?: string;
}

/** A strategy that the kind does not accept. */
export interface RefusedStrategy {
  readonly refused: string;
}

function refuseFirst(findings: readonly { readonly severity: string; readonly message: string }[]): RefusedStrategy | undefined {
  const error = findings.find(({ severity }) => severity === 'error');
  return error && { refused: error.message.replace(/\.$/, '') };
}

function modelDeployment({ strategy: written = {}, strategyPath: path }: MappedValues): MappedKindRollout | RefusedStrategy {
  const spec = 'rolling_update' in written ? toDeploymentStrategy(written) : written;
  const refused = refuseFirst(validateDeploymentStrategy(spec, { path }));
  if (refused) return refused;
  const strategy = defaultDeploymentStrategy(spec);
  return { strategy, simulate: (initialState) => DEPLOYMENT.simulate({ strategy, provenance: [] }, initialState) };
}

function modelStatefulSet({ strategy: written, replicas, versions }: MappedValues): MappedKindRollout | RefusedStrategy {
  const statefulSet: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'mapped' },
    spec: { replicas, ...(written && { updateStrategy: written }) },
  };
  const refused = refuseFirst(STATEFUL_SET.validate(statefulSet, versions));
  if (refused) return refused;
  const effective = STATEFUL_SET.resolveStrategy(statefulSet, versions);
  const isHeld = STATEFUL_SET.countPinnedPods(statefulSet, replicas) === Infinity;
  return {
    strategy: effective.strategy,
    simulate: (initialState) => STATEFUL_SET.simulate(effective, initialState),
    ...(isHeld && { heldUntil: STATEFUL_SET.resumeCondition(statefulSet) }),
  };
}

const LWS_STRATEGY = defineMap({
  type: STRING,
  rollingUpdateConfiguration: defineMap({ partition: INT32, maxUnavailable: INT_OR_PERCENT, maxSurge: INT_OR_PERCENT }),
});

function findGroupStrategyProblem(strategy: Fields, path: FieldPath): RefusedStrategy | undefined {
  const [problem] = findSchemaProblems(strategy, LWS_STRATEGY, path);
  if (problem) return { refused: `${problem.path} has another type` };
  const limits = getFieldsAt(strategy, 'rollingUpdateConfiguration');
  return refuseFirst(
    (['maxUnavailable', 'maxSurge'] as const).flatMap((field) =>
      checkIntOrPercent({ path: appendToPath(path, 'rollingUpdateConfiguration', field), value: limits[field] }, 'at most 100%'),
    ),
  );
}

function modelLeaderWorkerSet(values: MappedValues): MappedKindRollout | RefusedStrategy {
  const { strategy: written = {}, strategyPath, replicas, size, versions } = values;
  const refused = findGroupStrategyProblem(written, strategyPath);
  if (refused) return refused;
  const strategy = defaultLwsStrategy({ rolloutStrategy: written });
  const limits = resolveGroupLimits(strategy, replicas);
  if (replicas > 0 && limits.surge + limits.unavailable === 0) return { refused: 'both limits are 0' };
  const behaviour = getLwsBehaviour(versions.lws);
  const set: LeaderWorkerSet = {
    name: 'mapped',
    replicas,
    size,
    members: [],
    addedConstraints: [],
    leaderFirst: false,
    strategy,
    strategyPath,
    path: toFieldPath`spec`,
    limits,
    leaderLimit: resolveLeaderLimit(strategy, limits, behaviour, versions.kubernetes),
    behaviour,
  };
  const groups = summarizeGroups(set, simulateGroups(buildGroupRollout(set)));
  return { strategy, groups, simulate: (initialState) => simulateGroups(buildGroupRollout(set, initialState)) };
}

/** Models the rollout of each kind that a resource can be mapped to. */
export const MAPPED_KINDS: Readonly<Record<RollsLike, (values: MappedValues) => MappedKindRollout | RefusedStrategy>> = {
  deployment: modelDeployment,
  statefulset: modelStatefulSet,
  leaderworkerset: modelLeaderWorkerSet,
};

/** Returns the reason why a value is not a strategy; undefined if it is one or is not set. */
export function explainNoStrategy(value: unknown): string | undefined {
  return value === undefined || value === null || isFields(value) ? undefined : `${describeValue(value)} is not a map with a strategy`;
}
