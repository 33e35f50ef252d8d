import type { RolloutLoopResult, RolloutSettings } from '../../../src/systems/fleet/rollout-loop';

/** What the controller stores of one cluster; a cluster without one has no BundleDeployment. */
export interface BundleDeployment {
  stagedId: string;
  id: string;
  appliedId: string;
  ready: boolean;
}

/** The deployment ID that is rolled out. */
const WANTED = 'new';

export function isUnavailable(deployment: BundleDeployment | undefined): boolean {
  return deployment !== undefined && (deployment.appliedId !== deployment.id || !deployment.ready);
}

export function isUpToDate(deployment: BundleDeployment | undefined, wanted: string): boolean {
  return deployment !== undefined && deployment.stagedId === wanted && deployment.id === wanted && deployment.appliedId === wanted;
}

export function isPartitionUnavailable(
  members: readonly (BundleDeployment | undefined)[],
  wanted: string,
  maxUnavailable: number,
): boolean {
  return members.filter((member) => !isUpToDate(member, wanted) || isUnavailable(member)).length > maxUnavailable;
}

export function installed(targets: number): (BundleDeployment | undefined)[] {
  return Array.from({ length: targets }, () => ({ stagedId: 'old', id: 'old', appliedId: 'old', ready: true }));
}

export function notInstalled(targets: number): (BundleDeployment | undefined)[] {
  return Array.from({ length: targets }, () => undefined);
}

/** What one reconcile comes to. */
interface Reconciled {
  readonly created: number;
  /** Positions, by name. */
  readonly released: readonly number[];
  readonly end: RolloutLoopResult['end'];
}

/**
 * One reconcile of Fleet's controller, written as the facts tell it and as slowly. Changes the deployments.
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
  let brokeOffAt: string | null = null;

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
      brokeOffAt = partition.name;
      break;
    }
  }
  return { created, released: released.toSorted((a, b) => a - b), end: { partition: brokeOffAt, unavailablePartitions } };
}

/**
 * Fleet's controller and the agents in turn, to the end: what `rollOut` is held to.
 *
 * Reconciles follow each other until nothing changes, since creating a BundleDeployment queues the bundle again; then every agent reports.
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
 * The same where agents report one by one, each followed by a reconcile: the targets that are not released in the end.
 *
 * @param next picks who reports next, among so many that have something to report
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
