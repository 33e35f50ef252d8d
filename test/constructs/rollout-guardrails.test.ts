import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { DeploymentPolicy, RolloutGuardrails } from '../../src';
import type { RolloutGuardrailsProps } from '../../src';
import { buildAdmissionManifests } from '../../src/guardrails/admission';
import { synthError } from './synth-error';
import { disruptionBudget } from '../builders/disruption-budget';

const POLICY: RolloutGuardrailsProps = { neverBelow: { available: '75%' }, strategies: ['RollingUpdate'] };

function chartWith(props: RolloutGuardrailsProps, strategy: object): Chart {
  const app = new App();
  new RolloutGuardrails(new Chart(app, 'platform'), 'guard', props);
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  new ApiObject(chart, 'web', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      strategy,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [] } },
    },
  });
  return chart;
}

function synthErrors(props: RolloutGuardrailsProps, strategy: object): string[] {
  const chart = chartWith(props, strategy);
  return chart.node.root.node.findAll().flatMap((construct) => construct.node.validate());
}

test('every Deployment of the app is checked at synth, and reported with its path', () => {
  expect(synthErrors(POLICY, { rollingUpdate: { maxUnavailable: 1 } })).toEqual([]);
  expect(synthErrors(POLICY, { rollingUpdate: { maxUnavailable: 2 } })).toEqual([
    'shop/web: spec.strategy.rollingUpdate.maxUnavailable: the available pods of a rollout go down to 2 of 4, and the guardrails ask for 3',
  ]);
  expect(synthErrors(POLICY, { type: 'Recreate' })).toEqual([
    'shop/web: spec.strategy.type: the strategy Recreate is none that the guardrails allow: RollingUpdate',
    'shop/web: spec.strategy.type: the available pods of a rollout go down to 0 of 4, and the guardrails ask for 3',
  ]);
});

test('a violation of a workload with a policy has the line of the policy, others only have the path', () => {
  const chart = chartWith({ neverBelow: { available: '75%' } }, { rollingUpdate: { maxUnavailable: 2 } });
  const policed = new ApiObject(chart, 'policed', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'policed' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { a: 'c' } },
      template: { metadata: { labels: { a: 'c' } }, spec: { containers: [{ name: 'c', image: 'c' }] } },
    },
  });
  DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 2 }).applyTo(policed);
  const refused = chart.node.root.node.findAll().flatMap((construct) => construct.node.validate());
  const said =
    'spec.strategy.rollingUpdate.maxUnavailable: the available pods of a rollout go down to 2 of 4, and the guardrails ask for 3';
  expect(refused.map((line) => line.replaceAll(/\d+:\d+\)$/g, 'LINE)'))).toEqual([
    `shop/web: ${said}`,
    `shop/policed: ${said} (created at test/constructs/rollout-guardrails.test.ts:LINE)`,
  ]);
});

test('other objects of the app count as well: a budget for its pods', () => {
  const budget = (selector: object) => disruptionBudget({ selector, maxUnavailable: 0 }, { namespace: 'shop' });
  const errorsWith = (...budgets: readonly ReturnType<typeof budget>[]) => {
    const chart = chartWith({ requireBudget: true, requireEviction: true }, {});
    budgets.forEach((object, index) => new ApiObject(chart, `budget-${index}`, object));
    return chart.node.root.node.findAll().flatMap((construct) => construct.node.validate());
  };
  const missing = 'shop/web: spec.template.metadata.labels: no PodDisruptionBudget selects the pods, and the guardrails ask for one';
  const blocks = 'shop/budget-0: spec.maxUnavailable: maxUnavailable 0 lets no pod be evicted, and the guardrails ask that one can be';
  expect(errorsWith()).toEqual([missing]);
  expect(errorsWith(budget({ matchLabels: { a: 'c' } }))).toEqual([missing, blocks]);
  expect(errorsWith(budget({ matchLabels: { a: 'b' } }))).toEqual([blocks]);
});

test('they apply to what they match, except in excluded namespaces', () => {
  const bad = { type: 'Recreate' };
  expect(synthErrors({ ...POLICY, exceptions: [{ namespaces: ['shop'], reason: 'not yet' }] }, bad)).toEqual([]);
  expect(synthErrors({ ...POLICY, match: { namespaces: ['bank'] } }, bad)).toEqual([]);
  expect(synthErrors({ ...POLICY, match: { labels: { tier: 'web' } } }, bad)).toEqual([]);
});

test('the admission policy is only emitted with enforce', () => {
  const chart = Testing.chart();
  expect(new RolloutGuardrails(chart, 'off', POLICY).apiObjects).toEqual([]);
  const { apiObjects } = new RolloutGuardrails(chart, 'guard', { ...POLICY, enforce: 'ValidatingAdmissionPolicy', namespace: 'platform' });
  expect(apiObjects.map((object) => object.toJson())).toEqual(buildAdmissionManifests(POLICY, { name: 'guard', namespace: 'platform' }));
});

test.each([
  [{ neverBelo: {} }, 'neverBelo: there is no such key; write neverBelow'],
  [{ neverBelow: { available: '120%' } }, 'neverBelow.available: "120%" is not'],
  [{ strategies: ['Canary'] }, 'strategies: "Canary" is not a strategy'],
  [{ strategies: [] }, 'strategies: the list is empty; write RollingUpdate, Recreate or OnDelete, or leave it out'],
  [{ match: { kinds: ['Pod'] } }, 'match.kinds: "Pod" is not a kind that guardrails apply to; write Deployment, StatefulSet or DaemonSet'],
  [{ exceptions: [{ namespaces: ['a'] }] }, 'exceptions[0]: it gives no reason'],
  [{ exceptions: [{ reason: 'none' }] }, 'exceptions[0]: it names no namespaces'],
])('%j is refused', (props, said) => {
  expect(synthError((chart) => new RolloutGuardrails(chart, 'guard', props as never))).toContain(`[shop/guard] ${said}`);
});

test('guardrails that the cluster enforces need a namespace for their parameters: their own, or that of the chart', () => {
  const enforced = { ...POLICY, enforce: 'ValidatingAdmissionPolicy' } as const;
  const message = synthError((chart) => new RolloutGuardrails(chart, 'guard', enforced));
  expect(message).toContain('[shop/guard] namespace is missing, and neither has the chart one: ');
  expect(message).toContain('(created at test/constructs/rollout-guardrails.test.ts:');
  const { apiObjects } = new RolloutGuardrails(new Chart(new App(), 'platform', { namespace: 'platform' }), 'guard', enforced);
  expect(apiObjects.map((object) => object.toJson() as object)).toContainEqual(
    expect.objectContaining({ kind: 'ConfigMap', metadata: expect.objectContaining({ name: 'guard', namespace: 'platform' }) as object }),
  );
});

test.each([
  [{ name: 'not ours' }, 'name'],
  [{ namespace: 'Platform' }, 'namespace'],
])('a name that the API server refuses in the emitted objects is refused: %j', (props, prop) => {
  const given = { ...POLICY, enforce: 'ValidatingAdmissionPolicy', namespace: 'platform', ...props } as const;
  expect(synthError((chart) => new RolloutGuardrails(chart, 'guard', given))).toContain(
    `[shop/guard] [kubernetes/invalid-workload] ${prop}: ${prop} is ${JSON.stringify(Object.values(props)[0])}`,
  );
});
