import type { PlanDocument } from '../../src/core/document/plan-document';
import type { ObjectChange } from '../../src/core/document/change';
import { hashSecrets } from '../../src/live/secret-digest';
import { formatSnapshot } from '../../src/live/snapshot-file';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { flattenLists } from '../../src/input/flatten-lists';
import { rolloutkit } from '../cli/command-line';
import { PLAYED_TYPES, playCluster } from './played-cluster';
import type { PlayedCluster } from './kubectl-player';
import { NEW_WEB, shopCluster } from './shop';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const FILES = { 'web.yaml': NEW_WEB };

/** Writes a snapshot of a played cluster, and returns its text. */
async function snapshotOf(
  cluster: PlayedCluster,
  args = 'snapshot web.yaml --output snapshot.json',
  files: Readonly<Record<string, string>> = FILES,
) {
  let text = '';
  const result = await rolloutkit(
    args,
    playCluster(cluster, {
      files,
      inspect: (folder) => {
        text = readFileSync(path.join(folder, 'snapshot.json'), 'utf8');
      },
    }),
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: '' });
  return text;
}

function namesIn(snapshot: string): string[] {
  const { objects } = flattenLists(JSON.parse(snapshot));
  return objects.map(({ object }) => [object.kind, object.metadata?.namespace, object.metadata?.name].filter(Boolean).join(' '));
}

describe('a snapshot', () => {
  test('contains what NEW names and what surrounds it, sorted, one object per line', async () => {
    const snapshot = await snapshotOf(shopCluster());

    expect(namesIn(snapshot)).toEqual([
      'ClusterSnapshot prod',
      'Node n1',
      'Pod shop web-5d4f-1',
      'Pod shop web-5d4f-2',
      'Pod shop web-5d4f-3',
      'Pod shop web-5d4f-4',
      'Pod train rc-head',
      'Deployment shop web',
      'ReplicaSet shop web-5d4f',
    ]);
    expect(snapshot.split('\n')).toHaveLength(12);
  });

  test('says first where it comes from', async () => {
    const [, first] = (await snapshotOf(shopCluster())).split('\n');

    expect(JSON.parse(first!.slice(0, -1))).toEqual({
      apiVersion: 'rolloutkit/v1',
      kind: 'ClusterSnapshot',
      metadata: { name: 'prod' },
      snapshot: {
        context: 'prod',
        namespaces: ['shop'],
        defaultNamespace: 'shop',
        detectedVersions: { kubernetes: '1.33.2' },
        unread: [],
        wholeKinds: ['/Node', '/Pod', '/ResourceQuota', '/Service', 'apps/Deployment', 'apps/ReplicaSet'],
        namedObjects: ['/Namespace//shop'],
        clusterScopedKinds: ['/Namespace', '/Node'],
      },
    });
  });

  test('decides nothing about objects that it was made without, unless it has all objects of their kind', async () => {
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\ndata: { a: b }\n';
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: api, namespace: shop }\nspec: { ports: [{ port: 80 }] }\n';
    const check = async (snapshot: string) => {
      const files = { 'snapshot.json': snapshot, 'new/settings.yaml': settings, 'new/service.yaml': service };
      return rolloutkit('check --no-config --require-planned --from snapshot.json new', { files });
    };
    const unknown = await check(await snapshotOf(shopCluster()));
    expect([unknown.exitCode, unknown.stdout]).toMatchInlineSnapshot(`
[
  1,
  "2 of 2 objects differ: 1 is new, 1 has an unknown effect; the number of affected pods is unknown
no rollouts on Kubernetes 1.33.2: 1 info
not planned: 1 ConfigMap
  ConfigMap: its effect on pods is unknown: no object in view shows which pods it concerns, or what they run

info  change/incomplete-information
  The snapshot was made without ConfigMap shop/settings. The plan does not know whether it exists.
  fix: Make the snapshot with these manifests: rolloutkit snapshot --output FILE PATH

Not checked: what admission webhooks and policies change on apply.
explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
",
]
`);
    const files = { 'new/settings.yaml': settings };
    const known = await check(await snapshotOf(shopCluster(), 'snapshot new --output snapshot.json', files));
    expect([known.exitCode, known.stdout.split('\n')[0]]).toMatchInlineSnapshot(`
[
  0,
  "2 of 2 objects differ: 2 are new; no pods are affected",
]
`);
  });

  test('does not depend on the order in which the server lists objects, nor on versions of objects and heartbeats', async () => {
    const cluster = shopCluster();
    const later = JSON.parse(
      JSON.stringify(cluster.objects).replaceAll('"4711"', '"4712"').replaceAll('2026-11-28T08:52:16Z', '2026-11-28T08:57:16Z'),
    ) as object[];

    expect(await snapshotOf({ ...cluster, objects: later.toReversed() })).toBe(await snapshotOf(cluster));
  });

  test('keeps who manages the fields of an object that may be applied, without times and without the status', async () => {
    const snapshot = await snapshotOf(shopCluster());
    const deployment = flattenLists(JSON.parse(snapshot)).objects.find(({ object }) => object.kind === 'Deployment')!.object;

    expect(deployment.metadata).toEqual({
      name: 'web',
      namespace: 'shop',
      uid: 'uid-web',
      generation: 3,
      annotations: { 'deployment.kubernetes.io/revision': '3' },
      managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': {} } }],
    });
  });

  test('omits what only the kubelet needs: environment, images of nodes, addresses', async () => {
    const snapshot = await snapshotOf(shopCluster());

    expect(snapshot).not.toMatch(/top-secret|sizeBytes|10\.0\.0\.7/);
  });

  test('gives the same plan as the cluster, byte for byte', async () => {
    const snapshot = await snapshotOf(shopCluster());
    const fromCluster = await rolloutkit('plan --from cluster --format json web.yaml', playCluster(shopCluster(), { files: FILES }));
    const fromFile = await rolloutkit('plan --from snapshot.json --format json web.yaml', {
      files: { ...FILES, 'snapshot.json': snapshot },
    });
    const fromStdin = await rolloutkit('plan --from - --format json web.yaml', { files: FILES, stdin: snapshot });

    expect(fromFile.stdout).toBe(fromCluster.stdout);
    expect(fromStdin.stdout).toBe(fromCluster.stdout);
  });

  test('reads everything in the namespaces that are named if there are no manifests', async () => {
    const snapshot = await snapshotOf(shopCluster(), 'snapshot --namespace shop --output snapshot.json', {});

    expect(namesIn(snapshot)).toContain('Secret shop db');
  });

  test('needs a file to go to', async () => {
    expect(await rolloutkit('snapshot web.yaml', playCluster(shopCluster(), { files: FILES }))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'rolloutkit: no file for the snapshot is given; name one with --output FILE\n',
    });
  });
});

describe('values of Secrets', () => {
  const secret = (value: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: { name: db, namespace: shop }\nstringData: { password: ${value} }\n`;
  const stored = (value: string) => Buffer.from(value).toString('base64');

  /** A cluster in which kubectl has stored the Secret in its annotation, kapp an earlier one in another, and a person a value in a third. */
  const cluster: PlayedCluster = {
    ...shopCluster(),
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: 'db',
          namespace: 'shop',
          uid: 'uid-db',
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
              apiVersion: 'v1',
              kind: 'Secret',
              metadata: { name: 'db', namespace: 'shop' },
              data: { password: stored('hunter2') },
            }),
            'kapp.k14s.io/original': JSON.stringify({ kind: 'Secret', data: { password: stored('hunter1') } }),
            'example.com/backup': JSON.stringify({ data: { password: stored('hunter0') } }),
            'example.com/note': 'the password is hunter2',
          },
        },
        data: { password: stored('hunter2') },
      },
    ],
  };

  test('are digests in a snapshot, in the annotation of kubectl too, and in no other annotation', async () => {
    const snapshot = await snapshotOf(cluster, 'snapshot secret.yaml --output snapshot.json', { 'secret.yaml': secret('hunter2') });

    expect(namesIn(snapshot)).toContain('Secret shop db');
    for (const value of ['hunter0', 'hunter1', 'hunter2']) {
      expect(snapshot).not.toContain(stored(value));
      expect(snapshot).not.toContain(value);
    }
  });

  test('are not in a snapshot if no API server would store them', async () => {
    const [db] = cluster.objects as [object];
    const data = { direct: 'hunter2!', broken: 'aHVudGVyMg=\n=', number: 2, list: ['hunter2'], map: { inner: 'hunter2' } };
    const hostile = { ...cluster, objects: [{ ...db, data, stringData: ['hunter2'] }] };
    const snapshot = await snapshotOf(hostile, 'snapshot secret.yaml --output snapshot.json', { 'secret.yaml': secret('hunter3') });

    const [object] = flattenLists(JSON.parse(snapshot)).objects.flatMap((each) => (each.object.kind === 'Secret' ? [each.object] : []));
    expect(object).toMatchObject({ data: { broken: expect.stringMatching(/^[A-Za-z0-9+/]{80,}={0,2}$/) as string } });
    expect(Object.keys((object as unknown as { data: object }).data)).toEqual(['broken']);
    expect(snapshot).not.toMatch(/hunter|aHVudGVy/);
  });

  test('are in no annotation either if only the annotation of kubectl has them, or only its copy of the annotations repeats them', async () => {
    const [db] = cluster.objects as [{ metadata: { annotations: object } }];
    const lastApplied = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'shop', annotations: { note: 'now it is hunter2' } },
      stringData: { password: 'hunter1' },
    };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(lastApplied), note: 'it was hunter1' };
    const rotated = { ...cluster, objects: [{ ...db, metadata: { ...db.metadata, annotations } }] };
    const snapshot = await snapshotOf(rotated, 'snapshot secret.yaml --output snapshot.json', { 'secret.yaml': secret('hunter2') });

    expect(namesIn(snapshot)).toContain('Secret shop db');
    expect(snapshot).not.toContain('hunter');
  });

  test('are in no annotation in any encoding, since only those that a tool defines are kept as text', () => {
    const lastApplied = { kind: 'Secret', metadata: { name: 's' }, data: { a: 'hunter2pw!' }, stringdata: { a: 'hunter2pw' }, spec: {} };
    const annotations = {
      'acme.io/go-json': '{"p":"hun\\u003cter2"}',
      'acme.io/unpadded': stored('hunter2').replaceAll('=', ''),
      'acme.io/note': 'hunter2',
      'argocd.argoproj.io/tracking-id': 'shop:/Secret:shop/s',
      'helm.sh/hook': 'pre-upgrade',
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(lastApplied),
      'meta.helm.sh/release-name': 'shop',
    };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations }, data: { a: stored('hun<ter2') } };
    expect(hashSecrets(object).metadata!.annotations).toMatchInlineSnapshot(`
{
  "acme.io/go-json": "e17ddaa9d75e1f99df1e7086b1efe9a7592551fa507f3d0c55932902868115d4",
  "acme.io/note": "4c69a78fe016d37c8cbc3e388aadb8549314d0d18954710aeeac4120a06e848e",
  "acme.io/unpadded": "4280f4e14d2cca6163984aea3167dd7d21d0946f79ce0d0601f7c6261723e8c4",
  "argocd.argoproj.io/tracking-id": "shop:/Secret:shop/s",
  "helm.sh/hook": "pre-upgrade",
  "kubectl.kubernetes.io/last-applied-configuration": "{"kind":"Secret","metadata":{"name":"s"},"data":{}}",
  "meta.helm.sh/release-name": "shop",
}
`);
  });

  test.each<[string, (value: string) => unknown]>([
    [
      'a map',
      (value) => ({
        manifests: [{ apiVersion: 'v1', kind: 'Secret', data: { p: stored(value) }, stringData: { p: value, q: { [value]: 1 } } }],
      }),
    ],
    ['a list', (value) => ({ kind: 'SecretList', items: [{ data: { p: value } }] })],
    ['a template', (value) => ({ kind: 'SealedSecret', spec: { template: { data: { p: value } } } })],
    ['an encoded file', (value) => ({ resources: [{ name: 'a.yaml', content: value, encoding: 'base64' }] })],
    ['a text', (value) => ({ yaml: `kind: Secret\ndata: {p: ${value}}\n` })],
    ['a text with an escape', (value) => ({ json: `{"kind": "S\\u0065cret", "data": {"p": "${value}"}}` })],
    ['a template of a text', (value) => ({ yaml: `{{ if . }}\nkind: Secret\ndata: {p: ${value}}\n` })],
  ])('inside of another object are digests too, also in the annotation of kubectl, and differ with the value: %s', (_, write) => {
    const work = (value: string) => {
      const own = { apiVersion: 'work.example.com/v1', kind: 'Work', metadata: { name: 'w' }, spec: write(value) };
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(own) };
      return hashSecrets({ ...own, metadata: { name: 'w', annotations } });
    };
    const texts = ['hunter2', 'hunter2', 'hunter3'].map((value) => JSON.stringify(work(value)));
    expect(texts.join('')).not.toMatch(/hunter|aHVudGVy/);
    expect(texts.map((text) => text === texts[0])).toEqual([true, true, false]);
    expect(texts[0]).toContain('work.example.com/v1');
  });

  test('are no settings with a password, which plans read', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'password: hunter2' } };
    expect(hashSecrets(object)).toBe(object);
  });

  test.each([
    ['hunter2', 'none'],
    ['hunter3', 'unknown'],
  ])('inside of another object compare by their digests: %s has the effect %s', async (value, effect) => {
    const work = (password: string) => ({
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'w', namespace: 'shop', uid: 'uid-w' },
      spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password } }] } },
    });
    const { uid: _, ...metadata } = work('').metadata;
    const header = { context: 'prod', defaultNamespace: 'shop', namespaces: ['shop'], unread: [], clusterScopedKinds: [] };
    const snapshot = formatSnapshot({ ...header, detectedVersions: {} }, [hashSecrets(work('hunter2'))]);
    const files = { 'snapshot.json': snapshot, 'work.json': JSON.stringify({ ...work(value), metadata }) };
    const { stdout } = await rolloutkit('plan --from snapshot.json --format json work.json', { files });
    expect((JSON.parse(stdout) as PlanDocument).change!.objects.map((object) => object.effect)).toEqual([effect]);
    expect(stdout).not.toContain('hunter');
  });

  test('and annotations compare by their digests', async () => {
    const effects = ['as before', 'changed'].map(async (note) => {
      const file = secret('hunter2').replace('namespace: shop', `namespace: shop, annotations: { note: ${note} }`);
      const [db] = cluster.objects as [{ metadata: { annotations: object } }];
      const live = { ...db, metadata: { ...db.metadata, annotations: { ...db.metadata.annotations, note: 'as before' } } };
      const played = playCluster({ ...cluster, objects: [live] }, { files: { 'secret.yaml': file } });
      const { stdout } = await rolloutkit('plan --from cluster --format json secret.yaml', played);
      const [{ effect, because }] = (JSON.parse(stdout) as PlanDocument).change!.objects as [ObjectChange];
      return [effect, because.map((each) => each.path)];
    });
    expect(await Promise.all(effects)).toEqual([
      ['none', []],
      ['metadata', ['metadata.annotations[note]']],
    ]);
  });

  test.each([
    ['hunter2', 'none'],
    ['hunter3', 'settings'],
  ])('compare by their digests: %s has the effect %s', async (value, effect) => {
    const files = { 'secret.yaml': secret(value) };
    const { stdout } = await rolloutkit('plan --from cluster --format json secret.yaml', playCluster(cluster, { files }));

    expect(JSON.parse(stdout)).toMatchObject({ change: { objects: [{ resource: { kind: 'Secret', name: 'db' }, effect }] } });
    expect(stdout).not.toContain(value);
  });
});

describe('versions of operators', () => {
  const operator = (image: string, labels = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kserve-controller-manager', namespace: 'kserve', labels },
    spec: { template: { spec: { containers: [{ name: 'manager', image }] } } },
  });
  const types = [
    ...PLAYED_TYPES,
    { plural: 'inferenceservices', group: 'serving.kserve.io', version: 'v1beta1', kind: 'InferenceService', isNamespaced: true },
  ];
  const model =
    'apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: { name: iris }\nspec: { predictor: { model: { modelFormat: { name: sklearn } } } }\n';
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { deploy: '{}' },
  };

  test.each([
    ['the tag of the image', operator('docker.io/kserve/kserve-controller:v0.16.0@sha256:0a1b'), '0.16.0'],
    [
      'a label, if the image has only a digest',
      operator('kserve/kserve-controller@sha256:0a1b', { 'app.kubernetes.io/version': 'v0.15.2' }),
      '0.15.2',
    ],
    ['nothing, if neither is a version', operator('kserve/kserve-controller:latest'), undefined],
  ])('come from %s', async (_, deployment, version) => {
    const cluster = { ...shopCluster(), types, objects: [deployment, config] };
    const snapshot = await snapshotOf(cluster, 'snapshot iris.yaml --output snapshot.json', { 'iris.yaml': model });

    const header = flattenLists(JSON.parse(snapshot)).objects[0]!.object as unknown as { snapshot: { detectedVersions: object } };
    expect(header.snapshot.detectedVersions).toEqual({ kubernetes: '1.33.2', ...(version !== undefined && { kserve: version }) });
    expect(namesIn(snapshot)).toContain('ConfigMap kserve inferenceservice-config');
  });

  test('give way to those of the command line', async () => {
    const { stdout } = await rolloutkit(
      'plan --from cluster --versions kubernetes=1.31 --format json web.yaml',
      playCluster(shopCluster(), { files: FILES }),
    );

    expect(JSON.parse(stdout)).toMatchObject({ versions: { kubernetes: '1.31' } });
  });
});

test('no snapshot is written if a file was not read, since a plan would take its objects for new', async () => {
  const files = { 'web.yaml': `${NEW_WEB}# ${'x'.repeat(1_000_000)}\n` };
  const inspect = (folder: string) => expect(existsSync(path.join(folder, 'snapshot.json'))).toBe(false);
  const args = 'snapshot web.yaml --output snapshot.json --budget file-megabytes=1';
  const { exitCode, stderr } = await rolloutkit(args, playCluster(shopCluster(), { files, inspect }));
  expect([exitCode, stderr]).toMatchInlineSnapshot(`
[
  2,
  "rolloutkit: web.yaml:1: The file web.yaml cannot be read: it is larger than 1 megabyte. Raise the budget with --budget file-megabytes=2, if you trust this input.
",
]
`);
});
