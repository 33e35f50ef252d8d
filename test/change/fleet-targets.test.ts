import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

const cluster = (name: string, env: string) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, namespace: 'fleet', labels: { env } },
});
const ALL = { clusterSelector: {} };
const of = (env: string) => ({ clusterSelector: { matchLabels: { env } } });

/** Returns a bundle with values for dev and for prod, and at most four clusters. */
const bundle = (dev: number, prod: number, targets: readonly object[] = [ALL]) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'shop', namespace: 'fleet' },
  spec: {
    rolloutStrategy: { maxUnavailable: 1 },
    resources: [{ name: 'web.yaml', content: 'a' }],
    targets: [{ ...of('dev'), helm: { values: { dev } } }, { ...of('prod'), helm: { values: { prod } } }, ...targets],
    targetRestrictions: targets,
  },
});
const CLUSTERS = [cluster('a', 'prod'), cluster('b', 'dev'), cluster('c', 'dev'), cluster('d', 'prod')];

function planned(old: object, next: object) {
  return expectValidPlan(planChange([old, ...CLUSTERS], [next, ...CLUSTERS]));
}

/** Returns the clusters of each wave. */
function waves(old: object, next: object) {
  const { simulation } = planned(old, next).rollouts[0]!;
  if (simulation?.kind !== 'fleet') return undefined;
  const { install, update } = simulation;
  return { install: install.waves.map(({ clusters }) => clusters), update: update.waves.map(({ clusters }) => clusters) };
}

test('a customization updates only its own clusters, at the pace of the bundle', () => {
  expect(waves(bundle(1, 1), bundle(2, 1))).toEqual({ install: [], update: [['b'], ['c']] });
  expect(waves(bundle(1, 1), bundle(1, 2))).toEqual({ install: [], update: [['a'], ['d']] });
});

test('a new target installs the bundle where it was missing, and updates no cluster', () => {
  expect(waves(bundle(1, 1, [of('dev')]), bundle(1, 1, [of('dev'), of('prod')]))).toEqual({ install: [['a', 'd']], update: [] });
});

test('a change that reaches every cluster is rolled out to all of them', () => {
  const { spec, ...rest } = bundle(1, 1);
  const next = { ...rest, spec: { ...spec, resources: [{ name: 'web.yaml', content: 'b' }] } };
  expect(waves(bundle(1, 1), next)?.update).toEqual([['a'], ['b'], ['c'], ['d']]);
});

test('the text names the clusters', () => {
  const lines = renderPlanText(planned(bundle(1, 1), bundle(2, 1))).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    '1 of 5 objects differs: 1 rolls; the number of affected pods is unknown; assumes Kubernetes 1.36 and Fleet 0.16',
    '! roll   Bundle fleet/shop   dev 1 -> 2   on clusters b and c',
  ]);
});

test.each(['web:1', 'web:2'])('the effect on a bundle is unknown if the GitRepo that created it is deleted: %s', async (image) => {
  const gitRepo = `apiVersion: fleet.cattle.io/v1alpha1
kind: GitRepo
metadata: { name: shop, namespace: fleet }
spec: { repo: https://example.com/shop, paths: [apps], targets: [{ clusterSelector: {} }] }
`;
  const bundleOf = (content: string) => `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: shop-apps, namespace: fleet, labels: { fleet.cattle.io/repo-name: shop } }
spec: { targets: [{ clusterSelector: {} }], resources: [{ name: web.yaml, content: "${content}" }] }
`;
  const configMap = (content: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: web, namespace: shop }
data: { image: "${content}" }
`;
  const filesOf = (side: string, content: string) => ({
    [`${side}/apps/fleet.yaml`]: 'namespace: shop\n',
    [`${side}/apps/web.yaml`]: configMap(content),
    [`${side}/bundle.yaml`]: bundleOf(content),
  });
  const files = { ...filesOf('old', 'web:1'), ...filesOf('new', image), 'old/repo.yaml': gitRepo };
  const { stdout } = await rolloutkit('plan --from old new --prune --format json', { files });
  const { change, findings } = JSON.parse(stdout) as {
    change: { objects: { resource: { kind: string; name: string }; effect: string }[] };
    findings: { code: string; message: string }[];
  };
  expect(findings.filter(({ code }) => code === 'change/garbage-collected').map(({ message }) => message)).toEqual([
    'The apply deletes GitRepo fleet/shop, so Fleet deletes ConfigMap shop/web.',
  ]);
  expect(
    change.objects
      .filter(({ resource }) => resource.kind !== 'ConfigMap')
      .map(({ resource, effect }) => [resource.kind, resource.name, effect]),
  ).toEqual([
    ['Bundle', 'apps', 'unknown'],
    ['Bundle', 'shop-apps', 'unknown'],
    ['GitRepo', 'shop', 'delete'],
  ]);
});

test.each(['', 'metadata: { name: shop, namespace: fleet }\n'])(
  'a GitRepo that the cluster is deleting takes its bundles with it, whatever NEW has: %j',
  async (kept) => {
    const gitRepo = (metadata: string) =>
      `apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\n${metadata}spec: { repo: https://example.com/shop, paths: [apps], targets: [{ clusterSelector: {} }] }\n`;
    const live = 'metadata: { name: shop, namespace: fleet, uid: u, deletionTimestamp: "2026-11-29T10:00:00Z", finalizers: [a/b] }\n';
    const filesOf = (side: string) => ({
      [`${side}/apps/fleet.yaml`]: 'namespace: shop\n',
      [`${side}/apps/web.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web, namespace: shop }\n',
    });
    const files = { ...filesOf('old'), ...filesOf('new'), 'old/repo.yaml': gitRepo(live), ...(kept && { 'new/repo.yaml': gitRepo(kept) }) };
    const { stdout } = await rolloutkit('plan --from old new', { files });
    expect(stdout).toContain('The cluster is deleting GitRepo fleet/shop, so Fleet deletes ConfigMap shop/web.');
  },
);
