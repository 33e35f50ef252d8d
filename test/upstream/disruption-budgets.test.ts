import { matchesLabelSelector } from '../../src/core/values/label-selector';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { planManifests } from '../../src/headless';
import { resolveBudgetDemand } from '../../src/cluster/disruption-budgets/disruption-budget';
import { recorded } from './recording';

/** A budget over StatefulSets whose pods are all ready. */
interface Budgeted {
  readonly spec: Fields;
  readonly sets: readonly { readonly labels: Fields; readonly replicas: number }[];
  readonly status: readonly [expectedPods: number, desiredHealthy: number, disruptionsAllowed: number];
}

const budgets = recorded('kubernetes-disruption-budgets') as readonly Budgeted[];

function budgetOf({ spec }: Budgeted): Manifest {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'budget', namespace: 'default' }, spec };
}

function podsOf({ spec, sets }: Budgeted): number {
  return sets.filter(({ labels }) => matchesLabelSelector(spec.selector, labels)).reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Reports whether we find that no pod can ever be evicted. */
function blocksEviction(budgeted: Budgeted): boolean {
  const sets = budgeted.sets.map(({ labels, replicas }, index) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: `set-${index}`, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  }));
  const { rollouts } = planManifests([...sets, budgetOf(budgeted)]);
  return rollouts.some(({ findings }) => findings.some(({ code }) => code === 'kubernetes/pdb-blocks-eviction'));
}

describe('PodDisruptionBudgets, by the disruption controller of Kubernetes 1.34', () => {
  test('require as many healthy pods as we count', () => {
    // With no pods the controller may still expect healthy ones; no finding depends on that.
    const covering = budgets.filter(({ status: [expectedPods] }) => expectedPods > 0);
    expect(covering.length).toBeGreaterThan(300);
    const ours = covering.map((budgeted) => [podsOf(budgeted), resolveBudgetDemand(budgetOf(budgeted), podsOf(budgeted))!.desiredHealthy]);
    expect(ours).toEqual(covering.map(({ status: [expectedPods, desiredHealthy] }) => [expectedPods, desiredHealthy]));
  });

  test('allow no eviction at full strength exactly where we report it', () => {
    const isBlocking = ({ status: [expectedPods, , disruptionsAllowed] }: Budgeted) => expectedPods > 0 && disruptionsAllowed === 0;
    expect(budgets.filter(isBlocking).length).toBeGreaterThan(50);
    expect(budgets.map((budgeted) => ({ ...budgeted, isBlocking: blocksEviction(budgeted) }))).toEqual(
      budgets.map((budgeted) => ({ ...budgeted, isBlocking: isBlocking(budgeted) })),
    );
  });
});
