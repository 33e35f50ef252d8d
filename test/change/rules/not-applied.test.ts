import { rolloutkit } from '../../cli/command-line';

function web(image: string, annotations: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { ${annotations} } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

/** An annotation that shows that Flux applies the object. */
const FLUX = 'kustomize.toolkit.fluxcd.io/force: enabled';
const DISABLED = `${FLUX}, kustomize.toolkit.fluxcd.io/reconcile: disabled`;

async function check(old: string, next: string, options = ''): Promise<readonly [exitCode: number, lines: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`check --from old.yaml new.yaml ${options}`.trim(), {
    files: { 'old.yaml': old, 'new.yaml': next },
  });
  return [exitCode, stdout.split('\n').slice(0, 4)];
}

const HIDDEN = 'nothing changes for 1 object; 1 object that differs is left as it is; assumes Kubernetes 1.36';

test.each([['reconcile: disabled'], ['ssa: Ignore'], ['ssa: IfNotPresent']])(
  'the annotation kustomize.toolkit.fluxcd.io/%s cannot hide the change that it comes with',
  async (annotation) => {
    const next = web('web:2', `${FLUX}, kustomize.toolkit.fluxcd.io/${annotation}`);

    expect(await check(web('web:1', ''), next)).toEqual([
      1,
      [HIDDEN, '1 rollout on Kubernetes 1.36: 1 error', '', 'error  change/not-applied  new.yaml:3:24  metadata.annotations'],
    ]);
  },
);

test.each([['reconcile: Disabled'], ['ssa: Ignore'], ['ssa: IfNotPresent']])(
  'neither can the label kustomize.toolkit.fluxcd.io/%s, which Flux reads too',
  async (label) => {
    const next = web('web:2', `kustomize.toolkit.fluxcd.io/${label}`).replace('annotations', 'labels');

    expect(await check(web('web:1', ''), next, '--apply flux')).toEqual([
      1,
      [HIDDEN, '1 rollout on Kubernetes 1.36: 1 error', '', 'error  change/not-applied  new.yaml:3:24  metadata.labels'],
    ]);
  },
);

test('a label of another value than Flux compares with hides nothing, and is not reported', async () => {
  const [exitCode, [headline]] = await check(web('web:1', ''), web('web:2', `${FLUX}, kustomize.toolkit.fluxcd.io/reconcile: " disabled"`));

  expect([exitCode, headline]).toEqual([
    0,
    '1 of 1 object differs: 1 rolls; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
  ]);
});

describe('the annotation config.kubernetes.io/local-config, with which kustomize drops an object', () => {
  const LOCAL = 'config.kubernetes.io/local-config: "true"';
  const planOf = async (files: Readonly<Record<string, string>>, options: string) => {
    const { exitCode, stdout } = await rolloutkit(`check --from old new ${options}`.trim(), { files });
    return [exitCode, ...stdout.split('\n').filter((line) => /^(?:error|info|\d|nothing|incomplete)/.test(line))];
  };

  test('cannot hide that Flux does not apply it', async () => {
    const files = { 'old/web.yaml': web('web:1', ''), 'new/web.yaml': web('web:1', LOCAL) };

    expect(await planOf(files, '--apply flux')).toEqual([
      1,
      HIDDEN,
      '1 rollout on Kubernetes 1.36: 1 error',
      'error  change/not-applied  new/web.yaml:3:24  metadata.annotations',
    ]);
  });

  test('removes it from the resources of a kustomization, whatever applies them', async () => {
    const kustomization = 'resources: [web.yaml]\n';
    const files = {
      'old/kustomization.yaml': kustomization,
      'old/web.yaml': web('web:1', ''),
      'new/kustomization.yaml': kustomization,
      'new/web.yaml': web('web:1', LOCAL),
    };

    expect(await planOf(files, '--prune')).toEqual([
      0,
      '1 of 2 objects differs: 1 is deleted; 2 pods are removed; needs no extra pods; assumes Kubernetes 1.36',
      'info  input/not-read  new/web.yaml:1:1',
    ]);
    expect(await planOf(files, '--prune --require-planned')).toEqual([
      1,
      '1 of 2 objects differs: 1 is deleted; 2 pods are removed; needs no extra pods; assumes Kubernetes 1.36',
      'error  input/not-read  new/web.yaml:1:1',
    ]);
  });

  test('is ignored by kubectl', async () => {
    const files = { 'old/web.yaml': web('web:1', ''), 'new/web.yaml': web('web:2', LOCAL) };

    expect(await planOf(files, '--apply client')).toEqual([
      0,
      '1 of 1 object differs: 1 rolls; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
      '1 rollout on Kubernetes 1.36: no findings',
    ]);
  });
});

test('an object that had the annotation before is a warning, and none if it does not differ', async () => {
  expect(await check(web('web:1', DISABLED), web('web:2', DISABLED))).toEqual([
    0,
    [HIDDEN, '1 rollout on Kubernetes 1.36: 1 warning', '', 'warning  change/not-applied  new.yaml:3:24  metadata.annotations'],
  ]);
  expect(await check(web('web:1', DISABLED), web('web:1', DISABLED))).toEqual([
    0,
    ['nothing changes: the object is up to date; assumes Kubernetes 1.36', '1 rollout on Kubernetes 1.36: no findings', ''],
  ]);
});

test('the tool of --apply decides', async () => {
  const [exitCode, [headline]] = await check(web('web:1', ''), web('web:2', DISABLED), '--apply client');

  expect([exitCode, headline]).toEqual([
    0,
    '1 of 1 object differs: 1 rolls; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
  ]);
});

describe('an Application that comes with a change', () => {
  const application = (pointer: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: shop, namespace: argocd }
spec:
  source: { path: deploy }
  ignoreDifferences: [{ group: apps, kind: Deployment, jsonPointers: [${pointer}] }]
  syncPolicy: { syncOptions: [RespectIgnoreDifferences=true] }
`;
  const next = web('web:2', '').replace('replicas: 2', 'replicas: 3');
  const codesOf = async (old: string, changed: string) => {
    const files = { 'old/deploy/a.yaml': old, 'new/deploy/a.yaml': changed };
    const { stdout } = await rolloutkit('check --from old new --format json', { files });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string; readonly source?: object }[] };
    return findings.filter(({ source }) => source).map(({ code }) => code);
  };

  test('cannot hide the change of a pod template', async () => {
    expect(await codesOf(web('web:1', ''), next + application('/spec'))).toEqual(['change/not-applied']);
  });

  test('may leave replicas to an autoscaler', async () => {
    expect(await codesOf(web('web:1', ''), next + application('/spec/replicas'))).toEqual([]);
  });

  test('is not reported if it was there before', async () => {
    expect(await codesOf(web('web:1', '') + application('/spec'), next + application('/spec'))).toEqual([]);
  });
});

describe('a file that moves into a folder below that of its Application', () => {
  const application = (source: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: shop }\nspec: { project: default, destination: { server: a }, source: { repoURL: a, ${source} } }\n`;
  const move = async (source: string, from: string, to: string, more: Readonly<Record<string, string>> = {}) => {
    const both = Object.entries({ 'app.yaml': application(source), ...more }).flatMap(([name, text]) => [
      [`old/in/${name}`, text],
      [`in/${name}`, text],
    ]);
    const files = { ...Object.fromEntries(both), [`old/in/${from}`]: web('web:1', ''), [`in/${to}`]: web('web:1', '') };
    const { stdout } = await rolloutkit('check --from old/in in', { files });
    return stdout.split('\n').filter((line) => line.includes('change/not-applied'));
  };
  const ERROR = ['error  change/not-applied  in/shop/sub/web.yaml:1:1'];

  test('is an error, since Argo CD reads one folder and deletes what is not there', async () => {
    expect(await move('path: in/shop', 'shop/web.yaml', 'shop/sub/web.yaml')).toEqual(ERROR);
    const kustomization = { 'shop/sub/kustomization.yaml': 'resources: [web.yaml]\n' };
    expect(await move('path: in/shop', 'shop/web.yaml', 'shop/sub/web.yaml', kustomization)).toEqual(ERROR);
  });

  test.each<readonly [what: string, source: string, from: string, to: string, more: Readonly<Record<string, string>>]>([
    ['the Application reads the folders below', 'path: in/shop, directory: { recurse: true }', 'shop/web.yaml', 'shop/sub/web.yaml', {}],
    ['it was there before', 'path: in/shop', 'shop/sub/web.yaml', 'shop/sub/web.yaml', {}],
    ['it moves up', 'path: in/shop', 'shop/sub/web.yaml', 'shop/web.yaml', {}],
    ['the Application is for the new folder', 'path: in/shop/sub', 'shop/web.yaml', 'shop/sub/web.yaml', {}],
    [
      'the folder is a kustomization',
      'path: in/shop',
      'shop/web.yaml',
      'shop/sub/web.yaml',
      { 'shop/kustomization.yaml': 'resources: [sub/web.yaml]\n' },
    ],
  ])('is none if %s', async (_, source, from, to, more) => {
    expect(await move(source, from, to, more)).toEqual([]);
  });
});

describe('a file that moves out of a chart or a bundle', () => {
  const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
  const other = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
  const move = async (from: string, to: string, both: Readonly<Record<string, string>>) => {
    const sides = Object.entries(both).flatMap(([name, text]) => [[`old/${name}`, text] as const, [`new/${name}`, text] as const]);
    const files = { ...Object.fromEntries(sides), [`old/${from}`]: web('web:1', ''), [`new/${to}`]: web('web:1', '') };
    const { stdout } = await rolloutkit('check --from old new', { files });
    return stdout.split('\n').filter((line) => line.includes('change/not-applied'));
  };
  const IN_CHART = { 'c/Chart.yaml': CHART, 'c/templates/a.yaml': other('a') };
  const IN_BUNDLE = { 'c/fleet.yaml': 'namespace: shop\n', 'c/a.yaml': other('a') };

  test('is a warning, since the release then lacks the object', async () => {
    const warning = ['warning  change/not-applied  new/other/web.yaml:1:1'];
    expect(await move('c/templates/web.yaml', 'other/web.yaml', IN_CHART)).toEqual(warning);
    expect(await move('c/web.yaml', 'other/web.yaml', IN_BUNDLE)).toEqual(warning);
  });

  test('is none if it stays in there, moves in, or the chart moves with it', async () => {
    expect(await move('c/templates/web.yaml', 'c/templates/b/web.yaml', IN_CHART)).toEqual([]);
    expect(await move('other/web.yaml', 'c/web.yaml', IN_BUNDLE)).toEqual([]);
    expect(await move('c/templates/web.yaml', 'd/templates/web.yaml', { 'd/Chart.yaml': CHART })).toEqual([]);
  });
});

describe('a file that moves between bundles of which one is in the other', () => {
  const cm = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
  const both = {
    'b/fleet.yaml': 'namespace: shop\n',
    'b/cm.yaml': cm('a'),
    'b/in/fleet.yaml': 'namespace: shop\n',
    'b/in/cm.yaml': cm('b'),
  };
  const move = async (from: string, to: string, more: Readonly<Record<string, string>> = {}) => {
    const sides = Object.entries({ ...both, ...more }).flatMap(([name, text]) => [
      [`old/${name}`, text] as const,
      [`new/${name}`, text] as const,
    ]);
    const files = { ...Object.fromEntries(sides), [`old/${from}`]: web('web:1', ''), [`new/${to}`]: web('web:1', '') };
    const { stdout } = await rolloutkit('check --from old new', { files });
    return stdout.split('\n').filter((line) => line.includes('change/not-applied') || /no longer part of|also part of/.test(line));
  };

  test('leaves the inner one, which deletes the object', async () => {
    expect(await move('b/in/web.yaml', 'b/web.yaml')).toEqual([
      'warning  change/not-applied  new/b/web.yaml:1:1',
      '  The file of Deployment web is no longer part of b/in, which Helm or Fleet applies as one release: the release then lacks the object, so it is deleted unless another tool applies it.',
    ]);
  });

  test('stays in the outer one, which contains the files of the inner one, so that both apply it', async () => {
    expect(await move('b/web.yaml', 'b/in/web.yaml')).toEqual([
      'warning  change/not-applied  new/b/in/web.yaml:1:1',
      '  The file of Deployment web is now also part of b/in, a bundle inside of b: Fleet applies the object with both, each upgrade takes it over, and it is deleted with either.',
    ]);
  });

  test('has no finding if it was in no bundle before, or stays in the same ones', async () => {
    expect(await move('web.yaml', 'b/in/web.yaml')).toEqual([]);
    expect(await move('b/in/web.yaml', 'b/in/x/web.yaml')).toEqual([]);
  });

  test('leaves both with a name that Fleet does not read', async () => {
    expect(await move('b/in/web.yaml', 'b/in/.web.yaml')).toHaveLength(2);
    expect(await move('b/in/web.yaml', 'b/in/x/web.yaml', { 'b/.fleetignore': 'x/*\n' })).toHaveLength(2);
  });
});

describe('a file that moves out of what an object of Flux or Argo CD applies', () => {
  const cm = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
  const flux = (folder: string, spec = 'prune: true', name = folder) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name.replaceAll('/', '-')}, namespace: flux-system }\nspec: { path: ./${folder}, ${spec} }\n`;
  const argo = (folder: string, policy = '{ automated: { prune: true } }', directory = '{ recurse: true }') =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${folder.replaceAll('/', '-')}, namespace: argocd }\nspec: { source: { path: ${folder}, directory: ${directory} }, syncPolicy: ${policy} }\n`;
  interface Move {
    readonly from?: string;
    readonly to: string;
    readonly both?: Readonly<Record<string, string>>;
    readonly next?: Readonly<Record<string, string>>;
    readonly options?: string;
    readonly object?: string;
  }
  const move = async ({ from = 'apps/a/web.yaml', to, both = {}, next = {}, options = '', object = web('web:1', '') }: Move) => {
    const shared = { 'apps/a/cm.yaml': cm('a'), 'apps/b/cm.yaml': cm('b'), ...both };
    const sides = Object.entries(shared).flatMap(([name, text]) => [[`old/${name}`, text] as const, [`new/${name}`, text] as const]);
    const added = Object.entries(next).map(([name, text]) => [`new/${name}`, text] as const);
    const files = { ...Object.fromEntries([...sides, ...added]), [`old/${from}`]: object, [`new/${to}`]: object };
    const { stdout } = await rolloutkit(`check --from old new ${options}`.trim(), { files });
    return stdout.split('\n').filter((line) => line.includes('change/not-applied') || line.includes('no longer applie'));
  };
  const A = { 'k.yaml': flux('apps/a') };

  test('is an error, since Flux deletes it', async () => {
    expect(await move({ to: 'apps/b/web.yaml', both: A })).toEqual([
      'nothing changes for 4 objects; 1 object is no longer applied by its tool; assumes Kubernetes 1.36',
      'error  change/not-applied  new/apps/b/web.yaml:1:1',
      '  Kustomization flux-system/apps-a no longer applies Deployment web, whose file moves or gets another name: Flux deletes it.',
    ]);
  });

  test('is a warning if another one applies it then', async () => {
    expect(await move({ to: 'apps/b/web.yaml', both: { 'k.yaml': `${flux('apps/a')}---\n${flux('apps/b')}` } })).toEqual([
      'nothing changes for 5 objects; 1 object is no longer applied by its tool; assumes Kubernetes 1.36',
      'warning  change/not-applied  new/apps/b/web.yaml:1:1',
      '  Kustomization flux-system/apps-a no longer applies Deployment web, whose file moves or gets another name: Flux deletes it, unless Kustomization flux-system/apps-b applies it first.',
    ]);
  });

  test.each<readonly [what: string, change: Move]>([
    ['it gets a name that kustomize-controller does not read', { to: 'apps/a/web.json', both: A }],
    ['it gets a name that Flux leaves out', { to: 'apps/a/cloudbuild.yaml', both: A }],
    ['it moves to where an ignore file leaves it out', { to: 'apps/a/x/web.yaml', both: { ...A, '.sourceignore': 'x/\n' } }],
    [
      'a new kustomization does not list it',
      { to: 'apps/a/web.yaml', both: A, next: { 'apps/a/kustomization.yaml': 'resources: [cm.yaml]\n' } },
    ],
    [
      'it moves into the folder of a kustomization that does not list it',
      { to: 'apps/a/x/web.yaml', both: { ...A, 'apps/a/x/kustomization.yaml': 'resources: [y.yaml]\n', 'apps/a/x/y.yaml': cm('y') } },
    ],
    [
      'the path of its Kustomization changes',
      { to: 'apps/a/web.yaml', both: A, next: { 'k.yaml': flux('apps/b', 'prune: true', 'apps/a') } },
    ],
    ['the folder has the same end', { to: 'old/apps/a/web.yaml', both: A }],
    ['Argo CD applies it', { to: 'apps/b/web.yaml', both: { 'k.yaml': argo('apps/a') } }],
  ])('also if %s', async (_, change) => {
    expect(await move(change)).toContainEqual(expect.stringMatching(/^error  change\/not-applied/));
  });

  test.each<readonly [why: string, change: Move]>([
    ['it does not prune', { to: 'apps/b/web.yaml', both: { 'k.yaml': flux('apps/a', 'prune: false') } }],
    ['Argo CD does not prune', { to: 'apps/b/web.yaml', both: { 'k.yaml': argo('apps/a', '{ automated: {} }') } }],
    ['it moves within the folder', { to: 'apps/a/x/web.yaml', both: A }],
    ['Argo CD reads its new name', { to: 'apps/a/x/web.json', both: { 'k.yaml': argo('apps/a') } }],
    ['the folder is around both', { to: 'apps/b/web.yaml', both: { 'k.yaml': flux('apps') } }],
    ['it applies the whole repository', { to: 'apps/b/web.yaml', both: { 'k.yaml': flux('') } }],
    [
      'its kustomization lists it elsewhere',
      { to: 'base/web.yaml', both: A, next: { 'apps/a/kustomization.yaml': 'resources: [cm.yaml, ../../base/web.yaml]\n' } },
    ],
    [
      'its kustomization includes that of the other folder',
      {
        to: 'base/web.yaml',
        both: A,
        next: { 'apps/a/kustomization.yaml': 'resources: [cm.yaml, ../../base/]\n', 'base/kustomization.yaml': 'resources: [web.yaml]\n' },
      },
    ],
    [
      'a kustomization below its folder lists it',
      { to: 'base/web.yaml', both: A, next: { 'apps/a/x/kustomization.yaml': 'resources: [../../../base/web.yaml]\n' } },
    ],
    ['its kustomization did not list it', { to: 'apps/b/web.yaml', both: { ...A, 'apps/a/kustomization.yaml': 'resources: [cm.yaml]\n' } }],
    ['the user names another tool', { to: 'apps/b/web.yaml', both: A, options: '--apply client' }],
    ['Flux keeps it', { to: 'apps/b/web.yaml', both: A, object: web('web:1', 'kustomize.toolkit.fluxcd.io/prune: disabled') }],
  ])('is none if %s', async (_, change) => {
    expect(await move(change)).toEqual([]);
  });
});

describe('an object of Flux or Argo CD that reads another repository than before', () => {
  const flux = (source: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: flux-system }\nspec: { path: ./apps, sourceRef: { kind: GitRepository, name: ${source} } }\n`;
  const repository = (name: string, url: string) =>
    `---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { url: ${url} }\n`;
  const argo = (url: string, path = 'apps') =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a, namespace: argocd }\nspec: { source: { repoURL: ${url}, path: ${path} } }\n`;
  const appSet = (url: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: a, namespace: argocd }\nspec: { generators: [], template: { spec: { source: { repoURL: ${url}, path: apps } } } }\n`;

  const change = async (before: string, after: string) => {
    const files = {
      'old/k.yaml': before,
      'old/apps/web.yaml': web('web:1', ''),
      'new/k.yaml': after,
      'new/apps/web.yaml': web('web:1', ''),
    };
    const { stdout } = await rolloutkit('check --from old new', { files });
    return stdout.split('\n').filter((line) => line.includes('change/not-applied') || line.includes(' reads another repository '));
  };
  const found = (by: string, tool: string) => [
    'warning  change/not-applied  new/k.yaml:1:1',
    `  ${by} applied Deployment web and reads another repository with this change. What that contains is not known: ${tool} may change or delete it, or leave it as it is.`,
  ];
  const [here, elsewhere] = ['https://example.com/team/shop', 'https://user:secret@example.com/other/shop'] as const;

  test('is a warning', async () => {
    expect(await change(argo(here), argo(elsewhere))).toEqual(found('Application argocd/a', 'Argo CD'));
    expect(await change(appSet(here), appSet(elsewhere))).toEqual(found('ApplicationSet argocd/a', 'Argo CD'));
    expect(await change(flux('a'), flux('b'))).toEqual(found('Kustomization flux-system/a', 'Flux'));
    expect(await change(flux('a') + repository('a', here), flux('a') + repository('a', elsewhere))).toEqual(
      found('Kustomization flux-system/a', 'Flux'),
    );
  });

  test.each([
    ['with another protocol', argo(here), argo('git@example.com:team/shop.git')],
    ['under another name', flux('a') + repository('a', here), flux('b') + repository('b', `${here}/`)],
    ['of other folders than those in view', argo(here, 'other'), argo(elsewhere, 'other')],
  ])('is none for the same repository %s', async (_, before, after) => {
    expect(await change(before, after)).toEqual([]);
  });
});
