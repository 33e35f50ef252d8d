import { formatSnapshot } from '../../src/live/snapshot-file';
import { rolloutkit } from '../cli/command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, uid: "1" }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;
const HEADER = {
  context: 'prod',
  defaultNamespace: 'shop',
  namespaces: ['shop'],
  unread: [],
  detectedVersions: { kubernetes: '1.21' },
  clusterScopedKinds: [],
};

function snapshotOf(header: unknown): string {
  return JSON.stringify({ apiVersion: 'rolloutkit/v1', kind: 'ClusterSnapshot', metadata: { name: 'prod' }, snapshot: header });
}

test('a snapshot in a folder of OLD decides neither the version nor what surrounds the change', async () => {
  const files = { 'old/web.yaml': WEB, 'old/z.json': snapshotOf(HEADER), 'new/other.yaml': WEB.replace('name: web,', 'name: other,') };
  const { stdout } = await rolloutkit('plan --prune --format json --from old new', { files });
  const { versions, change } = JSON.parse(stdout) as {
    versions: Record<string, string>;
    change: { objects: readonly { effect: string; resource: { name: string } }[] };
  };
  expect(versions.kubernetes).toBe('1.36');
  expect(change.objects.map(({ effect, resource }) => `${effect} ${resource.name}`)).toContain('delete web');
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['an empty map', {}],
  ['values of other types', { ...HEADER, namespaces: 'shop' }],
  ['unread types that are none', { ...HEADER, unread: [null] }],
  ['versions that are none', { ...HEADER, detectedVersions: { kubernetes: [] } }],
])('a file that is named and whose header is %s is no snapshot', async (_, header) => {
  const { exitCode, stderr } = await rolloutkit('plan --from z.json web.yaml', {
    files: { 'z.json': snapshotOf(header), 'web.yaml': WEB },
  });
  expect([exitCode, stderr]).toEqual([2, 'rolloutkit: z.json is not a snapshot; write it with rolloutkit snapshot --output FILE\n']);
});

test('a snapshot is not pruned, like the cluster itself', async () => {
  const { exitCode, stderr } = await rolloutkit('check --prune --from z.json web.yaml', {
    files: { 'z.json': snapshotOf(HEADER), 'web.yaml': WEB },
  });
  expect([exitCode, stderr]).toEqual([
    2,
    'rolloutkit: --prune needs the objects that were applied before, and a cluster has more than those; name them with --from\n',
  ]);
});

test('a snapshot contains no character of an object that a terminal or a CI log interprets', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { '\u202ea\u009b': '##vso[task.complete]x\u001b' } };
  const text = formatSnapshot(HEADER, [object]);
  expect(text).toContain(String.raw`"data":{"\u202ea\u009b":"\u0023#vso[task.complete]x\u001b"}`);
  expect((JSON.parse(text) as { items: readonly unknown[] }).items[1]).toEqual(object);
});

describe('a namespace of NEW that a snapshot was made without', () => {
  const check = async (header: object) => {
    const files = { 'z.json': snapshotOf(header), 'web.yaml': WEB.replace('namespace: shop', 'namespace: staging') };
    const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned --from z.json web.yaml', { files });
    return { exitCode, headline: stdout.split('\n')[0], finding: stdout.split('\n').find((line) => line.startsWith('  The snapshot ')) };
  };

  test('is an error if every object must be planned, because a change of a live object would count as a new one', async () => {
    expect(await check(HEADER)).toEqual({
      exitCode: 1,
      headline: '1 of 1 object differs: 1 has an unknown effect; the number of affected pods is unknown',
      finding: '  The snapshot does not contain namespace staging. The plan does not know what runs there.',
    });
  });

  test('is empty in a snapshot of all namespaces', async () => {
    expect(await check({ ...HEADER, hasAllNamespaces: true })).toMatchObject({
      exitCode: 0,
      headline: '1 of 1 object differs: 1 is new; 4 pods are added; needs up to 4 extra pods',
      finding: undefined,
    });
  });
});
