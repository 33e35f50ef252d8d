import type { Finding } from '../core/findings/finding';
import { describeValue } from '../core/text/display-value';
import { IntentError } from '../core/errors/intent-error';
import { isStartupSeconds } from '../core/values/startup-seconds';
import { isDeepEqual } from '../core/collections/deep-equal';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { ANY, BOOLEAN, INT32, MAP, STRING, closeSchema, defineMap, limitValues } from '../core/values/schema';
import { allowTexts } from '../core/values/value-limit';
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
import { RAY_CLUSTER } from './ray-cluster';
import { SERVE_CONFIG } from './serve-config';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';
import { allowFormat } from './value-limits';

/** A rule reports an empty name. */
const GATEWAY_CLASS_NAME = limitValues(STRING, allowFormat('dns-subdomain', { allowsEmpty: true }), 'which is no name of a GatewayClass');

const UPGRADE = {
  gatewayClassName: GATEWAY_CLASS_NAME,
  maxSurgePercent: INT32,
  stepSizePercent: INT32,
  intervalSeconds: INT32,
  // Checked when it is resolved.
  goal: MAP,
} satisfies SchemasFor<UpgradeProps>;

/** Source: Gateway API, gatewayclass_types.go, `GatewayController`. */
const CONTROLLER_NAME = limitValues(
  STRING,
  allowTexts(
    (text) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/[\w/\-.~%!$&'()*+,;=:]+$/.test(text),
    'a domain and a path, such as istio.io/gateway-controller',
  ),
  'which the API server refuses',
);

const SERVICE_UPGRADE = {
  upgrade: closeSchema(defineMap(UPGRADE)),
  gatewayClass: closeSchema(defineMap({ controllerName: CONTROLLER_NAME })),
  kuberay: STRING,
  startupSeconds: ANY,
} satisfies SchemasFor<ServiceUpgradeProps>;

const OPERATOR: PropsShape = {
  maps: {
    upgrade: 'required',
    serveConfig: 'required',
    'serveConfig.applications': 'required-list',
    rayCluster: 'required',
    'rayCluster.headGroupSpec': 'required',
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
    'current.rayCluster.headGroupSpec': 'required',
    next: 'required',
    'next.serveConfig': 'required',
    'next.serveConfig.applications': 'required-list',
    'next.rayCluster': 'required',
    'next.rayCluster.headGroupSpec': 'required',
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
