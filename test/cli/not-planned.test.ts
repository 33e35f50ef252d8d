import { rolloutkit } from './command-line';

const KINDS = [
  ['ray.io/v1', 'RayCluster'],
  ['ray.io/v1alpha1', 'RayCluster'],
  ['serving.knative.dev/v1', 'Configuration'],
  ['v1', 'Pod'],
] as const;

const FILES = {
  'all.yaml': KINDS.map(
    ([apiVersion, kind], index) =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a${index}}\n${kind === 'Pod' ? 'spec: {containers: [{name: a, image: "a:1"}]}\n' : ''}`,
  ).join('---\n'),
};

const LINE = 'not planned: 2 RayClusters (ray.io), 1 Configuration (serving.knative.dev), 1 Pod';

describe('what is not planned', () => {
  test('is a line of the plan, below its first', async () => {
    expect(await rolloutkit('plan all.yaml', { files: FILES })).toEqual({
      exitCode: 0,
      stdout: `no rollouts on Kubernetes 1.36 (assumed): no findings\n${LINE}\n`,
      stderr: '',
    });
  });

  test('is a line of a check, below its first', async () => {
    expect(await rolloutkit('check all.yaml', { files: FILES })).toEqual({
      exitCode: 0,
      stdout: `no rollouts on Kubernetes 1.36 (assumed): no findings\n${LINE}\n`,
      stderr: '',
    });
  });

  test('is in the JSON of a check', async () => {
    const { stdout } = await rolloutkit('check all.yaml --format json', { files: FILES });
    expect(JSON.parse(stdout)).toMatchObject({
      notPlanned: KINDS.map(([apiVersion, kind]) => ({ apiVersion, kind, count: 1, reason: expect.any(String) })),
      summary: { rollouts: 0, notPlanned: 4, errors: 0 },
    });
  });

  test('is shown in a pipeline: as an annotation, skipped tests, an issue, and a line of the comment', async () => {
    const shown = async (args: string) => (await rolloutkit(`${args} all.yaml`, { files: FILES })).stdout;
    expect(await shown('check --format github')).toContain(`::notice title=not planned::${LINE}\n`);
    const junit = await shown('check --format junit');
    expect(junit).toContain('<testsuite name="rolloutkit check" tests="4" failures="0" errors="0" skipped="4">');
    expect(junit).toContain('<testcase classname="not planned" name="1 Pod of v1"><skipped>');
    expect(JSON.parse(await shown('check --format gitlab'))).toMatchObject([
      { description: LINE, check_name: 'not-planned', severity: 'info', location: { path: '.', lines: { begin: 1 } } },
    ]);
    expect(await shown('plan --format markdown')).toContain(`\n${LINE}\n`);
    expect(await shown('plan --format svg')).toContain(`>${LINE}</text>`);
  });

  test('is a note of the run in SARIF, since no rule is about it', async () => {
    const runsOf = async (file: string) =>
      (
        JSON.parse(
          (
            await rolloutkit(`check ${file} --format sarif`, {
              files: { ...FILES, 'none.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n' },
            })
          ).stdout,
        ) as { runs: unknown[] }
      ).runs;
    expect(await runsOf('all.yaml')).toMatchObject([
      {
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: [{ level: 'note', message: { text: LINE } }] }],
        results: [],
      },
    ]);
    expect(await runsOf('none.yaml')).toEqual([expect.not.objectContaining({ invocations: expect.anything() })]);
  });

  test('fails a check with --require-planned', async () => {
    const { exitCode, stdout } = await rolloutkit('check all.yaml --require-planned', { files: FILES });
    expect(exitCode).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
"no rollouts on Kubernetes 1.36 (assumed): no findings
not planned: 2 RayClusters (ray.io), 1 Configuration (serving.knative.dev), 1 Pod
  RayCluster (ray.io): like a bare Pod it is not rolled out: KubeRay does not replace pods of a running cluster
  Configuration (serving.knative.dev): rolloutkit does not support it
  Pod: a bare Pod: no controller replaces its pods when it changes
"
`);
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80}]}\n';
    expect(await rolloutkit('check a.yaml --require-planned', { files: { 'a.yaml': service } })).toMatchObject({ exitCode: 0 });
  });

  describe('is reported for both sides of a diff', () => {
    const cluster = (version: string) => `apiVersion: ray.io/${version}\nkind: RayCluster\nmetadata: {name: a}\n`;
    const files = {
      'old.yaml': `${cluster('v1')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n`,
      'new.yaml': `${cluster('v1')}---\n${cluster('v1alpha1').replace('name: a', 'name: b')}`,
    };
    const line = 'not planned: 2 RayClusters (ray.io; 1 before), 0 Pods (1 before)';

    test('as a line of the text', async () => {
      const { stdout } = await rolloutkit('diff old.yaml new.yaml', { files });
      expect(stdout.split('\n').at(-2)).toBe(line);
      const same = await rolloutkit('diff old.yaml old.yaml', { files });
      expect(same.stdout.split('\n').at(-2)).toBe('not planned: 1 RayCluster (ray.io), 1 Pod');
    });

    test('as a line of the comment', async () => {
      const { stdout } = await rolloutkit('diff old.yaml new.yaml --format markdown', { files });
      expect(stdout).toContain('\nnot planned: 2 RayClusters (ray.io; 1 before), 0 Pods (1 before)\n');
    });

    test('in the JSON, by apiVersion', async () => {
      const { stdout } = await rolloutkit('diff old.yaml new.yaml --format json', { files });
      expect(JSON.parse(stdout)).toMatchObject({
        notPlanned: [
          { apiVersion: 'ray.io/v1', kind: 'RayCluster', old: 1, new: 1 },
          { apiVersion: 'ray.io/v1alpha1', kind: 'RayCluster', old: 0, new: 1 },
          { apiVersion: 'v1', kind: 'Pod', old: 1, new: 0 },
        ],
      });
    });
  });
});

describe('an object that a change deletes and whose controller is not planned', () => {
  const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop }\n';
  const files = (object: string) => ({ 'old.yaml': `${CONFIG}---\n${object}`, 'new.yaml': CONFIG });

  test.each<readonly [string, string]>([
    ['Kustomization', 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: shop }\n'],
    ['HelmRelease', 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: apps, namespace: shop }\n'],
    ['Cluster', 'apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: { name: db, namespace: shop }\n'],
  ])('is counted, and the number of its pods is unknown: %s', async (kind, object) => {
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --prune --require-planned', { files: files(object) });
    expect([exitCode, ...stdout.split('\n').slice(0, 3)]).toEqual([
      1,
      '1 of 2 objects differs: 1 is deleted; the number of affected pods is unknown; assumes Kubernetes 1.36',
      'no rollouts on Kubernetes 1.36: no findings',
      expect.stringContaining(`not planned: 1 ${kind} (`),
    ]);
  });

  test('is not counted if it is kept, or if its pods are known', async () => {
    const kept = 'apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: { name: db, namespace: shop }\n';
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p, namespace: shop }\nspec: { containers: [{ name: c, image: "c:1" }] }\n';
    const check = async (object: string, options: string) => {
      const { exitCode, stdout } = await rolloutkit(`check --from old.yaml new.yaml ${options} --require-planned`, {
        files: files(object),
      });
      return [exitCode, stdout.split('\n')[0]];
    };
    expect(await check(kept, '')).toEqual([0, 'nothing changes: 1 of 2 objects is only in OLD, and kept; assumes Kubernetes 1.36']);
    expect(await check(pod, '--prune')).toEqual([
      0,
      '1 of 2 objects differs: 1 is deleted; 1 pod is removed; needs no extra pods; assumes Kubernetes 1.36',
    ]);
  });
});

describe('an object of a kind that rolloutkit does not know', () => {
  const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop }\n';
  const widget = (size: number) =>
    `${CONFIG}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w, namespace: shop }\nspec: { size: ${size} }\n`;

  test.each<readonly [what: string, old: string, next: string, counts: string]>([
    ['is created', CONFIG, widget(1), '1 is new'],
    ['is changed', widget(1), widget(2), '1 has an unknown effect'],
    ['is deleted', widget(1), CONFIG, '1 is deleted'],
  ])('is not planned if it %s, and the number of its pods is unknown', async (_, old, next, counts) => {
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --prune --require-planned', {
      files: { 'old.yaml': old, 'new.yaml': next },
    });
    expect([exitCode, ...stdout.split('\n').slice(0, 3)]).toEqual([
      1,
      `1 of 2 objects differs: ${counts}; the number of affected pods is unknown; assumes Kubernetes 1.36`,
      'no rollouts on Kubernetes 1.36: no findings',
      'not planned: 1 Widget (example.com)',
    ]);
  });

  test.each<readonly [what: string, old: string, next: string]>([
    ['if it does not change', widget(1), widget(1)],
    ['without a change', '', widget(1)],
  ])('is not counted %s', async (_, old, next) => {
    const args = old === '' ? '' : '--from old.yaml';
    const { exitCode, stdout } = await rolloutkit(`check ${args} new.yaml --require-planned`, {
      files: { 'old.yaml': old, 'new.yaml': next },
    });
    expect([exitCode, stdout.includes('not planned')]).toEqual([0, false]);
  });

  test('is not one whose kind replaces no pod', async () => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r, namespace: shop }\nrules: []\n';
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned', {
      files: { 'old.yaml': CONFIG, 'new.yaml': `${CONFIG}---\n${role}` },
    });
    expect([exitCode, stdout.split('\n')[0]]).toEqual([
      0,
      '1 of 2 objects differs: 1 is new; no pods are affected; assumes Kubernetes 1.36',
    ]);
  });
});

test.each(['ref: { branch: next }', 'ref: { branch: main }, ignore: ""', 'ref: { branch: main }, sparseCheckout: [a]'])(
  'a source of Flux whose files change in a way that no file shows is not planned: %s',
  async (spec) => {
    const sources = (fields: string) =>
      ['GitRepository', 'OCIRepository', 'Bucket']
        .map(
          (kind) => `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: { name: a, namespace: flux }\nspec: { ${fields} }\n`,
        )
        .join('---\n');
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned', {
      files: { 'old.yaml': sources('ref: { branch: main }'), 'new.yaml': sources(spec) },
    });
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining(
        'not planned: 1 GitRepository (source.toolkit.fluxcd.io), 1 OCIRepository (source.toolkit.fluxcd.io), 1 Bucket (source.toolkit.fluxcd.io)',
      ),
    ]);
  },
);

test.each([
  ['monitoring.coreos.com/v1', 'ServiceMonitor'],
  ['cert-manager.io/v1', 'Certificate'],
  ['networking.istio.io/v1', 'VirtualService'],
])('an object whose operator only writes configuration is planned: %s %s', async (apiVersion, kind) => {
  const object = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a, namespace: shop }\n`;
  const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned', {
    files: { 'old.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n', 'new.yaml': object },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/1 is new; no pods are affected/);
});

describe('a deleted object with which Fleet deletes what it applied to clusters', () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n';
  const remove = async (kind: string, spec: string) => {
    const object = `apiVersion: fleet.cattle.io/v1alpha1\nkind: ${kind}\nmetadata: { name: a, namespace: fleet-local }\nspec: { ${spec} }\n`;
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --prune --require-planned', {
      files: { 'old.yaml': `${config}---\n${object}`, 'new.yaml': config },
    });
    const lines = stdout.split('\n');
    return [exitCode, lines[0]?.split(';')[1]?.trim(), lines.find((line) => line.startsWith('not planned'))];
  };

  test.each([
    ['Bundle', 'targets: [{ clusterSelector: {} }]'],
    ['HelmOp', 'helm: { chart: a }'],
    ['GitRepo', 'repo: https://example.com/a, paths: [a]'],
  ])('is not planned: %s', async (kind, spec) => {
    expect(await remove(kind, spec)).toEqual([1, 'the number of affected pods is unknown', `not planned: 1 ${kind} (fleet.cattle.io)`]);
    expect(await remove(kind, `${spec}, keepResources: true`)).toEqual([0, 'no pods are affected', undefined]);
  });
});

test.each([
  ['fluxcd.controlplane.io/v1', 'ResourceSet'],
  ['addons.cluster.x-k8s.io/v1beta1', 'ClusterResourceSet'],
  ['kappctrl.k14s.io/v1alpha1', 'App'],
  ['kubernetes.crossplane.io/v1alpha2', 'Object'],
  ['kubernetes.m.crossplane.io/v1alpha1', 'Object'],
])('an object whose controller applies others is not planned: %s %s', async (apiVersion, kind) => {
  const { stdout } = await rolloutkit('check a.yaml', {
    files: { 'a.yaml': `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n` },
  });
  expect(stdout).toContain(`not planned: 1 ${kind} (${apiVersion.split('/')[0]})`);
});

describe('a deleted object whose pods are not counted is not planned', () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: shop }\n';
  const remove = async (deleted: string, kept = config) => {
    const { stdout } = await rolloutkit('check --from old.yaml new.yaml --prune --require-planned', {
      files: { 'old.yaml': `${kept}---\n${deleted}`, 'new.yaml': kept },
    });
    const lines = stdout.split('\n');
    return [lines[0]?.split(';')[1]?.trim(), lines.find((line) => line.startsWith('not planned'))];
  };
  const knative = (annotations: string) =>
    `apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: { name: a, namespace: shop }\nspec: { template: { metadata: { annotations: { ${annotations} } }, spec: { containers: [{ image: "x:1" }] } } }\n`;
  const fleet = (kind: string, metadata: string, spec: string) =>
    `apiVersion: fleet.cattle.io/v1alpha1\nkind: ${kind}\nmetadata: { name: a, namespace: fleet${metadata} }\nspec: { ${spec} }\n`;
  const group = fleet('ClusterGroup', '', 'selector: { matchLabels: { env: prod } }');
  const bundle = fleet('Bundle', '', 'targets: [{ clusterGroup: a }]');

  test('a Knative Service that scales by load', async () => {
    expect(await remove(knative(''))).toEqual(['the number of affected pods is unknown', 'not planned: 1 Service (serving.knative.dev)']);
    expect(await remove(knative('autoscaling.knative.dev/min-scale: "3"'))).toEqual(['3 pods are removed', undefined]);
  });

  test('a cluster or a group of clusters, unless the bundles and the clusters are in view', async () => {
    const unknown = (kind: string) => ['the number of affected pods is unknown', `not planned: 1 ${kind} (fleet.cattle.io)`];
    expect(await remove(group)).toEqual(unknown('ClusterGroup'));
    expect(await remove(group, bundle)).toEqual(unknown('ClusterGroup'));
    expect(await remove(fleet('Cluster', '', ''))).toEqual(unknown('Cluster'));
    const inView = `${bundle}---\n${fleet('Cluster', ', labels: { env: dev }', '')}`;
    expect(await remove(group, inView)).toEqual(['no pods are affected', undefined]);
  });
});

describe('an object whose change has an unknown effect on pods is not planned', () => {
  const autoscaler = (minReplicas: number) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: ${minReplicas}, maxReplicas: 5 }
`;
  const runtime = (image: string, fields = '') => `apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: { name: sklearn, namespace: shop }
spec: { containers: [{ name: kserve-container, image: ${image} }]${fields} }
`;
  const job = (parallelism: number) => `apiVersion: batch/v1
kind: Job
metadata: { name: j, namespace: shop }
spec: { parallelism: ${parallelism}, template: { spec: { restartPolicy: Never, containers: [{ name: j, image: j }] } } }
`;

  const gitRepo = (fields: string) => `apiVersion: fleet.cattle.io/v1alpha1
kind: GitRepo
metadata: { name: a, namespace: fleet-local }
spec: { repo: https://example.com/a, paths: [apps], ${fields} }
`;

  const node = (disk: string) => `apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { disk: ${disk} } }\n`;

  test.each([
    ['a Node with other labels, which DaemonSets may select', node('ssd'), node('hdd'), '1 Node'],
    ['an autoscaler without its target', autoscaler(1), autoscaler(3), '1 HorizontalPodAutoscaler (autoscaling)'],
    ['a serving runtime without a service', runtime('a'), runtime('b'), '1 ServingRuntime (serving.kserve.io)'],
    [
      'a serving runtime that services may no longer select',
      runtime('a'),
      runtime('a', ', disabled: true'),
      '1 ServingRuntime (serving.kserve.io)',
    ],
    ['a GitRepo with bundles elsewhere', gitRepo('serviceAccount: a'), gitRepo('serviceAccount: b'), '1 GitRepo (fleet.cattle.io)'],
    ['a GitRepo with other targets', gitRepo('targets: []'), gitRepo('targets: [{ clusterName: a }]'), '1 GitRepo (fleet.cattle.io)'],
    ['a Job that starts pods', job(1), job(2), '1 Job (batch)'],
  ])('%s', async (_, old, next, counted) => {
    const files = { 'old.yaml': old, 'new.yaml': next };
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned', { files });
    expect([exitCode, stdout.split('\n')[2]]).toEqual([1, `not planned: ${counted}`]);
  });
});

describe('a webhook or policy of admission that a change brings', () => {
  const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: 'web:1' }] } }
`;
  const rule = (group: string, resource: string) =>
    `[{ apiGroups: ['${group}'], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: ['${resource}'] }]`;
  const webhook = (group: string, resource: string) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: gate }
webhooks:
  - name: gate.example.com
    sideEffects: None
    admissionReviewVersions: [v1]
    clientConfig: { service: { name: gate, namespace: gate } }
    rules: ${rule(group, resource)}
`;
  const policy = (resource: string) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: few }
spec:
  matchConstraints: { resourceRules: ${rule('apps', resource)} }
  validations: [{ expression: object.spec.replicas < 2 }]
`;
  const binding = (action: string) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: few }
spec: { policyName: few, validationActions: [${action}] }
`;
  const check = async (more: string) => {
    const files = { 'old.yaml': web, 'new.yaml': web + more };
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned', { files });
    return [exitCode, stdout.split('\n').find((line) => line.startsWith('not planned'))];
  };
  const ofGroup = '(admissionregistration.k8s.io)';

  test.each([
    ['matches pods', webhook('', 'pods'), `1 ValidatingWebhookConfiguration ${ofGroup}`],
    ['matches the workload', webhook('apps', 'deployments/scale'), `1 ValidatingWebhookConfiguration ${ofGroup}`],
    ['matches what a Deployment creates', webhook('apps', 'replicasets'), `1 ValidatingWebhookConfiguration ${ofGroup}`],
    ['matches everything', webhook('*', '*/*'), `1 ValidatingWebhookConfiguration ${ofGroup}`],
    [
      'is bound',
      policy('deployments') + binding('Deny'),
      `1 ValidatingAdmissionPolicy ${ofGroup}, 1 ValidatingAdmissionPolicyBinding ${ofGroup}`,
    ],
    ['is not in view', binding('Deny'), `1 ValidatingAdmissionPolicyBinding ${ofGroup}`],
    ['may be bound in the cluster', policy('deployments'), `1 ValidatingAdmissionPolicy ${ofGroup}`],
  ])('is not planned if it %s', async (_, more, counted) => {
    expect(await check(more)).toEqual([1, `not planned: ${counted}`]);
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'ends no run if its kind is the name of a property of every object: %s',
    async (kind) => {
      expect(await check(`---\napiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: { name: a }\n`)).toEqual([
        1,
        `not planned: 1 ${kind} ${ofGroup}`,
      ]);
    },
  );

  test.each([
    ['matches other kinds', webhook('cert-manager.io', '*/*')],
    ['only warns', policy('deployments') + binding('Warn, Audit')],
    ['is bound and matches other kinds', policy('statefulsets') + binding('Deny')],
  ])('is not counted if it %s', async (_, more) => {
    expect(await check(more)).toEqual([0, undefined]);
  });
});
