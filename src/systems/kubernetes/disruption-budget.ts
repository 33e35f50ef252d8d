import type { Finding } from '../../core/finding';
import { isIntOrPercent, scaledUp } from '../../core/int-or-percent';
import { matchLabelsOf, selects } from '../../core/label-selector';
import { nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import type { PlanContext } from '../../core/system';
import type { PlannedRollout, Workload } from '../../core/workload';
import { byNamespace } from './namespaces';
import { surroundingsFinding } from './surroundings-catalogue';

/** What a budget asks for among the pods that it covers. */
export interface BudgetDemand {
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: number | `${number}%`;
  /** Pods that have to be healthy, from 0. */
  readonly desiredHealthy: number;
}

/**
 * How many pods a PodDisruptionBudget wants healthy of so many; undefined where it asks for nothing that can be read.
 *
 *     minAvailable   as it is; N% is rounded up
 *     maxUnavailable pods - value, at least 0; N% is rounded up too
 *
 * minAvailable 50% of 7 is 4; maxUnavailable 50% of 7 is 4 that may be missing, so 3.
 *
 * Source: k/k pkg/controller/disruption/disruption.go, `getExpectedPodCount`.
 */
export function budgetDemand(budget: Manifest, pods: number): BudgetDemand | undefined {
  const minAvailable = valueAt(budget, 'spec', 'minAvailable');
  const maxUnavailable = valueAt(budget, 'spec', 'maxUnavailable');
  if (isIntOrPercent(maxUnavailable)) {
    return { field: 'maxUnavailable', value: maxUnavailable, desiredHealthy: Math.max(0, pods - scaledUp(maxUnavailable, pods)) };
  }
  if (!isIntOrPercent(minAvailable)) return undefined;
  return { field: 'minAvailable', value: minAvailable, desiredHealthy: scaledUp(minAvailable, pods) };
}

/** The least pods of a rollout that are available at any time; all of them where nothing rolls out. */
function lowestOf({ workload, simulation }: PlannedRollout & { readonly workload: Workload }): number {
  return simulation?.kind === 'deployment' || simulation?.kind === 'statefulset' ? simulation.minAvailable : workload.replicas;
}

type Covered = PlannedRollout & { readonly workload: Workload };

function looserBudget(field: BudgetDemand['field'], pods: number): string {
  if (field === 'maxUnavailable') return 'Write maxUnavailable: 1 or more.';
  if (pods === 1) return 'Run 2 replicas or more, or write maxUnavailable: 1 instead.';
  return `Write maxUnavailable: 1 instead, or minAvailable: ${pods - 1} or less.`;
}

function blockedFinding(budget: Manifest, { field, value }: BudgetDemand, pods: number, context: PlanContext): Finding {
  const path = `spec.${field}`;
  return surroundingsFinding('kubernetes/pdb-blocks-eviction', {
    path,
    source: context.locate(budget, path),
    message:
      `PodDisruptionBudget "${nameOf(budget)}" has ${field} ${describeValue(value)}, and the pods that it covers are ${pods} at full ` +
      'strength: none may ever be evicted, so draining a node waits for good.',
    help: looserBudget(field, pods),
  });
}

function brokenFinding(budget: Manifest, demand: BudgetDemand, lowest: number, because: string, context: PlanContext): Finding {
  const { field, value, desiredHealthy } = demand;
  const path = `spec.${field}`;
  return surroundingsFinding('kubernetes/pdb-broken-by-rollout', {
    path,
    source: context.locate(budget, path),
    message:
      `PodDisruptionBudget "${nameOf(budget)}" (${field} ${describeValue(value)}) wants ${desiredHealthy} pods healthy, but ${because} ` +
      `leaves ${lowest}: a rollout does not ask the budget, and no node can be drained meanwhile.`,
    help: 'Allow the rollout fewer unavailable pods, such as maxSurge: 1 and maxUnavailable: 0, or loosen the budget.',
  });
}

/** The findings of one budget, each with the rollout that it belongs to. */
function budgetFindings(budget: Manifest, covered: readonly Covered[], context: PlanContext): [PlannedRollout, Finding][] {
  const pods = covered.reduce((sum, { workload }) => sum + workload.replicas, 0);
  const demand = budgetDemand(budget, pods);
  const first = covered[0];
  if (!demand || !first || pods === 0) return [];
  // A budget that is too tight at full strength is broken by every rollout too, and its fix repairs both.
  if (demand.desiredHealthy >= pods) return [[first, blockedFinding(budget, demand, pods, context)]];

  const alone = covered.flatMap((rollout): [PlannedRollout, Finding][] => {
    const lowest = pods - rollout.workload.replicas + lowestOf(rollout);
    return lowest < demand.desiredHealthy ? [[rollout, brokenFinding(budget, demand, lowest, 'this rollout', context)]] : [];
  });
  if (alone.length > 0) return alone;
  const lowest = covered.reduce((sum, rollout) => sum + lowestOf(rollout), 0);
  if (lowest >= demand.desiredHealthy) return [];
  const others =
    covered.length === 2
      ? `${covered[1]!.workload.kind} "${covered[1]!.workload.name}"`
      : `the ${covered.length - 1} other workloads that it covers`;
  return [[first, brokenFinding(budget, demand, lowest, `a rollout of this workload together with ${others}`, context)]];
}

/** Workloads of a namespace by each of their labels, so that a budget looks at those alone that have one of its labels. */
function labelIndex(rollouts: readonly Covered[]): (selector: unknown) => readonly Covered[] {
  const byLabel = new Map<string, Covered[]>();
  for (const rollout of rollouts) {
    const labels = valueAt(rollout.workload.template, 'metadata', 'labels');
    for (const [key, value] of Object.entries(labels ?? {})) {
      const label = JSON.stringify([key, value]);
      const known = byLabel.get(label);
      if (known) known.push(rollout);
      else byLabel.set(label, [rollout]);
    }
  }
  return (selector) => {
    const named = Object.entries(matchLabelsOf(selector))[0];
    return named ? (byLabel.get(JSON.stringify(named)) ?? []) : rollouts;
  };
}

/** What PodDisruptionBudgets of the input mean for the rollouts whose pods they select, each finding with its rollout. */
export function disruptionBudgetFindings(planned: readonly PlannedRollout[], context: PlanContext): [PlannedRollout, Finding][] {
  const withPods = planned.filter((rollout): rollout is Covered => rollout.workload !== undefined && !rollout.workload.countOnly);
  const byWorkload = new Map(withPods.map((rollout) => [rollout.workload, rollout]));
  const candidatesOf = new Map<string, (selector: unknown) => readonly Covered[]>();
  for (const [namespace, workloads] of byNamespace([...byWorkload.keys()])) {
    candidatesOf.set(namespace, labelIndex(workloads.map((workload) => byWorkload.get(workload)!)));
  }
  return context.ofKind('policy', 'PodDisruptionBudget').flatMap((budget) => {
    const selector = valueAt(budget, 'spec', 'selector');
    const candidates = candidatesOf.get(namespaceOf(budget) ?? '')?.(selector) ?? [];
    const covered = candidates.filter(({ workload }) => selects(selector, valueAt(workload.template, 'metadata', 'labels')));
    return budgetFindings(budget, covered, context);
  });
}
