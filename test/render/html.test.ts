import type { PlanDocument } from '../../src/core/plan-document';
import type { PlannedRollout } from '../../src/core/rollout';
import { planChange, planManifests } from '../../src/headless';
import { renderPlanHtml } from '../../src/render/pictures';
import { sound } from '../sound-workload';
import { planOf, rolloutOf } from './plans';

const HOSTILE = '"><script>alert(1)</script>\'&\u202e';

function web(name: string, more: object = {}) {
  return sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' }, spec: { replicas: 2, ...more } });
}

/** The opening tags of the rows. */
function rowsOf(html: string): string[] {
  return html.match(/<li class="row"[^>]*>/g) ?? [];
}

const unknown = (name: string): PlannedRollout =>
  rolloutOf(null, {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: name, name },
    findings: [{ code: 'kubernetes/outage', severity: 'warning', messageId: 'seen', data: {}, path: name, message: name, help: name }],
  });

test('a row for each rollout, the worst first, each with what it is filtered by', () => {
  const plan = planManifests([web('fine'), web('down', { strategy: { type: 'Recreate' } })]);
  expect(rowsOf(renderPlanHtml(plan))).toEqual([
    '<li class="row" data-kind="Deployment" data-namespace="shop" data-severity="info" data-finding="kubernetes/outage">',
    '<li class="row" data-kind="Deployment" data-namespace="shop" data-severity="none" data-finding="">',
  ]);
});

test('of a change a row for each object that differs, with its effect', () => {
  const plan = planChange([web('same'), web('more')], [web('same'), web('more', { replicas: 5 }), web('fresh')]);
  expect(rowsOf(renderPlanHtml(plan)).map((row) => /data-effect="([^"]*)"/.exec(row)?.[1])).toEqual(['scale', 'create']);
});

test('of a change what rolls is drawn as it goes today and as it will go, and of what is new it is said that nothing is replaced', () => {
  const old = [web('more', { template: { metadata: { labels: { v: '1' } } } })];
  const next = [web('more', { template: { metadata: { labels: { v: '2' } } } }), web('fresh')];
  const html = renderPlanHtml(planChange(old, next), { before: planManifests(old) });
  expect(html.match(/<figcaption>[^<]*/g)).toEqual(['<figcaption>now', '<figcaption>changed']);
  expect(html).toContain('its first pods start, and nothing is replaced');
});

test('without scripts it says what is missing, and shows no filters', () => {
  expect(renderPlanHtml(planManifests([web('a')]))).toContain('<noscript><style>form{display:none}');
});

test('what needs a decision is said once, with how often and where', () => {
  const twice = [unknown('a'), { ...unknown('b'), findings: unknown('a').findings }];
  const html = renderPlanHtml(planOf(twice));
  expect(html.match(/class="finding warning"/g)).toHaveLength(1);
  expect(html).toContain('2 times');
});

test('the page asks for nothing: no address, and a policy that forbids to fetch', () => {
  const html = renderPlanHtml(planManifests([web('a')]));
  expect(html).not.toMatch(/https?:|src=|@import|url\((?!#)/);
  expect(html).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
});

test('names of the input stay text, in every place that holds one', () => {
  const html = renderPlanHtml(planOf([unknown(HOSTILE), rolloutOf(null, { unit: HOSTILE })]));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('alert(1)</script>');
  expect(html).not.toContain('\u202e');
});

test('it is the same every time, and has a line for an empty plan', () => {
  const empty: PlanDocument = planOf([]);
  expect(renderPlanHtml(empty)).toBe(renderPlanHtml(empty));
  expect(renderPlanHtml(empty)).toContain('<h1>no rollouts on Kubernetes 1.34: no findings</h1>');
});

test('what was not well before an apply is said under the first line', () => {
  const start = {
    replicas: 9,
    revisions: [
      { replicas: 4, available: 4 },
      { replicas: 5, available: 3 },
    ],
    underWay: true,
    health: 'deadline-exceeded',
  } as const;
  expect(renderPlanHtml(planOf([rolloutOf(null, { start })]))).toContain(
    '<p class="quiet">Deployment shop/web: the last rollout has not finished: 5 of 9 updated, deadline exceeded</p>',
  );
});

test('beside an older plan it says what goes otherwise', () => {
  const changed = [
    { resource: rolloutOf(null).resource, field: 'peakPods', old: 3, new: 4, risk: 'riskier', reason: 'more pods at once' },
  ] as const;
  const html = renderPlanHtml({ ...planOf([rolloutOf(null)]), behaviour: { changed, riskier: true } });
  expect(html).toContain('<h2 id="behaviour">What goes otherwise than before</h2>');
  expect(html).toContain('peakPods');
});
