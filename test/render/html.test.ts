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
    '<li class="row" data-severity="info" data-finding="kubernetes/outage" data-kind="Deployment" data-namespace="shop">',
    '<li class="row" data-severity="none" data-kind="Deployment" data-namespace="shop">',
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
  expect(html.match(/<figcaption>.*?<\/figcaption>/g)).toEqual([
    '<figcaption><b>now</b> 2 pods: 3 waves, peak 3, at least 2 available</figcaption>',
    '<figcaption><b>changed</b> 2 pods: 3 waves, peak 3, at least 2 available</figcaption>',
  ]);
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
  expect(renderPlanHtml(planOf([rolloutOf(null, { initialState: start })]))).toContain(
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

test('all rows stand in one bar, the loudest first, and each part shows its own', () => {
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

test('of a change the bar counts effects, those that stay too, which have no rows to show', () => {
  const html = renderPlanHtml(planChange([web('same'), web('more')], [web('same'), web('more', { replicas: 5 }), web('fresh')]));
  expect(html.match(/<li>(?:<button|<span>).*?<\/li>/g)).toEqual([
    '<li><button type="button" data-name="effect" data-value="scale"><i class="move"></i><b>1</b> scales</button></li>',
    '<li><button type="button" data-name="effect" data-value="create"><i class="fresh"></i><b>1</b> is new</button></li>',
    '<li><span><i class="calm"></i><b>1</b> stays</span></li>',
  ]);
});

test('a row of a change shows each field that differs, as it is and as it will be', () => {
  const old = [web('api', { minReadySeconds: 5 })];
  const next = [web('api', { minReadySeconds: 9, revisionHistoryLimit: 3 })];
  expect(renderPlanHtml(planChange(old, next)).match(/<tr><th scope="row">.*?<\/tr>/g)).toEqual([
    '<tr><th scope="row">spec<wbr/>.minReadySeconds</th><td class="was">5</td><td class="is">9</td></tr>',
    '<tr><th scope="row">spec<wbr/>.revisionHistoryLimit</th><td class="was">10</td><td class="is">3</td></tr>',
  ]);
});

test('what only explains and is about no rollout is said too, below the rows', () => {
  const note = { code: 'fleet/no-inventory', severity: 'info', messageId: 'seen', data: {}, path: '', message: 'No clusters.' } as const;
  const html = renderPlanHtml(planOf([rolloutOf(null)], [note]));
  expect(html.slice(html.indexOf('<h2 id="know">'))).toContain('<p>No clusters.</p>');
});

test('no element is left open: of what may be empty each has its end', () => {
  const html = renderPlanHtml(planOf([unknown('a'), rolloutOf(null)], unknown('b').findings));
  const withoutEnd = new Set(['meta', 'input', 'wbr', 'path', 'rect', 'circle']);
  const closed = [...html.matchAll(/<(\w+)[^<>]*\/>/g)].map(([, name]) => name!);
  expect(closed.filter((name) => !withoutEnd.has(name))).toEqual([]);
});

test('where nothing differs, or nothing rolls out, the page says so', () => {
  expect(renderPlanHtml(planChange([web('same')], [web('same')]))).toContain('<p class="empty">No object differs.</p>');
  expect(renderPlanHtml(planOf([]))).toContain('<p class="empty">There are no rollouts here.</p>');
});
