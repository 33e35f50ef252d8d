import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';

/* Section f: which clusters edits of a bundle, a GitRepo and their clusters are deployed to again. */

const cluster = (name: string, env: string, more: object = {}) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, namespace: 'fleet', labels: { env } },
  ...more,
});
const CLUSTERS = [cluster('a', 'prod'), cluster('b', 'prod'), cluster('c', 'dev')];
const DEV = { clusterSelector: { matchLabels: { env: 'dev' } } };
const ALL = { clusterSelector: {} };

const bundle = (spec: object, metadata: object = {}) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'shop', namespace: 'fleet', ...metadata },
  spec: {
    resources: [
      { name: 'web.yaml', content: 'a' },
      { name: 'README.md', content: 'b' },
    ],
    targets: [{ ...DEV, helm: { values: { replicas: 1 } } }, ALL],
    targetRestrictions: [ALL],
    ...spec,
  },
});

/** Returns the effect, and the clusters that it reaches, if not all. */
function describeEffect(
  old: object,
  next: object,
  clusters: { readonly old: readonly object[]; readonly next: readonly object[] } = { old: CLUSTERS, next: CLUSTERS },
): string {
  const { change } = expectValidPlan(planChange([old, ...clusters.old], [next, ...clusters.next]));
  const { effect, clusters: reached = [] } = change.objects[0]!;
  return [effect, ...reached].join(' ');
}

describe('content', () => {
  test.each<[string, object]>([
    [
      'a byte of a file',
      {
        resources: [
          { name: 'web.yaml', content: 'A' },
          { name: 'README.md', content: 'b' },
        ],
      },
    ],
    [
      'a byte of the README',
      {
        resources: [
          { name: 'web.yaml', content: 'a' },
          { name: 'README.md', content: 'B' },
        ],
      },
    ],
    [
      'the order of the files',
      {
        resources: [
          { name: 'README.md', content: 'b' },
          { name: 'web.yaml', content: 'a' },
        ],
      },
    ],
    [
      'the encoding of a file',
      {
        resources: [
          { name: 'web.yaml', content: 'a', encoding: 'base64' },
          { name: 'README.md', content: 'b' },
        ],
      },
    ],
  ])('%s reaches every cluster', (_what, spec) => {
    expect(describeEffect(bundle({}), bundle(spec))).toBe('roll');
  });
});

describe('options reach every cluster', () => {
  test.each<[string, object]>([
    ['helm values', { helm: { values: { image: 'b' } } }],
    ['helm version', { helm: { version: '2' } }],
    ['helm timeoutSeconds', { helm: { timeoutSeconds: 60 } }],
    ['helm atomic', { helm: { atomic: true } }],
    ['kustomize', { kustomize: { dir: 'prod' } }],
    ['yaml overlays', { yaml: { overlays: ['prod'] } }],
    ['namespace', { namespace: 'shop' }],
    ['defaultNamespace', { defaultNamespace: 'shop' }],
    ['serviceAccount', { serviceAccount: 'deployer' }],
    ['forceSyncGeneration', { forceSyncGeneration: 1 }],
    ['keepResources', { keepResources: true }],
    ['deleteNamespace', { deleteNamespace: true }],
    ['ignore', { ignore: { conditions: [{ a: 'b' }] } }],
  ])('%s', (_what, spec) => {
    expect(describeEffect(bundle({}), bundle(spec))).toBe('roll');
  });
});

describe('a customization reaches only its clusters', () => {
  const one = { ...DEV, helm: { values: { replicas: 1 } } };

  test('with its values', () => {
    const targets = [{ ...DEV, helm: { values: { replicas: 2 } } }, ALL];
    expect(describeEffect(bundle({}), bundle({ targets }))).toBe('roll c');
  });

  test('with another order, if another one matches first', () => {
    const all = { ...ALL, helm: { values: { replicas: 3 } } };
    const ordered = (...customizations: readonly object[]) => bundle({ targets: [...customizations, ALL] });
    expect(describeEffect(ordered(one, all), ordered(all, one))).toBe('roll c');
  });

  test('after the target that deploys it is identified by its position: the other clusters lose the bundle', () => {
    expect(describeEffect(bundle({}), bundle({ targets: [ALL, one] }))).toBe('roll a b c');
  });
});

describe('without restrictions every target deploys with its own options', () => {
  const one = { ...DEV, helm: { values: { replicas: 1 } } };
  const open = (...targets: readonly object[]) => bundle({ targets, targetRestrictions: [] });

  test('the first match decides', () => {
    expect(describeEffect(open(one, ALL), open(ALL, one))).toBe('roll c');
    expect(describeEffect(open(one, ALL), open({ ...DEV, helm: { values: { replicas: 2 } } }, ALL))).toBe('roll c');
  });

  test('another match after it reaches no cluster', () => {
    expect(describeEffect(open(ALL, one), open(ALL, { ...DEV, helm: { values: { replicas: 2 } } }))).toBe('settings');
  });
});

describe('nothing is deployed again', () => {
  test.each<[string, object, object, string]>([
    ['diff', { diff: { comparePatches: [{ kind: 'Deployment', name: 'a' }] } }, {}, 'settings'],
    ['correctDrift', { correctDrift: { enabled: true } }, {}, 'settings'],
    ['dependsOn', { dependsOn: [{ name: 'other' }] }, {}, 'settings'],
    ['rolloutStrategy', { rolloutStrategy: { maxUnavailable: 1 } }, {}, 'settings'],
    ['only paused', { paused: true }, {}, 'settings'],
    ['a label of the bundle', {}, { labels: { a: 'b' } }, 'metadata'],
    [
      'namespaceLabels of a target, which are applied without the gate',
      {
        targets: [
          { ...DEV, helm: { values: { replicas: 1 } } },
          { ...ALL, namespaceLabels: { a: 'b' } },
        ],
      },
      {},
      'settings',
    ],
  ])('for %s', (_what, spec, metadata, effect) => {
    expect(describeEffect(bundle({}), bundle(spec, metadata))).toBe(effect);
  });
});

describe('clusters', () => {
  const relabelled = [
    ...CLUSTERS.slice(0, 1),
    cluster('b', 'prod', { metadata: { name: 'b', namespace: 'fleet', labels: { env: 'prod', size: 'l' } } }),
    ...CLUSTERS.slice(2),
  ];

  test.each<[string, object, string]>([
    ['a label that the values name', { helm: { values: { size: 'global.fleet.clusterLabels.size' } } }, 'roll b'],
    ['a label if the values are a template', { helm: { values: { size: '${ .ClusterLabels.size }' } } }, 'roll b'],
    ['a label that nothing reads', { helm: { values: { env: 'global.fleet.clusterLabels.env' } } }, 'none'],
  ])('get it again for %s', (_what, spec, expected) => {
    expect(describeEffect(bundle(spec), bundle(spec), { old: CLUSTERS, next: relabelled })).toBe(expected);
  });

  test('get it again with their first label if it has no values', () => {
    const labelled = cluster('d', 'prod');
    const { labels: _, ...metadata } = labelled.metadata;
    const bare = { ...labelled, metadata };
    const plain = bundle({ targets: [ALL] });
    const inventory = { old: [...CLUSTERS, bare], next: [...CLUSTERS, labelled] };
    expect(describeEffect(plain, plain, inventory)).toBe('roll d');
    const withValues = bundle({ targets: [ALL], helm: { values: { replicas: 1 } } });
    expect(describeEffect(withValues, withValues, inventory)).toBe('none');
  });

  test('get the bundle if they are new, and lose it if they are removed', () => {
    expect(describeEffect(bundle({}), bundle({}), { old: CLUSTERS.slice(0, 2), next: CLUSTERS })).toBe('roll c');
    const targets = [{ clusterSelector: { matchLabels: { env: 'prod' } } }];
    expect(describeEffect(bundle({}), bundle({ targets, targetRestrictions: targets }))).toBe('roll c');
  });
});

describe('a GitRepo', () => {
  const repo = (spec: object = {}) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'GitRepo',
    metadata: { name: 'shop', namespace: 'fleet' },
    spec: { repo: 'https://example.com/shop', branch: 'main', paths: ['web'], targets: [ALL], ...spec },
  });

  test.each<[string, object, string]>([
    ['that reads another branch, whose content is not known', { branch: 'next' }, 'unknown'],
    ['another revision', { revision: 'abc' }, 'unknown'],
    ['other paths', { paths: ['api'] }, 'unknown'],
    ['whose forceSyncGeneration is an option of the bundle', { forceSyncGeneration: 1 }, 'roll'],
    ['whose serviceAccount is too', { serviceAccount: 'deployer' }, 'roll'],
    ['whose targetNamespace is too', { targetNamespace: 'shop' }, 'roll'],
    ['whose keepResources is too', { keepResources: true }, 'roll'],
    ['whose deleteNamespace is too', { deleteNamespace: true }, 'roll'],
    ['whose correctDrift is not', { correctDrift: { enabled: true } }, 'settings'],
    ['whose targets select clusters', { targets: [{ clusterSelector: { matchLabels: { env: 'prod' } } }] }, 'roll c'],
  ])('%s', (_what, spec, expected) => {
    expect(describeEffect(repo(), repo(spec))).toBe(expected);
  });
});
