import type { RayServiceStep } from '../../core/simulations/rayservice';
import { pluralize } from '../../core/text-format';
import { computeClusterSize } from './cluster-size';
import type { StagedUpgrade, UpgradeStage } from './stages';

/** The page beside the stages: what each does, what it takes, and how to go back. */
export function formatStagesReadme(upgrade: StagedUpgrade): string {
  const { name, current, next, intervalSeconds, simulation, stages } = upgrade;
  if (!simulation) return `# ${name}\n\nThe upgrade is refused, so it has no stages.\n`;
  const last = stages.length - 1;
  return [
    `# ${name}: from ${current.name} to ${next.name}`,
    '',
    `${pluralize(stages.length, 'stage')}, ${pluralize(simulation.trafficShifts, 'shift')} of traffic and ` +
      `${pluralize(simulation.capacityChanges, 'change')} of capacity; at least ${simulation.durationSeconds} s. ` +
      `At the peak ${simulation.peakCapacityPercent} % of one service's capacity runs.`,
    '',
    'Each folder is a complete set of manifests: apply one after the other, in order.',
    `After stage 00 wait until Service ${next.name}-serve-svc is there; after a stage that moves traffic, at least ${intervalSeconds} s;`,
    `after one that gives ${next.name} capacity, until its Serve applications are RUNNING and the new replicas are there.`,
    '',
    '**To go back**, apply the stage before, down to stage 00. Nothing is lost on the way: only capacities and weights change.',
    `From the last stage, too: the stage before it makes ${current.name} anew, without requests.`,
    'Both services have type None, which is not a lock: an upgrade of the KubeRay operator writes the whole spec over a running cluster,',
    'and a worker group that is appended goes into it. Do neither between two stages.',
    '',
    `The last stage no longer has ${current.name}: let your GitOps tool prune it, or run \`kubectl delete rayservice ${current.name}\`.`,
    '',
    `| stage | what it does | ${current.name} | ${next.name} | together | workers |`,
    '|---|---|---|---|---|---|',
    ...stages.map((stage, index) => formatRow(upgrade, stage, stages[index - 1]?.step, index === last)),
    '',
    'Columns 3 and 4 are capacity and share of requests. Workers are counted with one Serve replica each; every RayService has its head',
    'pod besides.',
    '',
  ].join('\n');
}

function formatRow(
  { current, next }: StagedUpgrade,
  { folder, step }: UpgradeStage,
  before: RayServiceStep | undefined,
  isLast: boolean,
): string {
  const active = computeClusterSize(current.rayCluster, step.activeTargetCapacity);
  const pending = computeClusterSize(next.rayCluster, step.pendingTargetCapacity);
  const gpus = active.gpus + pending.gpus;
  const cells = [
    folder,
    isLast ? `${current.name} is removed` : describeChange(step, before, current.name, next.name),
    isLast ? '-' : formatShare(step.activeTargetCapacity, step.activeTraffic),
    formatShare(step.pendingTargetCapacity, step.pendingTraffic),
    `${step.activeTargetCapacity + step.pendingTargetCapacity} %`,
    `${active.pods + pending.pods}${gpus > 0 ? `, ${pluralize(gpus, 'GPU')}` : ''}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatShare(capacity: number, traffic: number): string {
  return `${capacity} %, ${traffic} % of requests`;
}

function describeChange(step: RayServiceStep, before: RayServiceStep | undefined, current: string, next: string): string {
  if (!before) return `${next} is there, without replicas and requests`;
  const moved = step.pendingTraffic - before.pendingTraffic;
  if (moved > 0) return `${moved} % of the requests move to ${next}`;
  return step.pendingTargetCapacity > before.pendingTargetCapacity
    ? `${next} grows to ${step.pendingTargetCapacity} %`
    : `${current} shrinks to ${step.activeTargetCapacity} %`;
}
