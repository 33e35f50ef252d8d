import { DeployedFiles } from '../../../src/change/removed/deployed-files';
import { rolloutkit } from '../../cli/command-line';

const UID = '5b5b1a3e-0000-4000-8000-000000000001';
const OWNERS = `, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: ${UID} }]`;

function web(image: string, metadata = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop${metadata} }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

function service(metadata = ''): string {
  return `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop${metadata} }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`;
}

async function check(old: string, next: string, options = ''): Promise<readonly [exitCode: number, findings: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`check --from old.yaml new.yaml --require-planned ${options}`.trim(), {
    files: { 'old.yaml': old, 'new.yaml': next },
  });
  return [exitCode, stdout.split('\n').filter((line) => line.includes('change/garbage-collected'))];
}

describe('a pull request cannot make the garbage collector delete an object without a finding, by an owner that does not exist', () => {
  test.each<[what: string, old: string, next: string]>([
    ['a Deployment that is otherwise unchanged', web('web:1'), web('web:1', OWNERS)],
    ['a Deployment that rolls', web('web:1'), web('web:2', OWNERS)],
    ['a Service', service(), service(OWNERS)],
    ['a new Deployment', service(), web('web:1', OWNERS)],
    [
      'a Deployment whose owner comes with the change, with a uid that the server does not keep',
      web('web:1'),
      `${web('web:1', OWNERS)}---\n{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: shop, uid: ${UID} } }\n`,
    ],
  ])('%s', async (_, old, next) => {
    expect(await check(old, next)).toEqual([
      1,
      [expect.stringMatching(/^error {2}change\/garbage-collected .* metadata\.ownerReferences$/)],
    ]);
  });
});

test('an owner that the object had before, and that the change deletes, is an error in manifests without uids too', async () => {
  const owner = (kind: string, metadata = '') =>
    `---\n{ apiVersion: v1, kind: ${kind}, metadata: { name: a, namespace: shop${metadata} } }\n`;

  expect(await check(web('web:1', OWNERS) + owner('ConfigMap'), web('web:1', OWNERS), '--prune')).toEqual([
    1,
    [expect.stringMatching(/^error {2}change\/garbage-collected .* metadata\.ownerReferences$/)],
  ]);
  expect(await check(web('web:1', OWNERS) + owner('Secret'), web('web:1', OWNERS), '--prune')).toEqual([0, []]);
  expect(await check(web('web:1', OWNERS) + owner('ConfigMap', ', uid: other'), web('web:1', OWNERS), '--prune')).toEqual([0, []]);
});

test('an owner that the object had before, or that is a live object of OLD, is no finding', async () => {
  const live = `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: shop, uid: ${UID}, resourceVersion: "1" } }\n`;

  expect(await check(web('web:1', OWNERS), web('web:2', OWNERS))).toEqual([0, []]);
  expect(await check(`${web('web:1')}---\n${live}`, web('web:1', OWNERS))).toEqual([0, []]);
});

test.each<[what: string, deleted: string, member: string]>([
  ['its Namespace', '{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }\n', web('web:1')],
  [
    'its definition',
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lamps.example.com }
spec: { group: example.com, scope: Namespaced, names: { kind: Lamp, plural: lamps }, versions: [] }
`,
    '{ apiVersion: example.com/v1, kind: Lamp, metadata: { name: a, namespace: shop } }\n',
  ],
])('a pull request cannot delete an object that it keeps without a finding, by deleting %s', async (_, deleted, member) => {
  const [, findings] = await check(`${deleted}---\n${member}`, member, '--prune');

  expect(findings).toEqual([expect.stringMatching(/^error {2}change\/garbage-collected/)]);
});

describe('a pull request cannot delete an object that it keeps without a finding, by its owner', () => {
  const OTHER_UID = UID.replace(/1$/, '2');
  const owner = (namespace: string, uid = UID) =>
    `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: ${namespace}, uid: ${uid}, resourceVersion: "1" } }\n`;
  const twoOwners = OWNERS.replace('}]', `}, { apiVersion: v1, kind: ConfigMap, name: b, uid: ${OTHER_UID} }]`);
  const join = (...documents: readonly string[]) => documents.join('---\n');

  async function findingOf(old: string, next: string): Promise<string | undefined> {
    const { stdout } = await rolloutkit('check --from old.yaml new.yaml --prune', { files: { 'old.yaml': old, 'new.yaml': next } });
    return /change\/garbage-collected.*\n {2}(.*)/.exec(stdout)?.[1];
  }

  test('that it prunes', async () => {
    expect(await findingOf(join(web('web:1', OWNERS), owner('shop')), web('web:1', OWNERS))).toBe(
      'The apply deletes ConfigMap shop/a, the last owner of Deployment shop/web, so the garbage collector deletes Deployment shop/web too.',
    );
  });

  test('that is in another namespace', async () => {
    expect(await findingOf(join(web('web:1'), owner('other')), join(web('web:1', OWNERS), owner('other')))).toBe(
      'Deployment shop/web names the owner ConfigMap other/a, which is in another namespace: for the garbage collector it does not exist, so it deletes Deployment shop/web soon after the apply.',
    );
  });

  test('unless it has another one, or NEW removes the reference', async () => {
    const old = join(web('web:1', twoOwners), owner('shop'));
    expect(await findingOf(old, web('web:1', twoOwners))).toBeUndefined();
    expect(await findingOf(join(web('web:1', OWNERS), owner('shop')), web('web:1'))).toBeUndefined();
  });
});

describe('what the cluster is deleting already, as metadata.deletionTimestamp of a live object shows', () => {
  const DELETED = `, uid: ${UID}, resourceVersion: "7", deletionTimestamp: "2026-11-29T10:00:00Z", finalizers: [foregroundDeletion]`;
  const namespaceOf = (metadata: string) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop${metadata} }\n`;
  const findingsOf = async (old: string, next: string) => {
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --format json', {
      files: { 'old.yaml': old, 'new.yaml': next },
    });
    const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; message: string }[] };
    return [exitCode, findings.filter(({ code }) => code === 'change/garbage-collected').map(({ message }) => message)];
  };

  test('is gone after the apply', async () => {
    expect(await findingsOf(web('web:1', DELETED), web('web:2'))).toEqual([
      1,
      ['Deployment shop/web is being deleted: it goes once its finalizers are removed, whatever the apply changes.'],
    ]);
  });

  test('has no new objects in it', async () => {
    expect(await findingsOf(namespaceOf(DELETED), `${web('web:1')}---\n${service()}`)).toEqual([
      1,
      [
        'Namespace shop is being deleted: the cluster deletes what is in it, and refuses new objects. NEW has 2 objects in it, such as Deployment shop/web.',
      ],
    ]);
  });

  test('matters only if NEW has it', async () => {
    const old = `${web('web:1', ', name: api').replace('{ name: web, ', '{ ')}---\n${namespaceOf(DELETED).replace('shop', 'train')}`;
    expect(await findingsOf(old.replace('name: api', `name: api${DELETED}`), web('web:1'))).toEqual([0, []]);
    expect(await findingsOf(namespaceOf(`, uid: ${UID}`), web('web:1'))).toEqual([0, []]);
  });
});

describe('an object of Flux or Argo CD that the apply deletes, although NEW has what it applied', () => {
  const flux = (spec: string, name = 'a') =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { path: ./apps/a, ${spec} }\n`;
  const argo = (metadata: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a, namespace: argocd${metadata} }\nspec: { source: { path: apps/a } }\n`;
  const appSet = (spec: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: a, namespace: argocd }\nspec: { ${spec}template: { spec: { source: { path: apps/a } } } }\n`;
  const chart = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: a, namespace: flux-system }\nspec: { chart: { spec: { chart: ./apps/a, sourceRef: { kind: GitRepository, name: a } } } }\n`;
  const remove = async (source: string, next: Readonly<Record<string, string>> = {}, options = '--prune') => {
    const files = { 'old/k.yaml': source, 'old/apps/a/web.yaml': web('web:1'), 'new/apps/a/web.yaml': web('web:1'), ...next };
    const { stdout } = await rolloutkit(`check --from old new ${options}`.trim(), { files });
    return stdout.split('\n').filter((line) => line.includes('change/garbage-collected') || line.startsWith('  The apply deletes'));
  };
  const found = (object: string, tool: string) => [
    'error  change/garbage-collected',
    `  The apply deletes ${object}, so ${tool} deletes Deployment shop/web.`,
  ];

  test('is an error', async () => {
    expect(await remove(flux('prune: true'))).toEqual(found('Kustomization flux-system/a', 'Flux'));
    expect(await remove(flux('deletionPolicy: Delete'))).toEqual(found('Kustomization flux-system/a', 'Flux'));
    expect(await remove(argo(', finalizers: [resources-finalizer.argocd.argoproj.io]'))).toEqual(found('Application argocd/a', 'Argo CD'));
    expect(await remove(appSet(''))).toEqual(found('ApplicationSet argocd/a', 'Argo CD'));
    const inChart = { 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n', 'templates/web.yaml': web('web:1') };
    const sides = ['old', 'new'].flatMap((side) => Object.entries(inChart).map(([file, text]) => [`${side}/apps/a/${file}`, text]));
    expect(await remove(chart, Object.fromEntries(sides))).toHaveLength(2);
  });

  test.each(['Prune=confirm', 'Delete=confirm'])('is one that a user confirms if an object of an Application has %s', async (option) => {
    const application = argo(', finalizers: [resources-finalizer.argocd.argoproj.io]');
    const confirmed = web('web:1', `, annotations: { argocd.argoproj.io/sync-options: ${option} }`);
    expect(await remove(application, { 'old/apps/a/web.yaml': confirmed, 'new/apps/a/web.yaml': confirmed })).toEqual([
      'error  change/garbage-collected',
      '  The apply deletes Application argocd/a, so Argo CD deletes Deployment shop/web, once a user confirms it with the annotation argocd.argoproj.io/deletion-approved.',
    ]);
  });

  test.each<readonly [option: string, ofApplication: string, isDeleted: boolean]>([
    ['Delete=false', '', false],
    ['Prune=false', '', true],
    ['', 'Delete=false', false],
    ['', 'Prune=false', true],
    ['Delete=true', 'Delete=false', true],
  ])('is none if the object is retained: by %j, and by %j of its Application', async (option, ofApplication, isDeleted) => {
    const application = argo(', finalizers: [resources-finalizer.argocd.argoproj.io]').replace(
      'apps/a }',
      `apps/a }, syncPolicy: { syncOptions: ["${ofApplication}"] }`,
    );
    const retained = web('web:1', `, annotations: { argocd.argoproj.io/sync-options: "${option}" }`);
    expect(await remove(application, { 'old/apps/a/web.yaml': retained, 'new/apps/a/web.yaml': retained })).toEqual(
      isDeleted ? found('Application argocd/a', 'Argo CD') : [],
    );
  });

  test('is none if the object is a definition, which Argo CD never deletes with its Application', async () => {
    const definition = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\n';
    const application = argo(', finalizers: [resources-finalizer.argocd.argoproj.io]');
    expect(await remove(application, { 'old/apps/a/web.yaml': definition, 'new/apps/a/web.yaml': definition })).toEqual([]);
  });

  test('is one in a cluster too, by the labels of what it applied, also if it is being deleted already', async () => {
    const live = (metadata: string) => `, uid: ${UID}${metadata}`;
    const applied = web(
      'web:1',
      live(', labels: { kustomize.toolkit.fluxcd.io/name: a, kustomize.toolkit.fluxcd.io/namespace: flux-system }'),
    );
    const source = (metadata: string) => flux('prune: true').replace('flux-system }', `flux-system${live(metadata)} }`);
    const findingsOf = async (metadata: string, options: string) => {
      const files = { 'old.yaml': `${applied}---\n${source(metadata)}`, 'new.yaml': web('web:1') };
      const { stdout } = await rolloutkit(`check --from old.yaml new.yaml${options}`, { files });
      return stdout.split('\n').filter((line) => /^  The (?:apply|cluster) /.test(line));
    };
    expect(await findingsOf('', ' --prune')).toEqual([
      '  The apply deletes Kustomization flux-system/a, so Flux deletes Deployment shop/web.',
    ]);
    expect(await findingsOf(', deletionTimestamp: "2026-11-29T10:00:00Z"', '')).toEqual([
      '  The cluster is deleting Kustomization flux-system/a, so Flux deletes Deployment shop/web.',
    ]);
  });

  test('is searched by folder, since thousands of them and of their objects may be in view', async () => {
    const reads = jest.spyOn(DeployedFiles.prototype, 'findRootsReadBy');
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const files = Object.fromEntries(
      numbers.flatMap((index) => [
        [`old/k${index}.yaml`, flux('prune: true', `a${index}`).replace('./apps/a,', `./apps/a${index}/prod,`)],
        [`old/apps/a${index}/prod/web.yaml`, web('web:1').replace('name: web,', `name: web-${index},`)],
        [`new/apps/a${index}/prod/web.yaml`, web('web:1').replace('name: web,', `name: web-${index},`)],
      ]),
    );
    const { stdout } = await rolloutkit('check --from old new --prune --format json', { files });
    expect(stdout.split('"messageId": "deletedWithSource"').length - 1).toBe(50);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(200);
    reads.mockRestore();
  });

  test('is a warning if another one applies it then', async () => {
    expect(await remove(flux('prune: true'), { 'new/k.yaml': flux('prune: true', 'b') })).toEqual([
      'warning  change/garbage-collected',
      '  The apply deletes Kustomization flux-system/a, so Flux deletes Deployment shop/web, unless Kustomization flux-system/b applies it first.',
    ]);
  });

  test.each<readonly [why: string, source: string, next: Readonly<Record<string, string>>, options: string]>([
    ['it is kept', flux('prune: true'), {}, ''],
    ['it does not prune', flux('prune: false'), {}, '--prune'],
    ['it leaves its objects', flux('prune: true, deletionPolicy: Orphan'), {}, '--prune'],
    ['it is suspended', flux('prune: true, suspend: true'), {}, '--prune'],
    ['an Application has no finalizer', argo(''), {}, '--prune'],
    ['an ApplicationSet preserves resources', appSet('syncPolicy: { preserveResourcesOnDeletion: true }, '), {}, '--prune'],
    ['it remains', flux('prune: true'), { 'new/k.yaml': flux('prune: true') }, '--prune'],
    ['NEW has nothing of it', flux('prune: true').replace('apps/a', 'apps/b'), {}, '--prune'],
  ])('is none if %s', async (_, source, next, options) => {
    expect(await remove(source, next, options)).toEqual([]);
  });
});

describe('an object of Flux or Argo CD that its own tool deletes, although NEW has what it applied', () => {
  const flux = (name: string, path: string, spec = '') =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { path: ${path}, prune: true${spec} }\n`;
  const argo = (name: string, path: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io] }\nspec: { source: { path: ${path} }, syncPolicy: { automated: { prune: true } } }\n`;
  const gitRepo = `apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: { name: a, namespace: fleet-local }\nspec: { repo: https://example.com/a, paths: [apps] }\n`;
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: shop }\n';

  /** Checks a change from all files to those that are kept, and returns what is deleted. */
  const drop = async (files: Readonly<Record<string, string>>, dropped: readonly string[], options = '') => {
    const sides = Object.entries(files).flatMap(([file, text]) => [
      [`old/${file}`, text],
      ...(dropped.includes(file) ? [] : [[`new/${file}`, text]]),
    ]);
    const { stdout } = await rolloutkit(`check --from old new ${options}`.trim(), { files: Object.fromEntries(sides) });
    return stdout.split('\n').filter((line) => /^  (?:The apply|Flux|Argo CD|NEW|Fleet) /.test(line));
  };

  test('is an error with and without --prune', async () => {
    const files = {
      'root.yaml': flux('root', './sync'),
      'sync/b.yaml': config,
      'sync/apps.yaml': flux('apps', './apps'),
      'apps/web.yaml': web('web:1'),
    };
    expect(await drop(files, ['sync/apps.yaml'])).toEqual([
      '  Flux deletes Kustomization flux-system/apps, so Flux deletes Deployment shop/web.',
      '  NEW lacks Kustomization flux-system/apps, which Flux then deletes. This plan keeps it.',
    ]);
    expect(await drop(files, ['sync/apps.yaml'], '--prune')).toEqual([
      '  The apply deletes Kustomization flux-system/apps, so Flux deletes Deployment shop/web.',
    ]);
  });

  test('is an error for what an object applies that goes with another one', async () => {
    const files = {
      'root.yaml': argo('root', 'sync'),
      'sync/b.yaml': config,
      'sync/team.yaml': argo('team', 'team'),
      'team/apps.yaml': argo('apps', 'apps'),
      'apps/web.yaml': web('web:1'),
    };
    expect(await drop(files, ['sync/team.yaml'])).toEqual([
      '  Argo CD deletes Application argocd/team, so Argo CD deletes Application argocd/apps.',
      '  Argo CD deletes Application argocd/apps, so Argo CD deletes Deployment shop/web.',
      '  NEW lacks Application argocd/team, which Argo CD then deletes. This plan keeps it.',
    ]);
    expect(await drop(files, ['sync/team.yaml'], '--prune')).toEqual([
      '  The apply deletes Application argocd/team, so Argo CD deletes Application argocd/apps.',
      '  Argo CD deletes Application argocd/apps, so Argo CD deletes Deployment shop/web.',
    ]);
  });

  test('goes with what NEW lacks too', async () => {
    const files = {
      'root.yaml': flux('root', './sync'),
      'sync/b.yaml': config,
      'sync/apps.yaml': flux('apps', './apps'),
      'apps/web.yaml': web('web:1'),
    };
    expect(await drop(files, ['sync/apps.yaml', 'apps/web.yaml'])).toEqual([
      '  NEW lacks 2 objects of OLD, such as Deployment shop/web, which Flux then deletes. This plan keeps them.',
    ]);
  });

  test('may be a Namespace, or a GitRepo of Fleet', async () => {
    const files = {
      'root.yaml': flux('root', './sync'),
      'sync/b.yaml': config.replace(', namespace: shop', ', namespace: default'),
      'sync/shop.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
      'sync/repo.yaml': gitRepo,
      'apps/fleet.yaml': 'namespace: shop\n',
      'apps/web.yaml': web('web:1'),
    };
    expect(await drop(files, ['sync/shop.yaml', 'sync/repo.yaml'])).toEqual([
      '  Flux deletes Namespace shop, and the cluster deletes with it Deployment shop/web.',
      '  Flux deletes GitRepo fleet-local/a, so Fleet deletes Deployment shop/web.',
      '  NEW lacks 2 objects of OLD, such as GitRepo fleet-local/a, which Flux then deletes. This plan keeps them.',
    ]);
  });

  test('leaves what it applied if it says so', async () => {
    const files = {
      'root.yaml': flux('root', './sync'),
      'sync/b.yaml': config,
      'sync/apps.yaml': flux('apps', './apps', ', deletionPolicy: Orphan'),
      'apps/web.yaml': web('web:1'),
    };
    expect(await drop(files, ['sync/apps.yaml'])).toEqual([
      '  NEW lacks Kustomization flux-system/apps, which Flux then deletes. This plan keeps it.',
    ]);
  });
});
