import type { Candidate, RolloutGoal } from '../../src/core/advice';
import { adviseManifests } from '../../src/headless';
import { recorded } from './recording';

/** Seconds until a pod is ready. A wave takes as long, because deleted pods vanish at once. */
const STARTUP_SECONDS = 60;

/** A run of one strategy; maxSurge -1 is Recreate. */
type Run = readonly [maxSurge: number, maxUnavailable: number, completes: number, waves: number, peakPods: number, leastAvailable: number];

/** A Deployment under a quota, on nodes, or both, with all its strategies run by the controllers. */
export interface AdvisedCase {
  readonly replicas: number;
  /** Most pods in the namespace. @default - no limit */
  readonly quota?: number;
  /** Pods that the nodes have room for. @default - no limit */
  readonly slots?: number;
  readonly runs: readonly Run[];
}

export const CASES = recorded('kubernetes-advised-strategies') as readonly AdvisedCase[];

/** Figures of a run in the terms of a goal. */
interface RunFigures {
  readonly seconds: number;
  readonly extraPods: number;
  readonly leastAvailable: number;
}

function figuresOf([, , completes, waves, peakPods, leastAvailable]: Run, replicas: number): RunFigures {
  return {
    seconds: completes === 1 ? waves * STARTUP_SECONDS : Infinity,
    extraPods: Math.max(0, peakPods - replicas),
    leastAvailable,
  };
}

/** Returns the run of a strategy. */
function findRun({ runs }: AdvisedCase, strategy: unknown): Run | undefined {
  const { rollingUpdate } = strategy as { readonly rollingUpdate?: { readonly maxSurge: number; readonly maxUnavailable: number } };
  const [surge, unavailable] = rollingUpdate ? [rollingUpdate.maxSurge, rollingUpdate.maxUnavailable] : [-1, 0];
  return runs.find(([maxSurge, maxUnavailable]) => maxSurge === surge && maxUnavailable === unavailable);
}

/** Advises on a case. */
function advise({ replicas, quota, slots }: AdvisedCase, goal: RolloutGoal): Candidate | undefined {
  const labels = { app: 'web' };
  const container = { name: 'web', image: 'web:2', resources: { requests: { cpu: 1 } }, readinessProbe: { tcpSocket: { port: 80 } } };
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [container] } };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, selector: { matchLabels: labels }, template },
  };
  const limit = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'pods', namespace: 'default' },
    spec: { hard: { pods: quota } },
  };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' }, status: { allocatable: { cpu: slots, pods: 110 } } };
  const objects = [deployment, ...(quota === undefined ? [] : [limit]), ...(slots === undefined ? [] : [node])];
  return adviseManifests(objects, goal, { startupSeconds: STARTUP_SECONDS }).rollouts[0]!.best;
}

/** A goal in numbers. */
export interface WantedFigures {
  readonly available: number;
  readonly extraPods: number;
  readonly minutes: number;
}

/** What is wrong with the advice for a goal: a figure that does not hold, or a strategy that beats it. Empty if nothing is. */
export function findFaults(one: AdvisedCase, wanted: WantedFigures): string[] {
  const { available, extraPods, minutes } = wanted;
  const meets = (figures: RunFigures) =>
    figures.seconds <= minutes * 60 && figures.extraPods <= extraPods && figures.leastAvailable >= available;
  const all = one.runs.map((run) => ({ run, figures: figuresOf(run, one.replicas) }));
  const best = advise(one, { available, extraPods, within: `${minutes}m` });
  const meeting = all.filter(({ figures }) => meets(figures));
  if (!best) return meeting.map(({ run }) => `${String(run)} meets it, and no strategy is advised`).slice(0, 1);
  const run = findRun(one, best.strategy);
  if (!run) return [`${JSON.stringify(best.strategy)} was not run`];
  const found = figuresOf(run, one.replicas);
  const promised: RunFigures = { seconds: best.seconds ?? Infinity, extraPods: best.extraPods, leastAvailable: best.leastAvailable };
  const broken = (['seconds', 'extraPods', 'leastAvailable'] as const).filter((figure) => promised[figure] !== found[figure]);
  const beaten = meeting.filter(
    ({ figures }) =>
      figures.seconds <= found.seconds &&
      figures.extraPods <= found.extraPods &&
      figures.leastAvailable >= found.leastAvailable &&
      (figures.seconds < found.seconds || figures.extraPods < found.extraPods || figures.leastAvailable > found.leastAvailable),
  );
  return [
    ...broken.map((figure) => `${String(run)}: ${figure} ${promised[figure]} promised, ${found[figure]} recorded`),
    ...(meets(found) ? [] : [`${String(run)} does not meet it`]),
    ...beaten.map((other) => `${String(run)} is beaten by ${String(other.run)}`).slice(0, 1),
  ];
}

/** Draws goals: the same ones for the same seed. */
export function* drawGoals(count: number, seed: number): Generator<readonly [AdvisedCase, WantedFigures]> {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < count; index++) {
    const one = CASES[draw(CASES.length)]!;
    yield [one, { available: draw(one.replicas + 1), extraPods: draw(one.replicas + 1), minutes: 1 + draw(one.replicas + 1) }];
  }
}
