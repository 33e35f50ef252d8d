import type { RolloutOutcome, RolloutSetting } from '../../../src/systems/fleet/rollout-loop';

/** What the controller stores of one cluster; there is no BundleDeployment before it is created. */
interface BundleDeployment {
  stagedId: string;
  id: string;
  appliedId: string;
  ready: boolean;
}

/**
 * Fleet's own loop, reconcile by reconcile, written as the facts tell it and as slowly: what `rollOut` is held to.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go `UpdatePartitions`, status.go, bundle_status.go.
 */
export function reconcileToTheEnd(kind: 'install' | 'update', setting: RolloutSetting): RolloutOutcome {
  const wanted = 'new';
  const deployments: (BundleDeployment | undefined)[] = Array.from({ length: setting.targets }, () =>
    kind === 'install' ? undefined : { stagedId: 'old', id: 'old', appliedId: 'old', ready: true },
  );
  const isUnavailable = (deployment: BundleDeployment | undefined) =>
    deployment !== undefined && (deployment.appliedId !== deployment.id || !deployment.ready);
  const isUpToDate = (deployment: BundleDeployment | undefined) =>
    deployment !== undefined && deployment.stagedId === wanted && deployment.id === wanted && deployment.appliedId === wanted;

  let end: RolloutOutcome['end'] = { partition: null, unavailablePartitions: 0 };

  /** One reconcile; the positions that it releases, by name, and whether it creates anything. */
  const reconcile = (): { released: number[]; created: number } => {
    let created = 0;
    const released: number[] = [];
    let bundleUnavailable = deployments.filter(isUnavailable).length;
    const unavailableAtStart = setting.partitions.map(({ members }) => members.filter((member) => isUnavailable(deployments[member])).length);
    let unavailablePartitions = 0;
    end = { partition: null, unavailablePartitions };
    for (const [index, partition] of setting.partitions.entries()) {
      for (const member of partition.members) {
        if (deployments[member] === undefined && created < setting.maxNew) {
          deployments[member] = { stagedId: '', id: '', appliedId: '', ready: false };
          created++;
        }
        const deployment = deployments[member];
        if (deployment) deployment.stagedId = wanted;
      }
      let partitionUnavailable = unavailableAtStart[index]!;
      for (const member of partition.members) {
        const deployment = deployments[member];
        if (!deployment || setting.isPaused(member) || deployment.stagedId === '' || deployment.stagedId === deployment.id) continue;
        if (!(bundleUnavailable < setting.maxUnavailable || isUnavailable(deployment))) continue;
        if (!(partitionUnavailable < partition.maxUnavailable || isUnavailable(deployment))) continue;
        if (!isUnavailable(deployment)) {
          bundleUnavailable++;
          partitionUnavailable++;
        }
        deployment.id = deployment.stagedId;
        released.push(member);
      }
      const notUpToDate = partition.members.filter((member) => !isUpToDate(deployments[member]) || isUnavailable(deployments[member])).length;
      if (notUpToDate > partition.maxUnavailable) unavailablePartitions++;
      end = { partition: null, unavailablePartitions };
      if (unavailablePartitions > setting.maxUnavailablePartitions) {
        end = { partition: partition.name, unavailablePartitions };
        break;
      }
    }
    return { released: released.toSorted((a, b) => a - b), created };
  };

  /** Reconciles until nothing changes: creating a BundleDeployment queues the bundle again, whatever the agents do. */
  const settle = (): number[] => {
    const released: number[] = [];
    for (;;) {
      const step = reconcile();
      released.push(...step.released);
      if (step.released.length === 0 && step.created === 0) return released;
    }
  };

  const waves: { count: number; released: number[] }[] = [];
  for (;;) {
    const released = settle();
    if (released.length === 0) {
      const notReleased = deployments.flatMap((deployment, position) => (deployment?.id === wanted ? [] : [position]));
      return { waves, notReleased, end };
    }
    waves.push({ count: released.length, released });
    for (const position of released) {
      const deployment = deployments[position]!;
      if (setting.isNeverReady(position)) continue;
      deployment.appliedId = deployment.id;
      deployment.ready = true;
    }
  }
}
