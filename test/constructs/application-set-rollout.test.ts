import { App, Chart, Testing, Yaml } from 'cdk8s';
import * as fc from 'fast-check';
import { ApplicationSetRollout, Inventory } from 'rolloutkit';
import type { ApplicationSetRolloutProps, SyncStep } from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import type { Manifest } from 'rolloutkit/plan';
import { throughYaml } from '../pulumi/adapters';
import { synthError } from './synth-error';
import { scaleRuns } from '../setup/scale-runs';

const clusters = [
  { name: 'lab', labels: { env: 'dev' } },
  { name: 'lima', labels: { env: 'test' } },
  { name: 'oslo', labels: { env: 'prod' } },
  { name: 'paris', labels: { env: 'prod' } },
  { name: 'tokyo', labels: { env: 'prod' } },
];

const PROPS: ApplicationSetRolloutProps = {
  generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
  template: {
    metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } },
    spec: { project: 'default', destination: { server: '{{server}}' } },
  },
  steps: [{ match: { env: ['dev', 'test'] } }, { match: { env: 'prod' }, maxUpdate: '67%' }],
  inventory: Inventory.of({ clusters }),
};

function build(props: Partial<ApplicationSetRolloutProps> = {}) {
  return new ApplicationSetRollout(Testing.chart(), 'shop', { ...PROPS, ...props });
}

test('writes the steps as expressions over labels', () => {
  const { apiObject } = build({ deletionOrder: 'Reverse', goTemplate: false });
  expect(Yaml.stringify(apiObject.toJson())).toMatchInlineSnapshot(`
"apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: shop
spec:
  generators:
    - clusters:
        selector:
          matchExpressions:
            - key: env
              operator: Exists
  goTemplate: false
  strategy:
    deletionOrder: Reverse
    rollingSync:
      steps:
        - matchExpressions:
            - key: env
              operator: In
              values:
                - dev
                - test
        - matchExpressions:
            - key: env
              operator: In
              values:
                - prod
          maxUpdate: 67%
    type: RollingSync
  template:
    metadata:
      labels:
        env: "{{metadata.labels.env}}"
      name: shop-{{name}}
    spec:
      destination:
        server: "{{server}}"
      project: default
"
`);
});

test.each<[string, SyncStep, object]>([
  ['one value', { match: { env: 'dev' } }, { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }] }],
  ['several values', { match: { env: ['dev', 'test'] } }, { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev', 'test'] }] }],
  [
    'expressions and labels',
    { match: { env: 'dev' }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['db'] }], maxUpdate: 2 },
    {
      matchExpressions: [
        { key: 'env', operator: 'In', values: ['dev'] },
        { key: 'tier', operator: 'NotIn', values: ['db'] },
      ],
      maxUpdate: 2,
    },
  ],
  ['an empty step', {}, {}],
  ['no requirement', { maxUpdate: '10%' }, { maxUpdate: '10%' }],
])('%s in a step', (_what, step, written) => {
  const { apiObject } = build({ steps: [step], inventory: undefined });
  expect(apiObject.toJson()).toMatchObject({ spec: { strategy: { type: 'RollingSync', rollingSync: { steps: [written] } } } });
});

test('syncs one wave per step, and within a step at most maxUpdate at once', () => {
  const [rollout] = build().rollouts;
  expect(rollout!.simulation).toMatchObject({
    kind: 'rollingsync',
    applications: 5,
    waves: [
      { wave: 1, count: 2, applications: ['shop-lab', 'shop-lima'] },
      { wave: 2, count: 2, applications: ['shop-oslo', 'shop-paris'] },
      { wave: 3, count: 1, applications: ['shop-tokyo'] },
    ],
    done: true,
    unmatchedCount: 0,
  });
});

test('has the same rollouts as a plan of its YAML', () => {
  const environments = fc.subarray(['dev', 'test', 'prod'], { minLength: 1 });
  const maxUpdate = fc.option(
    fc.oneof(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 100 }).map((share): `${number}%` => `${share}%`),
    ),
    { nil: undefined },
  );
  const step = fc.record({ env: environments, maxUpdate }).map(({ env, maxUpdate: limit }) => ({ match: { env }, maxUpdate: limit }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), fc.boolean(), (steps, isKnown) => {
      const inventory = isKnown ? Inventory.of({ clusters }) : undefined;
      // The last step selects the others, because an Application in no step is refused.
      const set = build({ steps: [...steps, {}], inventory });
      const objects = throughYaml([set.apiObject.toJson() as Manifest]);
      expect(set.rollouts).toEqual(planManifests(objects, isKnown ? { clusters: { clusters } } : {}).rollouts);
    }),
    { numRuns: scaleRuns(40) },
  );
});

test.each<[string, Partial<ApplicationSetRolloutProps>, string]>([
  ['an Application that no step selects', { steps: [{ match: { env: 'dev' } }] }, 'argo-cd/unmatched-applications'],
  ['a step that never allows an Application to sync', { steps: [{ maxUpdate: 0 }] }, 'argo-cd/zero-max-update'],
  [
    'an unknown operator',
    { steps: [{ matchExpressions: [{ key: 'env', operator: 'Exists' as 'In', values: [] }] }] },
    'argo-cd/invalid-operator',
  ],
])('refuses %s', (_what, props, code) => {
  expect(synthError((chart) => new ApplicationSetRollout(chart, 'shop', { ...PROPS, ...props }))).toContain(code);
});

test.each([
  [
    'a label matched with a number',
    { steps: [{ match: { env: 5 } }] },
    '[shop/shop] steps[0].match.env is 5: write a label value or a list of label values',
  ],
  ['no steps', { steps: undefined }, '[shop/shop] steps is undefined: write a list of steps'],
  ['no generators', { generators: undefined }, '[shop/shop] generators is undefined: write a list of generators'],
  ['no template', { template: undefined }, '[shop/shop] template is undefined; write a map'],
])('refuses %s', (_what, props: object, message) => {
  expect(synthError((chart) => new ApplicationSetRollout(chart, 'shop', { ...PROPS, ...props }))).toContain(message);
});

test.each([
  ['a prop', { step: [] }, '[shop/shop] step is not a prop; write steps, or leave it out'],
  ['a prop of a step', { steps: [{ matches: {} }] }, '[shop/shop] steps[0].matches is not a prop; write match, or leave it out'],
])('refuses %s that does not exist at synth', (_what, props, line) => {
  const all = { ...PROPS, ...props } as ApplicationSetRolloutProps;
  expect(synthError((chart) => new ApplicationSetRollout(chart, 'shop', all))).toContain(line);
});

test('the example of the contract is unchanged', () => {
  const chart = new Chart(new App(), 'shop');
  const set = new ApplicationSetRollout(chart, 'shop', {
    generators: [{ clusters: {} }],
    template: PROPS.template,
    steps: [{ match: { env: 'dev' } }, { match: { env: 'prod' }, maxUpdate: '10%' }],
    inventory: Inventory.of({ clusters }),
  });

  // The cluster that Argo CD itself runs on has no label env.
  expect(set.findings).toMatchObject([
    { code: 'argo-cd/progressive-syncs-off', data: {} },
    {
      code: 'argo-cd/unknown-applications',
      data: { reason: 'template', missing: { parameter: 'metadata.labels.env', item: 'cluster "in-cluster"' } },
    },
  ]);
});
