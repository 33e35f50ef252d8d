import type { PlanChange, PlanDiff } from '../../src/core/plan-diff';
import type { ResourceRef } from '../../src/core/rollout';
import { renderDiffJson } from '../../src/render/diff-json';
import { renderDiffMarkdown } from '../../src/render/diff-markdown';
import { renderDiffText } from '../../src/render/diff-text';

const WEB: ResourceRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const LLM: ResourceRef = { apiVersion: 'ray.io/v1', kind: 'RayService', namespace: 'models', name: 'llm' };

function diffWith(changed: readonly PlanChange[], more: Partial<PlanDiff> = {}): PlanDiff {
  return { formatVersion: '1.1', added: [], removed: [], changed, riskier: changed.some(({ effect }) => effect === 'riskier'), ...more };
}

const DIFF = diffWith(
  [
    {
      resource: null,
      field: 'finding input/unreadable',
      old: null,
      new: 'error',
      effect: 'riskier',
      reason: 'The file a.yaml cannot be read.',
    },
    { resource: WEB, field: 'maxSurge', old: '25%', new: 1, effect: 'neutral' },
    { resource: WEB, field: 'maxSurge layer', old: 'platform-config', new: 'user', effect: 'neutral' },
    {
      resource: WEB,
      field: 'peakPods',
      old: 13,
      new: 11,
      effect: 'safer',
      reason: 'The higher the peak, the more room the cluster needs.',
    },
    {
      resource: WEB,
      field: 'update.halted',
      old: null,
      new: { partition: 'a', unavailablePartitions: 1 },
      effect: 'riskier',
      reason: 'It halts.',
    },
    {
      resource: LLM,
      field: 'maxSurgePercent',
      old: 20,
      new: 40,
      effect: 'neutral',
      reason: 'Holds from the next reconcile on.',
      triggers: 'none',
    },
    {
      resource: LLM,
      field: 'spec.serveConfigV2',
      old: '',
      new: 'applications:\n- name: llm\n',
      effect: 'neutral',
      reason: 'It is sent.',
      triggers: 'in-place',
    },
  ],
  {
    added: [
      { ...WEB, name: 'new' },
      { ...WEB, component: 'worker' },
    ],
    removed: [{ ...WEB, name: 'old' }],
  },
);

const NOTHING = diffWith([]);

describe('a difference as text', () => {
  test('is a summary, what came and went, and each rollout with old and new values and what they lead to', () => {
    expect(renderDiffText(DIFF)).toMatchInlineSnapshot(`
"2 rollouts added, 1 rollout removed, 2 rollouts changed and 1 change about no rollout: riskier

added Deployment shop/new
added Deployment shop/web worker

removed Deployment shop/old

about no rollout
  finding input/unreadable  none  ->  error  riskier: The file a.yaml cannot be read.

Deployment shop/web
  maxSurge        25%              ->  1
  maxSurge layer  platform-config  ->  user
  peakPods        13               ->  11                                           safer: The higher the peak, the more room the cluster needs.
  update.halted   none             ->  {"partition":"a","unavailablePartitions":1}  riskier: It halts.

RayService models/llm
  applying it changes what runs, in place
  maxSurgePercent     20  ->  40                            nothing now: Holds from the next reconcile on.
  spec.serveConfigV2  ""  ->  applications:\\n- name: llm\\n  in place: It is sent.
"
`);
  });

  test('says so where nothing differs', () => {
    expect(renderDiffText(NOTHING)).toBe('no difference in any rollout\n');
  });

  test('is coloured for a terminal alone, and a cell is as wide as without', () => {
    const coloured = renderDiffText(DIFF, { colour: true });
    // oxlint-disable-next-line no-control-regex -- the escapes of colours are what is taken out
    expect([coloured === renderDiffText(DIFF), coloured.replaceAll(/\u001b\[\d+m/g, '')]).toEqual([false, renderDiffText(DIFF)]);
    expect(coloured).toContain('\u001b[32mpeakPods');
    expect(coloured).toContain('\u001b[31mupdate.halted');
  });

  test.each<[string, PlanChange['triggers'][], string]>([
    ['a new cluster', ['none', 'new-cluster', 'in-place'], 'applying it makes a new cluster'],
    ['an update in place', ['none', 'in-place'], 'applying it changes what runs, in place'],
    ['nothing', ['none', undefined], 'applying it changes nothing that runs'],
  ])('says of a RayService in a line of its own that there is %s', (_, triggers, line) => {
    const changes = triggers.map((trigger): PlanChange => ({
      resource: LLM,
      field: 'a',
      old: 1,
      new: 2,
      effect: 'neutral',
      triggers: trigger,
    }));
    expect(renderDiffText(diffWith(changes)).split('\n')[3]).toBe(`  ${line}`);
    expect(renderDiffMarkdown(diffWith(changes)).split('\n')[4]).toBe(line);
  });
});

test('a difference as Markdown is a table for each rollout', () => {
  expect(renderDiffMarkdown(DIFF)).toMatchInlineSnapshot(`
"## Rollouts: 2 rollouts added, 1 rollout removed, 2 rollouts changed and 1 change about no rollout: riskier

- added \`Deployment shop/new\`
- added \`Deployment shop/web worker\`

- removed \`Deployment shop/old\`

### About no rollout

| field | old | new | effect |
|---|---|---|---|
| \`finding input/unreadable\` | none | \`error\` | **riskier**: The file a.yaml cannot be read. |

### \`Deployment shop/web\`

| field | old | new | effect |
|---|---|---|---|
| \`maxSurge\` | \`25%\` | \`1\` |  |
| \`maxSurge layer\` | \`platform-config\` | \`user\` |  |
| \`peakPods\` | \`13\` | \`11\` | **safer**: The higher the peak, the more room the cluster needs. |
| \`update.halted\` | none | \`{"partition":"a","unavailablePartitions":1}\` | **riskier**: It halts. |

### \`RayService models/llm\`

applying it changes what runs, in place

| field | old | new | effect |
|---|---|---|---|
| \`maxSurgePercent\` | \`20\` | \`40\` | **nothing now**: Holds from the next reconcile on. |
| \`spec.serveConfigV2\` | \`""\` | <code>applications&#58;&#92;n- name: llm&#92;n</code> | **in place**: It is sent. |
"
`);
  expect(renderDiffMarkdown(NOTHING)).toBe('## Rollouts: no difference in any rollout\n');
});

test('a difference as JSON has the keys of the contract in its order, null for what one side has not', () => {
  const change: PlanChange = {
    triggers: 'none',
    reason: 'why',
    effect: 'neutral',
    new: undefined,
    old: 1,
    field: 'a',
    resource: { name: 'web', kind: 'Deployment', apiVersion: 'apps/v1' },
  };
  expect(renderDiffJson(diffWith([change], { removed: [WEB] }))).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.1",
  "added": [],
  "removed": [
    {
      "apiVersion": "apps/v1",
      "kind": "Deployment",
      "namespace": "shop",
      "name": "web"
    }
  ],
  "changed": [
    {
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "web"
      },
      "field": "a",
      "old": 1,
      "new": null,
      "effect": "neutral",
      "reason": "why",
      "triggers": "none"
    }
  ],
  "riskier": false
}
"
`);
});

describe('text of the input stays text', () => {
  const BAD = '\u001b[31mred\u001b[0m|`x`\\<b>*_[a](http://b)\n@team';
  const diff = diffWith(
    [{ resource: { ...WEB, name: BAD }, field: `finding ${BAD}`, old: BAD, new: [BAD], effect: 'riskier', reason: BAD }],
    { added: [{ ...WEB, name: BAD }] },
  );

  test('for a terminal', () => {
    expect(renderDiffText(diff)).toMatchInlineSnapshot(`
"1 rollout added: riskier

added Deployment shop/\\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team

Deployment shop/\\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team
  finding \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team  \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team  ->  ["\\u001b[31mred\\u001b[0m|\`x\`\\\\<b>*_[a](http://b)\\n@team"]  riskier: \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team
"
`);
  });

  test('for Markdown', () => {
    expect(renderDiffMarkdown(diff)).toMatchInlineSnapshot(`
"## Rollouts: 1 rollout added: riskier

- added <code>Deployment shop/&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code>

### <code>Deployment shop/&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code>

| field | old | new | effect |
|---|---|---|---|
| <code>finding &#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code> | <code>&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code> | <code>&#91;"&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team"&#93;</code> | **riskier**: &#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team |
"
`);
  });

  test('for JSON', () => {
    const json = renderDiffJson(diff);
    expect(json).not.toContain('\u001b');
    expect((JSON.parse(json) as PlanDiff).changed[0]).toEqual(diff.changed[0]);
  });
});

test('long values are cut, but for JSON', () => {
  const diff = diffWith([{ resource: WEB, field: 'a', old: 'x'.repeat(60), new: '😀'.repeat(61), effect: 'neutral' }]);
  expect(renderDiffText(diff)).toContain(`a  ${'x'.repeat(60)}  ->  ${'😀'.repeat(59)}…\n`);
  expect(renderDiffMarkdown(diff)).toContain(`| \`a\` | \`${'x'.repeat(60)}\` | \`${'😀'.repeat(59)}…\` |  |\n`);
  expect(renderDiffJson(diff)).toContain(`"new": "${'😀'.repeat(61)}"`);
});
