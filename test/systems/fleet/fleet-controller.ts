import type { RolloutLoopResult, RolloutSettings } from '../../../src/systems/fleet/rollout-loop';

/** The state that the controller stores for a cluster. A cluster without it has no BundleDeployment. */
export interface BundleDeployment {
  stagedId: string;
  id: string;
  appliedId: string;
  ready: boolean;
}

/** The deployment ID of the rollout. */
const WANTED = 'new';

export function isUnavailable(deployment: BundleDeployment | undefined): boolean {
  return deployment !== undefined && (deployment.appliedId !== deployment.id || !deployment.ready);
}

export function isUpToDate(deployment: BundleDeployment | undefined, desired: string): boolean {
  return deployment !== undefined && deployment.stagedId === desired && deployment.id === desired && deployment.appliedId === desired;
}

export function isPartitionUnavailable(
  members: readonly (BundleDeployment | undefined)[],
  desired: string,
  maxUnavailable: number,
): boolean {
  return members.filter((member) => !isUpToDate(member, desired) || isUnavailable(member)).length > maxUnavailable;
}

export function installed(targets: number): (BundleDeployment | undefined)[] {
  return Array.from({ length: targets }, () => ({ stagedId: 'old', id: 'old', appliedId: 'old', ready: true }));
}

export function notInstalled(targets: number): (BundleDeployment | undefined)[] {
  return Array.from({ length: targets }, () => undefined);
}

/** The result of one reconcile. */
interface Reconciled {
  readonly created: number;
  /** Positions in name order. */
  readonly released: readonly number[];
  readonly end: RolloutLoopResult['end'];
}

/**
 * Runs one reconcile of Fleet's controller, as literally and as slowly as the original. It changes the deployments.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go `UpdatePartitions`, status.go, bundle_status.go.
 */
export function reconcile(setting: RolloutSettings, deployments: (BundleDeployment | undefined)[]): Reconciled {
  const unavailableIn = (members: readonly number[]) => members.filter((member) => isUnavailable(deployments[member])).length;
  const unavailableAtStart = setting.partitions.map(({ members }) => unavailableIn(members));
  const released: number[] = [];
  let bundleUnavailable = deployments.filter(isUnavailable).length;
  let created = 0;
  let unavailablePartitions = 0;
  let stoppedAfter: string | null = null;

  for (const [index, partition] of setting.partitions.entries()) {
    for (const member of partition.members) {
      if (deployments[member] === undefined && created < setting.maxNew) {
        deployments[member] = { stagedId: '', id: '', appliedId: '', ready: false };
        created++;
      }
      const deployment = deployments[member];
      if (deployment) deployment.stagedId = WANTED;
    }
    let partitionUnavailable = unavailableAtStart[index]!;
    for (const member of partition.members) {
      const deployment = deployments[member];
      if (!deployment || setting.isPaused(member) || deployment.stagedId === deployment.id) continue;
      if (bundleUnavailable >= setting.maxUnavailable && !isUnavailable(deployment)) continue;
      if (partitionUnavailable >= partition.maxUnavailable && !isUnavailable(deployment)) continue;
      if (!isUnavailable(deployment)) {
        bundleUnavailable++;
        partitionUnavailable++;
      }
      deployment.id = deployment.stagedId;
      released.push(member);
    }
    const members = partition.members.map((member) => deployments[member]);
    if (isPartitionUnavailable(members, WANTED, partition.maxUnavailable)) unavailablePartitions++;
    if (unavailablePartitions > setting.maxUnavailablePartitions) {
      stoppedAfter = partition.name;
      break;
    }
  }
  return { created, released: released.toSorted((a, b) => a - b), end: { partition: stoppedAfter, unavailablePartitions } };
}

/**
 * Runs Fleet's controller and the agents in turn until the end. `runRollout` must give the same result.
 *
 * Reconciles repeat until nothing changes, since creating a BundleDeployment queues the bundle again. Then every agent reports.
 */
export function reconcileToTheEnd(kind: 'install' | 'update', setting: RolloutSettings): RolloutLoopResult {
  const deployments = kind === 'install' ? notInstalled(setting.targets) : installed(setting.targets);
  deployments.forEach((deployment, position) => {
    if (deployment && setting.isDown(position)) deployment.ready = false;
  });
  const waves: { count: number; released: number[] }[] = [];
  for (;;) {
    const released: number[] = [];
    let step = reconcile(setting, deployments);
    while (step.created > 0 || step.released.length > 0) {
      released.push(...step.released);
      step = reconcile(setting, deployments);
    }
    if (released.length === 0) {
      const notReleased = deployments.flatMap((deployment, position) => (deployment?.id === WANTED ? [] : [position]));
      return { waves, notReleased, end: step.end };
    }
    waves.push({ count: released.length, released });
    for (const position of released) {
      if (setting.isNeverReady(position) || setting.isDown(position)) continue;
      const deployment = deployments[position]!;
      deployment.appliedId = deployment.id;
      deployment.ready = true;
    }
  }
}

/**
 * Runs the controller with agents that report one by one, each followed by a reconcile, and returns the targets that are never released.
 *
 * @param next picks the agent that reports next, given the number of waiting agents
 */
export function endWhereAgentsReportSingly(
  kind: 'install' | 'update',
  setting: RolloutSettings,
  next: (waiting: number) => number,
): number[] {
  const deployments = kind === 'install' ? notInstalled(setting.targets) : installed(setting.targets);
  const waiting: number[] = [];
  for (;;) {
    let step = reconcile(setting, deployments);
    while (step.created > 0 || step.released.length > 0) {
      waiting.push(...step.released.filter((position) => !setting.isNeverReady(position)));
      step = reconcile(setting, deployments);
    }
    if (waiting.length === 0) return deployments.flatMap((deployment, position) => (deployment?.id === WANTED ? [] : [position]));
    const [position] = waiting.splice(next(waiting.length), 1) as [number];
    const deployment = deployments[position]!;
    deployment.appliedId = deployment.id;
    deployment.ready = true;
  }
}
