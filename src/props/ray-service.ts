import type { Finding } from '../core/findings/finding';
import { describeValue } from '../core/text/display-value';
import { IntentError } from '../core/errors/intent-error';
import { isStartupSeconds } from '../core/values/startup-seconds';
import { isDeepEqual } from '../core/collections/deep-equal';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { ANY, BOOLEAN, INT32, LIST, MAP, STRING, STRING_MAP, defineList, defineMap, closeSchema } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import type { Provenance } from '../core/document/provenance';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import { planManifests } from '../plan/plan';
import { resolveOperatorUpgrade, RAY_SERVICE_TYPE_META } from '../systems/kuberay/manifests';
import { createSameServiceFinding } from '../systems/kuberay/rules/no-upgrade';
import { checkStageRange } from '../systems/kuberay/rules/out-of-range';
import { planStagedUpgrade } from '../systems/kuberay/stages';
import type { StagedUpgrade, UpgradeStage } from '../systems/kuberay/stages';
import type {
  HeadGroupSpec,
  RayActorOptions,
  RayClusterSpec,
  ServeApplication,
  ServeAutoscalingConfig,
  ServeConfig,
  ServeDeployment,
  WorkerGroupSpec,
} from '../systems/kuberay/types';
import type {
  OperatorUpgradeProps,
  ServiceUpgradeProps,
  StagedServiceProps,
  StagedUpgradeProps,
  UpgradeProps,
} from '../systems/kuberay/upgrade-props';
import { DRAIN } from '../workloads/drain';
import { listDrainOrigins } from './goal-origin';
import type { GoalOrigin } from './goal-origin';
import type { SurroundingsReader } from './goals';
import { resolvePace } from './ray-goal';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

const UPGRADE = {
  gatewayClassName: STRING,
  maxSurgePercent: INT32,
  stepSizePercent: INT32,
  intervalSeconds: INT32,
  // Checked when it is resolved.
  goal: MAP,
} satisfies SchemasFor<UpgradeProps>;

const SERVICE_UPGRADE = {
  upgrade: closeSchema(defineMap(UPGRADE)),
  gatewayClass: closeSchema(defineMap({ controllerName: STRING })),
  kuberay: STRING,
  startupSeconds: ANY,
} satisfies SchemasFor<ServiceUpgradeProps>;

const RAY_ACTOR_OPTIONS = {
  num_cpus: ANY,
  num_gpus: ANY,
  memory: ANY,
  object_store_memory: ANY,
  resources: MAP,
  runtime_env: MAP,
  accelerator_type: STRING,
  others: MAP,
} satisfies SchemasFor<RayActorOptions>;

const SERVE_AUTOSCALING = {
  min_replicas: ANY,
  max_replicas: ANY,
  initial_replicas: ANY,
  target_ongoing_requests: ANY,
  look_back_period_s: ANY,
  metrics_interval_s: ANY,
  upscale_delay_s: ANY,
  downscale_delay_s: ANY,
  downscale_to_zero_delay_s: ANY,
  upscaling_factor: ANY,
  downscaling_factor: ANY,
  smoothing_factor: ANY,
  upscale_smoothing_factor: ANY,
  downscale_smoothing_factor: ANY,
  policy: MAP,
  others: MAP,
} satisfies SchemasFor<ServeAutoscalingConfig>;

/** Fields of a Serve deployment. Ray validates the numbers. */
const SERVE_DEPLOYMENT = {
  name: STRING,
  num_replicas: ANY,
  autoscaling_config: closeSchema(defineMap(SERVE_AUTOSCALING)),
  ray_actor_options: closeSchema(defineMap(RAY_ACTOR_OPTIONS)),
  max_ongoing_requests: ANY,
  user_config: ANY,
  max_queued_requests: ANY,
  graceful_shutdown_wait_loop_s: ANY,
  graceful_shutdown_timeout_s: ANY,
  health_check_period_s: ANY,
  health_check_timeout_s: ANY,
  placement_group_bundles: LIST,
  placement_group_strategy: STRING,
  max_replicas_per_node: ANY,
  logging_config: MAP,
  request_router_config: MAP,
  others: MAP,
} satisfies SchemasFor<ServeDeployment>;

const SERVE_CONFIG = closeSchema(
  defineMap({
    applications: closeSchema(
      defineList({
        name: STRING,
        import_path: STRING,
        route_prefix: STRING,
        runtime_env: MAP,
        args: MAP,
        deployments: closeSchema(defineList(SERVE_DEPLOYMENT)),
      } satisfies SchemasFor<ServeApplication>),
    ),
    proxy_location: STRING,
    http_options: MAP,
    grpc_options: MAP,
    logging_config: MAP,
    // Checked by a separate rule.
    target_capacity: ANY,
  } satisfies SchemasFor<ServeConfig & { readonly target_capacity: unknown }>),
);

const GROUP = {
  template: ANY,
  rayStartParams: STRING_MAP,
  resources: STRING_MAP,
  labels: STRING_MAP,
};

const RAY_CLUSTER = closeSchema(
  defineMap({
    headGroupSpec: closeSchema(
      defineMap({ ...GROUP, serviceType: STRING, headService: MAP, enableIngress: BOOLEAN } satisfies SchemasFor<HeadGroupSpec>),
    ),
    workerGroupSpecs: closeSchema(
      defineList({
        ...GROUP,
        groupName: STRING,
        replicas: INT32,
        minReplicas: INT32,
        maxReplicas: INT32,
        numOfHosts: INT32,
        priority: INT32,
        idleTimeoutSeconds: INT32,
        scaleStrategy: MAP,
      } satisfies SchemasFor<WorkerGroupSpec>),
    ),
    rayVersion: STRING,
    enableInTreeAutoscaling: BOOLEAN,
    autoscalerOptions: MAP,
    gcsFaultToleranceOptions: MAP,
    headServiceAnnotations: STRING_MAP,
    authOptions: MAP,
  } satisfies SchemasFor<RayClusterSpec>),
);

const OPERATOR: PropsShape = {
  maps: {
    upgrade: 'required',
    serveConfig: 'required',
    'serveConfig.applications': 'required-list',
    rayCluster: 'required',
    metadata: 'optional',
  },
  props: {
    ...SERVICE_UPGRADE,
    ownership: STRING,
    metadata: METADATA_PROPS,
    serveConfig: SERVE_CONFIG,
    rayCluster: RAY_CLUSTER,
    rayClusterDeletionDelaySeconds: INT32,
    drain: DRAIN,
    excludeHeadPodFromServeSvc: BOOLEAN,
    suspend: BOOLEAN,
  } satisfies SchemasFor<OperatorUpgradeProps>,
};

const STAGED_SERVICE = closeSchema(
  defineMap({
    name: STRING,
    serveConfig: SERVE_CONFIG,
    rayCluster: RAY_CLUSTER,
    excludeHeadPodFromServeSvc: BOOLEAN,
  } satisfies SchemasFor<StagedServiceProps>),
);

const STAGED: PropsShape = {
  maps: {
    upgrade: 'required',
    current: 'required',
    'current.serveConfig': 'required',
    'current.serveConfig.applications': 'required-list',
    'current.rayCluster': 'required',
    next: 'required',
    'next.serveConfig': 'required',
    'next.serveConfig.applications': 'required-list',
    'next.rayCluster': 'required',
    metadata: 'optional',
  },
  props: {
    ...SERVICE_UPGRADE,
    ownership: STRING,
    metadata: METADATA_PROPS,
    current: STAGED_SERVICE,
    next: STAGED_SERVICE,
    drain: DRAIN,
    stage: ANY,
  } satisfies SchemasFor<StagedUpgradeProps & { readonly stage: unknown }>,
};

/** Reports whether props have those of an upgrade by Git only. */
function hasStagedProps(props: unknown): boolean {
  return getValueAt(props, 'current') !== undefined || getValueAt(props, 'next') !== undefined;
}

/** Selects the expected props of an upgrade by its ownership. */
export function selectUpgradeShape(props: unknown): PropsShape {
  return getValueAt(props, 'ownership') === 'gitops' || hasStagedProps(props) ? STAGED : OPERATOR;
}

/**
 * Requires one of the two ownerships, because any other value would be read as `operator`.
 *
 * @throws IntentError for another value, or for the props of an upgrade by Git without `ownership: 'gitops'`
 */
export function requireOwnership(props: { readonly ownership?: unknown }): void {
  const { ownership } = props;
  const isOperator = ownership === undefined || ownership === 'operator';
  if (ownership === 'gitops' || (isOperator && !hasStagedProps(props))) return;
  throw new IntentError(
    isOperator
      ? `current and next are set, but ownership is ${describeValue(ownership)}; write ownership: 'gitops'`
      : `ownership is ${describeValue(ownership)}; write 'operator' or 'gitops'`,
  );
}

function requireStartupSeconds({ startupSeconds }: Pick<ServiceUpgradeProps, 'startupSeconds'>): void {
  if (startupSeconds === undefined || isStartupSeconds(startupSeconds)) return;
  throw new IntentError(`startupSeconds is ${describeValue(startupSeconds)}: write a number of seconds, such as 300`);
}

/** Reports two services that do not differ, unless the stage is that before the upgrade, in which there may be no next version yet. */
function checkDifference({ current, next }: StagedUpgradeProps, stage: number | 'all'): Finding[] {
  const [{ name: _before, ...before }, { name: _after, ...after }] = [current, next];
  return stage === 0 || !isDeepEqual(before, after) ? [] : [createSameServiceFinding()];
}

/** A resolved upgrade, driven by the operator or by Git. */
export interface ResolvedUpgrade {
  /** Objects to emit, in order. Empty if each of `stages` is emitted separately. */
  readonly objects: readonly Manifest[];
  /** Simulation of the upgrade, by row. Null if the upgrade is rejected. */
  readonly simulation: RayServiceSimulation | null;
  /** Steps for Git, one for each row of the simulation. Empty if the operator drives the upgrade. */
  readonly stages: readonly UpgradeStage[];
  /** Findings about the intent, by prop. */
  readonly findings: readonly Finding[];
  /** Upgrade by Git, for its README. Undefined if the operator drives the upgrade. */
  readonly staged?: StagedUpgrade;
  /** Origin of the pace, if it follows from a goal. */
  readonly origin?: GoalOrigin;
}

/** Creates the fallback for an upgrade with rejected props. */
export function createUnresolvedUpgrade(name: string): ResolvedUpgrade {
  return { objects: [{ ...RAY_SERVICE_TYPE_META, metadata: { name } }], simulation: null, stages: [], findings: [] };
}

/** Adds the fields of a drain to the origin of the pace. */
function mergeDrain(origin: GoalOrigin | undefined, drain: readonly Provenance[]): GoalOrigin | undefined {
  const [drained] = listDrainOrigins(drain);
  return drained && origin ? { ...origin, drain } : (origin ?? drained);
}

/**
 * Resolves the objects of an upgrade. If Git drives it, they are those of one stage.
 *
 * @param name of the emitted objects, unless the metadata has one
 * @param stage to emit, if Git drives the upgrade
 * @param surroundings other objects that limit its pods, such as quotas; only read for a goal
 * @param allowsAllStages whether each stage can be emitted, which a stack of Pulumi cannot
 * @throws IntentError for a goal that cannot be resolved
 */
export function resolveUpgrade(
  name: string,
  props: OperatorUpgradeProps | StagedUpgradeProps,
  stage: number | 'all',
  surroundings: SurroundingsReader,
  allowsAllStages: boolean,
): ResolvedUpgrade {
  requireOwnership(props);
  requireStartupSeconds(props);
  if (props.ownership !== 'gitops') {
    const { paced, origin } = resolvePace(name, props, props, surroundings);
    const { rayService, gatewayClass, simulation, findings, drainProvenance } = resolveOperatorUpgrade(name, paced);
    const objects = [...(gatewayClass ? [gatewayClass] : []), rayService];
    const merged = mergeDrain(origin, drainProvenance);
    return { objects, simulation, stages: [], findings, ...(merged && { origin: merged }) };
  }
  // The operator would drive the upgrade to the next service in the same way.
  const { paced, origin } = resolvePace(name, props, props.next, surroundings);
  const staged = planStagedUpgrade(name, paced);
  const { stages, simulation } = staged;
  const objects = stage === 'all' ? [] : (stages[stage]?.objects ?? []);
  const stageFindings = [...staged.findings, ...checkStageRange(stages, stage, allowsAllStages), ...checkDifference(props, stage)];
  const merged = mergeDrain(origin, staged.drainProvenance);
  return { objects, simulation, stages, findings: stageFindings, staged, ...(merged && { origin: merged }) };
}

/** Plans the emitted objects of an upgrade, for its version of KubeRay. */
export function planRayObjects(
  objects: readonly unknown[],
  { kuberay, startupSeconds }: Pick<OperatorUpgradeProps | StagedUpgradeProps, 'kuberay' | 'startupSeconds'>,
): PlanDocument {
  return planManifests(objects, { versions: { kuberay }, startupSeconds });
}
