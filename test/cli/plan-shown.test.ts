import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { withoutColours } from '../without-colours';
import { QUOTED, WEB, withStrategy } from './manifests';
import type { PlanDocument } from '../../src/core/document/plan-document';

const files = {
  'web.yaml': WEB,
  'down.yaml': withStrategy('{type: Recreate}', 'down'),
  'other.yaml': WEB.replace('namespace: shop', 'namespace: other'),
};

async function shown(args: string, setting: Setting = {}): Promise<readonly string[]> {
  const { stdout, stderr, exitCode } = await rolloutkit(`plan . ${args}`, { files, ...setting });
  return exitCode === 0
    ? stdout.split('\n').filter((line) => /^\s*[✗!i]?\s+\S+ (?:shop|other)\/|^shown:|^\d+ rollout/.test(line))
    : [stderr];
}

test('--resource and --namespace filter what is shown, and the first line summarizes the complete plan', async () => {
  expect(await shown('--details none --resource deployment/other/web')).toMatchInlineSnapshot(`
[
  "3 rollouts on Kubernetes 1.36 (assumed): 1 info",
  "shown: 1 of 3 rollouts",
  "   Deployment other/web  10 pods: 3 waves, peak 13, at least 8 available",
]
`);
  expect(await shown('--details none --namespace shop')).toMatchInlineSnapshot(`
[
  "3 rollouts on Kubernetes 1.36 (assumed): 1 info",
  "shown: 2 of 3 rollouts",
  "i  Deployment shop/down  10 pods: 2 waves, peak 10, none available at the worst moment",
  "   Deployment shop/web   10 pods: 3 waves, peak 13, at least 8 available",
]
`);
  expect(await shown('--details none --namespace shop --resource Deployment/down')).toMatchInlineSnapshot(`
[
  "3 rollouts on Kubernetes 1.36 (assumed): 1 info",
  "shown: 1 of 3 rollouts",
  "i  Deployment shop/down  10 pods: 2 waves, peak 10, none available at the worst moment",
]
`);
});

test('in the plan document they omit rollouts, and its counts stay those of the complete plan', async () => {
  const { stdout } = await rolloutkit('plan . --format json --resource Deployment/down --min-severity warning', { files });
  const { rollouts, summary } = JSON.parse(stdout) as PlanDocument;
  expect(rollouts.map(({ resource, findings }) => [resource.name, findings])).toEqual([['down', []]]);
  expect(summary).toMatchObject({ rollouts: 3, infos: 1 });
});

test('--width sets the width of a picture', async () => {
  const { stdout } = await rolloutkit('plan web.yaml --format svg --width 1200', { files });
  expect(/^<svg [^>]*width="(\d+)"/.exec(stdout)?.[1]).toBe('1200');
});

test.each([
  ['--resource Deployment/shop/wed', 'there is no Deployment/shop/wed among the rollouts; the closest are Deployment/shop/web'],
  ['--resource web', '--resource takes KIND/NAME'],
  ['--namespace nowhere', '--namespace nowhere is not in this plan; write shop or other'],
  ['--details some', '--details some is not supported; write none, findings or all'],
  ['--width 800', '--width applies only to --format svg; omit it for --format text'],
  ['--format svg --width 279', '--width takes a number of pixels from 280 to 10000, not "279"'],
  ['--format svg --width wide', '--width takes a number of pixels from 280 to 10000, not "wide"'],
  ['--min-severity bad', '--min-severity bad is not a severity; write error, warning or info'],
])('plan . %s is not run', async (args, reason) => {
  const { exitCode, stdout, stderr } = await rolloutkit(`plan web.yaml other.yaml ${args}`, { files });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});

describe('colour', () => {
  test.each<[Record<string, string>, boolean, boolean]>([
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, false, true],
  ])('with %j, at a terminal: %s, is used: %s', async (env, isTTY, isColoured) => {
    const { stdout } = await rolloutkit('plan web.yaml', { files: { 'web.yaml': QUOTED }, env, isTTY });
    expect(stdout.includes('\u001b[')).toBe(isColoured);
  });
});

test('lines are wrapped at the width of the terminal, and not wrapped without a terminal', async () => {
  const quoted = { 'web.yaml': QUOTED };
  const widest = async (setting: Setting) => {
    const { stdout } = await rolloutkit('plan web.yaml', { files: quoted, ...setting });
    return Math.max(
      ...withoutColours(stdout)
        .split('\n')
        .map((line) => line.length),
    );
  };
  expect(await widest({ isTTY: true, columns: 72 })).toBeLessThanOrEqual(72);
  expect(await widest({ columns: 72 })).toBeGreaterThan(100);
});

test.each(['plan in', 'upgrade kubernetes=1.34..1.36 in', 'plan --from in/web.yaml in'])(
  '%s --format svg says on standard error what is missing from the picture, because it cannot be read or planned',
  async (command) => {
    const bad = `${WEB}          args: ["${'$(A)'.repeat(12_000)}"]\n          env: [{name: A, value: ${'x'.repeat(50_000)}}]\n`;
    const broken = { 'in/web.yaml': WEB, 'in/bad.yaml': bad.replace('name: web', 'name: bad'), 'in/list.yaml': 'kind: [\n' };
    const { exitCode, stderr } = await rolloutkit(`${command} --format svg`, { files: broken });
    expect([exitCode, ...stderr.trim().split('\n')]).toEqual([
      0,
      expect.stringContaining('in/bad.yaml:1:1: Deployment shop/bad cannot be planned'),
      expect.stringContaining('in/list.yaml:1:7: The document that begins at line 1 cannot be read'),
    ]);
  },
);
