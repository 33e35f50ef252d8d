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

  test.each([
    ['helm', 'helm.sh/hook: pre-upgrade', ['error']],
    ['helm4', 'helm.sh/hook: test', ['error']],
    ['helm', 'helm.sh/hook: post-upgrade', []],
    ['helm', 'helm.sh/hook: post-upgrade, helm.sh/hook-delete-policy: hook-succeeded', ['error']],
    ['argocd', 'argocd.argoproj.io/hook: Skip', ['error']],
    ['argocd', 'argocd.argoproj.io/hook: PreSync', []],
    ['argocd', 'argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded', ['error']],
    ['client', 'helm.sh/hook: pre-upgrade', []],
  ])('also not as a hook that the apply does not leave: %s, %s', async (tool, annotations, severities) => {
    const settings = object('ConfigMap');
    const hook = settings.replace('name: a', `name: a, annotations: { ${annotations} }`);
    const users = (image: string) => web(image, '', 'envFrom: [{ configMapRef: { name: a } }], ');
    const text =
      'The apply deletes ConfigMap shop/a, which Deployment shop/web still needs: new pods do not start. This change creates such pods, so its rollout may never finish.';

    expect(await findingsOf(`${settings}---\n${users('web:1')}`, `${hook}---\n${users('web:2')}`, `--apply ${tool}`)).toEqual(
      severities.map((severity) => `${severity}: ${text}`),
    );
  });

  test('unless the cluster is deleting it already, which is one too', async () => {
    const configMap = object('ConfigMap', 'v1', ', namespace: shop, uid: u, deletionTimestamp: "2026-11-29T10:00:00Z", finalizers: [a/b]');
    const old = `${configMap}---\n${web('web:1', '', 'envFrom: [{ configMapRef: { name: a } }], ')}`;
    const next = web('web:2', '', 'envFrom: [{ configMapRef: { name: a } }], ');
    expect(await findingsOf(old, next, '')).toEqual([
      'error: The cluster is deleting ConfigMap shop/a, which Deployment shop/web still needs: new pods do not start. This change creates such pods, so its rollout may never finish.',
    ]);
    expect(await findingsOf(old, web('web:2', ''), '')).toEqual([]);
  });

  test.each<[what: string, podSpec: string, removed: string, others: string]>([
    ['a pod', 'imagePullSecrets: [{ name: a }]', object('Secret'), ''],
    [
      'its ServiceAccount',
      'serviceAccountName: sa',
      object('Secret'),
      '---\n{ apiVersion: v1, kind: ServiceAccount, metadata: { name: sa, namespace: shop }, imagePullSecrets: [{ name: a }] }\n',
    ],
    [
      'the default ServiceAccount',
      '',
      object('Secret'),
      '---\n{ apiVersion: v1, kind: ServiceAccount, metadata: { name: default, namespace: shop }, imagePullSecrets: [{ name: a }] }\n',
    ],
  ])('a Secret with which %s gets its image', async (_, podSpec, removed, others) => {
    expect(await findingsOf(`${removed}---\n${web('web:1', podSpec)}${others}`, `${web('web:2', podSpec)}${others}`)).toEqual([
      'warning: The apply deletes Secret shop/a, which Deployment shop/web still needs: new pods do not start unless their images are public or on the node. This change creates such pods, so its rollout may never finish.',
    ]);
  });

  test('except a Secret of the ServiceAccount if the pod names another one', async () => {
    const account =
      '---\n{ apiVersion: v1, kind: ServiceAccount, metadata: { name: default, namespace: shop }, imagePullSecrets: [{ name: a }] }\n';
    const pods = 'imagePullSecrets: [{ name: b }]';
    expect(await findingsOf(`${object('Secret')}---\n${web('web:1', pods)}${account}`, `${web('web:2', pods)}${account}`)).toEqual([]);
  });

  test.each([
    'csi: { driver: d, nodePublishSecretRef: { name: a } }',
    'flexVolume: { driver: d/d, secretRef: { name: a } }',
    'rbd: { monitors: [m], image: i, secretRef: { name: a } }',
    'azureFile: { shareName: s, secretName: a }',
  ])('a Secret with which a volume is mounted: %s', async (source) => {
    const pods = `volumes: [{ name: v, ${source} }]`;
    expect(await findingsOf(`${object('Secret')}---\n${web('web:1', pods)}`, web('web:2', pods))).toEqual([
      expect.stringMatching(/^error: The apply deletes Secret shop\/a, which Deployment shop\/web still needs: new pods do not start\. /),
    ]);
  });

  test.each([
    ['ClusterTrustBundle', 'certificates.k8s.io/v1beta1', 'projected: { sources: [{ clusterTrustBundle: { name: a, path: ca.pem } }] }'],
    ['CSIDriver', 'storage.k8s.io/v1', 'csi: { driver: a }'],
  ])('a %s that a volume names', async (kind, apiVersion, source) => {
    const pods = `volumes: [{ name: v, ${source} }]`;
    expect(await findingsOf(`${object(kind, apiVersion, '', ', spec: {}')}---\n${web('web:1', pods)}`, web('web:2', pods))).toEqual([
      `error: The apply deletes ${kind} a, which Deployment shop/web still needs: new pods do not start. This change creates such pods, so its rollout may never finish.`,
    ]);
  });

  test('a DeviceClass of a claim', async () => {
    const deviceClass = object('DeviceClass', 'resource.k8s.io/v1', '', ', spec: {}');
    const template = object(
      'ResourceClaimTemplate',
      'resource.k8s.io/v1',
      ', namespace: shop',
      ', spec: { spec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: a } }] } } }',
    );
    expect(await findingsOf(`${deviceClass}---\n${template}`, template)).toEqual([
      'warning: The apply deletes DeviceClass a, which ResourceClaimTemplate shop/a still needs: new pods do not start. The running pods stay until they are replaced.',
    ]);
  });

  test('a claim from which KServe loads a model', async () => {
    const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop }
spec: { predictor: { model: { modelFormat: { name: sklearn }, storageUri: "pvc://a/iris" } } }
`;
    expect(await findingsOf(`${object('PersistentVolumeClaim')}---\n${service}`, service)).toEqual([
      'warning: The apply deletes PersistentVolumeClaim shop/a, which InferenceService shop/iris still needs: new pods do not start. The running pods stay until they are replaced.',
    ]);
  });

  test('a Secret of the ServiceAccount with which KServe loads a model', async () => {
    const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop }
spec: { predictor: { serviceAccountName: b, model: { modelFormat: { name: sklearn }, storageUri: "s3://a/iris" } } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: b, namespace: shop }
secrets: [{ name: a }]
`;
    expect(await findingsOf(`${object('Secret')}---\n${service}`, service)).toEqual([
      'warning: The apply deletes Secret shop/a, which InferenceService shop/iris still needs: new pods do not start. The running pods stay until they are replaced.',
    ]);
  });

  test.each([
    'gcsFaultToleranceOptions: { redisAddress: "redis:6379", redisPassword: { valueFrom: { secretKeyRef: { name: a, key: password } } } }',
    'authOptions: { mode: token, secretName: a }',
  ])('a Secret of which KubeRay makes a variable: %s', async (options) => {
    const service = `apiVersion: ray.io/v1
kind: RayService
metadata: { name: ray, namespace: shop }
spec:
  rayClusterConfig:
    ${options}
    headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: ray, image: "ray:1" }] } } }
`;
    expect(await findingsOf(`${object('Secret')}---\n${service}`, service)).toEqual([
      'warning: The apply deletes Secret shop/a, which RayService shop/ray still needs: new pods do not start. The running pods stay until they are replaced.',
    ]);
  });

  test('a StorageClass of claims that are created with pods', async () => {
    const storage = object('StorageClass', 'storage.k8s.io/v1', '', ', provisioner: p');
    const ephemeral =
      'volumes: [{ name: v, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: a, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } } }]';
    expect(await findingsOf(`${storage}---\n${web('web:1', ephemeral)}`, web('web:2', ephemeral))).toEqual([
      expect.stringMatching(/^error: The apply deletes StorageClass a, which Deployment shop\/web still needs: new pods do not start\. /),
    ]);
    const set = (replicas: number) => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: ${replicas}
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "db:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
  volumeClaimTemplates: [{ metadata: { name: d }, spec: { storageClassName: a, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]
`;
    expect(await findingsOf(`${storage}---\n${set(2)}`, set(3))).toEqual([
      'warning: The apply deletes StorageClass a, which StatefulSet shop/db still needs: new pods do not start unless their claims exist. This change creates such pods, so its rollout may never finish.',
    ]);
  });

  test('a claim of a StatefulSet, whose pods get a new, empty one', async () => {
    const claim = (name: string) => `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const set = (image: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: 2
  ordinals: { start: 1 }
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "${image}", readinessProbe: { tcpSocket: { port: 80 } } }] }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]
`;
    expect(await findingsOf(set('db:1') + claim('data-db-2'), set('db:1'))).toEqual([
      'warning: The apply deletes PersistentVolumeClaim shop/data-db-2, which StatefulSet shop/db still needs: new pods start with a new, empty claim. The running pods stay until they are replaced.',
    ]);
    expect(await findingsOf(set('db:1') + claim('data-db-2'), set('db:2'))).toEqual([
      'warning: The apply deletes PersistentVolumeClaim shop/data-db-2, which StatefulSet shop/db still needs: new pods start with a new, empty claim. This change creates such pods.',
    ]);
    // No pod has such a claim: before the first ordinal, after the last one, of another template or set.
    for (const name of ['data-db-0', 'data-db-3', 'logs-db-1', 'data-web-1', 'data-db'])
      expect(await findingsOf(set('db:1') + claim(name), set('db:1'))).toEqual([]);
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

  test('in a variable, by moving it to binaryData, which only volumes read', async () => {
    const moved = object('ConfigMap', 'v1', ', namespace: shop', ', binaryData: { url: Yg== }');
    const text =
      'ConfigMap shop/a moves the key url to binaryData, which Deployment shop/web still names in a variable: ' +
      'the kubelet reads variables from data only, so new pods do not start.';
    expect(await findingsOf(`${config('url: b')}---\n${web('web:1', '', ENV)}`, `${moved}---\n${web('web:2', '', ENV)}`, '')).toEqual([
      `error: ${text} This change creates such pods, so its rollout may never finish.`,
    ]);
    const volume = 'volumes: [{ name: v, configMap: { name: a, items: [{ key: url, path: url }] } }]';
    expect(await findingsOf(`${config('url: b')}---\n${web('web:1', volume)}`, `${moved}---\n${web('web:2', volume)}`, '')).toEqual([]);
    expect(await findingsOf(`${moved}---\n${web('web:1', volume)}`, `${config('url: b')}---\n${web('web:2', '', ENV)}`, '')).toEqual([]);
  });

  test('in a file that is mounted alone', async () => {
    const mount = 'volumeMounts: [{ name: v, mountPath: /etc/app.conf, subPath: app.conf }], ';
    const pods = (image: string, items = '') => web(image, `volumes: [{ name: v, configMap: { name: a${items} } }]`, mount);
    const [old, next] = [config('app.conf: a, other: b'), config('other: b')];
    expect(await findingsOf(`${old}---\n${pods('web:1')}`, `${next}---\n${pods('web:2')}`, '')).toEqual([
      expect.stringContaining('error: ConfigMap shop/a loses the key app.conf, which Deployment shop/web still names'),
    ]);
    const optional = ', optional: true';
    expect(await findingsOf(`${old}---\n${pods('web:1', optional)}`, `${next}---\n${pods('web:2', optional)}`, '')).toEqual([]);
    const items = ', items: [{ key: other, path: app.conf }]';
    expect(await findingsOf(`${old}---\n${pods('web:1', items)}`, `${next}---\n${pods('web:2', items)}`, '')).toEqual([]);
  });

  test('in the items of a volume', async () => {
    const podSpec = 'volumes: [{ name: v, secret: { secretName: a, items: [{ key: url, path: url }] } }]';
    const [old, next] = [config('url: Yg==', 'Secret'), config('', 'Secret')];
    expect(await findingsOf(`${old}---\n${web('web:1', podSpec)}`, `${next}---\n${web('web:2', podSpec)}`, '')).toEqual([
      expect.stringContaining('error: Secret shop/a loses the key url, which Deployment shop/web still names'),
    ]);
  });
});

describe('a Service that the apply deletes', () => {
  const service = (spec: string) => `---\napiVersion: v1\nkind: Service\nmetadata: { name: a, namespace: shop }\nspec: { ${spec} }\n`;
  const selecting = service('selector: { app: web }, ports: [{ port: 80 }]');
  const pods = web('web:1', '');
  const lost =
    'warning: The apply deletes Service shop/a, which selects the running pods of Deployment shop/web: ' +
    'its DNS name no longer resolves, and clients that use it lose these pods.';

  test.each<[what: string, old: string, next: string, options: string, found: readonly string[]]>([
    ['although its pods stay', pods + selecting, pods, '--prune', [lost]],
    ['although its pods are replaced', pods + selecting, web('web:2', ''), '--prune', [lost]],
    ['together with its pods', pods + selecting, object('ConfigMap'), '--prune', []],
    ['whose pods are scaled to 0', pods + selecting, pods.replace('replicas: 2', 'replicas: 0'), '--prune', []],
    ['that selects no pod', pods + service('selector: { app: other }'), pods, '--prune', []],
    ['that has no selector', pods + service('ports: [{ port: 80 }]'), pods, '--prune', []],
    ['only without --prune', pods + selecting, pods, '', []],
  ])('%s', async (_, old, next, options, found) => {
    expect(await findingsOf(old, next, options)).toEqual(found);
  });
});
