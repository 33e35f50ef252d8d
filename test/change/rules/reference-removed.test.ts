import { rolloutkit } from '../../cli/command-line';

function web(image: string, podSpec: string, container = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      ${podSpec}
      containers: [{ name: web, image: "${image}", ${container}readinessProbe: { tcpSocket: { port: 80 } } }]
`;
}

function object(kind: string, apiVersion = 'v1', namespace = ', namespace: shop', fields = ''): string {
  return `{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: a${namespace} }${fields} }\n`;
}

async function findingsOf(old: string, next: string, options = '--prune'): Promise<readonly string[]> {
  const { stdout } = await rolloutkit(`check --from old.yaml new.yaml ${options}`, { files: { 'old.yaml': old, 'new.yaml': next } });
  return [...stdout.matchAll(/^(error|warning) {2}change\/reference-removed.*\n {2}(.*)/gm)].map(
    ([, severity, text]) => `${severity}: ${text}`,
  );
}

describe('a pull request cannot delete what pods of NEW need without a finding', () => {
  test.each<[what: string, podSpec: string, container: string, removed: string]>([
    ['ServiceAccount', 'serviceAccountName: a', '', object('ServiceAccount')],
    ['PriorityClass', 'priorityClassName: a', '', object('PriorityClass', 'scheduling.k8s.io/v1', '', ', value: 1')],
    ['PersistentVolumeClaim', 'volumes: [{ name: v, persistentVolumeClaim: { claimName: a } }]', '', object('PersistentVolumeClaim')],
    ['ConfigMap', 'volumes: [{ name: v, configMap: { name: a } }]', '', object('ConfigMap')],
    ['ConfigMap', 'volumes: [{ name: v, projected: { sources: [{ configMap: { name: a } }] } }]', '', object('ConfigMap')],
    ['Secret', '', 'envFrom: [{ secretRef: { name: a } }], ', object('Secret')],
    ['Secret', '', 'env: [{ name: A, valueFrom: { secretKeyRef: { name: a, key: b } } }], ', object('Secret')],
    [
      'ResourceClaimTemplate',
      'resourceClaims: [{ name: gpu, resourceClaimTemplateName: a }]',
      '',
      object('ResourceClaimTemplate', 'resource.k8s.io/v1', ', namespace: shop', ', spec: { spec: {} }'),
    ],
  ])('%s', async (kind, podSpec, container, removed) => {
    const old = `${removed}---\n${web('web:1', podSpec, container)}`;
    const name = kind === 'PriorityClass' ? 'PriorityClass a' : `${kind} shop/a`;
    const text = `The apply deletes ${name}, which Deployment shop/web still needs: new pods do not start.`;

    expect(await findingsOf(old, web('web:2', podSpec, container))).toEqual([
      `error: ${text} This change creates such pods, so its rollout may never finish.`,
    ]);
    expect(await findingsOf(old, web('web:1', podSpec, container))).toEqual([
      `warning: ${text} The running pods stay until they are replaced.`,
    ]);
    expect(await findingsOf(old, web('web:2', podSpec, container), '')).toEqual([]);
  });

  test('of pods that are not in spec.template', async () => {
    const set = (image: string) => `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: lws, namespace: shop }
spec:
  replicas: 1
  leaderWorkerTemplate:
    size: 2
    workerTemplate: { spec: { serviceAccountName: a, containers: [{ name: w, image: "${image}" }] } }
`;
    expect(await findingsOf(`${object('ServiceAccount')}---\n${set('a:1')}`, set('a:2'))).toEqual([
      expect.stringContaining('error: The apply deletes ServiceAccount shop/a, which LeaderWorkerSet shop/lws still needs'),
    ]);
  });

  test.each([
    ['an optional reference', 'volumes: [{ name: v, configMap: { name: a, optional: true } }]', object('ConfigMap')],
    ['an object of another namespace', 'volumes: [{ name: v, configMap: { name: a } }]', object('ConfigMap', 'v1', ', namespace: other')],
    ['an object of another group', 'volumes: [{ name: v, configMap: { name: a } }]', object('ConfigMap', 'example.com/v1')],
  ])('and %s has none', async (_, podSpec, removed) => {
    expect(await findingsOf(`${removed}---\n${web('web:1', podSpec)}`, web('web:2', podSpec))).toEqual([]);
  });
});

describe('nor remove a key that pods of NEW name', () => {
  const config = (data: string, kind = 'ConfigMap') => object(kind, 'v1', ', namespace: shop', `, data: { ${data} }`);
  const ENV = 'env: [{ name: A, valueFrom: { configMapKeyRef: { name: a, key: url } } }], ';

  test('in a variable', async () => {
    const old = `${config('url: b, other: c')}---\n${web('web:1', '', ENV)}`;
    const text = 'ConfigMap shop/a loses the key url, which Deployment shop/web still names: new pods do not start.';
    expect(await findingsOf(old, `${config('other: c')}---\n${web('web:2', '', ENV)}`, '')).toEqual([
      `error: ${text} This change creates such pods, so its rollout may never finish.`,
    ]);
    expect(await findingsOf(old, `${config('other: c')}---\n${web('web:1', '', ENV)}`, '')).toEqual([
      `warning: ${text} The running pods stay until they are replaced.`,
    ]);
    expect(await findingsOf(old, `${config('url: changed')}---\n${web('web:2', '', ENV)}`, '')).toEqual([]);
  });

  test('in the items of a volume', async () => {
    const podSpec = 'volumes: [{ name: v, secret: { secretName: a, items: [{ key: url, path: url }] } }]';
    const [old, next] = [config('url: Yg==', 'Secret'), config('', 'Secret')];
    expect(await findingsOf(`${old}---\n${web('web:1', podSpec)}`, `${next}---\n${web('web:2', podSpec)}`, '')).toEqual([
      expect.stringContaining('error: Secret shop/a loses the key url, which Deployment shop/web still names'),
    ]);
  });
});
