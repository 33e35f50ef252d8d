import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import type { ClusterPods } from '../../cluster/rollout/pod-groups';
import type { PodSet, RunningPodOwner } from '../../cluster/rollout/pod-set';
import { runChecks } from '../../workloads/rule-table';
import { RAY_SERVICE_CHECKS } from './checks';
import { computeUpgradeDuration } from './duration';
import { SERVE_SELECTOR } from './serve-services';
import { locateRayTemplates } from './locate-templates';
import type { ParsedRayService } from './ray-service';
import type { RayStartup } from './simulate';
import { checkDoublesAccelerators } from './rules/doubles-accelerators';
import { mustWaitForEveryRaise } from './simulate-service';
import { upgradePaceOf } from './strategy';
import { listCapacityRows } from './upgrade-loop';
import type { CapacityRow } from './upgrade-loop';
import { countPodsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { findMax } from '../../core/values/min-max';

/**
 * Resources that KubeRay gives the autoscaler container in the head pod, unless autoscalerOptions sets them.
 *
 * Source: KubeRay v1.7.0 `common/pod.go`, BuildAutoscalerContainer.
 */
const AUTOSCALER_RESOURCES: Fields = { limits: { cpu: '500m', memory: '512Mi' } };
/** Resources of the init container in every worker that waits for the head. Source: the same file, DefaultWorkerPodTemplate. */
const WAIT_CONTAINER_RESOURCES: Fields = { limits: { cpu: '200m', memory: '256Mi' } };

/** Seconds after which Ray's autoscaler removes an idle worker, unless autoscalerOptions or the group sets another time. */
const DEFAULT_IDLE_TIMEOUT_SECONDS = 60;

function hasAutoscaler(rayCluster: Fields): boolean {
  return rayCluster.enableInTreeAutoscaling === true;
}

/** Returns the pod template with a container that the operator adds. */
function withContainer(template: Fields, list: 'containers' | 'initContainers', container: Fields): Fields {
  return { ...template, spec: { ...getFieldsAt(template, 'spec'), [list]: [...getListAt(template, 'spec', list), container] } };
}

/** Returns the pod template with the label by which the Services of requests select pods. */
function withServeLabel(template: Fields): Fields {
  const metadata = getFieldsAt(template, 'metadata');
  return { ...template, metadata: { ...metadata, labels: { ...getFieldsAt(metadata, 'labels'), ...SERVE_SELECTOR } } };
}

function buildHeadTemplate(rayCluster: Fields, getsRequests: boolean): Fields {
  const written = getFieldsAt(rayCluster, 'headGroupSpec', 'template');
  const template = getsRequests ? withServeLabel(written) : written;
  if (!hasAutoscaler(rayCluster)) return template;
  const resources = getValueAt(rayCluster, 'autoscalerOptions', 'resources') ?? AUTOSCALER_RESOURCES;
  return withContainer(template, 'containers', { name: 'autoscaler', resources });
}

function buildWorkerTemplate({ template }: WorkerGroup): Fields {
  return withContainer(withServeLabel(template), 'initContainers', { name: 'wait-gcs-ready', resources: WAIT_CONTAINER_RESOURCES });
}

/** A worker group as the running cluster has it, and as the new one has it. Only one of them may have it. */
interface GroupPair {
  readonly old?: WorkerGroup;
  readonly next?: WorkerGroup;
}

/** Pairs the worker groups of both clusters by name: those of the new one first. */
function pairGroups(running: readonly WorkerGroup[], groups: readonly WorkerGroup[]): GroupPair[] {
  const pairs = groups.map((next): GroupPair => {
    const old = running.find(({ name }) => name === next.name);
    return { next, ...(old && { old }) };
  });
  const names = new Set(groups.map(({ name }) => name));
  return [...pairs, ...running.filter(({ name }) => !names.has(name)).map((old) => ({ old }))];
}

/** Builds the pod set of a worker group. Old pods have the template and the number of the running cluster. */
function buildGroupSet({ old, next }: GroupPair, ownerOf: OwnerOf): PodSet {
  const [running, replicas] = [old?.pods ?? 0, next?.pods ?? 0];
  const group = next ?? old!;
  return {
    replicas,
    ...(running !== replicas && { running }),
    template: buildWorkerTemplate(group),
    ...(old && { oldTemplate: buildWorkerTemplate(old) }),
    controlsTermination: true,
    owner: ownerOf((labels) => labels['ray.io/node-type'] !== 'head' && labels['ray.io/group'] === group.name),
  };
}

type OwnerOf = (hasMember: (labels: Fields) => boolean) => RunningPodOwner;

function buildServedHead({ cluster, spec }: ParsedRayService): Fields {
  return buildHeadTemplate(cluster, spec.excludeHeadPodFromServeSvc !== true);
}

/** Builds the pod sets of both clusters: the heads and the worker groups. */
function buildRayPodSets(service: ParsedRayService, running: ParsedRayService, pairs: readonly GroupPair[]): PodSet[] {
  const { name, namespace } = service;
  const ownerOf: OwnerOf = (hasMember) => ({ kind: 'RayService', name, hasMember });
  const head: PodSet = {
    replicas: 1,
    template: buildServedHead(service),
    oldTemplate: buildServedHead(running),
    // The operator starts Ray in the first container, whatever its image starts.
    controlsTermination: true,
    owner: ownerOf((labels) => labels['ray.io/node-type'] === 'head'),
  };
  const podSets = [head, ...pairs.map((pair) => buildGroupSet(pair, ownerOf))];
  return podSets.map((podSet) => (namespace === undefined ? podSet : { namespace, ...podSet }));
}

/** Counts the pods of the running cluster at a capacity in percent: its head, then the workers by group. */
function countOldPods(pairs: readonly GroupPair[], percent: number): number[] {
  return [1, ...pairs.map(({ old }) => (old ? countPodsAt(old, percent) : 0))];
}

/** Counts the pods of both clusters: both heads, then the workers by group. */
function countPodsByGroup(pairs: readonly GroupPair[], { activeTargetCapacity, pendingTargetCapacity }: CapacityRow): number[] {
  const [, ...oldWorkers] = countOldPods(pairs, activeTargetCapacity);
  return [2, ...pairs.map(({ next }, index) => oldWorkers[index]! + (next ? countPodsAt(next, pendingTargetCapacity) : 0))];
}

/** Returns the longest time that an idle worker of the cluster stays; 0 without the autoscaler, which removes it. */
function computeIdleSeconds(rayCluster: Fields): number {
  if (!hasAutoscaler(rayCluster)) return 0;
  const common = getValueAt(rayCluster, 'autoscalerOptions', 'idleTimeoutSeconds') ?? DEFAULT_IDLE_TIMEOUT_SECONDS;
  const times = getListAt(rayCluster, 'workerGroupSpecs').map((group) => getValueAt(group, 'idleTimeoutSeconds') ?? common);
  return findMax(
    times.filter((seconds) => typeof seconds === 'number'),
    0,
  );
}

/** Returns the capacity that the workers of the old cluster still occupy at a row, since idle workers stay for a while. */
function computeIdleCapacity(steps: readonly RayServiceStep[], row: number, idle: number): number {
  const since = steps[row]!.elapsedSeconds - idle;
  return steps.findLast(({ elapsedSeconds }, index) => index <= row && elapsedSeconds <= since)?.activeTargetCapacity ?? 100;
}

/** Builds the rows with the idle workers that a lower capacity has not removed yet. */
function buildRowsWithIdleWorkers(simulation: RayServiceSimulation, idle: number): readonly CapacityRow[] {
  if (simulation.type === 'NewCluster') return listCapacityRows(simulation);
  return simulation.steps.map(({ pendingTargetCapacity }, row) => {
    return { activeTargetCapacity: computeIdleCapacity(simulation.steps, row, idle), pendingTargetCapacity };
  });
}

/** The smallest surge in percent; it rounds up to one replica of each worker group. */
const MIN_SURGE_PERCENT = 1;

/** Number of rows whose pods traffic always waits for: the first row and the first capacity increase. */
const ALWAYS_WAITING_ROWS = 2;

/** Number of rows whose pods a second cluster waits for if Serve scales its replicas: the first replicas. */
const FIRST_REPLICAS_ROWS = 1;

/** The rows of an upgrade, and the number of those whose pods it waits for. */
interface WaitingRows {
  readonly rows: readonly CapacityRow[];
  readonly waitsBelowRow: number;
}

/**
 * Lists the rows of an upgrade. A second cluster whose replicas Serve scales gets all traffic once its first replicas run, so it starts with
 * these.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, getAndCheckServeStatus, which looks at the applications and not at the workers.
 */
function listWaitingRows(service: ParsedRayService, simulation: RayServiceSimulation): WaitingRows {
  const rows = listCapacityRows(simulation);
  if (mustWaitForEveryRaise(service)) return { rows, waitsBelowRow: Infinity };
  if (simulation.type !== 'NewCluster') return { rows, waitsBelowRow: ALWAYS_WAITING_ROWS };
  const firstReplicas = { activeTargetCapacity: 100, pendingTargetCapacity: MIN_SURGE_PERCENT };
  return { rows: rows.with(0, firstReplicas), waitsBelowRow: FIRST_REPLICAS_ROWS };
}

/**
 * Computes the pods of a RayService while its cluster is replaced, for quotas and capacity.
 *
 * @param startup start-up times of its pods; undefined if not known
 * @param running the service whose cluster runs; by default its cluster is like the new one
 */
export function computeClusterPods(
  service: ParsedRayService,
  simulation: RayServiceSimulation,
  startup: RayStartup | undefined,
  running: ParsedRayService = service,
): ClusterPods {
  const { cluster, groups, options, paths } = service;
  const idle = computeIdleSeconds(cluster);
  const { rows, waitsBelowRow } = listWaitingRows(service, simulation);
  const pace = options && upgradePaceOf(options);
  const pairs = pairGroups(running.groups, groups);
  return {
    podSets: buildRayPodSets(service, running, pairs),
    rows: rows.map((row) => countPodsByGroup(pairs, row)),
    oldRows: rows.map(({ activeTargetCapacity }) => countOldPods(pairs, activeTargetCapacity)),
    rowsWithDeleted: buildRowsWithIdleWorkers(simulation, idle).map((row) => countPodsByGroup(pairs, row)),
    capacities: listCapacityRows(simulation).map((row) => ({
      oldPercent: row.activeTargetCapacity,
      newPercent: row.pendingTargetCapacity,
    })),
    waitsBelowRow,
    path: paths.cluster,
    minimal: {
      way: simulation.type === 'NewCluster' ? 'incremental-upgrade' : 'smaller-surge',
      row: countPodsByGroup(pairs, { activeTargetCapacity: 100, pendingTargetCapacity: MIN_SURGE_PERCENT }),
    },
    podTemplates: () => locateRayTemplates(service),
    sharedRuleFindings: runChecks(RAY_SERVICE_CHECKS, service),
    capacityFindings: checkDoublesAccelerators(service, simulation, pace),
    duration: (delay) => startup && computeUpgradeDuration({ ...(pace && { pace }), groups, simulation, startup, idle }, delay),
  };
}
