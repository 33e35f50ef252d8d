import { suggestManualFix, setField, getSiblingPath } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RayServiceSimulation } from '../../../core/simulations/rayservice';
import type { WorkerAccelerator } from '../../../core/pod-group-size';
import { joinWords } from '../../../core/text-format';
import { computeAccelerators, buildHeadGroup, scaleGroupsToMax, determineClusterScale } from '../accelerators';
import type { ClusterScale } from '../accelerators';
import type { ParsedRayService } from '../ray-service';
import { simulateUpgradeSteps } from '../simulate';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { listCapacityRows } from '../upgrade-loop';
import type { CapacityRow, UpgradePace } from '../upgrade-loop';
import { findFirstVersion } from '../versions';
import { resolveSurgeReplicas, computeOneReplicaSurge } from '../worker-groups';
import type { WorkerGroup } from '../worker-groups';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';
import { checkMisplacedOptions } from './misplaced-options';
import { findMin } from '../../../core/min-max';

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

interface DoubledAcceleratorsData {
  /** Those of which there are twice as many at the peak. */
  readonly accelerators: readonly WorkerAccelerator[];
  readonly scale: ClusterScale;
  /** Absent where no upgrade asks for less. */
  readonly smaller?: SmallerUpgrade;
}

interface NewClusterData extends DoubledAcceleratorsData {
  /** The first version that has the feature gate of an incremental upgrade on, where the planned one has it off. */
  readonly enabledSince?: string;
}

interface IncrementalData extends DoubledAcceleratorsData {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  /** enableInTreeAutoscaling. */
  readonly autoscaling: FieldPath;
}

const SCALE_PREFIXES: Readonly<Record<ClusterScale, string>> = { fixed: '', 'up-to': 'up to ', open: '' };

/** `16 nvidia.com/gpu and 4 google.com/tpu`, each `up to` where the autoscaler decides. */
function formatAmounts(accelerators: readonly WorkerAccelerator[], scale: ClusterScale, of: 'count' | 'surge', more = ''): string {
  return joinWords(accelerators.map((one) => `${SCALE_PREFIXES[scale]}${one[of]} ${one.resource}${more}`));
}

function formatDemand({ accelerators, scale }: DoubledAcceleratorsData): string {
  const open = scale === 'open' ? ', and more where the autoscaler has added workers, since a group has no maxReplicas' : '';
  return `${formatAmounts(accelerators, scale, 'surge', ' more')} beside the ${formatAmounts(accelerators, scale, 'count')} that run${open}`;
}

function formatFreeCapacityHelp({ accelerators, scale }: DoubledAcceleratorsData): string {
  return `Keep ${formatAmounts(accelerators, scale, 'surge')} free for the time of the upgrade`;
}

/** What goes along with the surge, so that no other rule speaks up. */
function formatAccompanyingChanges({ maxSurgePercent, minReplicas, turnsAutoscalerOn }: SmallerUpgrade): string {
  return joinWords([
    `a stepSizePercent of at most ${maxSurgePercent}`,
    ...(turnsAutoscalerOn ? ['enableInTreeAutoscaling: true'] : []),
    ...minReplicas.map(({ group, atMost }) => `a minReplicas of at most ${atMost} for worker group "${group}"`),
  ]);
}

function formatSmallerUpgrade(smaller: SmallerUpgrade, scale: ClusterScale): string {
  return `it then asks for ${formatAmounts(smaller.accelerators, scale, 'surge', ' more')}.`;
}

const SAMPLE_GPUS: WorkerAccelerator = { resource: 'nvidia.com/gpu', count: 16, surge: 16 };
const SAMPLE_SMALLER_UPGRADE: SmallerUpgrade = {
  maxSurgePercent: 50,
  minReplicas: [],
  accelerators: [{ resource: 'nvidia.com/gpu', count: 16, surge: 8 }],
  turnsAutoscalerOn: true,
};
const SAMPLE_LOWER_MINIMUM: SmallerUpgrade = {
  ...SAMPLE_SMALLER_UPGRADE,
  minReplicas: [{ group: 'gpu', atMost: 1, path: toFieldPath`spec.rayClusterConfig.workerGroupSpecs[0].minReplicas` }],
  turnsAutoscalerOn: false,
};

const INCREMENTAL_SAMPLE: IncrementalData = {
  maxSurgePercent: 100,
  stepSizePercent: 100,
  autoscaling: toFieldPath`spec.rayClusterConfig.enableInTreeAutoscaling`,
  accelerators: [SAMPLE_GPUS],
  scale: 'up-to',
};

/** An upgrade that needs every accelerator twice. */
export const doublesAccelerators = defineRule({
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
  example: formatRayServiceExample('type: NewCluster'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    newCluster: defineMessage<NewClusterData>({
      text: (data) => `NewCluster brings up a whole second cluster before the first one goes: it asks for ${formatDemand(data)}.`,
      help: (data) => {
        const { smaller, enabledSince } = data;
        if (enabledSince !== undefined) {
          return `${formatFreeCapacityHelp(data)}. KubeRay ${enabledSince} can upgrade step by step instead, with ${INCREMENTAL_UPGRADE}.`;
        }
        if (!smaller) return `${formatFreeCapacityHelp(data)}: where a group has one replica, every upgrade brings up a second one.`;
        const { maxSurgePercent } = smaller;
        return (
          `Write type: ${INCREMENTAL_UPGRADE} with maxSurgePercent: ${maxSurgePercent}, ${formatAccompanyingChanges(smaller)}: ` +
          formatSmallerUpgrade(smaller, data.scale)
        );
      },
      sample: { accelerators: [SAMPLE_GPUS], scale: 'fixed', smaller: SAMPLE_SMALLER_UPGRADE },
      variants: [
        { accelerators: [SAMPLE_GPUS, { resource: 'google.com/tpu', count: 4, surge: 4 }], scale: 'up-to', smaller: SAMPLE_LOWER_MINIMUM },
        { accelerators: [SAMPLE_GPUS], scale: 'open' },
        { accelerators: [SAMPLE_GPUS], scale: 'fixed', enabledSince: '1.7' },
      ],
    }),
    incremental: defineMessage<IncrementalData>({
      text: (data) =>
        `With maxSurgePercent ${data.maxSurgePercent} the upgrade has two whole sets of accelerators at its peak: it asks for ${formatDemand(data)}.`,
      help: (data) => {
        const { smaller } = data;
        if (!smaller) return `${formatFreeCapacityHelp(data)}: where a group has one replica, no maxSurgePercent asks for less.`;
        return `Write maxSurgePercent: ${smaller.maxSurgePercent}, with ${formatAccompanyingChanges(smaller)}: ${formatSmallerUpgrade(smaller, data.scale)}`;
      },
      suggestedFix: ({ smaller, stepSizePercent, autoscaling }, path) =>
        smaller &&
        suggestManualFix(
          setField(path, smaller.maxSurgePercent),
          setField(getSiblingPath(path, 'stepSizePercent'), Math.min(stepSizePercent, smaller.maxSurgePercent)),
          ...(smaller.turnsAutoscalerOn ? [setField(autoscaling, true)] : []),
          ...smaller.minReplicas.map(({ path: minimum, atMost }) => setField(minimum, atMost)),
        ),
      sample: { ...INCREMENTAL_SAMPLE, smaller: SAMPLE_LOWER_MINIMUM },
      variants: [
        { ...INCREMENTAL_SAMPLE, smaller: { ...SAMPLE_SMALLER_UPGRADE, turnsAutoscalerOn: false } },
        { ...INCREMENTAL_SAMPLE, maxSurgePercent: 20, accelerators: [{ resource: 'google.com/tpu', count: 4, surge: 4 }], scale: 'fixed' },
      ],
    }),
  },
});

function isDoubled({ count, surge }: WorkerAccelerator): boolean {
  return surge >= count;
}

/** Replicas that a surge lets in at once. */
function computeSurgeReplicas(replicas: number, maxSurgePercent: number): number {
  return Math.max(1, Math.ceil((replicas * maxSurgePercent) / 100));
}

/** Groups without the workers that their minReplicas bring beyond the surge: of those another rule speaks. */
function limitMinReplicas(groups: readonly WorkerGroup[], maxSurgePercent: number): WorkerGroup[] {
  return groups.map((group) => {
    return { ...group, minReplicas: Math.min(group.minReplicas, computeSurgeReplicas(group.replicas, maxSurgePercent)) };
  });
}

/** The groups at the size that the numbers are told for. */
function resolveGroupSizes(groups: readonly WorkerGroup[], scale: ClusterScale): readonly WorkerGroup[] {
  return scale === 'up-to' ? scaleGroupsToMax(groups) : groups;
}

/** The accelerators of the head and these groups. */
function computeDemand({ cluster }: ParsedRayService, groups: readonly WorkerGroup[], scale: ClusterScale, rows: readonly CapacityRow[]) {
  return computeAccelerators([buildHeadGroup(cluster), ...resolveGroupSizes(groups, scale)], rows);
}

/** The rows of an upgrade by a surge, whose capacities don't depend on how fast it goes. */
function simulateCapacityRows(maxSurgePercent: number): readonly CapacityRow[] {
  return simulateUpgradeSteps({ maxSurgePercent, stepSizePercent: maxSurgePercent, intervalSeconds: 1 });
}

/**
 * The upgrade with the least surge that is one worker of the smallest group; undefined where that doubles the same accelerators.
 *
 * A group of one replica has a second one at any surge, so it does not count.
 */
function findSmallerUpgrade(service: ParsedRayService, doubled: readonly WorkerAccelerator[]): SmallerUpgrade | undefined {
  const { cluster, groups, paths } = service;
  const counts = groups.map((group) => resolveSurgeReplicas(group, cluster)).filter((replicas) => replicas > 1);
  if (counts.length === 0) return undefined;
  const maxSurgePercent = computeOneReplicaSurge(findMin(counts));
  const scale = determineClusterScale({ ...cluster, enableInTreeAutoscaling: true }, groups);
  const lowered = limitMinReplicas(groups, maxSurgePercent);
  const accelerators = computeDemand(service, lowered, scale, simulateCapacityRows(maxSurgePercent)).filter(({ resource }) =>
    doubled.some((one) => one.resource === resource),
  );
  if (accelerators.every(isDoubled)) return undefined;
  const minReplicas = lowered.flatMap(({ name, index, minReplicas: leastReplicas }, position) =>
    leastReplicas < groups[position]!.minReplicas
      ? [{ group: name, atMost: leastReplicas, path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}].minReplicas` }]
      : [],
  );
  return { maxSurgePercent, minReplicas, accelerators, turnsAutoscalerOn: cluster.enableInTreeAutoscaling !== true };
}

/** The accelerators that an incremental upgrade has twice, were it not for minReplicas above the surge. */
function findDoubledAccelerators(service: ParsedRayService, { maxSurgePercent }: UpgradePace): readonly WorkerAccelerator[] {
  if (maxSurgePercent === 0) return [];
  const { cluster, groups } = service;
  const scale = determineClusterScale(cluster, groups);
  const rows = simulateCapacityRows(maxSurgePercent);
  const doubled = computeDemand(service, limitMinReplicas(groups, maxSurgePercent), scale, rows).filter(isDoubled);
  return computeDemand(service, groups, scale, rows).filter(({ resource }) => doubled.some((one) => one.resource === resource));
}

/** Does an incremental upgrade ask for accelerators twice whatever its surge, since all of its groups have one replica? */
export function mustDoubleAccelerators(service: ParsedRayService, pace: UpgradePace): boolean {
  const { cluster, groups } = service;
  return groups.every((group) => resolveSurgeReplicas(group, cluster) === 1) && findDoubledAccelerators(service, pace).length > 0;
}

function checkNewClusterUpgrade(service: ParsedRayService, simulation: RayServiceSimulation): Finding[] {
  const { cluster, groups, behaviour, paths } = service;
  // An upgrade that was meant to be incremental, as its options say, has an error of its own.
  if (checkMisplacedOptions(service).some(({ severity }) => severity === 'error')) return [];
  const scale = determineClusterScale(cluster, groups);
  const accelerators = computeDemand(service, groups, scale, listCapacityRows(simulation)).filter(isDoubled);
  if (accelerators.length === 0) return [];
  const isGated = behaviour.gate === 'off';
  const smaller = isGated ? undefined : findSmallerUpgrade(service, accelerators);
  const enabledSince = isGated ? { enabledSince: findFirstVersion(({ gate }) => gate === 'on') } : {};
  const data = { accelerators, scale, ...(smaller && { smaller }), ...enabledSince };
  return [doublesAccelerators.createFinding('newCluster', { path: paths.type, data })];
}

function checkIncrementalUpgrade(service: ParsedRayService, pace: UpgradePace): Finding[] {
  const accelerators = findDoubledAccelerators(service, pace);
  if (accelerators.length === 0) return [];
  const smaller = findSmallerUpgrade(service, accelerators);
  const { maxSurgePercent, stepSizePercent } = pace;
  const scale = determineClusterScale(service.cluster, service.groups);
  const autoscaling = toFieldPath`${service.paths.cluster}.enableInTreeAutoscaling`;
  const data = { maxSurgePercent, stepSizePercent, autoscaling, accelerators, scale, ...(smaller && { smaller }) };
  return [doublesAccelerators.createFinding('incremental', { path: toFieldPath`${service.paths.options}.maxSurgePercent`, data })];
}

/**
 * Accelerators of which an upgrade has twice as many at its peak. The head counts, which every cluster has from its start.
 *
 * @param pace of an upgrade that has one; type NewCluster takes no notice of it
 */
export function checkDoublesAccelerators(
  service: ParsedRayService,
  simulation: RayServiceSimulation,
  pace: UpgradePace | undefined,
): Finding[] {
  if (simulation.outcome !== 'promoted') return [];
  return pace && simulation.type !== 'NewCluster' ? checkIncrementalUpgrade(service, pace) : checkNewClusterUpgrade(service, simulation);
}
