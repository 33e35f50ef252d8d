import { byChoice, set, siblingPath } from '../../../core/advice';
import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RayServiceSimulation } from '../../../core/simulations/rayservice';
import type { WorkerAccelerator } from '../../../core/workers';
import { listed } from '../../../core/words';
import { acceleratorsOf, headGroup, largestGroups, scaleOf } from '../accelerators';
import type { ClusterScale } from '../accelerators';
import type { ReadRayService } from '../ray-service';
import { upgradeSteps } from '../simulate';
import { INCREMENTAL } from '../strategy';
import { capacityRows } from '../upgrade-loop';
import type { CapacityRow, UpgradePace } from '../upgrade-loop';
import { firstVersionThat } from '../versions';
import { replicasForSurge, surgeOfOne } from '../worker-groups';
import type { WorkerGroup } from '../worker-groups';
import { serviceText, WHOLE_SERVICE } from './examples';
import { misplacedOptionsFindings } from './misplaced-options';
import { least } from '../../../core/extremes';

/** A worker group whose minReplicas would bring more workers at once than the surge lets in. */
interface LowerMinimum {
  readonly group: string;
  readonly atMost: number;
  readonly path: FieldPath;
}

/** The way to an upgrade that asks for less at once. */
interface SmallerUpgrade {
  readonly maxSurgePercent: number;
  readonly minReplicas: readonly LowerMinimum[];
  /** What it asks for beside the running cluster. */
  readonly accelerators: readonly WorkerAccelerator[];
  /** Does the cluster have no autoscaler yet, which the upgrade needs? */
  readonly turnsAutoscalerOn: boolean;
}

interface DoublesData {
  /** Those of which there are twice as many at the peak. */
  readonly accelerators: readonly WorkerAccelerator[];
  readonly scale: ClusterScale;
  /** Absent where no upgrade asks for less. */
  readonly smaller?: SmallerUpgrade;
}

interface NewClusterData extends DoublesData {
  /** The first version that has the feature gate of an incremental upgrade on, where the planned one has it off. */
  readonly gatedBefore?: string;
}

interface IncrementalData extends DoublesData {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  /** enableInTreeAutoscaling. */
  readonly autoscaling: FieldPath;
}

const UP_TO: Readonly<Record<ClusterScale, string>> = { fixed: '', 'up-to': 'up to ', open: '' };

/** `16 nvidia.com/gpu and 4 google.com/tpu`, each `up to` where the autoscaler decides. */
function amounts(accelerators: readonly WorkerAccelerator[], scale: ClusterScale, of: 'count' | 'surge', more = ''): string {
  return listed(accelerators.map((one) => `${UP_TO[scale]}${one[of]} ${one.resource}${more}`));
}

function demandText({ accelerators, scale }: DoublesData): string {
  const open = scale === 'open' ? ', and more where the autoscaler has added workers, since a group has no maxReplicas' : '';
  return `${amounts(accelerators, scale, 'surge', ' more')} beside the ${amounts(accelerators, scale, 'count')} that run${open}`;
}

function keepFree({ accelerators, scale }: DoublesData): string {
  return `Keep ${amounts(accelerators, scale, 'surge')} free for the time of the upgrade`;
}

/** What goes along with the surge, so that no other rule speaks up. */
function alongText({ maxSurgePercent, minReplicas, turnsAutoscalerOn }: SmallerUpgrade): string {
  return listed([
    `a stepSizePercent of at most ${maxSurgePercent}`,
    ...(turnsAutoscalerOn ? ['enableInTreeAutoscaling: true'] : []),
    ...minReplicas.map(({ group, atMost }) => `a minReplicas of at most ${atMost} for worker group "${group}"`),
  ]);
}

function smallerText(smaller: SmallerUpgrade, scale: ClusterScale): string {
  return `it then asks for ${amounts(smaller.accelerators, scale, 'surge', ' more')}.`;
}

const GPUS: WorkerAccelerator = { resource: 'nvidia.com/gpu', count: 16, surge: 16 };
const SMALLER: SmallerUpgrade = {
  maxSurgePercent: 50,
  minReplicas: [],
  accelerators: [{ resource: 'nvidia.com/gpu', count: 16, surge: 8 }],
  turnsAutoscalerOn: true,
};
const LOWER: SmallerUpgrade = {
  ...SMALLER,
  minReplicas: [{ group: 'gpu', atMost: 1, path: at`spec.rayClusterConfig.workerGroupSpecs[0].minReplicas` }],
  turnsAutoscalerOn: false,
};

const INCREMENTAL_SAMPLE: IncrementalData = {
  maxSurgePercent: 100,
  stepSizePercent: 100,
  autoscaling: at`spec.rayClusterConfig.enableInTreeAutoscaling`,
  accelerators: [GPUS],
  scale: 'up-to',
};

/** An upgrade that needs every accelerator twice. */
export const doublesAccelerators = rule({
  code: 'kuberay/doubles-accelerators',
  since: '0.1.0',
  severity: 'warning',
  fires: 'NewCluster, or an incremental upgrade at its peak, asks for GPUs, TPUs or other accelerators twice.',
  why:
    'NewCluster, which is what a RayService without upgradeStrategy has, brings up a whole second cluster before the first one goes, ' +
    'and an incremental upgrade does so where its surge is all of a worker group. A cluster seldom has that many accelerators to spare: ' +
    'the new pods then wait for good, and the change never arrives. With the autoscaler on, ' +
    'the numbers are the most that it may make of them.',
  fix: 'Write an incremental upgrade with a maxSurgePercent of one worker, or keep as many accelerators free as the cluster has.',
  example: serviceText('type: NewCluster'),
  fixed: WHOLE_SERVICE,
  messages: {
    newCluster: message<NewClusterData>({
      text: (data) => `NewCluster brings up a whole second cluster before the first one goes: it asks for ${demandText(data)}.`,
      help: (data) => {
        const { smaller, gatedBefore } = data;
        if (gatedBefore !== undefined) {
          return `${keepFree(data)}. KubeRay ${gatedBefore} can upgrade step by step instead, with ${INCREMENTAL}.`;
        }
        if (!smaller) return `${keepFree(data)}: where a group has one replica, every upgrade brings up a second one.`;
        const { maxSurgePercent } = smaller;
        return (
          `Write type: ${INCREMENTAL} with maxSurgePercent: ${maxSurgePercent}, ${alongText(smaller)}: ` + smallerText(smaller, data.scale)
        );
      },
      sample: { accelerators: [GPUS], scale: 'fixed', smaller: SMALLER },
      variants: [
        { accelerators: [GPUS, { resource: 'google.com/tpu', count: 4, surge: 4 }], scale: 'up-to', smaller: LOWER },
        { accelerators: [GPUS], scale: 'open' },
        { accelerators: [GPUS], scale: 'fixed', gatedBefore: '1.7' },
      ],
    }),
    incremental: message<IncrementalData>({
      text: (data) =>
        `With maxSurgePercent ${data.maxSurgePercent} the upgrade has two whole sets of accelerators at its peak: it asks for ${demandText(data)}.`,
      help: (data) => {
        const { smaller } = data;
        if (!smaller) return `${keepFree(data)}: where a group has one replica, no maxSurgePercent asks for less.`;
        return `Write maxSurgePercent: ${smaller.maxSurgePercent}, with ${alongText(smaller)}: ${smallerText(smaller, data.scale)}`;
      },
      advice: ({ smaller, stepSizePercent, autoscaling }, path) =>
        smaller &&
        byChoice(
          set(path, smaller.maxSurgePercent),
          set(siblingPath(path, 'stepSizePercent'), Math.min(stepSizePercent, smaller.maxSurgePercent)),
          ...(smaller.turnsAutoscalerOn ? [set(autoscaling, true)] : []),
          ...smaller.minReplicas.map(({ path: minimum, atMost }) => set(minimum, atMost)),
        ),
      sample: { ...INCREMENTAL_SAMPLE, smaller: LOWER },
      variants: [
        { ...INCREMENTAL_SAMPLE, smaller: { ...SMALLER, turnsAutoscalerOn: false } },
        { ...INCREMENTAL_SAMPLE, maxSurgePercent: 20, accelerators: [{ resource: 'google.com/tpu', count: 4, surge: 4 }], scale: 'fixed' },
      ],
    }),
  },
});

function isDoubled({ count, surge }: WorkerAccelerator): boolean {
  return surge >= count;
}

/** Replicas that a surge lets in at once. */
function surgeReplicas(replicas: number, maxSurgePercent: number): number {
  return Math.max(1, Math.ceil((replicas * maxSurgePercent) / 100));
}

/** Groups without the workers that their minReplicas bring beyond the surge: of those another rule speaks. */
function withLowMinimum(groups: readonly WorkerGroup[], maxSurgePercent: number): WorkerGroup[] {
  return groups.map((group) => {
    return { ...group, leastReplicas: Math.min(group.leastReplicas, surgeReplicas(group.replicas, maxSurgePercent)) };
  });
}

/** The groups at the size that the numbers are told for. */
function groupsAt(groups: readonly WorkerGroup[], scale: ClusterScale): readonly WorkerGroup[] {
  return scale === 'up-to' ? largestGroups(groups) : groups;
}

/** The accelerators of the head and these groups. */
function demandOf({ cluster }: ReadRayService, groups: readonly WorkerGroup[], scale: ClusterScale, rows: readonly CapacityRow[]) {
  return acceleratorsOf([headGroup(cluster), ...groupsAt(groups, scale)], rows);
}

/** The rows of an upgrade by a surge, whose capacities don't depend on how fast it goes. */
function rowsOf(maxSurgePercent: number): readonly CapacityRow[] {
  return upgradeSteps({ maxSurgePercent, stepSizePercent: maxSurgePercent, intervalSeconds: 1 });
}

/**
 * The upgrade with the least surge that is one worker of the smallest group; undefined where that doubles the same accelerators.
 *
 * A group of one replica has a second one at any surge, so it does not count.
 */
function smallerUpgrade(service: ReadRayService, doubled: readonly WorkerAccelerator[]): SmallerUpgrade | undefined {
  const { cluster, groups, places } = service;
  const counts = groups.map((group) => replicasForSurge(group, cluster)).filter((replicas) => replicas > 1);
  if (counts.length === 0) return undefined;
  const maxSurgePercent = surgeOfOne(least(counts));
  const scale = scaleOf({ ...cluster, enableInTreeAutoscaling: true }, groups);
  const lowered = withLowMinimum(groups, maxSurgePercent);
  const accelerators = demandOf(service, lowered, scale, rowsOf(maxSurgePercent)).filter(({ resource }) =>
    doubled.some((one) => one.resource === resource),
  );
  if (accelerators.every(isDoubled)) return undefined;
  const minReplicas = lowered.flatMap(({ name, index, leastReplicas }, position) =>
    leastReplicas < groups[position]!.leastReplicas
      ? [{ group: name, atMost: leastReplicas, path: at`${places.cluster}.workerGroupSpecs[${index}].minReplicas` }]
      : [],
  );
  return { maxSurgePercent, minReplicas, accelerators, turnsAutoscalerOn: cluster.enableInTreeAutoscaling !== true };
}

/** The accelerators that an incremental upgrade has twice, were it not for minReplicas above the surge. */
function doubledBy(service: ReadRayService, { maxSurgePercent }: UpgradePace): readonly WorkerAccelerator[] {
  if (maxSurgePercent === 0) return [];
  const { cluster, groups } = service;
  const scale = scaleOf(cluster, groups);
  const rows = rowsOf(maxSurgePercent);
  const doubled = demandOf(service, withLowMinimum(groups, maxSurgePercent), scale, rows).filter(isDoubled);
  return demandOf(service, groups, scale, rows).filter(({ resource }) => doubled.some((one) => one.resource === resource));
}

/** Does an incremental upgrade ask for accelerators twice whatever its surge, since all of its groups have one replica? */
export function isDoubledForGood(service: ReadRayService, pace: UpgradePace): boolean {
  const { cluster, groups } = service;
  return groups.every((group) => replicasForSurge(group, cluster) === 1) && doubledBy(service, pace).length > 0;
}

function newClusterFindings(service: ReadRayService, simulation: RayServiceSimulation): Finding[] {
  const { cluster, groups, behaviour, places } = service;
  // An upgrade that was meant to be incremental, as its options say, has an error of its own.
  if (misplacedOptionsFindings(service).some(({ severity }) => severity === 'error')) return [];
  const scale = scaleOf(cluster, groups);
  const accelerators = demandOf(service, groups, scale, capacityRows(simulation)).filter(isDoubled);
  if (accelerators.length === 0) return [];
  const isGated = behaviour.gate === 'off';
  const smaller = isGated ? undefined : smallerUpgrade(service, accelerators);
  const gatedBefore = isGated ? { gatedBefore: firstVersionThat(({ gate }) => gate === 'on') } : {};
  const data = { accelerators, scale, ...(smaller && { smaller }), ...gatedBefore };
  return [doublesAccelerators.finding('newCluster', { path: places.type, data })];
}

function incrementalFindings(service: ReadRayService, pace: UpgradePace): Finding[] {
  const accelerators = doubledBy(service, pace);
  if (accelerators.length === 0) return [];
  const smaller = smallerUpgrade(service, accelerators);
  const { maxSurgePercent, stepSizePercent } = pace;
  const scale = scaleOf(service.cluster, service.groups);
  const autoscaling = at`${service.places.cluster}.enableInTreeAutoscaling`;
  const data = { maxSurgePercent, stepSizePercent, autoscaling, accelerators, scale, ...(smaller && { smaller }) };
  return [doublesAccelerators.finding('incremental', { path: at`${service.places.options}.maxSurgePercent`, data })];
}

/**
 * Accelerators of which an upgrade has twice as many at its peak. The head counts, which every cluster has from its start.
 *
 * @param pace of an upgrade that has one; type NewCluster takes no notice of it
 */
export function doublesAcceleratorsFindings(
  service: ReadRayService,
  simulation: RayServiceSimulation,
  pace: UpgradePace | undefined,
): Finding[] {
  if (simulation.outcome !== 'promoted') return [];
  return pace && simulation.type !== 'NewCluster' ? incrementalFindings(service, pace) : newClusterFindings(service, simulation);
}
