import { ALL_RULES } from '../../src/upgrade/all-rules';
import { renderRulePage } from '../../src/render/text/rule-page';
import { rolloutkit } from './command-line';

test('rolloutkit rules lists every code with its severities and the reason it fires', async () => {
  const { exitCode, stdout } = await rolloutkit('rules');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(ALL_RULES.length);
  expect(stdout).toMatch(/^kubernetes\/outage +warning, info, error +\S/m);
});

test('rolloutkit rules wraps lines at the width of a terminal', async () => {
  const { stdout } = await rolloutkit('rules', { isTTY: true, columns: 100 });
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('rolloutkit rules CODE shows the page of the rule', async () => {
  const outage = ALL_RULES.find(({ code }) => code === 'kubernetes/outage')!;
  expect(await rolloutkit('rules kubernetes/outage')).toEqual({ exitCode: 0, stdout: renderRulePage(outage), stderr: '' });
});

test.each([
  ['fencepost', 'there is no rule "fencepost"; write kubernetes/fencepost; rolloutkit rules lists all'],
  ['kubernetes/outige', 'there is no rule "kubernetes/outige"; write kubernetes/outage; rolloutkit rules lists all'],
  ['one two', "too many arguments for 'rules': it takes 1 argument, but 2 are given; see rolloutkit rules --help"],
])('rules %s is refused with a suggestion', async (args, reason) => {
  expect(await rolloutkit(`rules ${args}`)).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${reason}\n` });
});

test('rolloutkit help plan is rolloutkit plan --help', async () => {
  const help = await rolloutkit('help plan');
  expect(help.stdout).toContain('Usage: rolloutkit plan');
  expect(help).toEqual(await rolloutkit('plan --help'));
});
