import { withPropAdvice } from '../../src/props/prop-advice';
import { ApplicationSetRollout, DaemonSetPolicy, FleetBundle, InferenceServiceRollout } from '../../src/pulumi';
import { run } from './program';

const containers = [{ name: 'agent', image: 'agent:1' }];
const template = { metadata: { labels: { app: 'agent' } }, spec: { containers } };

test('advice in the log names props, not options of the command line', async () => {
  const { logged } = await run(() => {
    new InferenceServiceRollout('iris', { predictor: { minReplicas: 4, model: { modelFormat: { name: 'sklearn' } } } });
    new FleetBundle('shop', {
      metadata: { namespace: 'fleet-default' },
      targets: [{ clusterSelector: {} }],
      rollout: { maxUnavailable: 1 },
    });
    new ApplicationSetRollout('apps', {
      metadata: { namespace: 'argocd' },
      generators: [{ clusters: {} }],
      template: { metadata: { name: 'shop-{{name}}' }, spec: { project: 'default', destination: { server: '{{server}}' } } },
      steps: [{ match: { env: 'dev' } }],
    });
    new DaemonSetPolicy('agents', {
      policy: { maxUnavailable: '10%' },
      workloads: [{ metadata: { name: 'agent', namespace: 'ops' }, spec: { selector: { matchLabels: { app: 'agent' } }, template } }],
    });
  });
  const advice = logged.filter((line) => /prop /.test(line)).map((line) => line.replace(/.*\. (?=Pass )/, ''));

  expect(advice).toMatchInlineSnapshot(`
[
  "Pass it as the prop platform: kubectl get configmap inferenceservice-config -n kserve -o yaml prints it.",
  "Pass the inventory as the prop inventory: \`kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml\` prints it.",
  "Pass the clusters as the prop inventory: {"clusters": [{"name": "paris", "labels": {"env": "prod"}}]}.",
  "Pass the nodes in the prop surroundings: kubectl get nodes -o json prints them.",
]
`);
  expect(logged.filter((line) => /--(?:clusters|capacity|kserve-config|versions|startup-seconds)/.test(line))).toEqual([]);
});

test.each([
  [
    'Delete the field, or plan for a version that keeps it: --versions kubernetes=1.37.',
    "Delete the field, or plan for a version that keeps it: kubernetes: '1.37'.",
  ],
  ['Register them, or pass them with --not-ready-now.', 'Register them.'],
  ['Upgrade it with --server-side=true of Helm 4.', 'Upgrade it with --server-side=true of Helm 4.'],
])('%s', (help, expected) => {
  expect(
    withPropAdvice({ code: 'kubernetes/no-nodes', severity: 'info', path: '', message: '', messageId: 'a', data: {}, help } as never).help,
  ).toBe(expected);
});
