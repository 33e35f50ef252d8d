import { suggestManualFix, setField, getSiblingPath } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RayServiceSimulation } from '../../../core/simulations/rayservice';
import type { WorkerAccelerator } from '../../../core/document/pod-group-size';
import { joinWords } from '../../../core/text/text-format';
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
import { findMin } from '../../../core/values/min-max';

/** A worker group whose minReplicas would start more workers at once than the surge allows. */
interface LowerMinimum {
  readonly group: string;
  readonly atMost: number;
  readonly path: FieldPath;
}

/** The changes that give an upgrade with a lower peak. */
interface SmallerUpgrade {
  readonly maxSurgePercent: number;
  readonly minReplicas: readonly LowerMinimum[];
  /** The accelerators it requests in addition to the running cluster. */
  readonly accelerators: readonly WorkerAccelerator[];
  /** Whether the change turns on the autoscaler, which the upgrade needs. */
  readonly turnsAutoscalerOn: boolean;
}

interface DoubledAcceleratorsData {
  /** The accelerators whose number doubles at the peak. */
  readonly accelerators: readonly WorkerAccelerator[];
  readonly scale: ClusterScale;
  /** An upgrade with a lower peak; unset if there is none. */
  readonly smaller?: SmallerUpgrade;
}

interface NewClusterData extends DoubledAcceleratorsData {
  /** The first version with the feature gate for incremental upgrades on; unset if the planned version has it on. */
  readonly enabledSince?: string;
}

interface IncrementalData extends DoubledAcceleratorsData {
  readonly maxSurgePercent: number;
  readonly stepSizePercent: number;
  /** Path of enableInTreeAutoscaling. */
  readonly autoscaling: FieldPath;
}

const SCALE_PREFIXES: Readonly<Record<ClusterScale, string>> = { fixed: '', 'up-to': 'up to ', open: '' };

/** Formats amounts as `16 nvidia.com/gpu and 4 google.com/tpu`, each prefixed with `up to` if the autoscaler decides. */
function formatAmounts(accelerators: readonly WorkerAccelerator[], scale: ClusterScale, of: 'count' | 'surge', more = ''): string {
  return joinWords(accelerators.map((one) => `${SCALE_PREFIXES[scale]}${one[of]} ${one.resource}${more}`));
}

function formatDemand({ accelerators, scale }: DoubledAcceleratorsData): string {
  const open = scale === 'open' ? ', and more if the autoscaler has added workers, since a group has no maxReplicas' : '';
  return `${formatAmounts(accelerators, scale, 'surge', ' more')} in addition to the ${formatAmounts(accelerators, scale, 'count')} in use${open}`;
}

function formatFreeCapacityHelp({ accelerators, scale }: DoubledAcceleratorsData): string {
  return `Keep ${formatAmounts(accelerators, scale, 'surge')} free during the upgrade`;
}

/** Formats the changes that the lower surge needs so that no other rule fires. */
function formatAccompanyingChanges({ maxSurgePercent, minReplicas, turnsAutoscalerOn }: SmallerUpgrade): string {
  return joinWords([
    `a stepSizePercent of at most ${maxSurgePercent}`,
    ...(turnsAutoscalerOn ? ['enableInTreeAutoscaling: true'] : []),
    ...minReplicas.map(({ group, atMost }) => `a minReplicas of at most ${atMost} for worker group "${group}"`),
  ]);
}

function formatSmallerUpgrade(smaller: SmallerUpgrade, scale: ClusterScale): string {
  return `the upgrade then requests ${formatAmounts(smaller.accelerators, scale, 'surge', ' more')}.`;
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

/** Rule about an upgrade that doubles the accelerators. */
export const doublesAccelerators = defineRule({
  code: 'kuberay/doubles-accelerators',
  since: '0.1.0',
  severity: 'warning',
  fires: 'NewCluster, or an incremental upgrade at its peak, doubles the requested GPUs, TPUs or other accelerators.',
  why:
    'NewCluster, the default without upgradeStrategy, starts a full second cluster before it removes the first one. ' +
    'An incremental upgrade does the same for a worker group that its surge covers entirely. A cluster seldom has that many free accelerators: ' +
    'the new pods then stay pending and the upgrade never finishes. With the autoscaler on, ' +
    'the numbers assume that it scales every group to its maxReplicas.',
  fix: 'Use an incremental upgrade with a maxSurgePercent of one worker, or keep as many accelerators free as the cluster has.',
  example: formatRayServiceExample('type: NewCluster'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    newCluster: defineMessage<NewClusterData>({
      text: (data) => `NewCluster starts a full second cluster before it removes the first one: it requests ${formatDemand(data)}.`,
      help: (data) => {
        const { smaller, enabledSince } = data;
        if (enabledSince !== undefined) {
          return `${formatFreeCapacityHelp(data)}. KubeRay ${enabledSince} can upgrade step by step instead, with ${INCREMENTAL_UPGRADE}.`;
        }
        if (!smaller) return `${formatFreeCapacityHelp(data)}: if a group has one replica, every upgrade starts a second one.`;
        const { maxSurgePercent } = smaller;
        return (
          `Set type: ${INCREMENTAL_UPGRADE} with maxSurgePercent: ${maxSurgePercent}, ${formatAccompanyingChanges(smaller)}: ` +
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
        `With maxSurgePercent ${data.maxSurgePercent} the upgrade doubles its accelerators at its peak: it requests ${formatDemand(data)}.`,
      help: (data) => {
        const { smaller } = data;
        if (!smaller) return `${formatFreeCapacityHelp(data)}: if a group has one replica, no maxSurgePercent requests less.`;
        return `Set maxSurgePercent: ${smaller.maxSurgePercent}, with ${formatAccompanyingChanges(smaller)}: ${formatSmallerUpgrade(smaller, data.scale)}`;
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

/** Returns the number of replicas that a surge allows at once: 2 for 20 percent of 6 replicas (1.2, rounded up). */
function computeSurgeReplicas(replicas: number, maxSurgePercent: number): number {
  return Math.max(1, Math.ceil((replicas * maxSurgePercent) / 100));
}

/** Limits the minReplicas of each group to the surge, because min-replicas-above-surge reports the rest. */
function limitMinReplicas(groups: readonly WorkerGroup[], maxSurgePercent: number): WorkerGroup[] {
  return groups.map((group) => {
    return { ...group, minReplicas: Math.min(group.minReplicas, computeSurgeReplicas(group.replicas, maxSurgePercent)) };
  });
}

/** Returns the groups at the size that the numbers in the message assume. */
function resolveGroupSizes(groups: readonly WorkerGroup[], scale: ClusterScale): readonly WorkerGroup[] {
  return scale === 'up-to' ? scaleGroupsToMax(groups) : groups;
}

/** Computes the accelerators of the head and these groups. */
function computeDemand({ cluster }: ParsedRayService, groups: readonly WorkerGroup[], scale: ClusterScale, rows: readonly CapacityRow[]) {
  return computeAccelerators([buildHeadGroup(cluster), ...resolveGroupSizes(groups, scale)], rows);
}

/** Simulates the capacity rows of an upgrade with this surge. They do not depend on the step size or the interval. */
function simulateCapacityRows(maxSurgePercent: number): readonly CapacityRow[] {
  return simulateUpgradeSteps({ maxSurgePercent, stepSizePercent: maxSurgePercent, intervalSeconds: 1 });
}

/** Returns the accelerators that are in another list too. */
function selectSame(accelerators: readonly WorkerAccelerator[], others: readonly WorkerAccelerator[]): readonly WorkerAccelerator[] {
  const resources = new Set(others.map(({ resource }) => resource));
  return accelerators.filter(({ resource }) => resources.has(resource));
}

/**
 * Returns the upgrade with the smallest surge that is one worker of the smallest group; undefined if it doubles the same accelerators.
 *
 * A group of one replica gets a second one at any surge, so it does not count.
 */
function findSmallerUpgrade(service: ParsedRayService, doubled: readonly WorkerAccelerator[]): SmallerUpgrade | undefined {
  const { cluster, groups, paths } = service;
  const counts = groups.map((group) => resolveSurgeReplicas(group, cluster)).filter((replicas) => replicas > 1);
  if (counts.length === 0) return undefined;
  const maxSurgePercent = computeOneReplicaSurge(findMin(counts));
  const scale = determineClusterScale({ ...cluster, enableInTreeAutoscaling: true }, groups);
  const lowered = limitMinReplicas(groups, maxSurgePercent);
  const accelerators = selectSame(computeDemand(service, lowered, scale, simulateCapacityRows(maxSurgePercent)), doubled);
  if (accelerators.every(isDoubled)) return undefined;
  const minReplicas = lowered.flatMap(({ name, index, minReplicas: leastReplicas }, position) =>
    leastReplicas < groups[position]!.minReplicas
      ? [{ group: name, atMost: leastReplicas, path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}].minReplicas` }]
      : [],
  );
  return { maxSurgePercent, minReplicas, accelerators, turnsAutoscalerOn: cluster.enableInTreeAutoscaling !== true };
}

/** Returns the accelerators that an incremental upgrade doubles even if no minReplicas is above the surge. */
function findDoubledAccelerators(service: ParsedRayService, { maxSurgePercent }: UpgradePace): readonly WorkerAccelerator[] {
  if (maxSurgePercent === 0) return [];
  const { cluster, groups } = service;
  const scale = determineClusterScale(cluster, groups);
  const rows = simulateCapacityRows(maxSurgePercent);
  const doubled = computeDemand(service, limitMinReplicas(groups, maxSurgePercent), scale, rows).filter(isDoubled);
  return selectSame(computeDemand(service, groups, scale, rows), doubled);
}

/** Reports whether an incremental upgrade doubles accelerators at any surge because all of its groups have one replica. */
export function mustDoubleAccelerators(service: ParsedRayService, pace: UpgradePace): boolean {
  const { cluster, groups } = service;
  return groups.every((group) => resolveSurgeReplicas(group, cluster) === 1) && findDoubledAccelerators(service, pace).length > 0;
}

function checkNewClusterUpgrade(service: ParsedRayService, simulation: RayServiceSimulation): Finding[] {
  const { cluster, groups, behaviour, paths } = service;
  // If the options show that the upgrade was meant to be incremental, misplaced-options reports an error instead.
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
 * Reports the accelerators that an upgrade doubles at its peak. The head counts too, since every cluster has one from its start.
 *
 * @param pace pace of the upgrade, if it has one; type NewCluster ignores it
 */
export function checkDoublesAccelerators(
  service: ParsedRayService,
  simulation: RayServiceSimulation,
  pace: UpgradePace | undefined,
): Finding[] {
  if (simulation.outcome !== 'promoted') return [];
  return pace && simulation.type !== 'NewCluster' ? checkIncrementalUpgrade(service, pace) : checkNewClusterUpgrade(service, simulation);
}
