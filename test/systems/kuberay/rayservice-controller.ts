import type { RayServiceStep } from '../../../src/core/simulations/rayservice';
import type { RayStartup } from '../../../src/systems/kuberay/simulate';
import type { UpgradePace } from '../../../src/systems/kuberay/upgrade-loop';

/**
 * Simulates the upgrade second by second, with a reconcile every two seconds, in the order of KubeRay v1.7.0 `rayservice_controller.go`:
 * capacity of the new cluster, then of the old one, then traffic. Traffic waits for the pods of a capacity increase, also in the same reconcile.
 */
export function upgradeSecondBySecond(pace: UpgradePace, startup: RayStartup): RayServiceStep[] {
  const { maxSurgePercent, stepSizePercent, intervalSeconds } = pace;
  let [oldCapacity, newCapacity, newTraffic] = [100, 0, 0];
  let lastShift = 0;
  let podsReadyAt = 0;
  let raises = 0;
  const rows = [{ elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 }];

  for (let second = 0; oldCapacity > 0 || newTraffic < 100; second += 2) {
    if (second < startup.headSeconds) continue;
    const record = () =>
      rows.push({
        elapsedSeconds: second,
        activeTargetCapacity: oldCapacity,
        pendingTargetCapacity: newCapacity,
        activeTraffic: 100 - newTraffic,
        pendingTraffic: newTraffic,
      });
    if (newCapacity === newTraffic && oldCapacity + newCapacity <= 100) {
      newCapacity = Math.min(100, newCapacity + maxSurgePercent);
      raises += 1;
      if (raises === 1 || startup.waitsForEveryRaise) podsReadyAt = second + startup.workerSeconds;
      record();
    } else if (newCapacity === newTraffic) {
      oldCapacity = Math.max(0, oldCapacity - maxSurgePercent);
      record();
    }
    if (newTraffic < newCapacity && second >= lastShift + intervalSeconds && second >= podsReadyAt) {
      newTraffic = Math.min(newTraffic + stepSizePercent, newCapacity);
      lastShift = second;
      record();
    }
  }
  return rows;
}
