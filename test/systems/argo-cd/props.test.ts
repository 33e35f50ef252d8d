import { buildApplicationSet } from '../../../src/systems/argo-cd/props';

test('what is left out, or is undefined, is no key of the ApplicationSet', () => {
  const template = { metadata: { name: 'shop-{{name}}' }, spec: { project: 'default' } };
  const made = buildApplicationSet('shop', {
    generators: [{ clusters: {} }],
    template,
    goTemplate: undefined,
    steps: [{ match: { env: 'dev' } }, {}],
  });
  expect(made).toStrictEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'shop' },
    spec: {
      generators: [{ clusters: {} }],
      template,
      strategy: {
        type: 'RollingSync',
        rollingSync: { steps: [{ matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }] }, {}] },
      },
    },
  });
});
