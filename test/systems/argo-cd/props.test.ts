import { buildApplicationSet } from '../../../src/systems/argo-cd/props';

test('omitted and undefined props are not written into the ApplicationSet', () => {
  const template = { metadata: { name: 'shop-{{name}}' }, spec: { project: 'default' } };
  const set = buildApplicationSet('shop', {
    generators: [{ clusters: {} }],
    template,
    goTemplate: undefined,
    steps: [{ match: { env: 'dev' } }, {}],
  });
  expect(set).toStrictEqual({
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
