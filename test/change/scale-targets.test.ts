/** A change of an autoscaler, and the pods of what it scales. */
import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

function object(apiVersion: string, kind: string, spec: object): object {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec };
}

const ROLLOUT = object('argoproj.io/v1alpha1', 'Rollout', {
  replicas: 8,
  selector: { matchLabels: { app: 'web' } },
  strategy: { canary: {} },
  template,
});
const SET = object('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', {
  replicas: 8,
  leaderWorkerTemplate: { size: 2, workerTemplate: template },
});
const REPLICA_SET = object('apps/v1', 'ReplicaSet', { replicas: 8, selector: { matchLabels: { app: 'web' } }, template });
const CLUSTER = object('postgresql.cnpg.io/v1', 'Cluster', { instances: 8 });
const SERVICE = {
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { name: 'web', namespace: 'shop', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
  spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', image: 'web:1' }] } },
};

function hpa(apiVersion: string, kind: string, maxReplicas: number, name = 'web'): object {
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef: { apiVersion, kind, name }, maxReplicas });
}

function scaledObject(apiVersion: string, kind: string, maxReplicaCount: number): object {
  const triggers = [{ type: 'cron', metadata: { timezone: 'UTC', start: '0 0 * * *', end: '1 0 * * *', desiredReplicas: '1' } }];
  return object('keda.sh/v1alpha1', 'ScaledObject', { scaleTargetRef: { apiVersion, kind, name: 'web' }, maxReplicaCount, triggers });
}

function summarize(old: readonly object[], next: readonly object[]): string[] {
  const plan = expectValidPlan(planChange(old, next));
  const [headline] = renderPlanText(plan).split('\n');
  const effects = plan.change.objects.map(
    ({ resource, effect, causedBy = [] }) => `${resource.kind} ${effect}${causedBy.map(({ kind }) => ` by ${kind}`).join('')}`,
  );
  return [headline!.replace(/; assumes .*/, ''), ...effects];
}

test.each<[what: string, target: object, autoscaler: object, expected: readonly string[]]>([
  [
    'of a Rollout',
    ROLLOUT,
    hpa('argoproj.io/v1alpha1', 'Rollout', 3),
    [
      '2 of 2 objects differ: 1 scales, 1 is new; 5 pods are removed; needs no extra pods',
      'Rollout scale by HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler create',
    ],
  ],
  [
    'of KEDA for a Rollout',
    ROLLOUT,
    scaledObject('argoproj.io/v1alpha1', 'Rollout', 3),
    [
      '2 of 2 objects differ: 1 scales, 1 is new; 5 pods are removed; needs no extra pods',
      'Rollout scale by ScaledObject',
      'ScaledObject create',
    ],
  ],
  [
    'of a LeaderWorkerSet',
    SET,
    hpa('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', 3),
    [
      '2 of 2 objects differ: 1 scales, 1 is new; 10 pods are removed; needs no extra pods',
      'LeaderWorkerSet scale by HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler create',
    ],
  ],
  [
    'of a bare ReplicaSet',
    REPLICA_SET,
    hpa('apps/v1', 'ReplicaSet', 3),
    [
      '1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown',
      'ReplicaSet none',
      'HorizontalPodAutoscaler unknown',
    ],
  ],
  [
    'of a kind that no system plans',
    CLUSTER,
    hpa('postgresql.cnpg.io/v1', 'Cluster', 3),
    [
      '1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown',
      'Cluster none',
      'HorizontalPodAutoscaler unknown',
    ],
  ],
  [
    'of the Deployment that KServe creates',
    SERVICE,
    hpa('apps/v1', 'Deployment', 3, 'web-predictor'),
    [
      '1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown',
      'InferenceService none',
      'HorizontalPodAutoscaler unknown',
    ],
  ],
])('a new autoscaler %s affects its pods', (_what, target, autoscaler, expected) => {
  expect(summarize([target], [target, autoscaler])).toEqual(expected);
});

test('other bounds scale a Rollout that is above them, and none within them', () => {
  const of = (maximum: number) => [ROLLOUT, hpa('argoproj.io/v1alpha1', 'Rollout', maximum)];
  expect(summarize(of(30), of(3))).toEqual([
    '2 of 2 objects differ: 1 scales, 1 changes settings; 5 pods are removed; needs no extra pods',
    'Rollout scale by HorizontalPodAutoscaler',
    'HorizontalPodAutoscaler settings',
  ]);
  expect(summarize(of(30), of(9))).toEqual([
    '1 of 2 objects differs: 1 changes settings; no pods are affected',
    'Rollout none',
    'HorizontalPodAutoscaler settings',
  ]);
});

test('the effect is unknown if the target is not in view, unless neither the target nor the bounds differ', () => {
  const alone = (maximum: number, more: object = {}) => ({ ...hpa('apps/v1', 'Deployment', maximum), ...more });
  expect(summarize([alone(30)], [alone(3)])).toEqual([
    '1 of 1 object differs: 1 has an unknown effect; the number of affected pods is unknown',
    'HorizontalPodAutoscaler unknown',
  ]);
  const labeled = { metadata: { name: 'web', namespace: 'shop', labels: { team: 'a' } } };
  expect(summarize([alone(30)], [alone(30, labeled)])).toEqual([
    '1 of 1 object differs: 1 changes metadata; no pods are affected',
    'HorizontalPodAutoscaler metadata',
  ]);
});
