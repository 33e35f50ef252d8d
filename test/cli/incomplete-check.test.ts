import { recordLateClock } from '../../src/core/budget/late-clocks';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

// A step that finds that its time is over, and leaves something out without a finding about it.
beforeEach(() => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => {
    recordLateClock();
    return now();
  });
});

const FILES = { 'in/web.yaml': WEB, 'policy.yaml': 'strategies: [RollingUpdate]\n' };

test.each(['--require-planned', '--policy policy.yaml'])(
  'a check with %s fails if a step of it was late, whatever became of its findings',
  async (option) => {
    const { exitCode, stdout } = await rolloutkit(`check ${option} --budget seconds=7 in`, { files: FILES });

    expect(exitCode).toBe(1);
    expect(stdout).toContain(`error  input/unreadable
  The check is incomplete: a step of it takes more than 7 seconds.
  fix: Raise the budget with --budget seconds=14, if you trust this input.
`);
  },
);

test('without these options the input can leave out files all the same', async () => {
  expect(await rolloutkit('check in', { files: FILES })).toMatchObject({ exitCode: 0 });
});
