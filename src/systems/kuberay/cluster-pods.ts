import { fieldsAt, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import type { ClusterPods, PodSet } from '../../cluster/workload';
import { checked } from '../../workloads/checks';
import { RAY_SERVICE_CHECKS } from './checks';
import { upgradeDuration } from './duration';
import type { ReadRayService } from './ray-service';
import type { Startup } from './simulate';
import { doublesAcceleratorsFindings } from './rules/doubles-accelerators';
import { everyRaiseWaits } from './simulate-service';
import { paceOf } from './strategy';
import { capacityRows } from './upgrade-loop';
import type { CapacityRow } from './upgrade-loop';
import { podsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { greatest } from '../../core/extremes';

/**
 * What KubeRay gives the autoscaler beside the head, unless autoscalerOptions say.
 *
 * Source: KubeRay v1.7.0 `common/pod.go`, BuildAutoscalerContainer.
 */
const AUTOSCALER_RESOURCES: Fields = { limits: { cpu: '500m', memory: '512Mi' } };
/** What the container that waits for the head takes in every worker. Source: the same file, DefaultWorkerPodTemplate. */
const WAITING_RESOURCES: Fields = { limits: { cpu: '200m', memory: '256Mi' } };

/** Seconds after which Ray's autoscaler gives an idle worker back, unless autoscalerOptions or the group say. */
const IDLE_SECONDS = 60;

function hasAutoscaler(rayCluster: Fields): boolean {
  return rayCluster.enableInTreeAutoscaling === true;
}

/** A pod template with one more container, as the operator adds it. */
function withContainer(template: Fields, list: 'containers' | 'initContainers', container: Fields): Fields {
  return { ...template, spec: { ...fieldsAt(template, 'spec'), [list]: [...listAt(template, 'spec', list), container] } };
}

function headTemplate(rayCluster: Fields): Fields {
  const template = fieldsAt(rayCluster, 'headGroupSpec', 'template');
  if (!hasAutoscaler(rayCluster)) return template;
  const resources = valueAt(rayCluster, 'autoscalerOptions', 'resources') ?? AUTOSCALER_RESOURCES;
  return withContainer(template, 'containers', { name: 'autoscaler', resources });
}

function workerTemplate({ template }: WorkerGroup): Fields {
  return withContainer(template, 'initContainers', { name: 'wait-gcs-ready', resources: WAITING_RESOURCES });
}

/** The head and the worker groups of the running cluster. */
function podSetsOf({ namespace, cluster, groups }: ReadRayService): PodSet[] {
  const place = namespace === undefined ? {} : { namespace };
  return [
    { ...place, replicas: 1, template: headTemplate(cluster) },
    ...groups.map((group) => ({ ...place, replicas: group.pods, template: workerTemplate(group) })),
  ];
}

/** Both heads, and the workers of both clusters. */
function podsIn(groups: readonly WorkerGroup[], { activeTargetCapacity, pendingTargetCapacity }: CapacityRow): number[] {
  return [2, ...groups.map((group) => podsAt(group, activeTargetCapacity) + podsAt(group, pendingTargetCapacity))];
}

/** The longest time that an idle worker of the cluster stays; 0 without the autoscaler, which is who gives it back. */
function idleSeconds(rayCluster: Fields): number {
  if (!hasAutoscaler(rayCluster)) return 0;
  const common = valueAt(rayCluster, 'autoscalerOptions', 'idleTimeoutSeconds') ?? IDLE_SECONDS;
  const times = listAt(rayCluster, 'workerGroupSpecs').map((group) => valueAt(group, 'idleTimeoutSeconds') ?? common);
  return greatest(
    times.filter((seconds) => typeof seconds === 'number'),
    0,
  );
}

/** The capacity that the workers of the old cluster still have at a row, since idle ones stay for a while. */
function heldCapacity(steps: readonly RayServiceStep[], row: number, idle: number): number {
  const since = steps[row]!.elapsedSeconds - idle;
  return steps.findLast(({ elapsedSeconds }, index) => index <= row && elapsedSeconds <= since)?.activeTargetCapacity ?? 100;
}

/** The rows as they are while the workers that a smaller capacity makes idle are still there. */
function rowsWithIdle(simulation: RayServiceSimulation, idle: number): readonly CapacityRow[] {
  if (simulation.type === 'NewCluster') return capacityRows(simulation);
  return simulation.steps.map(({ pendingTargetCapacity }, row) => {
    return { activeTargetCapacity: heldCapacity(simulation.steps, row, idle), pendingTargetCapacity };
  });
}

/** In percent: one replica of each worker group. */
const LEAST_SURGE = 1;

/** Traffic waits for the first pods of the new cluster in any case: those of the first row and of the first raise. */
const ROWS_THAT_ALWAYS_WAIT = 2;

/**
 * The pods of a RayService while its cluster is replaced, for quotas and capacity.
 *
 * @param startup undefined where it is not known
 */
export function clusterPodsOf(service: ReadRayService, simulation: RayServiceSimulation, startup: Startup | undefined): ClusterPods {
  const { cluster, groups, options, places } = service;
  const idle = idleSeconds(cluster);
  const rows = capacityRows(simulation);
  const pace = options && paceOf(options);
  return {
    podSets: podSetsOf(service),
    rows: rows.map((row) => podsIn(groups, row)),
    rowsWithDeleted: rowsWithIdle(simulation, idle).map((row) => podsIn(groups, row)),
    capacities: rows.map((row) => ({ oldPercent: row.activeTargetCapacity, newPercent: row.pendingTargetCapacity })),
    waitsBelowRow: everyRaiseWaits(service) ? Infinity : ROWS_THAT_ALWAYS_WAIT,
    path: places.cluster,
    least: {
      way: simulation.type === 'NewCluster' ? 'incremental-upgrade' : 'smaller-surge',
      row: podsIn(groups, { activeTargetCapacity: 100, pendingTargetCapacity: LEAST_SURGE }),
    },
    checked: checked(RAY_SERVICE_CHECKS, service),
    roomFindings: doublesAcceleratorsFindings(service, simulation, pace),
    duration: (room) => startup && upgradeDuration({ ...(pace && { pace }), groups, simulation, startup, idle }, room),
  };
}
