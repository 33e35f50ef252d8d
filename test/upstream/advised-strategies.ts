import type { AdvisedRollout, RolloutGoal } from '../../src/core/document/advice';
import { scaleRoundedDown, scaleRoundedUp } from '../../src/core/values/int-or-percent';
import type { IntOrPercent } from '../../src/core/values/int-or-percent';
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

/** Advises on a case, with other objects. */
function advise({ replicas, quota, slots }: Omit<AdvisedCase, 'runs'>, goal: RolloutGoal, others: readonly object[] = []): AdvisedRollout {
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
  const objects = [deployment, ...(quota === undefined ? [] : [limit]), ...(slots === undefined ? [] : [node]), ...others];
  return adviseManifests(objects, goal, { startupSeconds: STARTUP_SECONDS }).rollouts[0]!;
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
  const { best } = advise(one, { available, extraPods, within: `${minutes}m` });
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

/** Creates a function that draws numbers below a limit: the same ones for the same seed. */
export function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Draws goals: the same ones for the same seed. */
export function* drawGoals(count: number, seed: number): Generator<readonly [AdvisedCase, WantedFigures]> {
  const draw = createDraw(seed);
  for (let index = 0; index < count; index++) {
    const one = CASES[draw(CASES.length)]!;
    yield [one, { available: draw(one.replicas + 1), extraPods: draw(one.replicas + 1), minutes: 1 + draw(one.replicas + 1) }];
  }
}

/** Recorded Deployments of different sizes under the same quota and nodes, the smallest first. An autoscaler chooses among them. */
export const SCALED_CASES: readonly (readonly AdvisedCase[])[] = [
  ...CASES.reduce(
    (groups, one) => groups.set(`${one.quota} ${one.slots}`, [...(groups.get(`${one.quota} ${one.slots}`) ?? []), one]),
    new Map<string, AdvisedCase[]>(),
  ).values(),
]
  .filter((sizes) => sizes.length > 1)
  .map((sizes) => sizes.toSorted((a, b) => a.replicas - b.replicas));

/** Returns the run of limits that may be percentages. */
function findScaledRun(one: AdvisedCase, maxSurge: IntOrPercent, maxUnavailable: IntOrPercent): Run {
  const { replicas, runs } = one;
  const surge = Math.min(replicas, scaleRoundedUp(maxSurge, replicas));
  const unavailable = Math.min(replicas, scaleRoundedDown(maxUnavailable, replicas));
  const effect = surge + unavailable === 0 ? [0, 1] : [surge, unavailable];
  return runs.find((run) => run[0] === effect[0] && run[1] === effect[1])!;
}

function hasBetter(a: readonly RunFigures[], b: readonly RunFigures[]): boolean {
  const isNowhereWorse = (left: readonly RunFigures[], right: readonly RunFigures[]) =>
    left.every(
      (one, size) =>
        one.seconds <= right[size]!.seconds && one.extraPods <= right[size]!.extraPods && one.leastAvailable >= right[size]!.leastAvailable,
    );
  return isNowhereWorse(a, b) && !isNowhereWorse(b, a);
}

/** Lists the figures of every strategy for each number of replicas, once for strategies with the same runs. */
function listScaledFigures(sizes: readonly AdvisedCase[]): readonly (readonly RunFigures[])[] {
  const values: IntOrPercent[] = [
    ...Array.from({ length: sizes.at(-1)!.replicas + 1 }, (_, pods) => pods),
    ...Array.from({ length: 100 }, (_, percent) => `${percent + 1}%` as const),
  ];
  const listDistinct = (scale: typeof scaleRoundedUp) =>
    new Map(values.map((value) => [sizes.map(({ replicas }) => Math.min(replicas, scale(value, replicas))).join(' '), value])).values();
  const [surges, unavailables] = [[...listDistinct(scaleRoundedUp)], [...listDistinct(scaleRoundedDown)]];
  const found = new Map<string, readonly RunFigures[]>();
  const add = (runs: readonly Run[]) => {
    const figures = runs.map((run, size) => figuresOf(run, sizes[size]!.replicas));
    found.set(JSON.stringify(figures), figures);
  };
  add(sizes.map(({ runs }) => runs.find(([maxSurge]) => maxSurge < 0)!));
  for (const surge of surges) {
    for (const unavailable of unavailables) {
      if (surge !== 0 || unavailable !== 0) add(sizes.map((one) => findScaledRun(one, surge, unavailable)));
    }
  }
  return [...found.values()];
}

/** What is wrong with the advice for a Deployment that an autoscaler scales between the recorded sizes. Empty if nothing is. */
export function findScaledFaults(sizes: readonly AdvisedCase[], planned: number, wanted: WantedFigures): string[] {
  const { available, extraPods, minutes } = wanted;
  const meets = (all: readonly RunFigures[]) =>
    all.every((figures) => figures.seconds <= minutes * 60 && figures.extraPods <= extraPods && figures.leastAvailable >= available);
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  const autoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      minReplicas: first.replicas,
      maxReplicas: last.replicas,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  };
  const advised = advise(sizes[planned]!, { available, extraPods, within: `${minutes}m` }, [autoscaler]);
  const compared = [...new Set([sizes[planned]!, first, last])];
  const meeting = listScaledFigures(compared).filter(meets);
  const { best } = advised;
  if (!best) return meeting.length === 0 ? [] : [`${JSON.stringify(meeting[0])} meets it, and no strategy is advised`];
  const { rollingUpdate } = best.strategy as { rollingUpdate?: { maxSurge: IntOrPercent; maxUnavailable: IntOrPercent } };
  const recordedFigures = compared.map((one) =>
    figuresOf(
      rollingUpdate ? findScaledRun(one, rollingUpdate.maxSurge, rollingUpdate.maxUnavailable) : one.runs.find(([surge]) => surge < 0)!,
      one.replicas,
    ),
  );
  const promised = compared.map((one) => [best.atMinimum, best.atMaximum].find((at) => at?.replicas === one.replicas) ?? best);
  return [
    ...promised.flatMap(({ seconds, extraPods: extra, leastAvailable }, size) => {
      const shown = JSON.stringify({ seconds: seconds ?? Infinity, extraPods: extra, leastAvailable });
      return shown === JSON.stringify(recordedFigures[size])
        ? []
        : [`${shown} promised, ${JSON.stringify(recordedFigures[size])} recorded`];
    }),
    ...(meets(recordedFigures) ? [] : [`${JSON.stringify(best.strategy)} does not meet it`]),
    ...meeting
      .filter((other) => hasBetter(other, recordedFigures))
      .map((other) => `it is beaten by ${JSON.stringify(other)}`)
      .slice(0, 1),
  ];
}

/** Draws goals for autoscaled Deployments: the same ones for the same seed. */
export function* drawScaledGoals(count: number, seed: number): Generator<readonly [readonly AdvisedCase[], number, WantedFigures]> {
  const draw = createDraw(seed);
  for (let index = 0; index < count; index++) {
    const sizes = SCALED_CASES[draw(SCALED_CASES.length)]!;
    const { replicas } = sizes[0]!;
    yield [sizes, draw(sizes.length), { available: draw(replicas + 1), extraPods: draw(replicas + 1), minutes: 1 + draw(replicas + 2) }];
  }
}

/** A StatefulSet with its recorded updates by maxUnavailable. */
interface RecordedSet {
  readonly replicas: number;
  readonly podManagementPolicy: string;
  readonly partition: number;
  readonly maxUnavailable?: IntOrPercent;
  readonly gate: boolean;
  readonly type: string;
  readonly start: number;
  readonly order: readonly number[];
  readonly batches: readonly unknown[];
  readonly minAvailable: number;
}

/** Recorded sizes of StatefulSets of which every maxUnavailable that differs in effect was recorded. */
const SET_SIZES = [1, 2, 5];

/** StatefulSets whose strategies were all run by the controller. */
const SETS: readonly (readonly RecordedSet[])[] = [
  ...(recorded('kubernetes-statefulset-order') as readonly RecordedSet[])
    .filter(({ gate, type, start, replicas }) => gate && type === 'RollingUpdate' && start === 0 && SET_SIZES.includes(replicas))
    .reduce((sets, one) => {
      const key = `${one.replicas} ${one.podManagementPolicy} ${one.partition}`;
      return sets.set(key, [...(sets.get(key) ?? []), one]);
    }, new Map<string, RecordedSet[]>())
    .values(),
].filter((updates) => updates.some(({ maxUnavailable }) => maxUnavailable === updates[0]!.replicas || maxUnavailable === 9));

/** What is wrong with the advice for a StatefulSet. Empty if nothing is. */
export function findSetFaults(updates: readonly RecordedSet[], available: number, minutes: number): string[] {
  const { replicas, podManagementPolicy, partition } = updates[0]!;
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image: 'web:2' }] } };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      serviceName: 'web',
      podManagementPolicy,
      updateStrategy: { rollingUpdate: { partition } },
      selector: { matchLabels: labels },
      template,
    },
  };
  const options = { startupSeconds: STARTUP_SECONDS, versions: { kubernetes: '1.35' } };
  const { best } = adviseManifests([set], { available, within: `${minutes}m` }, options).rollouts[0] ?? {};
  const effectOf = ({ maxUnavailable = 1 }: Pick<RecordedSet, 'maxUnavailable'>) =>
    Math.max(1, Math.min(replicas, scaleRoundedDown(maxUnavailable, replicas)));
  // With OrderedReady, the controller creates a pod once the one before it is ready, so that the pods of a batch start one after the other.
  const countStarts = ({ batches, order }: RecordedSet) => (podManagementPolicy === 'OrderedReady' ? order : batches).length;
  const figures = updates.map((update) => ({
    effect: effectOf(update),
    seconds: countStarts(update) * STARTUP_SECONDS,
    leastAvailable: update.minAvailable,
  }));
  const meeting = figures.filter(({ seconds, leastAvailable }) => seconds <= minutes * 60 && leastAvailable >= available);
  if (!best) return meeting.length === 0 || replicas <= partition ? [] : [`${JSON.stringify(meeting[0])} meets it, and none is advised`];
  const { rollingUpdate } = best.strategy as { readonly rollingUpdate: RecordedSet };
  const run = figures.find(({ effect }) => effect === effectOf(rollingUpdate))!;
  const isKept = rollingUpdate.partition === partition;
  const holds = isKept && run.seconds === best.seconds && run.leastAvailable === best.leastAvailable && meeting.includes(run);
  const beaten = meeting.filter(
    ({ seconds, leastAvailable }) =>
      seconds <= run.seconds && leastAvailable >= run.leastAvailable && (seconds < run.seconds || leastAvailable > run.leastAvailable),
  );
  return [
    ...(holds ? [] : [`${JSON.stringify(best)} promised, ${JSON.stringify(run)} recorded`]),
    ...beaten.map((other) => `${JSON.stringify(run)} is beaten by ${JSON.stringify(other)}`).slice(0, 1),
  ];
}

/** Draws goals for StatefulSets: the same ones for the same seed. */
export function* drawSetGoals(count: number, seed: number): Generator<readonly [readonly RecordedSet[], number, number]> {
  const draw = createDraw(seed);
  for (let index = 0; index < count; index++) {
    const updates = SETS[draw(SETS.length)]!;
    yield [updates, draw(updates[0]!.replicas + 1), 1 + draw(updates[0]!.replicas + 1)];
  }
}
