import { planInput } from '../../../src/plan/plan';
import type { PlanOptions } from '../../../src/headless';
import { readFiles } from '../../../src/input/read';
import { PLAN_READING } from '../../../src/plan/registry';
import { clusters, inventory } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(1, 'staging', { env: 'staging' })];

/** Plans files by name, as the command line does. */
function planFiles(files: Record<string, string>, options: PlanOptions = inventory(FLEET)) {
  const given = Object.entries(files).map(([file, content]) => ({ file, content }));
  const { objects, findings, locations, files: names } = readFiles(given, PLAN_READING);
  return planInput({ objects, findings, locate: locations.locate, files: names }, options);
}

function targetsOf(files: Record<string, string>, options?: PlanOptions): string {
  const { simulation } = planFiles(files, options).rollouts[0]!;
  if (simulation?.kind !== 'fleet') throw new Error('not simulated');
  return simulation.partitions[0]!.clusters!.join(' ');
}

const GIT_REPO = (spec: string) =>
  `apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata:\n  name: repo\n  namespace: fleet-default\nspec:\n  repo: https://example.com/repo\n${spec}`;

function gitRepoFor(path: string, env: string): string {
  return GIT_REPO(`  paths: [${path}]\n  targets:\n    - clusterSelector:\n        matchLabels:\n          env: ${env}\n`);
}

function cluster(name: string): string {
  return `apiVersion: fleet.cattle.io/v1alpha1\nkind: Cluster\nmetadata:\n  name: ${name}\n  labels:\n    env: prod\n`;
}

describe('a file named fleet.yaml is a bundle', () => {
  test('named by its own name or its folder', () => {
    const names = planFiles({
      'apps/shop/fleet.yaml': 'helm: {}\n',
      'apps/web/fleet.yaml': 'name: frontend\n',
      'apps/api/fleet.yaml': 'name: ""\n',
      'fleet.yaml': 'paused: false\n',
      '../fleet.yaml': '',
    }).rollouts;
    expect(names.map(({ resource }) => resource)).toEqual([
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'shop' },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'frontend' },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'api' },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'fleet.yaml' },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', name: 'fleet.yaml' },
    ]);
  });

  test.each([
    ['an empty file', 'shop/fleet.yaml', '', 1],
    ['fleet.yml, which Fleet accepts too', 'shop/fleet.yml', 'name: shop\n', 1],
    ['any other file', 'shop/values.yaml', 'name: shop\n', 0],
    ['a file with a Kubernetes object is that object', 'shop/fleet.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n', 0],
  ])('%s', (_, file, content, rollouts) => {
    expect(planFiles({ [file]: content }).rollouts).toHaveLength(rollouts);
  });

  test('with its strategy as written, and findings with their lines', () => {
    const plan = planFiles({
      'shop/fleet.yaml':
        'rolloutStrategy:\n  maxUnavailable: 0\n  partitions:\n    - name: prod\n      clusterSelector:\n        matchLabels:\n          env: prod\n',
    });
    expect(plan.rollouts[0]!.strategy).toEqual({
      maxUnavailable: 0,
      partitions: [{ name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } } }],
    });
    expect(
      plan.rollouts[0]!.findings.map(({ code, path, source }) => `${code} ${path} ${source!.file}:${source!.line}:${source!.column}`),
    ).toEqual([
      'fleet/zero-max-unavailable rolloutStrategy.maxUnavailable shop/fleet.yaml:2:3',
      'fleet/unmatched-clusters rolloutStrategy.partitions shop/fleet.yaml:3:3',
    ]);
  });
});

describe('fields that Fleet silently ignores', () => {
  test('are reported, each with the nearest name that Fleet knows', () => {
    const yaml = `name: shop
defaultNamespce: shop
rolloutStrategy:
  maxUnavailble: 10%
helm:
  releasName: shop
  values:
    anything: goes
dependOn:
  - name: base
targetCustomizations:
  - name: prod
    clusterselector:
      matchLabel:
        env: prod
    createNamespace: true
    helm:
      maxHistory: 3
zzz: 1
`;
    const { findings } = planFiles({ 'shop/fleet.yaml': yaml }).rollouts[0]!;
    const nearest = (line: number, path: string, field: string, meant: string) => {
      return { line, path, messageId: 'inFile', field, nearest: meant };
    };
    const unmerged = (line: number, path: string, field: string) => ({ line, path, messageId: 'unmerged', field });
    expect(findings.every(({ code }) => code === 'input/unknown-field')).toBe(true);
    expect(
      findings.map(({ path, source, messageId, data: { field, nearest: meant } }) => {
        return { line: source!.line, path, messageId, field, ...(meant !== undefined && { nearest: meant }) };
      }),
    ).toEqual([
      nearest(2, 'defaultNamespce', 'defaultNamespce', 'defaultNamespace'),
      nearest(4, 'rolloutStrategy.maxUnavailble', 'maxUnavailble', 'maxUnavailable'),
      nearest(6, 'helm.releasName', 'releasName', 'releaseName'),
      nearest(9, 'dependOn', 'dependOn', 'dependsOn'),
      nearest(14, 'targetCustomizations[0].clusterselector.matchLabel', 'matchLabel', 'matchLabels'),
      { line: 19, path: 'zzz', messageId: 'inFile', field: 'zzz' },
      unmerged(16, 'targetCustomizations[0].createNamespace', 'createNamespace'),
      unmerged(18, 'targetCustomizations[0].helm.maxHistory', 'helm.maxHistory'),
    ]);
    const { reader, knownFields } = findings[5]!.data;
    expect([reader, (knownFields as readonly string[]).slice(0, 3)]).toEqual(['Fleet', ['name', 'labels', 'defaultNamespace']]);
  });

  test('the case of field names does not matter to Fleet or to the plan', () => {
    const plan = planFiles({ 'shop/fleet.yaml': 'RolloutStrategy:\n  maxunavailable: 1\n' });
    expect(plan.rollouts[0]!.findings).toEqual([]);
    expect(plan.rollouts[0]!.simulation).toMatchObject({ maxUnavailable: 1 });
    expect(plan.rollouts[0]!.strategy).toEqual({ maxunavailable: 1 });
  });

  test('a value of the wrong type makes Fleet fail to read the file', () => {
    const { strategy, simulation, findings } = planFiles({
      'shop/fleet.yaml': 'rolloutStrategy:\n  maxUnavailable: 1.5\nlabels:\n  tier: 1\n',
    }).rollouts[0]!;
    expect([strategy, simulation]).toEqual([null, null]);
    const unread = { messageId: 'field', reader: 'Fleet', outcome: 'file-unread' };
    expect(findings.map(({ messageId, data }) => ({ messageId, ...data }))).toEqual([
      { ...unread, field: 'maxUnavailable', value: 1.5, expectedType: 'a whole number or a percentage such as "25%"' },
      { ...unread, field: 'labels[tier]', value: 1, expectedType: 'a string' },
    ]);
  });

  test('a quoted number makes Fleet fail to read the file too', () => {
    const { strategy, findings } = planFiles({ 'shop/fleet.yaml': 'rolloutStrategy:\n  maxNew: "5"\n' }).rollouts[0]!;
    expect(strategy).toBeNull();
    expect(findings.map(({ code, messageId, data }) => ({ code, messageId, ...data }))).toEqual([
      { code: 'kubernetes/quoted-integer', messageId: 'number', field: 'maxNew', value: '5', by: 'Fleet' },
    ]);
  });
});

describe('the targets of a fleet.yaml', () => {
  const yaml = { 'apps/shop/fleet.yaml': 'targetCustomizations:\n  - clusterName: prod-001\n    doNotDeploy: true\n' };

  test('are every cluster without a GitRepo, regardless of customizations', () => {
    expect(targetsOf(yaml)).toBe('prod-002 staging-001');
  });

  test('are those of the GitRepo that finds it', () => {
    const gitRepo = GIT_REPO('  targets:\n    - clusterSelector:\n        matchLabels:\n          env: prod\n');
    expect(targetsOf({ 'repo.yaml': gitRepo, ...yaml })).toBe('prod-002');
    expect(planFiles({ 'repo.yaml': gitRepo, ...yaml }).rollouts[0]!.resource).toMatchObject({ namespace: 'fleet-default', name: 'shop' });
  });

  test('are the cluster group default if the GitRepo has no targets', () => {
    const groups = [{ name: 'default', selector: { matchLabels: { env: 'staging' } } }];
    expect(targetsOf({ 'repo.yaml': GIT_REPO(''), ...yaml }, inventory(FLEET, groups))).toBe('staging-001');
  });

  test('come from the GitRepo with a path to the folder', () => {
    const files = { 'a.yaml': gitRepoFor('infra', 'prod'), 'b.yaml': gitRepoFor('app*', 'staging').replace('name: repo', 'name: other') };
    expect(targetsOf({ ...files, ...yaml })).toBe('staging-001');
    expect(targetsOf({ ...files, 'infra/dns/fleet.yaml': 'name: dns\n' })).toBe('prod-001 prod-002');
  });

  test('are overrideTargets instead of the GitRepo’s targets', () => {
    const override = { 'shop/fleet.yaml': 'overrideTargets:\n  - clusterName: staging-001\n' };
    expect(targetsOf({ 'repo.yaml': GIT_REPO('  targets:\n    - clusterSelector: {}\n'), ...override })).toBe('staging-001');
    expect(targetsOf(override)).toBe('staging-001');
  });

  test('are the customizations, or the group default, if overrideTargets is empty', () => {
    const groups = [{ name: 'default', selector: { matchLabels: { env: 'staging' } } }];
    expect(targetsOf({ 'shop/fleet.yaml': 'overrideTargets: []\ntargetCustomizations:\n  - clusterName: prod-001\n' })).toBe('prod-001');
    expect(targetsOf({ 'shop/fleet.yaml': 'overrideTargets: []\n' }, inventory(FLEET, groups))).toBe('staging-001');
  });

  test('the customizations in targets, the older name, come before targetCustomizations', () => {
    const files = {
      'shop/fleet.yaml':
        'targetCustomizations:\n  - name: second\n    clusterSelector: {}\ntargets:\n  - name: first\n    clusterSelector: {}\n',
    };
    const won = planFiles(files).rollouts[0]!.provenance.find(({ layer }) => layer === 'target-customization');
    expect([won!.value, won!.overridden]).toEqual([
      'first',
      [{ layer: 'target-customization', value: 'second', reason: 'an earlier customization also matches the cluster' }],
    ]);
  });

  test('a paused GitRepo pauses the bundle', () => {
    const plan = planFiles({ 'repo.yaml': GIT_REPO('  paused: true\n  targets:\n    - clusterSelector: {}\n'), ...yaml });
    expect(plan.rollouts[0]!.simulation).toMatchObject({ update: { waves: [], halted: { partition: null, unavailablePartitions: 0 } } });
  });

  test('an invalid selector of the GitRepo is reported at its line', () => {
    const gitRepo = GIT_REPO(
      '  targets:\n    - clusterSelector:\n        matchExpressions:\n          - key: env\n            operator: Is\n',
    );
    const { findings } = planFiles({ 'repo.yaml': gitRepo, ...yaml }).rollouts[0]!;
    expect(findings.map(({ code, path, source }) => `${code} ${path} ${source!.file}:${source!.line}`)).toEqual([
      'fleet/invalid-selector spec.targets[0].clusterSelector.matchExpressions[0].operator repo.yaml:12',
    ]);
  });
});

test('clusters and groups may be in the files', () => {
  const group =
    'apiVersion: fleet.cattle.io/v1alpha1\nkind: ClusterGroup\nmetadata:\n  name: default\nspec:\n  selector:\n    matchLabels:\n      env: prod\n';
  const files = {
    'clusters.yaml': [cluster('b'), cluster('a'), group].join('---\n'),
    'shop/fleet.yaml': 'overrideTargets:\n  - clusterGroup: default\n',
  };
  expect(targetsOf(files, {})).toBe('a b');
});

test('a path with many stars is matched quickly', () => {
  const files = {
    'fleet.yaml': '',
    [`${'a'.repeat(200)}/fleet.yaml`]: 'name: web\n',
    'repo.yaml': gitRepoFor(`'${'*a'.repeat(500)}b'`, 'prod'),
  };
  expect(planFiles(files).rollouts).toHaveLength(2);
});

test.each([
  ['v1', ['kubernetes/unknown-kind']],
  ['fleet.cattle.io/v1alpha1', []],
])('an object of %s with the kind FleetYaml is not a fleet.yaml', (apiVersion, codes) => {
  const forged = { apiVersion, kind: 'FleetYaml', metadata: { name: 'x' }, folder: 7, content: { name: 'x' } };
  const { rollouts, findings } = planFiles({ 'x.yaml': JSON.stringify(forged) });
  expect(rollouts).toEqual([]);
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

test('nothing is released while it, or the GitRepo that finds it, is paused', () => {
  const released = (content: string, gitRepo = '') => {
    const files = { ...(gitRepo && { 'repo.yaml': GIT_REPO(gitRepo) }), 'shop/fleet.yaml': content };
    const { simulation } = planFiles(files).rollouts[0]!;
    if (simulation?.kind !== 'fleet') throw new Error('not simulated');
    return simulation.update.waves.map(({ count }) => count);
  };
  const targets = '  targets:\n    - clusterSelector: {}\n';
  expect(released('name: shop\n')).toEqual([3]);
  expect(released('paused: false\n')).toEqual([3]);
  expect(released('paused: true\n')).toEqual([]);
  expect(released('name: shop\n', targets)).toEqual([3]);
  expect(released('paused: true\n', targets)).toEqual([]);
  expect(released('name: shop\n', `  paused: true\n${targets}`)).toEqual([]);
});

test('if two GitRepos have paths with the same start, the one with a path to the folder finds it', () => {
  const files = {
    'web.yaml': gitRepoFor('apps/web', 'staging'),
    'shop.yaml': gitRepoFor('apps/shop', 'prod').replace('name: repo', 'name: shop'),
  };
  expect(targetsOf({ ...files, 'apps/shop/fleet.yaml': '' })).toBe('prod-001 prod-002');
  expect(targetsOf({ ...files, 'apps/web/fleet.yaml': '' })).toBe('staging-001');
});

test('a malformed Cluster is reported at its line', () => {
  const { findings } = planFiles({ 'clusters.yaml': cluster('a').replace('env: prod', 'env: 1'), 'shop/fleet.yaml': '' });
  expect(findings).toMatchObject([{ code: 'input/wrong-type', path: 'metadata.labels[env]', source: { file: 'clusters.yaml', line: 6 } }]);
});
