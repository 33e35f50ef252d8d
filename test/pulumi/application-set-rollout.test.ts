import * as pulumi from '@pulumi/pulumi';
import { ApplicationSetRollout, Inventory } from 'rolloutkit/pulumi';
import type { ApplicationSetRolloutArgs } from 'rolloutkit/pulumi';
import { run, valueOf } from './program';

const later = pulumi.output;
const metadata = { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } };
const ARGS: ApplicationSetRolloutArgs = {
  generators: [{ clusters: { selector: { matchLabels: { env: 'dev' } } } }],
  template: { metadata, spec: { project: 'default', destination: { server: '{{server}}' } } },
  steps: [{ match: { env: 'dev' } }],
  inventory: Inventory.of({ clusters: [{ name: 'lab', labels: { env: 'dev' } }] }),
};

test('fields that only affect what an Application deploys may be Outputs, and the waves are known at preview', async () => {
  let plan!: pulumi.Output<unknown>;
  const { resources } = await run(
    () => {
      const template = {
        metadata,
        spec: { project: 'default', destination: { server: '{{server}}' }, source: { repoURL: later('https://example.com/shop.git') } },
      };
      ({ plan } = new ApplicationSetRollout('shop', { ...ARGS, template }));
    },
    { preview: false },
  );

  expect(resources[1]!.inputs).toMatchObject({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'shop', annotations: { 'pulumi.com/skipAwait': 'true' } },
    spec: {
      template: { spec: { source: { repoURL: 'https://example.com/shop.git' } } },
      strategy: { rollingSync: { steps: [{ matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }] }] } },
    },
  });
  expect(await valueOf(plan)).toMatchObject({ rollouts: [{ simulation: { waves: [{ wave: 1, count: 1, applications: ['shop-lab'] }] } }] });
});

test.each<[string, object]>([
  [
    'template.metadata.labels.env',
    {
      template: {
        metadata: { ...metadata, labels: { env: later('dev') } },
        spec: { project: 'default', destination: { server: '{{server}}' } },
      },
    },
  ],
  ['steps[0].match.env', { steps: [{ match: { env: later('dev') } }] }],
  ['generators[0].clusters.selector.matchLabels.env', { generators: [{ clusters: { selector: { matchLabels: { env: later('dev') } } } }] }],
])('%s determines which Applications exist or when they sync, and must not be an Output', async (prop, args) => {
  const refused = run(() => new ApplicationSetRollout('shop', { ...ARGS, ...args }));
  await expect(refused).rejects.toThrow(`${prop} is a Pulumi Output, whose value is not known at preview`);
});

test('an Application that no step selects fails the preview', async () => {
  const refused = run(() => new ApplicationSetRollout('shop', { ...ARGS, steps: [{ match: { env: 'prod' } }] }));
  await expect(refused).rejects.toThrow('argo-cd/unmatched-applications');
});
