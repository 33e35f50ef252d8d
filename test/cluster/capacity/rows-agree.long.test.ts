import { OTHER_ROLLOUTS } from '../../../src/cluster/capacity/exact/other-rollouts';
import type { Manifest } from '../../../src/core/manifest/manifest';
import type { PlanDocument } from '../../../src/core/document/plan-document';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { CapacityHalt } from '../../../src/core/simulations/halt';
import type { RayServiceSimulation } from '../../../src/core/simulations/rayservice';
import type { Simulation } from '../../../src/core/simulations/simulation';
import { planChange, planManifests } from '../../../src/headless';

import { buildRolloutChart } from '../../../src/render/svg/rollout-chart';
import { renderPlanText } from '../../../src/render/text/plan';
import { takeOneOf } from '../../setup/scale-runs';
import { createNodes, createQuota, GPU, KINDS } from './kinds-with-gpus';
import type { Build } from './kinds-with-gpus';

const LIMITS = [1, 2, 4].flatMap((replicas) =>
  [
    [1, 0],
    [0, 1],
    [2, 1],
    [2, 0],
  ].map(([maxSurge, maxUnavailable]) => ({ replicas, maxSurge: maxSurge!, maxUnavailable: maxUnavailable! })),
);
const CLUSTERS = [
  [1, 2],
  [1, 8],
  [2, 4],
  [4, 2],
  [3, 5],
  [4, 4],
].flatMap(([count, gpus]) => [undefined, 2, 4, 8, 9, 10, 14].map((quota) => ({ nodes: createNodes(count!, gpus!), quota })));

/** The fields of simulations by rows that this test reads. */
interface Rows {
  readonly kind: string;
  readonly replicas?: number;
  readonly nodes?: number;
  readonly size?: number;
  readonly peakPods?: number;
  readonly waves?: readonly Readonly<Record<string, number>>[];
  readonly halted?: CapacityHalt;
}

/** What a simulation shows, in pods or in percent of a cluster. */
interface ShownRows {
  readonly rows: readonly string[];
  /** The row at which it stops. */
  readonly stop?: number;
  /** Peak that it names, and that of its rows. */
  readonly peak?: number;
  readonly peakOfRows: number;
  /** Whether the last group of a row may lack workers. */
  readonly isPartial?: boolean;
  /** Pods before the change, if it counts pods. */
  readonly before?: number;
  /** Old and new pods of each row, unless they are counted in groups. */
  readonly pods?: readonly { readonly old: number; readonly next: number }[];
}

function readRayService({ type, outcome, steps, peakCapacityPercent }: RayServiceSimulation): ShownRows {
  return {
    rows: steps.map((step) =>
      [step.elapsedSeconds, step.activeTargetCapacity, step.pendingTargetCapacity, step.activeTraffic, step.pendingTraffic].join(' '),
    ),
    ...(outcome === 'stalled' && { stop: steps.length }),
    // Two complete clusters run between the rows of NewCluster.
    ...(type !== 'NewCluster' && { peak: peakCapacityPercent }),
    peakOfRows: Math.max(...steps.map((step) => step.activeTargetCapacity + step.pendingTargetCapacity)),
  };
}

function readShownRows(simulation: Simulation): ShownRows {
  if (simulation.kind === 'rayservice') return readRayService(simulation);
  const { waves = [], size = 1, peakPods, halted, replicas, nodes } = simulation as Rows;
  const before = (replicas ?? nodes ?? 0) * size;
  const peakOfRows = Math.max(before, ...waves.map((wave) => wave.total! * size));
  const counts = waves.map((row) => ({
    old: (row.oldReplicas ?? row.oldPods ?? row.oldGroups)!,
    next: (row.newReplicas ?? row.newPods ?? row.newGroups)!,
  }));
  return {
    rows: waves.map(({ wave, total, available }, index) => [wave, counts[index]!.next, counts[index]!.old, total, available].join(' ')),
    ...(size === 1 && { pods: counts }),
    ...(halted && { stop: halted.wave }),
    ...(peakPods !== undefined && { peak: peakPods }),
    isPartial: size > 1,
    peakOfRows,
    before,
  };
}

type SimulatedRollout = PlannedRollout & { readonly simulation: Simulation };

function isSimulated(rollout: PlannedRollout): rollout is SimulatedRollout {
  return rollout.simulation !== null;
}

/** What limits a rollout: the amount of a quota, and what an old and a new pod request. */
interface Amounts {
  readonly quota: number | undefined;
  readonly old: number;
  readonly next: number;
}

/** Reports whether the rows have new pods that a quota refuses. Pods of other rollouts may be gone meanwhile. */
function exceedsQuota({ pods = [], peak, before = 0 }: ShownRows, { quota, old, next }: Amounts): boolean {
  if (quota === undefined) return false;
  const isPeakBeyond = pods.length === 0 && old === next && peak !== undefined && peak > before && peak * next > quota;
  return isPeakBeyond || pods.some((row) => row.next > 0 && row.old * old + row.next * next > quota);
}

/** Lists the ways in which the verdict, the rows, the text and the picture of a rollout disagree. */
function findDisagreements(plan: PlanDocument, rollout: SimulatedRollout, amounts: Amounts): string[] {
  const { capacity, simulation } = rollout;
  const shown = readShownRows(simulation);
  const { rows, stop, peak, peakOfRows, isPartial = false, before } = shown;
  const { verdict, deadlockWave, because = [] } = capacity ?? {};
  const text = renderPlanText({ ...plan, rollouts: [rollout] });
  const elided = Number(/… (\d+) more/.exec(text)?.[1] ?? 0);
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));
  const chart = buildRolloutChart(rollout);
  const pods = (simulation as Rows).peakPods ?? 0;
  const faults: Readonly<Record<string, boolean>> = {
    'the rows stop elsewhere': stop !== deadlockWave,
    'the peak is not that of the rows': peak !== undefined && (isPartial ? peak > peakOfRows : peak !== peakOfRows),
    'the rows are beyond the quota': before !== undefined && !because.includes(OTHER_ROLLOUTS) && exceedsQuota(shown, amounts),
    'the text lacks a row': rows.filter((row) => !lines.some((line) => line === row || line.startsWith(`${row} `))).length > elided,
    'the text does not say where it deadlocks':
      deadlockWave !== undefined && !new RegExp(`deadlocks at \\w+ ${deadlockWave}\\b`).test(text),
    'the text has another peak': before !== undefined && pods > 0 && Number(/ peak (\d+) pods?/.exec(text)?.[1] ?? pods) !== pods,
    'the picture ends otherwise': chart.isStuck !== (verdict === 'deadlocks'),
    'the picture stops elsewhere': deadlockWave !== undefined && !chart.outcome.includes(` ${deadlockWave}`),
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

/** Returns an object whose pods request another number of GPUs. */
function withGpus(object: Manifest, gpus: number): Manifest {
  return JSON.parse(JSON.stringify(object).replaceAll(`"${GPU}":2`, `"${GPU}":${gpus}`)) as Manifest;
}

const CASES = LIMITS.flatMap((limits) => CLUSTERS.map((cluster) => ({ limits, ...cluster })));

/** Lists the disagreements in one of 19 cases, with old pods that request 1 to 3 GPUs. Together, the kinds and numbers have all cases. */
function findAllDisagreements(build: Build, old: number): string[] {
  const kind = KINDS.findIndex(([, other]) => other === build);
  return takeOneOf(19, CASES, 3 * kind + old).flatMap(({ limits, nodes, quota }) => {
    const object = build(limits);
    const cluster = [...(quota === undefined ? [] : [createQuota(quota)]), ...nodes];
    const options = { versions: { kserve: '0.21' } };
    const plan =
      old === 2 ? planManifests([object, ...cluster], options) : planChange([withGpus(object, old), ...cluster], [object], options);
    const faults = plan.rollouts.filter(isSimulated).flatMap((rollout) => findDisagreements(plan, rollout, { quota, old, next: 2 }));
    return faults.map((fault) => `${fault}: ${JSON.stringify({ ...limits, quota, nodes: nodes.length })}`);
  });
}

describe('verdict, rows, text and picture agree under any quota and on any nodes', () => {
  test.each(KINDS)('%s', (_, build) => {
    expect(findAllDisagreements(build, 2)).toEqual([]);
  });

  test.each(KINDS)('%s, with old pods that request less', (_, build) => {
    expect(findAllDisagreements(build, 1)).toEqual([]);
  });

  test.each(KINDS)('%s, with old pods that request more', (_, build) => {
    expect(findAllDisagreements(build, 3)).toEqual([]);
  });
});
