import type { Manifest } from '../../src/core/manifest/manifest';
import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

type Annotations = Readonly<Record<string, string>>;

const ARGO_CD = { 'argocd.argoproj.io/hook': 'PostSync' };
const HELM = { 'helm.sh/hook': 'post-install' };
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

const widget = (annotations: Annotations, a: number) => create('acme.io/v1', 'Widget', annotations, { spec: { a } });
const webhook = (annotations: Annotations) =>
  create('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', annotations, {
    webhooks: [{ name: 'a.example.com', rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] }],
  });
const autoscaler = (annotations: Annotations, name = 'api') =>
  create('autoscaling/v2', 'HorizontalPodAutoscaler', annotations, {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, minReplicas: 1, maxReplicas: 2 },
  });

const TAINTED = { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } };
const workload = (annotations: Annotations) => ({ ...WEB, metadata: { name: 'worker', namespace: 'shop', annotations } });

function create(apiVersion: string, kind: string, annotations: Annotations, fields: object = {}): Manifest {
  return { apiVersion, kind, metadata: { name: 'shop', namespace: 'shop', annotations }, ...fields };
}

function countsOf(old: readonly object[], next: readonly object[]) {
  const { change, notPlanned, findings } = expectValidPlan(planChange([WEB, ...old], [WEB, ...next]));
  return {
    effect: change.objects.at(-1)!.effect,
    notPlanned: notPlanned.map(({ kind, count }) => `${count} ${kind}`),
    findings: findings.flatMap(({ code, severity, messageId }) => (code === 'change/hook-pods' ? [`${severity} ${messageId}`] : [])),
  };
}

describe.each([
  ['Argo CD', ARGO_CD],
  ['Helm', HELM],
])('a hook of %s counts as if it were none, since its tool writes it too', (_, hook) => {
  test.each<[what: string, old: Manifest[], next: Manifest, kind: string]>([
    ['of an unknown kind', [], widget(hook, 1), 'Widget'],
    ['of an unknown kind that differs', [widget(hook, 1)], widget(hook, 2), 'Widget'],
    ['that decides about pods', [], webhook(hook), 'ValidatingWebhookConfiguration'],
    ['that scales a workload that is not in view', [], autoscaler(hook), 'HorizontalPodAutoscaler'],
    ['that scales a workload in view', [], autoscaler(hook, 'web'), 'HorizontalPodAutoscaler'],
    ['that evicts pods', [create('v1', 'Node', hook)], create('v1', 'Node', hook, TAINTED), 'Node'],
    ['with a rollout', [], workload(hook), 'Deployment'],
    ['of a class of Gateways', [], create('gateway.networking.k8s.io/v1', 'GatewayClass', hook), 'GatewayClass'],
  ])('%s', (_what, old, next, kind) => {
    expect(countsOf(old, [next])).toMatchObject({ effect: 'hook', notPlanned: [`1 ${kind}`] });
  });

  test('so one that stays as it is, and one that affects no pods, is not counted', () => {
    expect(countsOf([widget(hook, 1)], [widget(hook, 1)])).toEqual({ effect: 'hook', notPlanned: [], findings: [] });
    expect(countsOf([], [create('v1', 'ServiceAccount', hook)])).toEqual({ effect: 'hook', notPlanned: [], findings: [] });
  });

  test('and what is deleted with the former object of one is an error', () => {
    expect(countsOf([create('v1', 'Namespace', {})], [create('v1', 'Namespace', hook)])).toEqual({
      effect: 'hook',
      notPlanned: ['1 Namespace'],
      findings: ['error becomesHook'],
    });
    expect(countsOf([widget({}, 1)], [widget(hook, 1)])).toMatchObject({ effect: 'hook', notPlanned: ['1 Widget'] });
  });

  test('and a claim of devices that becomes one is an error, as one of storage is', () => {
    const claims = [
      create('v1', 'PersistentVolumeClaim', {}, { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }),
      create('resource.k8s.io/v1', 'ResourceClaim', {}, { spec: { devices: {} } }),
    ];
    for (const claim of claims) {
      const marked = { ...claim, metadata: { ...claim.metadata, annotations: hook } };
      expect(countsOf([claim], [marked])).toMatchObject({ effect: 'hook', findings: ['error becomesHook'] });
    }
  });
});
