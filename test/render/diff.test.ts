import type { PlanChange } from '../../src/core/document/behaviour';
import type { PlanDiff } from '../../src/core/document/plan-diff';
import type { ResourceRef } from '../../src/core/document/rollout';
import { renderDiffJson } from '../../src/render/json/diff';
import { renderDiffMarkdown } from '../../src/render/markdown/diff';
import { renderDiffText } from '../../src/render/text/diff';

const WEB: ResourceRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const LLM: ResourceRef = { apiVersion: 'ray.io/v1', kind: 'RayService', namespace: 'models', name: 'llm' };

function diffWith(changed: readonly PlanChange[], more: Partial<PlanDiff> = {}): PlanDiff {
  return { formatVersion: '1.2', changed, notPlanned: [], riskier: changed.some(({ risk }) => risk === 'riskier'), ...more };
}

const DIFF = diffWith([
  { resource: WEB, field: 'maxSurge', old: '25%', new: 1, risk: 'neutral' },
  { resource: WEB, field: 'maxSurge layer', old: 'platform-config', new: 'user', risk: 'neutral' },
  {
    resource: WEB,
    field: 'peakPods',
    old: 13,
    new: 11,
    risk: 'safer',
    reason: 'The higher the peak, the more room the cluster needs.',
  },
  {
    resource: WEB,
    field: 'update.halted',
    old: null,
    new: { partition: 'a', unavailablePartitions: 1 },
    risk: 'riskier',
    reason: 'It halts.',
  },
  {
    resource: LLM,
    field: 'maxSurgePercent',
    old: 20,
    new: 40,
    risk: 'neutral',
    reason: 'Holds from the next reconcile on.',
  },
  {
    resource: LLM,
    field: 'spec.serveConfigV2',
    old: '',
    new: 'applications:\n- name: llm\n',
    risk: 'neutral',
    reason: 'It is sent.',
  },
]);

const NOTHING = diffWith([]);

describe('a diff as text', () => {
  test('has a summary and each rollout with old and new values and the consequences', () => {
    expect(renderDiffText(DIFF)).toMatchInlineSnapshot(`
"2 rollouts behave differently: riskier

Deployment shop/web
  maxSurge        25%              ->  1
  maxSurge layer  platform-config  ->  user
  peakPods        13               ->  11                                           safer: The higher the peak, the more room the cluster needs.
  update.halted   none             ->  {"partition":"a","unavailablePartitions":1}  riskier: It halts.

RayService models/llm
  maxSurgePercent     20  ->  40                            Holds from the next reconcile on.
  spec.serveConfigV2  ""  ->  applications:\\n- name: llm\\n  It is sent.
"
`);
  });

  test('says that nothing differs', () => {
    expect(renderDiffText(NOTHING)).toBe('no rollout behaves differently\n');
  });

  test('has colours only for a terminal, with the same width of cells', () => {
    const coloured = renderDiffText(DIFF, { colour: true });
    // oxlint-disable-next-line no-control-regex -- removes the escape sequences of colours
    expect([coloured === renderDiffText(DIFF), coloured.replaceAll(/\u001b\[\d+m/g, '')]).toEqual([false, renderDiffText(DIFF)]);
    expect(coloured).toContain('\u001b[32mpeakPods');
    expect(coloured).toContain('\u001b[31mupdate.halted');
  });
});

test('a diff as Markdown has a table for each rollout', () => {
  expect(renderDiffMarkdown(DIFF)).toMatchInlineSnapshot(`
"<!-- rolloutkit: the plan of this change -->
## 2 rollouts behave differently: riskier

<details><summary>Deployment shop/web: 4 fields, 1 riskier, 1 safer</summary>

| field | old | new | risk |
|---|---|---|---|
| \`maxSurge\` | \`25%\` | \`1\` |  |
| \`maxSurge layer\` | \`platform-config\` | \`user\` |  |
| \`peakPods\` | \`13\` | \`11\` | **safer**: The higher the peak, the more room the cluster needs. |
| \`update.halted\` | none | \`{"partition":"a","unavailablePartitions":1}\` | **riskier**: It halts. |

</details>

<details><summary>RayService models/llm: 2 fields</summary>

| field | old | new | risk |
|---|---|---|---|
| \`maxSurgePercent\` | \`20\` | \`40\` | Holds from the next reconcile on. |
| \`spec.serveConfigV2\` | \`""\` | <code>applications&#58;&#92;n- name: llm&#92;n</code> | It is sent. |

</details>
"
`);
  expect(renderDiffMarkdown(NOTHING)).toBe('<!-- rolloutkit: the plan of this change -->\n## no rollout behaves differently\n');
});

test('a diff as JSON has the keys in the order of the contract, and null for a missing value', () => {
  const change: PlanChange = {
    reason: 'why',
    risk: 'neutral',
    new: undefined,
    old: 1,
    field: 'a',
    resource: { name: 'web', kind: 'Deployment', apiVersion: 'apps/v1' },
  };
  expect(renderDiffJson(diffWith([change]))).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
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
      "risk": "neutral",
      "reason": "why"
    }
  ],
  "riskier": false,
  "notPlanned": []
}
"
`);
});

describe('text of the input is escaped', () => {
  const BAD = '\u001b[31mred\u001b[0m|`x`\\<b>*_[a](http://b)\n@team';
  const diff = diffWith([{ resource: { ...WEB, name: BAD }, field: `finding ${BAD}`, old: BAD, new: [BAD], risk: 'riskier', reason: BAD }]);

  test('for a terminal', () => {
    expect(renderDiffText(diff)).toMatchInlineSnapshot(`
"1 rollout behaves differently: riskier

Deployment shop/\\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team
  finding \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team  \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team  ->  ["\\u001b[31mred\\u001b[0m|\`x\`\\\\<b>*_[a](http://b)\\n@team"]  riskier: \\u001b[31mred\\u001b[0m|\`x\`\\<b>*_[a](http://b)\\n@team
"
`);
  });

  test('for Markdown', () => {
    expect(renderDiffMarkdown(diff)).toMatchInlineSnapshot(`
"<!-- rolloutkit: the plan of this change -->
## 1 rollout behaves differently: riskier

<details><summary>Deployment shop/&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team: 1 field, 1 riskier</summary>

| field | old | new | risk |
|---|---|---|---|
| <code>finding &#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code> | <code>&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team</code> | <code>&#91;"&#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team"&#93;</code> | **riskier**: &#92;u001b&#91;31mred&#92;u001b&#91;0m&#124;&#96;x&#96;&#92;&#60;b&#62;&#42;&#95;&#91;a&#93;(http&#58;//b)&#92;n&#64;team |

</details>
"
`);
  });

  test('for JSON', () => {
    const json = renderDiffJson(diff);
    expect(json).not.toContain('\u001b');
    expect((JSON.parse(json) as PlanDiff).changed[0]).toEqual(diff.changed[0]);
  });
});

test('long values are truncated, except in JSON', () => {
  const diff = diffWith([{ resource: WEB, field: 'a', old: 'x'.repeat(60), new: '😀'.repeat(61), risk: 'neutral' }]);
  expect(renderDiffText(diff)).toContain(`a  ${'x'.repeat(60)}  ->  ${'😀'.repeat(59)}…\n`);
  expect(renderDiffMarkdown(diff)).toContain(`| \`a\` | \`${'x'.repeat(60)}\` | \`${'😀'.repeat(59)}…\` |  |\n`);
  expect(renderDiffJson(diff)).toContain(`"new": "${'😀'.repeat(61)}"`);
});
