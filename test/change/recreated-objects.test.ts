/** What the plan says of objects that a tool deletes and creates again: as of deleted ones, and then of new ones. */
import { rolloutkit } from '../cli/command-line';

const RECREATED = 'argocd.argoproj.io/sync-options: "Force=true,Replace=true"';
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other, namespace: shop }\n';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web, readinessProbe: { tcpSocket: { port: 80 } } }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

function render(apiVersion: string, kind: string, name: string, body: string, annotation = 'a: b'): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name}, namespace: shop, labels: { a: b }, annotations: { ${annotation} } }\n${body}`;
}

/** Returns the headline, what is not planned, and the findings of a change that recreates an object. */
async function checkRecreation(old: string, next: string, others = CONFIG): Promise<readonly unknown[]> {
  const files = { 'old.yaml': `${others}---\n${old}`, 'new.yaml': `${others}---\n${next}` };
  const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --no-config --require-planned', { files });
  const lines = stdout.split('\n');
  const found = lines.filter(
    (line, index) => line.startsWith('not planned') || /^(?:error|warning) +change\//.test(lines[index - 1] ?? ''),
  );
  return [exitCode, lines[0]?.replace(/; assumes.*/, ''), ...found];
}

test.each<[apiVersion: string, kind: string, spec: (image: string) => string]>([
  [
    'apps/v1',
    'StatefulSet',
    (image) =>
      `replicas: 3, serviceName: a, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: ${image} }] } }`,
  ],
  [
    'argoproj.io/v1alpha1',
    'Rollout',
    (image) =>
      `replicas: 3, strategy: { canary: {} }, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: ${image} }] } }`,
  ],
  [
    'serving.kserve.io/v1beta1',
    'InferenceService',
    (image) => `predictor: { minReplicas: 3, containers: [{ name: kserve-container, image: ${image} }] }`,
  ],
  [
    'serving.knative.dev/v1',
    'Service',
    (image) =>
      `template: { metadata: { annotations: { autoscaling.knative.dev/min-scale: "3" } }, spec: { containers: [{ name: a, image: ${image} }] } }`,
  ],
  [
    'leaderworkerset.x-k8s.io/v1',
    'LeaderWorkerSet',
    (image) => `replicas: 1, leaderWorkerTemplate: { size: 3, workerTemplate: { spec: { containers: [{ name: a, image: ${image} }] } } }`,
  ],
])('all pods of an object with a rollout are counted, and its recreation is an error: %s %s', async (apiVersion, kind, spec) => {
  const mode = 'serving.kserve.io/deploymentMode: RawDeployment';
  const [old, next] = [
    render(apiVersion, kind, 'a', `spec: { ${spec('one')} }\n`, mode),
    render(apiVersion, kind, 'a', `spec: { ${spec('two')} }\n`, `${mode}, ${RECREATED}`),
  ];
  expect(await checkRecreation(old, next)).toEqual([
    1,
    '1 of 2 objects differs: 1 is deleted and recreated; 3 pods are replaced; needs no extra pods',
    `  Argo CD deletes ${kind} shop/a with its pods and creates it again, instead of replacing the pods step by step.`,
  ]);
});

test('a Bundle that is recreated is an error and counted, because Fleet deletes what it applied', async () => {
  const bundle = (annotation?: string) =>
    render('fleet.cattle.io/v1alpha1', 'Bundle', 'a', 'spec: { targets: [{ clusterName: a }] }\n', annotation);
  expect(await checkRecreation(bundle(), bundle(RECREATED))).toMatchInlineSnapshot(`
[
  1,
  "1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown",
  "not planned: 1 Bundle (fleet.cattle.io)",
  "  Argo CD deletes Bundle shop/a with its pods and creates it again, instead of replacing the pods step by step.",
]
`);
});

test('pods that run once are counted, and their recreation is no finding', async () => {
  const job = (image: string) =>
    render(
      'batch/v1',
      'Job',
      'a',
      `spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: ${image} }] } } }\n`,
      RECREATED,
    );
  expect(await checkRecreation(job('one'), job('two'))).toMatchInlineSnapshot(`
[
  0,
  "1 of 2 objects differs: 1 is deleted and recreated; 1 pod is replaced; needs no extra pods",
  "  Argo CD deletes and recreates Job shop/a, because the API server refuses the update: spec.template: Invalid value: …: field is immutable.",
]
`);
});

test.each([
  ['v1', 'Namespace', 'shop', ''],
  ['v1', 'Node', 'a', ''],
  ['karpenter.sh/v1', 'NodePool', 'a', ''],
  [
    'batch/v1',
    'CronJob',
    'a',
    'spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: b }] } } } } }\n',
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'widgets.example.com',
    'spec: { group: example.com, scope: Namespaced, names: { kind: Widget, plural: widgets }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n',
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'a',
    'spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: unseen } }\n',
  ],
  ['flagger.app/v1beta1', 'Canary', 'a', 'spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: unseen } }\n'],
  ['fleet.cattle.io/v1alpha1', 'Cluster', 'a', ''],
  ['example.com/v1', 'Widget', 'a', ''],
])('what the deletion of other kinds takes along is counted or reported: %s %s', async (apiVersion, kind, name, body) => {
  const [old, next] = [render(apiVersion, kind, name, body), render(apiVersion, kind, name, body, RECREATED)];
  expect(await checkRecreation(old, next)).toMatchSnapshot();
});

test('a recreated object is counted if the effect of its update would be unknown', async () => {
  const runtime = (image: string, annotation?: string) =>
    render(
      'serving.kserve.io/v1alpha1',
      'ClusterServingRuntime',
      'a',
      `spec: { containers: [{ name: kserve-container, image: ${image} }] }\n`,
      annotation,
    );
  expect(await checkRecreation(runtime('one'), runtime('two', RECREATED))).toMatchInlineSnapshot(`
[
  1,
  "1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown",
  "not planned: 1 ClusterServingRuntime (serving.kserve.io)",
]
`);
  expect(await checkRecreation(runtime('one'), runtime('one', RECREATED))).toMatchInlineSnapshot(`
[
  0,
  "1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown",
]
`);
});

test('objects of NEW that the cluster deletes with a Namespace or a definition are an error', async () => {
  const namespace = (annotation?: string) => render('v1', 'Namespace', 'shop', '', annotation);
  expect(await checkRecreation(namespace(), namespace(RECREATED), WEB)).toMatchInlineSnapshot(`
[
  1,
  "1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown",
  "not planned: 1 Namespace",
  "  Argo CD deletes and recreates Namespace shop, and the cluster deletes with it Deployment shop/web.",
]
`);
});

test('objects of NEW that their tool deletes with their source are an error, although the new source applies them again', async () => {
  const source = (annotation: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux, annotations: { ${annotation} } }\nspec: { path: ./apps, prune: true, sourceRef: { kind: GitRepository, name: a } }\n`;
  const { stdout } = await rolloutkit('check --from old new --no-config --apply argocd', {
    files: {
      'old/apps/web.yaml': WEB,
      'old/source.yaml': source('a: b'),
      'new/apps/web.yaml': WEB,
      'new/source.yaml': source(RECREATED),
    },
  });
  expect(stdout).toMatchInlineSnapshot(`
"1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown; assumes Kubernetes 1.36
1 rollout on Kubernetes 1.36: 1 error
not planned: 1 Kustomization (kustomize.toolkit.fluxcd.io)

error  change/garbage-collected
  Argo CD deletes and recreates Kustomization flux/apps, so Flux deletes Deployment shop/web.
  fix: Let Kustomization flux/apps be updated instead of recreated.

Not checked: what admission webhooks and policies change on apply.
explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});

test.each([
  ['PersistentVolumeClaim', 'data', 'spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n'],
  ['Service', 'web', 'spec: { selector: { app: web }, ports: [{ port: 80 }] }\n'],
])('pods that stay lose an object that they need: %s', async (kind, name, body) => {
  expect(await checkRecreation(render('v1', kind, name, body), render('v1', kind, name, body, RECREATED), WEB)).toMatchSnapshot();
});

test('the line of an object without pods does not say that pods are down', async () => {
  const role = (annotation?: string) => render('rbac.authorization.k8s.io/v1', 'Role', 'a', 'rules: []\n', annotation);
  const files = { 'old.yaml': role(), 'new.yaml': role(RECREATED) };
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --no-config', { files });
  expect(stdout).toMatch(/^! replace +Role shop\/a/m);
  expect(stdout).not.toContain('down');
});

test('a recreated object of a kind that concerns no pods is planned', async () => {
  const role = (annotation?: string) => render('rbac.authorization.k8s.io/v1', 'Role', 'a', 'rules: []\n', annotation);
  expect(await checkRecreation(role(), role(RECREATED))).toMatchInlineSnapshot(`
[
  0,
  "1 of 2 objects differs: 1 is deleted and recreated; the number of affected pods is unknown",
]
`);
});
