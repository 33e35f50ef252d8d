import { byChoice, remove, set, siblingPath } from '../../core/advice';
import type { Edit } from '../../core/advice';
import type { FieldPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { nameOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted, firstNames, listedFirst } from '../../core/words';
import type { PlanContext } from '../context';
import { budgetData, budgetDemand, leastTogether, placeOf, podsOf, unlessElsewhere } from '../disruption-budget';
import type { BudgetDemand, Coverage, Covered } from '../disruption-budget';
import type { BudgetedPods, ReplicaRange, SystemRollout } from '../workload';

interface BlockedData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: Seen;
  /** Pods that it covers at full strength. */
  readonly pods: number;
  /** A maxUnavailable of the budget that a rollout keeps to as well, where one can. */
  readonly maxUnavailable: number;
  /** The same as minAvailable; absent where it would ask for no pod. */
  readonly minAvailable?: number;
  /** Of the only pod: how many there have to be for the budget as it is; absent where no number of up to ten will do. */
  readonly replicas?: number;
  /** Who changes the number of pods; absent where nobody does. */
  readonly autoscaled?: Autoscaled;
  /** Pods of other units that it selects too, in view of which it would allow an eviction. @default - none */
  readonly podsElsewhere?: number;
}

/** Autoscalers of the pods that a budget covers. */
interface Autoscaled {
  readonly by: readonly string[];
  /** Autoscalers besides those. @default 0 */
  readonly more?: number;
  /** Of all the pods. */
  readonly minimum: number;
  readonly maximum: number;
  /** Does the budget allow no eviction at any number of pods between? */
  readonly always: boolean;
}

interface OverlapData {
  /** The first of them. */
  readonly budgets: readonly string[];
  /** Budgets besides those. @default 0 */
  readonly more?: number;
  readonly kind: string;
  readonly name: string;
}

function looser({ field, maxUnavailable, minAvailable, replicas, autoscaled }: BlockedData): string {
  if (field === 'maxUnavailable') return `Write maxUnavailable: ${maxUnavailable}.`;
  const instead = `maxUnavailable: ${maxUnavailable} instead${minAvailable === undefined ? '' : `, or minAvailable: ${minAvailable}`}`;
  if (replicas === undefined) return `Write ${instead}.`;
  const more = autoscaled
    ? `Let ${listedFirst({ names: autoscaled.by, more: autoscaled.more })} keep at least ${replicas} replicas`
    : `Run ${replicas} replicas`;
  return `${more}, or write ${instead}.`;
}

function budgetEdits({ budget, field, maxUnavailable }: BlockedData, path: FieldPath): Edit[] {
  const of = { kind: 'PodDisruptionBudget', name: budget };
  if (field === 'maxUnavailable') return [set(path, maxUnavailable, of)];
  return [remove(path, of), set(siblingPath(path, 'maxUnavailable'), maxUnavailable, of)];
}

/** How long a drain waits: for good only where nobody changes the number of pods. */
function waitText({ autoscaled }: BlockedData): string {
  if (!autoscaled) return 'none may ever be evicted, so draining a node waits for good';
  const { by, more, minimum, maximum, always } = autoscaled;
  const range = `from ${minimum} to ${maximum}, by ${listedFirst({ names: by, more })}`;
  return always
    ? `none may be evicted at any number of them (${range}), so draining a node waits`
    : `none may be evicted while there are so few (${range}), so draining a node waits until there are more`;
}

const SCALED = { by: ['HorizontalPodAutoscaler "web"'], minimum: 1, maximum: 10 };

/** A budget that allows no eviction. */
export const pdbBlocksEviction = rule({
  code: 'kubernetes/pdb-blocks-eviction',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'A PodDisruptionBudget allows no eviction even while all of its pods are healthy, or two of them select the same pods. ' +
    'An info where pods of other units decide that, for nobody knows whether they run in the same cluster.',
  why:
    'A drain evicts pods and retries for as long as the budget says no; a budget that asks for all of its pods says no for ever, ' +
    'so nodes can be neither drained nor upgraded. minAvailable and maxUnavailable are both rounded up: 50% of 1 is 1. ' +
    'An eviction of a pod that two budgets select fails whatever they allow. ' +
    'Rollouts delete pods without asking the budget and are not stopped by it.',
  fix: 'Write `maxUnavailable: 1`, which holds for any number of replicas, run as many that one may be missing, and have one budget for them.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  maxUnavailable: 1
  selector: { matchLabels: { app: web } }
`,
  messages: {
    blocked: message<BlockedData>({
      text: (data) =>
        `PodDisruptionBudget "${data.budget}" has ${data.field} ${show(data.value)}, and it covers ${counted(data.pods, 'pod')} at full strength: ` +
        waitText(data) +
        unlessElsewhere(data),
      help: looser,
      advice: (data, path) => byChoice(...budgetEdits(data, path)),
      sample: { budget: 'web', field: 'minAvailable', value: 3, pods: 3, maxUnavailable: 1, minAvailable: 2 },
      variants: [
        { budget: 'web', field: 'minAvailable', value: '80%', pods: 1, maxUnavailable: 1, replicas: 5 },
        { budget: 'web', field: 'minAvailable', value: '100%', pods: 1, maxUnavailable: 1 },
        {
          budget: 'web',
          field: 'maxUnavailable',
          value: '0%',
          pods: 3,
          maxUnavailable: 1,
          minAvailable: 2,
          autoscaled: { ...SCALED, always: true },
        },
        {
          budget: 'web',
          field: 'minAvailable',
          value: 1,
          pods: 1,
          maxUnavailable: 1,
          replicas: 2,
          autoscaled: { ...SCALED, always: false },
        },
        { budget: 'all', field: 'minAvailable', value: 6, pods: 4, maxUnavailable: 1, minAvailable: 3, podsElsewhere: 4 },
      ],
    }),
    overlap: message<OverlapData>({
      text: ({ budgets, more = 0, kind, name }) =>
        `${budgets.length + more} PodDisruptionBudgets (${listedFirst({ names: budgets.map((budget) => `"${budget}"`), more })}) select the pods of ${kind} "${name}": ` +
        'every eviction of a pod under more than one budget fails with error 500, so draining a node never succeeds.',
      help: () => 'Keep one of them, or narrow their selectors until no pod is under two.',
      sample: { budgets: ['web', 'all'], kind: 'Deployment', name: 'web' },
      variants: [
        { budgets: ['a', 'b', 'c'], kind: 'StatefulSet', name: 'db' },
        { budgets: ['a', 'b', 'c'], more: 1_347, kind: 'StatefulSet', name: 'db' },
      ],
    }),
  },
});

/** The most replicas that an advice names. */
const MOST_ADVISED = 10;

/** How many replicas a workload of one has to have for the budget as it is, in a rollout too; undefined where no number of up to ten will do. */
function replicasFor(budget: Manifest, workload: BudgetedPods): number | undefined {
  for (let replicas = 2; replicas <= MOST_ADVISED; replicas++) {
    const { desiredHealthy } = budgetDemand(budget, replicas)!;
    const least = workload.rollout ? (workload.rolloutAt?.(replicas).leastAvailable ?? 0) : replicas;
    if (desiredHealthy < replicas && desiredHealthy <= least) return replicas;
  }
  return undefined;
}

/** The range of an autoscaler that changes the number of pods. */
function rangeOf({ replicaRange }: BudgetedPods): ReplicaRange | undefined {
  return replicaRange && replicaRange.minimum < replicaRange.maximum ? replicaRange : undefined;
}

function fewestPods(covered: readonly Covered[]): number {
  return covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.minimum ?? workload.replicas), 0);
}

/** What to write instead of a budget that allows no eviction: what the rollouts keep to as well, if they leave any pod at all. */
function looserBudget(budget: Manifest, covered: readonly Covered[], pods: number) {
  const least = leastTogether(covered);
  const maxUnavailable = least === 0 ? 1 : Math.max(1, pods - least);
  const minAvailable = Math.min(pods - maxUnavailable, fewestPods(covered) - 1);
  const only = pods === 1 ? covered.find(({ workload }) => workload.replicas === 1) : undefined;
  const replicas = only && replicasFor(budget, only.workload);
  return { maxUnavailable, ...(minAvailable > 0 && { minAvailable }), ...(replicas !== undefined && { replicas }) };
}

/** Who changes the number of pods that a budget covers, and whether it blocks at any number. */
function autoscaledData(budget: Manifest, covered: readonly Covered[]) {
  const ranges = covered.flatMap(({ workload }) => rangeOf(workload) ?? []);
  if (ranges.length === 0) return {};
  const maximum = covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.maximum ?? workload.replicas), 0);
  const always = budgetDemand(budget, maximum)!.desiredHealthy >= maximum;
  const { names, more } = firstNames(ranges.map(({ by }) => by));
  return { autoscaled: { by: names, ...(more !== undefined && { more }), minimum: fewestPods(covered), maximum, always } };
}

/** A budget that is too tight at full strength, said of the first rollout under it. */
export function blockedFinding(
  budget: Manifest,
  covered: readonly Covered[],
  demand: BudgetDemand,
  context: PlanContext,
  podsElsewhere: number,
): Finding {
  const pods = podsOf(covered);
  const place = placeOf(budget, demand.field, context);
  const blocked = { ...budgetData(budget, demand), pods, ...looserBudget(budget, covered, pods), ...autoscaledData(budget, covered) };
  if (budgetDemand(budget, pods + podsElsewhere)!.desiredHealthy >= pods + podsElsewhere) {
    return pdbBlocksEviction.finding('blocked', { ...place, data: blocked });
  }
  return pdbBlocksEviction.finding('blocked', { ...place, severity: 'info', data: { ...blocked, podsElsewhere } });
}

function overlapFinding({ kind, name }: BudgetedPods, budgets: readonly Manifest[], context: PlanContext): Finding {
  const { names, more } = firstNames(budgets.map(nameOf));
  const data = { budgets: names, ...(more !== undefined && { more }), kind, name };
  return pdbBlocksEviction.finding('overlap', { ...placeOf(budgets[1]!, 'selector', context), data });
}

/**
 * One finding for each set of budgets that select the same pods, with the first workload under them.
 *
 * Source: k/k pkg/registry/core/pod/storage/eviction.go.
 */
export function overlapFindings(coverages: readonly Coverage[], context: PlanContext): [SystemRollout, Finding][] {
  const over = new Map<Covered, number[]>();
  coverages.forEach(({ covered }, position) => {
    for (const one of covered) {
      const known = over.get(one);
      if (known) known.push(position);
      else over.set(one, [position]);
    }
  });
  const firstUnder = new Map<string, [Covered, readonly number[]]>();
  for (const [one, positions] of over) {
    const key = positions.join();
    if (one.workload.replicas > 0 && !firstUnder.has(key)) firstUnder.set(key, [one, positions]);
  }
  return [...firstUnder.values()].flatMap(([{ rollout, workload }, positions]): [SystemRollout, Finding][] => {
    const budgets = positions.flatMap((position) => coverages[position]!.budgets.map((budget) => budget));
    if (budgets.length < 2) return [];
    const inOrder = budgets.toSorted((a, b) => a.position - b.position).map(({ budget }) => budget);
    return [[rollout, overlapFinding(workload, inOrder, context)]];
  });
}
