import { byChoice, set } from '../../core/advice';
import type { Edit, EditedObject } from '../../core/advice';
import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted } from '../../core/words';
import type { PlanContext } from '../context';
import { budgetData, budgetDemand, leastTogether, lowestOf, placeOf, podsOf, unlessElsewhere } from '../disruption-budget';
import type { BudgetDemand, Covered } from '../disruption-budget';
import { maxUnavailablePath } from '../strategy-terms';
import type { BudgetedPods, SystemRollout } from '../workload';

interface BrokenData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: Seen;
  readonly desiredHealthy: number;
  /** Pods that it covers at full strength. */
  readonly pods: number;
  /** Pods that the rollout leaves. */
  readonly lowest: number;
  /** Where the rolling update has its maxUnavailable, in the workload's own object; absent where there is none to lower. */
  readonly limit?: EditedObject & { readonly path: FieldPath };
  /** Pods of other units that it selects too, in view of which it is kept. @default - none */
  readonly podsElsewhere?: number;
  /** Pods of the budget that go together, where maxUnavailable counts groups of them. @default 1 */
  readonly perGroup?: number;
}

interface TogetherData extends BrokenData {
  /** Workloads that it covers besides this one. */
  readonly others: number;
  /** The only other one: `Deployment "api"`. */
  readonly other?: string;
}

/** The budget that the rollout keeps to; undefined where it leaves no pod. */
function looser({ field, pods, lowest }: BrokenData): string | undefined {
  if (lowest === 0) return undefined;
  return field === 'minAvailable' ? `minAvailable: ${lowest}` : `maxUnavailable: ${pods - lowest}`;
}

/** Of pods that are replaced group by group. */
function slowerGroups(data: BrokenData, allowed: number): string {
  const loosened = looser(data);
  const budget = loosened === undefined ? '' : `loosen the budget to ${loosened}`;
  if (allowed > 0) return `Write maxUnavailable: ${allowed}, which counts groups${budget === '' ? '' : `, or ${budget}`}.`;
  return `Write maxUnavailable: 0 with maxSurge: 1, so that a new group comes before an old one goes${budget === '' ? '' : `, or ${budget}`}.`;
}

function slower(data: BrokenData): string {
  const allowed = Math.floor((data.pods - data.desiredHealthy) / (data.perGroup ?? 1));
  if (data.perGroup !== undefined) return slowerGroups(data, allowed);
  const update = data.limit ? '' : 'a rolling update that waits for readiness probes, with maxSurge: 0 and ';
  if (allowed === 0) return `Write ${update}maxUnavailable: 1, once the budget lets one pod be missing.`;
  const budget = looser(data);
  return `Write ${update}maxUnavailable: ${allowed}${budget === undefined ? '' : `, or loosen the budget to ${budget}`}.`;
}

/** A slower rollout where it is one that can be slowed down, else a looser budget. */
function aloneEdits(data: BrokenData, path: FieldPath): Edit[] {
  const { pods, desiredHealthy, limit } = data;
  if (!limit || pods === desiredHealthy) return looserEdits(data, path);
  const { path: limitPath, ...of } = limit;
  return [set(limitPath, pods - desiredHealthy, of)];
}

function looserEdits({ budget, field, pods, lowest }: BrokenData, path: FieldPath): Edit[] {
  if (lowest === 0) return [];
  return [set(path, field === 'minAvailable' ? lowest : pods - lowest, { kind: 'PodDisruptionBudget', name: budget })];
}

function apart(data: BrokenData): string {
  const budget = looser(data);
  return `Give each workload a budget of its own${budget === undefined ? '' : `, or loosen this one to ${budget}`}.`;
}

function text({ budget, field, value, desiredHealthy, lowest, ...data }: BrokenData, because: string): string {
  return (
    `PodDisruptionBudget "${budget}" (${field} ${show(value)}) wants ${counted(desiredHealthy, 'pod')} healthy, but ${because} leaves ${lowest}: ` +
    `a rollout does not ask the budget, and no node can be drained meanwhile${unlessElsewhere(data)}`
  );
}

const SAMPLE: BrokenData = {
  budget: 'web',
  field: 'minAvailable',
  value: 3,
  desiredHealthy: 3,
  pods: 4,
  lowest: 2,
  limit: { kind: 'Deployment', name: 'web', path: at`spec.strategy.rollingUpdate.maxUnavailable` },
};

/** The same of a workload that takes all of its pods down at once. */
const AT_ONCE: BrokenData = { budget: 'web', field: 'minAvailable', value: 3, desiredHealthy: 3, pods: 4, lowest: 0 };

/** A rollout that goes below a budget. */
export const pdbBrokenByRollout = rule({
  code: 'kubernetes/pdb-broken-by-rollout',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'A rollout leaves fewer pods available than a PodDisruptionBudget asks for. ' +
    'An info where pods of other units decide that, for nobody knows whether they run in the same cluster.',
  why:
    'Controllers delete pods directly and never ask a budget (k/k#34776), ' +
    'so the promise that it makes holds for drains and not for rollouts. While a rollout is below the budget, ' +
    'nodes cannot be drained either. Pods of several workloads under one budget add up.',
  fix: 'Lower maxUnavailable of the rollout to what the budget allows, or loosen the budget.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 2 }
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
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
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
  messages: {
    alone: message<BrokenData>({
      text: (data) => text(data, 'this rollout'),
      help: slower,
      advice: (data, path) => byChoice(...aloneEdits(data, path)),
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, field: 'maxUnavailable', value: 1, lowest: 0 },
        AT_ONCE,
        { ...AT_ONCE, desiredHealthy: 4 },
        { ...SAMPLE, limit: undefined, perGroup: 4 },
        { ...SAMPLE, limit: undefined, perGroup: 1 },
        { ...SAMPLE, podsElsewhere: 4 },
      ],
    }),
    together: message<TogetherData>({
      text: (data) =>
        text(data, `a rollout of this workload together with ${data.other ?? `the ${data.others} other workloads that it covers`}`),
      help: apart,
      advice: (data, path) => byChoice(...looserEdits(data, path)),
      sample: { ...SAMPLE, others: 1, other: 'Deployment "api"' },
      variants: [{ ...SAMPLE, field: 'maxUnavailable', value: '25%', others: 2 }],
    }),
  },
});

/** Where a rolling update has its limit; nothing for Recreate, and where the user of the object can't write it. */
function limitOf(workload: BudgetedPods) {
  const { kind, name, rollout, strategyOwner, perGroup } = workload;
  if (perGroup !== undefined) return { perGroup };
  const isRolling = rollout && (rollout.leastAvailable > 0 || rollout.surge > 0);
  return isRolling && !strategyOwner ? { limit: { kind, name, path: maxUnavailablePath(workload) } } : {};
}

/** The rollouts that go below a budget, alone or together. */
export function brokenFindings(
  budget: Manifest,
  covered: readonly Covered[],
  demand: BudgetDemand,
  context: PlanContext,
  podsElsewhere: (budget: Manifest) => number,
): [SystemRollout, Finding][] {
  const pods = podsOf(covered);
  const first = covered[0]!;
  const place = placeOf(budget, demand.field, context);
  const known = { ...budgetData(budget, demand), desiredHealthy: demand.desiredHealthy, pods };
  const broken = (lowest: number) => {
    const more = podsElsewhere(budget);
    const isKeptBesideThem = lowest + more >= budgetDemand(budget, pods + more)!.desiredHealthy;
    return {
      severity: isKeptBesideThem ? 'info' : 'warning',
      data: { ...known, lowest, ...(isKeptBesideThem && { podsElsewhere: more }) },
    } as const;
  };
  const alone = covered.flatMap((one): [SystemRollout, Finding][] => {
    const lowest = pods - one.workload.replicas + lowestOf(one);
    if (lowest >= demand.desiredHealthy) return [];
    const { severity, data } = broken(lowest);
    return [[one.rollout, pdbBrokenByRollout.finding('alone', { ...place, severity, data: { ...data, ...limitOf(one.workload) } })]];
  });
  if (alone.length > 0) return alone;
  const lowest = leastTogether(covered);
  if (lowest >= demand.desiredHealthy) return [];
  const others = covered.length - 1;
  const { kind, name } = covered.at(-1)!.workload;
  const other = others === 1 ? { other: `${kind} "${name}"` } : {};
  const { severity, data } = broken(lowest);
  return [[first.rollout, pdbBrokenByRollout.finding('together', { ...place, severity, data: { ...data, others, ...other } })]];
}
