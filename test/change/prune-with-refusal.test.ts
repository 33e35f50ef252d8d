import { planChange } from '../../src/change/plan-change';
import type { ChangeOptions } from '../../src/change/change-options';
import { formatPlanHeadline, renderPlanText } from '../../src/render/text/plan';

const workload = (kind: string, apiVersion: string, name: string, spec: object) => ({ apiVersion, kind, metadata: { name }, spec });

const template = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } });

const deployment = (name: string, app: string) =>
  workload('Deployment', 'apps/v1', name, { replicas: 3, selector: { matchLabels: { app } }, template: template(app) });

const argoRollout = (maxSurge: number) =>
  workload('Rollout', 'argoproj.io/v1alpha1', 'api', {
    replicas: 2,
    selector: { matchLabels: { app: 'api' } },
    strategy: { canary: { maxSurge, maxUnavailable: 0 } },
    template: template('api'),
  });

const leaderWorkerSet = (maxSurge: number) =>
  workload('LeaderWorkerSet', 'leaderworkerset.x-k8s.io/v1', 'api', {
    replicas: 2,
    rolloutStrategy: { rollingUpdateConfiguration: { maxSurge, maxUnavailable: 0 } },
    leaderWorkerTemplate: { size: 2, workerTemplate: template('api') },
  });

const gone = deployment('gone', 'gone');

/** Plans a change that prunes one Deployment of 3 pods, beside one other object. */
function prune(before: object, after: object, apply?: ChangeOptions['apply']) {
  const plan = planChange([before, gone], [after], { prune: true, ...(apply && { apply }) });
  const { objects, summary } = plan.change;
  return {
    effects: Object.fromEntries(objects.map(({ resource, effect }) => [resource.name, effect])),
    deleted: summary.delete,
    kept: summary.kept,
    podsRemoved: summary.podsRemoved,
    headline: formatPlanHeadline(plan),
    text: renderPlanText(plan),
  };
}

/** An object whose selector changes, which the API server refuses. */
const refused = [deployment('api', 'api'), deployment('api', 'web')] as const;

const KEPT = { effects: { api: 'refused', gone: 'none' }, deleted: 0, kept: 1, podsRemoved: 0 };

const DELETED = { effects: { api: 'refused', gone: 'delete' }, deleted: 1, kept: 0, podsRemoved: 3 };

test.each(['client', 'server', 'helm', 'helm4', 'flux', 'fleet'] as const)(
  'a tool deletes nothing after an object is refused: --apply %s',
  (apply) => {
    expect(prune(...refused, apply)).toMatchObject(KEPT);
  },
);

test('Argo CD prunes before it applies, so an object that is refused stops nothing', () => {
  expect(prune(...refused, 'argocd')).toMatchObject(DELETED);
});

test('the text says why an object is kept although it should be pruned', () => {
  const { headline, text } = prune(...refused);
  expect(headline).toBe('1 of 2 objects differs: 1 is refused; no pods are affected; assumes Kubernetes 1.36');
  expect(text).toContain('1 object in OLD is not in NEW and is kept: an object is refused, or the tool never prunes it');
});

test('an object that its controller refuses is stored, so kubectl goes on and prunes', () => {
  expect(prune(argoRollout(1), argoRollout(0))).toMatchObject(DELETED);
});

test('an object that a webhook refuses is an error of the apply', () => {
  expect(prune(leaderWorkerSet(1), leaderWorkerSet(0))).toMatchObject(KEPT);
});

test('without a refusal all objects are pruned that NEW lacks', () => {
  const same = deployment('api', 'api');
  expect(prune(same, same)).toMatchObject({ ...DELETED, effects: { api: 'none', gone: 'delete' } });
});
