import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { planChange, planManifests } from '../../src/headless';
import { renderPlanHtml } from '../../src/render/pictures';
import { planOf, rolloutOf } from './plans';
import { deployment } from '../builders/workload';

const HOSTILE = '"><script>alert(1)</script>\'&\u202e';

function web(name: string, more: object = {}) {
  return deployment({ replicas: 2, ...more }, { name, namespace: 'shop' });
}

/** Returns the opening tags of the rows. */
function rowsOf(html: string): string[] {
  return html.match(/<li class="row"[^>]*>/g) ?? [];
}

const unknown = (name: string): PlannedRollout =>
  rolloutOf(null, {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: name, name },
    findings: [{ code: 'kubernetes/outage', severity: 'warning', messageId: 'seen', data: {}, path: name, message: name, help: name }],
  });

test('a plan has a row for each rollout, worst first, with its filter attributes', () => {
  const plan = planManifests([web('fine'), web('down', { strategy: { type: 'Recreate' } })]);
  expect(rowsOf(renderPlanHtml(plan))).toEqual([
    '<li class="row" data-severity="info" data-finding="kubernetes/outage" data-kind="Deployment" data-namespace="shop">',
    '<li class="row" data-severity="none" data-kind="Deployment" data-namespace="shop">',
  ]);
});

test('a change has a row for each object that differs, with its effect', () => {
  const plan = planChange([web('same'), web('more')], [web('same'), web('more', { replicas: 5 }), web('fresh')]);
  expect(rowsOf(renderPlanHtml(plan)).map((row) => /data-effect="([^"]*)"/.exec(row)?.[1])).toEqual(['scale', 'create']);
});

test('a change draws the current and the planned rollout, and says for new objects that nothing is replaced', () => {
  const old = [web('more', { template: { metadata: { labels: { v: '1' } } } })];
  const next = [web('more', { template: { metadata: { labels: { v: '2' } } } }), web('fresh')];
  const html = renderPlanHtml(planChange(old, next), { before: planManifests(old) });
  expect(html.match(/<figcaption>.*?<\/figcaption>/g)).toEqual([
    '<figcaption><b>now</b> 2 pods: 3 waves, peak 3, at least 2 available</figcaption>',
    '<figcaption><b>changed</b> 2 pods: 3 waves, peak 3, at least 2 available</figcaption>',
  ]);
  expect(html).toContain('its first pods are created; nothing is replaced');
});

test('without scripts, the page says what is missing and hides the filters', () => {
  expect(renderPlanHtml(planManifests([web('a')]))).toContain('<noscript><style>form{display:none}');
});

test('a finding that needs a decision is printed once, with count and locations', () => {
  const twice = [unknown('a'), { ...unknown('b'), findings: unknown('a').findings }];
  const html = renderPlanHtml(planOf(twice));
  expect(html.match(/class="finding warning"/g)).toHaveLength(1);
  expect(html).toContain('2 times');
});

test('the page makes no requests: it has no address, and a policy that forbids fetching', () => {
  const html = renderPlanHtml(planManifests([web('a')]));
  expect(html).not.toMatch(/https?:|src=|@import|url\((?!#)/);
  expect(html).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
});

test('names of the input are escaped everywhere', () => {
  const html = renderPlanHtml(planOf([unknown(HOSTILE), rolloutOf(null, { unit: HOSTILE })]));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('alert(1)</script>');
  expect(html).not.toContain('\u202e');
});

test('the page is deterministic, and an empty plan has a headline', () => {
  const empty: PlanDocument = planOf([]);
  expect(renderPlanHtml(empty)).toBe(renderPlanHtml(empty));
  expect(renderPlanHtml(empty)).toContain('<h1>no rollouts on Kubernetes 1.36: no findings</h1>');
});

test('an unhealthy initial state is shown below the headline', () => {
  const initialState = {
    replicas: 9,
    revisions: [
      { replicas: 4, available: 4 },
      { replicas: 5, available: 3 },
    ],
    underWay: true,
    health: 'deadline-exceeded',
  } as const;
  expect(renderPlanHtml(planOf([rolloutOf(null, { initialState })]))).toContain(
    '<p class="quiet">Deployment shop/web: the last rollout has not finished: 5 of 9 updated, deadline exceeded</p>',
  );
});

test('compared with an older plan, the page shows the changed behaviour', () => {
  const changed = [
    { resource: rolloutOf(null).resource, field: 'peakPods', old: 3, new: 4, risk: 'riskier', reason: 'more pods at once' },
  ] as const;
  const html = renderPlanHtml({ ...planOf([rolloutOf(null)]), behaviour: { changed, riskier: true } });
  expect(html).toContain('<h2 id="behaviour">Changed behaviour</h2>');
  expect(html).toContain('peakPods');
});

test('one bar has all rows, most severe first, and each share filters its own', () => {
  const plan = planManifests([web('fine'), web('well'), web('down', { strategy: { type: 'Recreate' } })]);
  const html = renderPlanHtml(plan);
  expect(html).toContain(
    '<div class="bar" aria-hidden="true"><span class="move" style="flex-grow:1"></span><span class="calm" style="flex-grow:2"></span></div>',
  );
  expect(html.match(/<button type="button".*?<\/button>/g)).toEqual([
    '<button type="button" data-name="severity" data-value="info"><i class="move"></i><b>1</b> with infos</button>',
    '<button type="button" data-name="severity" data-value="none"><i class="calm"></i><b>2</b> without findings</button>',
  ]);
});

test('the bar of a change counts effects, including unchanged objects, which have no rows', () => {
  const html = renderPlanHtml(planChange([web('same'), web('more')], [web('same'), web('more', { replicas: 5 }), web('fresh')]));
  expect(html.match(/<li>(?:<button|<span>).*?<\/li>/g)).toEqual([
    '<li><button type="button" data-name="effect" data-value="scale"><i class="move"></i><b>1</b> scales</button></li>',
    '<li><button type="button" data-name="effect" data-value="create"><i class="fresh"></i><b>1</b> is new</button></li>',
    '<li><span><i class="calm"></i><b>1</b> is unchanged</span></li>',
  ]);
});

test('a row of a change shows the old and new value of each field that differs', () => {
  const old = [web('api', { minReadySeconds: 5 })];
  const next = [web('api', { minReadySeconds: 9, revisionHistoryLimit: 3 })];
  expect(renderPlanHtml(planChange(old, next)).match(/<tr><th scope="row">.*?<\/tr>/g)).toEqual([
    '<tr><th scope="row">spec<wbr/>.minReadySeconds</th><td class="was">5</td><td class="is">9</td></tr>',
    '<tr><th scope="row">spec<wbr/>.revisionHistoryLimit</th><td class="was">10</td><td class="is">3</td></tr>',
  ]);
});

test('infos about no rollout are below the rows', () => {
  const note = { code: 'fleet/no-inventory', severity: 'info', messageId: 'seen', data: {}, path: '', message: 'No clusters.' } as const;
  const html = renderPlanHtml(planOf([rolloutOf(null)], [note]));
  expect(html.slice(html.indexOf('<h2 id="know">'))).toContain('<p>No clusters.</p>');
});

test('elements that may be empty have an end tag', () => {
  const html = renderPlanHtml(planOf([unknown('a'), rolloutOf(null)], unknown('b').findings));
  const withoutEnd = new Set(['meta', 'input', 'wbr', 'path', 'rect', 'circle']);
  const closed = [...html.matchAll(/<(\w+)[^<>]*\/>/g)].map(([, name]) => name!);
  expect(closed.filter((name) => !withoutEnd.has(name))).toEqual([]);
});

test('the page says that nothing differs, or that there are no rollouts', () => {
  expect(renderPlanHtml(planChange([web('same')], [web('same')]))).toContain('<p class="empty">No object differs.</p>');
  expect(renderPlanHtml(planOf([]))).toContain('<p class="empty">There are no rollouts.</p>');
});
