import type { RayServiceStep } from '../../src/core/simulations/rayservice';
import { simulateIncrementalUpgrade } from '../../src/systems/kuberay/simulate';
import { kubeRayBehaviourOf } from '../../src/systems/kuberay/versions';
import { RECORDED_VERSIONS } from './kuberay-cases';
import { recorded } from './recording';

type Row = readonly [elapsed: number, active: number, pending: number, activeTraffic: number, pendingTraffic: number];

interface Upgrade {
  readonly in: readonly [maxSurgePercent: number, stepSizePercent: number, intervalSeconds: number];
  readonly steps: readonly Row[];
  readonly outcome: string;
  readonly rollback?: readonly Row[];
}

function rowOf(step: RayServiceStep): Row {
  return [step.elapsedSeconds, step.activeTargetCapacity, step.pendingTargetCapacity, step.activeTraffic, step.pendingTraffic];
}

describe.each(RECORDED_VERSIONS)('an incremental upgrade of KubeRay %s', (version, suffix) => {
  const upgrades = recorded(`kuberay-upgrades${suffix}`) as readonly Upgrade[];

  test('and its rollback have the rows that we simulate', () => {
    expect(upgrades.length).toBeGreaterThan(70);
    const ours = upgrades.map(({ in: pace }): Upgrade => {
      const [maxSurgePercent, stepSizePercent, intervalSeconds] = pace;
      const { canRollBack } = kubeRayBehaviourOf(version);
      const { steps, outcome, rollback } = simulateIncrementalUpgrade(
        { maxSurgePercent, stepSizePercent, intervalSeconds },
        { canRollBack },
      );
      return { in: pace, steps: steps.map(rowOf), outcome, ...(rollback && { rollback: rollback.steps.map(rowOf) }) };
    });
    expect(ours.filter((upgrade, index) => JSON.stringify(upgrade) !== JSON.stringify(upgrades[index]))).toEqual([]);
  });
});
