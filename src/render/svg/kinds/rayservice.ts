import type { PlannedRollout } from '../../../core/document/rollout';
import type { RayServiceSimulation, RayServiceStep } from '../../../core/simulations/rayservice';
import { findDeadlockRow } from '../../rollout/outcome-text';
import type { Chart, StackPanel, ChartStop, TimeAxis } from '../chart';

const LAYERS: StackPanel['layers'] = [
  { name: 'old cluster', role: 'old' },
  { name: 'new cluster', role: 'new' },
];

/** Builds the capacity and traffic of both clusters, over seconds. */
export function buildRayServiceParts(simulation: RayServiceSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { outcome, peakCapacityPercent, durationSeconds } = simulation;
  const deadlockRow = findDeadlockRow(rollout);
  const steps = deadlockRow === undefined ? simulation.steps : simulation.steps.slice(0, deadlockRow);
  const last = steps.at(-1);
  if (!last || outcome === 'none') return [];
  const isTimed = durationSeconds > 0;
  const at = (index: number) => (isTimed ? steps[index]!.elapsedSeconds : index);
  const end = at(steps.length - 1);
  const lead = isTimed ? end * 0.06 || 1 : 1;
  const isStuck = outcome === 'stalled' || deadlockRow !== undefined;
  const stop: ChartStop | undefined = isStuck
    ? { at: end + lead * 0.5, text: deadlockRow === undefined ? 'stalls here' : `deadlocks at row ${deadlockRow}` }
    : undefined;
  const axis: TimeAxis = {
    name: isTimed ? 'seconds, at the earliest' : 'row',
    from: isTimed ? -lead : 0,
    to: end + (isStuck ? lead * 2 : lead),
    ...(isTimed ? {} : { ticks: steps.map((_, index) => ({ at: index + 0.5, text: String(index + 1) })) }),
  };
  const [first] = steps;
  const toRows = (valuesOf: (step: RayServiceStep) => readonly number[]) => [
    ...(isTimed ? [{ at: axis.from, values: valuesOf(first!) }] : []),
    ...steps.map((step, index) => ({ at: at(index), values: valuesOf(step) })),
  ];
  const capacity: StackPanel = {
    kind: 'stack',
    unit: '% of the capacity of one cluster',
    rows: toRows(({ activeTargetCapacity, pendingTargetCapacity }) => [activeTargetCapacity, pendingTargetCapacity]),
    layers: LAYERS,
    levels: [
      { name: `peak ${peakCapacityPercent}%`, role: 'ceiling', at: peakCapacityPercent },
      { name: 'one cluster', role: 'desired', at: 100 },
    ],
    bands: [],
    axisMaximum: peakCapacityPercent,
    ...(stop && { stop }),
  };
  const traffic: StackPanel = {
    kind: 'stack',
    unit: '% of requests',
    rows: toRows(({ activeTraffic, pendingTraffic }) => [activeTraffic, pendingTraffic]),
    layers: LAYERS,
    levels: [],
    bands: [],
    axisMaximum: 100,
    ...(stop && { stop: { at: stop.at, text: '' } }),
  };
  return [{ axis, panels: [capacity, traffic] }];
}
