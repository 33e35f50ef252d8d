import type { Finding } from '../../src/core/findings/finding';
import type { PlannedRollout } from '../../src/core/document/rollout';
import type { DeploymentSimulation } from '../../src/core/simulations/deployment';
import { renderCheckText, renderPlanText } from '../../src/render/text/plan';
import type { TextOptions } from '../../src/render/text/plan';
import { withoutColours } from '../without-colours';
import { planOf, rolloutOf } from './plans';

const ROLLING: DeploymentSimulation = {
  kind: 'deployment',
  replicas: 1,
  surge: 1,
  unavailable: 0,
  waves: [
    { wave: 1, newReplicas: 1, oldReplicas: 1, total: 2, available: 1 },
    { wave: 2, newReplicas: 1, oldReplicas: 0, total: 1, available: 1 },
  ],
  iterations: 1,
  peakPods: 2,
  minAvailable: 1,
};

function finding(severity: Finding['severity'], message: string, code = 'kubernetes/outage'): Finding {
  return { code, severity, messageId: 'seen', data: {}, path: 'spec', message, help: 'Write less.' };
}

function web(name: string, ...findings: readonly Finding[]): PlannedRollout {
  return rolloutOf(ROLLING, { resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name }, findings });
}

function numbered(count: number, from = 1): PlannedRollout[] {
  return Array.from({ length: count }, (_, index) => web(`web-${index + from}`));
}

function shown(rollouts: readonly PlannedRollout[], options?: TextOptions): string {
  return renderPlanText(planOf(rollouts), options);
}

/** Returns the names of the rollouts whose waves are shown. */
function detailed(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.endsWith(' (kubernetes)') ? [line.slice('Deployment shop/'.length, -' (kubernetes)'.length)] : []));
}

test('a message about several rollouts is printed once with count and locations, worst first, before one line per rollout', () => {
  const nothing = finding('warning', 'Nothing is available.');
  const text = shown(
    [
      web('a', nothing, finding('info', 'Fine.', 'kubernetes/fencepost')),
      web('b'),
      web('c', nothing, finding('error', 'Refused.', 'kubernetes/invalid-strategy')),
    ],
    { details: 'none' },
  );
  expect(text).toMatchInlineSnapshot(`
"3 rollouts on Kubernetes 1.36: 1 error, 2 warnings and 1 info

error  kubernetes/invalid-strategy  Deployment shop/c  spec
  Refused.
  fix: Write less.

warning  kubernetes/outage  2 times
  Nothing is available.
  fix: Write less.
  at: Deployment shop/a  spec
  at: Deployment shop/c  spec

✗  Deployment shop/c  1 pod: 2 waves, peak 2, at least 1 available
!  Deployment shop/a  1 pod: 2 waves, peak 2, at least 1 available
   Deployment shop/b  1 pod: 2 waves, peak 2, at least 1 available
a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});

test('of different messages of one kind, the overview has the first, and each rollout its own', () => {
  const text = shown([web('a', finding('warning', 'a is down.')), web('b', finding('warning', 'b is down.'))]);
  expect(text.split('\n').filter((line) => line.includes('is down'))).toEqual(['  the first: a is down.', '    b is down.']);
});

test('messages with different fixes count as different, and each rollout has its own fix', () => {
  const down = finding('warning', 'It is down.');
  const text = shown([web('a', down), web('b', { ...down, help: 'Write more.' })]);
  expect(text.split('\n').filter((line) => /is down|fix:/.test(line))).toEqual([
    '  the first: It is down.',
    '  fix: Write less.',
    '    It is down.',
    '    fix: Write more.',
  ]);
});

test('a group of findings lists five locations and counts the others', () => {
  const lines = shown(
    numbered(8).map((rollout) => ({ ...rollout, findings: [finding('warning', 'Down.')] })),
    { details: 'none' },
  ).split('\n');
  expect(lines.filter((line) => line.includes('at: '))).toHaveLength(5);
  expect(lines).toContain('  and 3 more');
});

describe('waves are shown', () => {
  const ten = [...numbered(9), web('bad', finding('warning', 'Down.'))];
  const eleven = [...ten, web('fine', finding('info', 'Fine.'))];
  const halting = rolloutOf(
    { ...ROLLING },
    {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'stuck' },
      capacity: { verdict: 'deadlocks', peakPods: 2, podsThatFit: 1, deadlockWave: 1, message: 'No.' },
    },
  );

  test('for all of up to 10 rollouts', () => expect(detailed(shown(ten))).toHaveLength(10));
  test('for more rollouts, only for those with a warning or an error', () => expect(detailed(shown(eleven))).toEqual(['bad']));
  test('and for those that never finish', () => expect(detailed(shown([...eleven, halting]))).toEqual(['bad', 'stuck']));
  test('for all rollouts on request', () => expect(detailed(shown(eleven, { details: 'all' }))).toHaveLength(11));
  test('for no rollout on request', () => expect(detailed(shown(ten, { details: 'none' }))).toEqual([]));
  test('only for rollouts with errors if the minimum severity is error', () => {
    expect(detailed(shown([...eleven, web('worse', finding('error', 'No.'))], { minSeverity: 'error' }))).toEqual(['worse']);
  });
});

test('a rollout that never finishes is counted in the first line and marked', () => {
  const stuck = {
    ...web('stuck'),
    capacity: { verdict: 'deadlocks', peakPods: 2, podsThatFit: 1, deadlockWave: 1, message: 'No.' },
  } as const;
  const lines = shown([web('a'), stuck]).split('\n');
  expect(lines[0]).toBe('2 rollouts on Kubernetes 1.36: 1 never finishes, no findings');
  expect(lines[2]).toBe('✗  Deployment shop/stuck  deadlocks at wave 1: its pods do not fit');
});

test('a text longer than a screen repeats its first line at its end', () => {
  const lines = shown(numbered(60)).trimEnd().split('\n');
  expect([lines.at(-1), lines.at(-2)]).toEqual([lines[0], '']);
  expect(shown(numbered(1)).trimEnd().split('\n').at(-1)).toBe('     2    1    0      1          1');
});

test('a text with findings ends with where to read more, after a repeated first line', () => {
  const reference = 'explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression';
  const warning = web('a', finding('warning', 'Down.'));
  const lines = shown([...numbered(60), warning])
    .trimEnd()
    .split('\n');
  expect(lines.slice(-3)).toEqual(['', lines[0], reference]);
  expect(shown([warning]).trimEnd().split('\n').slice(-2)).toEqual(['', reference]);
  expect(shown([web('a', finding('info', 'Fine.'))], { minSeverity: 'warning' })).not.toContain('explain a code');
  expect(
    renderCheckText(planOf([warning]))
      .trimEnd()
      .split('\n')
      .slice(-2),
  ).toEqual(['', reference]);
  expect(renderCheckText(planOf(numbered(1)))).not.toContain('explain a code');
});

test('findings below a severity are counted and not shown', () => {
  const text = shown([web('a', finding('warning', 'Down.'), finding('info', 'Fine.'))], { minSeverity: 'warning' });
  expect(text).toContain(': 1 warning and 1 info\n');
  expect(text).not.toContain('Fine.');
});

test('no line is wider than the terminal, words are not broken, and continuation lines are indented', () => {
  const long = finding('warning', 'Every pod of this rollout is down at the same time, so that nothing answers until a new one is ready.');
  const lines = shown([web('a', long), web('b')], { width: 60 }).split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.slice(2, 7)).toMatchInlineSnapshot(`
[
  "warning  kubernetes/outage  Deployment shop/a  spec",
  "  Every pod of this rollout is down at the same time, so",
  "    that nothing answers until a new one is ready.",
  "  fix: Write less.",
  "",
]
`);
});

test('the text is the same with and without colour', () => {
  const rollouts = [web('a', finding('error', 'Down.')), web('b')];
  expect(withoutColours(shown(rollouts, { colour: true }))).toBe(shown(rollouts));
});

describe('a long table', () => {
  const rows = (count: number, step: (wave: number) => { newReplicas: number; oldReplicas: number }) =>
    shown([
      rolloutOf({
        ...ROLLING,
        waves: Array.from({ length: count }, (_, index) => ({ wave: index + 1, ...step(index + 1), total: 9, available: 9 })),
      }),
    ])
      .split('\n')
      .slice(9, -1);

  test('shows its first rows, those where the steps change, and its last', () => {
    expect(rows(40, (wave) => ({ newReplicas: wave, oldReplicas: wave < 20 ? 20 : 40 - wave }))).toMatchInlineSnapshot(`
[
  "     1    1   20      9          9",
  "     2    2   20      9          9",
  "    … 17 more waves like these …",
  "    20   20   20      9          9",
  "    21   21   19      9          9",
  "    … 18 more waves like these …",
  "    40   40    0      9          9",
]
`);
  });

  test('of up to 10 rows is complete', () => {
    expect(rows(10, (wave) => ({ newReplicas: wave, oldReplicas: 10 - wave }))).toHaveLength(10);
  });

  test('without a pattern is complete', () => {
    expect(rows(12, (wave) => ({ newReplicas: wave * wave, oldReplicas: 0 }))).toHaveLength(12);
  });

  test('is also shortened if two columns move in turns', () => {
    expect(rows(40, (wave) => ({ newReplicas: Math.floor(wave / 2), oldReplicas: 40 - Math.ceil(wave / 2) }))).toMatchInlineSnapshot(`
[
  "     1    0   39      9          9",
  "     2    1   39      9          9",
  "     3    1   38      9          9",
  "    … 36 more waves like these …",
  "    40   20   20      9          9",
]
`);
  });
});
