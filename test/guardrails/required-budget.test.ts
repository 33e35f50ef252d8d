import type { Finding } from '../../src/core/findings/finding';
import type { UncertainBudget } from '../../src/guardrails/required-budget';
import { rolloutkit } from '../cli/command-line';

// Each check is a run of the command.
jest.setTimeout(60_000);

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
const inDefault = WEB.replace(', namespace: shop', '');

/** Returns what budgets lack to count for the workloads that a policy refuses, or that there is none that selects their pods. */
async function listRefusals(files: Readonly<Record<string, string>>, paths = 'in'): Promise<string[]> {
  const { stdout } = await rolloutkit(`check ${paths} --policy policy.yaml --format json`, {
    files: { 'policy.yaml': 'requireBudget: true\n', ...files },
  });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  const refused = findings.filter(({ code, messageId }) => code === 'guardrails/refused' && messageId === 'budget');
  return refused.map(({ data }) => (data['uncertain'] as UncertainBudget | undefined)?.lacks ?? 'none');
}

describe('a budget counts only if each one of its name does, since which of them is applied last depends on the tool', () => {
  const budget = (app: string, metadata = 'name: web, namespace: shop') =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { ${metadata} }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: ${app} } } }\n`;
  const check = (documents: readonly string[]) =>
    listRefusals(Object.fromEntries(documents.map((text, index) => [`in/${index}.yaml`, text])));
  const kustomization = (namespace: string, ...resources: readonly string[]) =>
    `namespace: ${namespace}\nresources: [${resources.join(', ')}]\n`;

  test('it does not if another one selects other pods, before or after it', async () => {
    expect(await check([WEB, budget('web'), budget('other')])).toEqual(['permanence']);
    expect(await check([WEB, budget('other'), budget('web')])).toEqual(['permanence']);
    expect(await check([WEB, `${budget('web')}---\n${budget('other')}`])).toEqual(['permanence']);
    expect(await check([inDefault, budget('web', 'name: web'), budget('other', 'name: web, namespace: default')])).toEqual(['permanence']);
    // kubectl drops the null, and the label with it.
    expect(await check([WEB, budget('web'), budget('other', 'name: web, namespace: shop, labels: { "a b": null }')])).toEqual([
      'permanence',
    ]);
  });

  test('it does if the other one selects the same pods, or has another name or namespace', async () => {
    expect(await check([WEB, budget('web'), budget('web').replace('maxUnavailable: 1', 'maxUnavailable: 2')])).toEqual([]);
    expect(await check([WEB, budget('web'), budget('other', 'name: other, namespace: shop')])).toEqual([]);
    expect(await check([WEB, budget('web'), budget('other', 'name: web')])).toEqual([]);
  });

  test('it does not if a tool may not apply the other one, or the API server refuses it', async () => {
    for (const other of [
      budget('web', 'name: web, namespace: shop, annotations: { argocd.argoproj.io/hook: Skip }'),
      budget('web').replace('maxUnavailable: 1', 'maxUnavailable: -1'),
    ]) {
      expect(await check([WEB, budget('web'), other])).toEqual(['permanence']);
      expect(await check([WEB, other, budget('web')])).toEqual(['permanence']);
    }
  });

  test.each(['resourceVersion: "1"', 'uid: a', 'deletionTimestamp: "2026-01-31T08:00:00Z"', 'deletionGracePeriodSeconds: 0'])(
    'one that was read from a cluster, with %s, may not replace the other one, but both select the pods',
    async (field) => {
      const read = (app: string) => budget(app, `name: web, namespace: shop, ${field}`);
      expect(await check([WEB, read('web')])).toEqual([]);
      expect(await check([WEB, budget('web'), read('web')])).toEqual([]);
      expect(await check([WEB, budget('other'), read('web')])).toEqual(['permanence']);
      expect(await check([WEB, budget('web'), read('other')])).toEqual(['permanence']);
    },
  );

  test.each(['kustomization.yaml', 'fleet.yaml'])(
    'it does not if a %s moves the other one, since kubectl ignores that file',
    async (marker) => {
      const listMoved = (own: string, moved: string, app = 'other') =>
        listRefusals({
          [`in/${own}/web.yaml`]: inDefault,
          [`in/${own}/budget.yaml`]: budget('web', 'name: web'),
          [`in/${moved}/budget.yaml`]: budget(app, 'name: web'),
          [`in/${moved}/${marker}`]: `namespace: shop\n${marker === 'fleet.yaml' ? '' : 'resources: [budget.yaml]\n'}`,
        });

      expect(await listMoved('a', 'm')).toEqual(['permanence']);
      expect(await listMoved('z', 'm')).toEqual(['permanence']);
      expect(await listMoved('a', 'm', 'web')).toEqual([]);
    },
  );

  test('it does not if each kustomization moves one of them, whether to one namespace or to two', async () => {
    const files = {
      'in/c/web.yaml': inDefault,
      'in/c/kustomization.yaml': kustomization('team-a', 'web.yaml'),
      'in/a/budget.yaml': budget('web', 'name: web'),
      'in/a/kustomization.yaml': kustomization('team-a', 'budget.yaml'),
      'in/z/budget.yaml': budget('other', 'name: web'),
      'in/z/kustomization.yaml': kustomization('team-z', 'budget.yaml'),
    };
    const inTeamA = { 'in/zz/kustomization.yaml': kustomization('team-a', '../z') };
    const inShop = { 'in/a/budget.yaml': budget('web'), 'in/c/web.yaml': WEB };

    expect(await listRefusals(files)).toEqual(['permanence']);
    expect(await listRefusals({ ...files, ...inTeamA })).toEqual(['permanence']);
    expect(await listRefusals({ ...files, ...inTeamA, ...inShop })).toEqual(['permanence']);
    expect(await listRefusals({ ...files, ...inShop })).toEqual([]);
    expect(await listRefusals({ ...files, 'in/z/budget.yaml': budget('web', 'name: web') })).toEqual([]);
  });

  test('overlays may have one each, with another figure, of a workload of their own or of a base', async () => {
    const overlay = (name: string, figure: number, ...resources: readonly string[]) => ({
      [`in/${name}/kustomization.yaml`]: kustomization(name, 'budget.yaml', ...resources),
      [`in/${name}/budget.yaml`]: budget('web', 'name: web').replace('maxUnavailable: 1', `maxUnavailable: ${figure}`),
    });
    const base = { 'in/base/web.yaml': inDefault, 'in/base/kustomization.yaml': 'resources: [web.yaml]\n' };
    const own = { 'in/dev/web.yaml': inDefault, 'in/prod/web.yaml': inDefault };

    expect(await listRefusals({ ...overlay('dev', 2, '../base'), ...overlay('prod', 1, '../base'), ...base })).toEqual([]);
    expect(await listRefusals({ ...overlay('dev', 2, 'web.yaml'), ...overlay('prod', 1, 'web.yaml'), ...own })).toEqual([]);
  });

  test('overlays with other labels must write other names or namespaces', async () => {
    const overlay = (name: string, metadata: string) => ({
      [`in/${name}/kustomization.yaml`]: kustomization(name, 'web.yaml', 'budget.yaml'),
      [`in/${name}/web.yaml`]: inDefault.replaceAll('app: web', `app: ${name}`).replace('name: web', metadata),
      [`in/${name}/budget.yaml`]: budget(name, metadata),
    });

    expect(await listRefusals({ ...overlay('a', 'name: web'), ...overlay('b', 'name: web') })).toEqual(['permanence', 'permanence']);
    expect(await listRefusals({ ...overlay('a', 'name: web'), ...overlay('b', 'name: b') })).toEqual([]);
    expect(await listRefusals({ ...overlay('a', 'name: web, namespace: a'), ...overlay('b', 'name: web, namespace: b') })).toEqual([]);
  });
});

describe('a budget counts for a workload if each tool puts both into one namespace', () => {
  const BUDGET = 'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { maxUnavailable: 1, selector: {} }\n';
  const SET = (namespace: string, resource: string) => `namespace: ${namespace}\nresources: [${resource}]\n`;
  const inShop = BUDGET.replace('name: web', 'name: web, namespace: shop');
  const TARGETS = (a: string, b: string) =>
    `targetCustomizations: [{ name: a, clusterName: a, namespace: ${a} }, { name: b, clusterName: b, namespace: ${b} }]\n`;
  const FILLED = (name: string, path: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: ${name} }\nspec: { template: { spec: { source: { path: ${path} }, destination: { namespace: '{{ns}}' } } } }\n`;

  test.each<[what: string, files: Readonly<Record<string, string>>, refused: readonly string[]]>([
    ['no file moves one of them', { 'in/a/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET }, []],
    [
      'one of them names the default',
      { 'in/a/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET.replace('web', 'web, namespace: default') },
      [],
    ],
    [
      'the budget is moved',
      { 'in/a/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET, 'in/b/kustomization.yaml': SET('other', 'budget.yaml') },
      ['namespace'],
    ],
    [
      'the workload is moved',
      { 'in/b/budget.yaml': BUDGET, 'in/a/web.yaml': inDefault, 'in/a/kustomization.yaml': SET('other', 'web.yaml') },
      ['namespace'],
    ],
    [
      'a kustomization moves the budget to it, which kubectl ignores',
      { 'in/a/web.yaml': WEB, 'in/b/budget.yaml': BUDGET, 'in/b/kustomization.yaml': SET('shop', 'budget.yaml') },
      ['namespace'],
    ],
    [
      'a kustomization moves the workload to it, which kubectl ignores',
      { 'in/b/budget.yaml': inShop, 'in/a/web.yaml': inDefault, 'in/a/kustomization.yaml': SET('shop', 'web.yaml') },
      ['namespace'],
    ],
    [
      'both are moved',
      { 'in/web.yaml': inDefault, 'in/budget.yaml': BUDGET, 'in/kustomization.yaml': SET('shop', 'web.yaml, budget.yaml') },
      [],
    ],
    [
      'a default of Fleet does not move it',
      {
        'in/web.yaml': WEB,
        'in/b/budget.yaml': BUDGET.replace('web', 'web, namespace: other'),
        'in/b/fleet.yaml': 'defaultNamespace: shop\n',
      },
      ['namespace'],
    ],
    [
      'a fleet.yaml moves it on from there',
      {
        'in/a/web.yaml': inDefault,
        'in/a/kustomization.yaml': SET('shop', 'web.yaml'),
        'in/b/budget.yaml': BUDGET,
        'in/b/kustomization.yaml': SET('shop', 'budget.yaml'),
        'in/b/fleet.yaml': 'namespace: other\n',
      },
      ['namespace'],
    ],
    [
      'an overlay moves it on from there',
      {
        'in/c/web.yaml': inDefault,
        'in/c/kustomization.yaml': SET('team-a', 'web.yaml'),
        'in/a/budget.yaml': BUDGET,
        'in/a/kustomization.yaml': SET('team-a', 'budget.yaml'),
        'in/b/kustomization.yaml': SET('team-b', '../a'),
      },
      ['namespace'],
    ],
    [
      'overlays exchange the namespaces of two folders',
      {
        'in/c/web.yaml': inDefault,
        'in/c/kustomization.yaml': SET('team-a', 'web.yaml'),
        'in/d/kustomization.yaml': SET('team-b', '../c'),
        'in/a/budget.yaml': BUDGET,
        'in/a/kustomization.yaml': SET('team-b', 'budget.yaml'),
        'in/b/kustomization.yaml': SET('team-a', '../a'),
      },
      ['namespace'],
    ],
    [
      'overlays with an empty namespace keep those of two folders',
      {
        'in/c/web.yaml': inDefault,
        'in/c/kustomization.yaml': SET('team-a', 'web.yaml'),
        'in/a/budget.yaml': BUDGET,
        'in/a/kustomization.yaml': SET('team-b', 'budget.yaml'),
        'in/b/kustomization.yaml': SET("''", '../a, ../c'),
      },
      ['namespace'],
    ],
    [
      'one of two overlays moves only the workload',
      {
        'in/web/web.yaml': inDefault,
        'in/web/kustomization.yaml': 'resources: [web.yaml]\n',
        'in/budget/budget.yaml': BUDGET,
        'in/budget/kustomization.yaml': 'resources: [budget.yaml]\n',
        'in/dev/kustomization.yaml': SET('dev', '../web, ../budget'),
        'in/prod/kustomization.yaml': SET('prod', '../web'),
      },
      ['namespace'],
    ],
    [
      'one of two overlays moves only the budget',
      {
        'in/web/web.yaml': inDefault,
        'in/web/kustomization.yaml': 'resources: [web.yaml]\n',
        'in/budget/budget.yaml': BUDGET,
        'in/budget/kustomization.yaml': 'resources: [budget.yaml]\n',
        'in/dev/kustomization.yaml': SET('dev', '../web, ../budget'),
        'in/prod/kustomization.yaml': SET('prod', '../budget'),
      },
      [],
    ],
    [
      'overlays move both, or keep the namespace of their base',
      {
        'in/base/web.yaml': inDefault,
        'in/base/budget.yaml': BUDGET,
        'in/base/kustomization.yaml': SET('shop', 'web.yaml, budget.yaml'),
        'in/dev/kustomization.yaml': SET('dev', '../base'),
        'in/prod/kustomization.yaml': 'resources: [../base]\n',
      },
      [],
    ],
    ['one fleet.yaml is around both', { 'in/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET, 'in/fleet.yaml': 'namespace: shop\n' }, []],
    [
      'one fleet.yaml is around both, and one of them names the default',
      {
        'in/web.yaml': inDefault,
        'in/budget.yaml': BUDGET.replace('web', 'web, namespace: default'),
        'in/fleet.yaml': 'defaultNamespace: shop\n',
      },
      ['namespace'],
    ],
    [
      'one fleet.yaml sets a default that the other one forces',
      { 'in/a/web.yaml': WEB, 'in/a/fleet.yaml': 'namespace: t\n', 'in/b/budget.yaml': inShop, 'in/b/fleet.yaml': 'defaultNamespace: t\n' },
      ['namespace'],
    ],
    [
      'one fleet.yaml forces a namespace that is the default of the other one',
      { 'in/a/web.yaml': WEB, 'in/a/fleet.yaml': 'defaultNamespace: t\n', 'in/b/budget.yaml': inShop, 'in/b/fleet.yaml': 'namespace: t\n' },
      ['namespace'],
    ],
    [
      'two fleet.yaml set the same namespaces for other clusters',
      { 'in/a/web.yaml': WEB, 'in/a/fleet.yaml': TARGETS('t', 'u'), 'in/b/budget.yaml': inShop, 'in/b/fleet.yaml': TARGETS('u', 't') },
      ['namespace'],
    ],
    [
      'a fleet.yaml names no clusters for it',
      { 'in/a/web.yaml': WEB, 'in/b/budget.yaml': inShop, 'in/b/fleet.yaml': 'overrideTargets: []\n' },
      ['namespace'],
    ],
    [
      'the kustomization of the bundle does not include it',
      {
        'in/web.yaml': WEB,
        'in/fleet.yaml': 'namespace: t\n',
        'in/kustomization.yaml': 'resources: [web.yaml]\n',
        'in/b/budget.yaml': inShop,
        'in/b/kustomization.yaml': 'resources: [budget.yaml]\n',
      },
      ['namespace'],
    ],
    [
      'one ApplicationSet fills in that of both',
      { 'in/a/web.yaml': inDefault, 'in/a/budget.yaml': BUDGET, 'in/set.yaml': FILLED('a', 'a') },
      [],
    ],
    [
      'two ApplicationSets fill in one for each',
      { 'in/a/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET, 'in/set.yaml': `${FILLED('a', 'a')}---\n${FILLED('b', 'b')}` },
      ['namespace'],
    ],
    [
      'an ApplicationSet fills in one for each folder',
      { 'in/a/web.yaml': inDefault, 'in/b/budget.yaml': BUDGET, 'in/set.yaml': FILLED('a', "'{{path}}'") },
      ['namespace'],
    ],
  ])('%s', async (_, files, refused) => {
    expect(await listRefusals(files)).toEqual(refused);
  });

  test.each<[what: string, moving: Readonly<Record<string, string>>, refused: readonly string[]]>([
    ['no file moves one of them', {}, []],
    ['both are below a fleet.yaml', { 'a/fleet.yaml': 'namespace: t\n', 'b/fleet.yaml': 'namespace: t\n' }, ['namespace']],
    ['a kustomization moves the budget', { 'b/kustomization.yaml': SET('other', 'budget.yaml') }, ['namespace']],
    ['a kustomization moves the workload', { 'a/kustomization.yaml': SET('other', 'web.yaml') }, ['namespace']],
  ])('in two PATHs: %s', async (_, moving, refused) => {
    expect(await listRefusals({ 'a/web.yaml': WEB, 'b/budget.yaml': inShop, ...moving }, 'a b')).toEqual(refused);
  });
});
