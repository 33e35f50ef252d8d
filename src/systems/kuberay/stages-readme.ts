import type { RayServiceStep } from '../../core/simulations/rayservice';
import { pluralize } from '../../core/text/text-format';
import { computeClusterSize } from './cluster-size';
import type { StagedUpgrade, UpgradeStage } from './stages';

/** Formats the README of the stages: what each stage does, what it needs, and how to roll back. */
export function formatStagesReadme(upgrade: StagedUpgrade): string {
  const { name, current, next, intervalSeconds, drainSeconds, simulation, stages } = upgrade;
  if (!simulation) return `# ${name}\n\nThe upgrade is refused, so it has no stages.\n`;
  const last = stages.length - 1;
  return [
    `# ${name}: from ${current.name} to ${next.name}`,
    '',
    `${pluralize(stages.length, 'stage')}, ${pluralize(simulation.trafficShifts, 'shift')} of traffic and ` +
      `${pluralize(simulation.capacityChanges, 'change')} of capacity; at least ${simulation.durationSeconds} s. ` +
      `The peak is ${simulation.peakCapacityPercent}% of one service's capacity.`,
    '',
    'Each folder is a complete set of manifests. Apply the folders in order.',
    `After stage 00, wait until Service ${next.name}-serve-svc exists. After a stage that moves traffic, wait at least ${intervalSeconds} s.`,
    `After a stage that adds capacity to ${next.name}, wait until its Serve applications are RUNNING and the new replicas are up.`,
    ...(drainSeconds === undefined
      ? []
      : [`Before the last stage, wait at least ${drainSeconds} s, so that the requests of ${current.name} end before it is removed.`]),
    '',
    '**To roll back**, apply the previous stage, down to stage 00. Only capacities and weights change.',
    `This also works from the last stage: the stage before it creates ${current.name} again, without requests.`,
    'Both services have type None, which does not lock the cluster: an upgrade of the KubeRay operator writes the full spec over a running',
    'cluster, and an appended worker group is added to it. Do neither between two stages.',
    '',
    `The last stage no longer contains ${current.name}: let your GitOps tool prune it, or run \`kubectl delete rayservice ${current.name}\`.`,
    '',
    `| stage | change | ${current.name} | ${next.name} | total | workers |`,
    '|---|---|---|---|---|---|',
    ...stages.map((stage, index) => formatRow(upgrade, stage, stages[index - 1]?.step, index === last)),
    '',
    'Columns 3 and 4 are capacity and share of requests. Workers are counted with one Serve replica each. Every RayService also has a head',
    'pod, which is not counted.',
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
    `${step.activeTargetCapacity + step.pendingTargetCapacity}%`,
    `${active.pods + pending.pods}${gpus > 0 ? `, ${pluralize(gpus, 'GPU')}` : ''}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatShare(capacity: number, traffic: number): string {
  return `${capacity}%, ${traffic}% of requests`;
}

function describeChange(step: RayServiceStep, before: RayServiceStep | undefined, current: string, next: string): string {
  if (!before) return `${next} is created, without replicas and requests`;
  const moved = step.pendingTraffic - before.pendingTraffic;
  if (moved > 0) return `${moved}% of the requests move to ${next}`;
  return step.pendingTargetCapacity > before.pendingTargetCapacity
    ? `${next} grows to ${step.pendingTargetCapacity}%`
    : `${current} shrinks to ${step.activeTargetCapacity}%`;
}
