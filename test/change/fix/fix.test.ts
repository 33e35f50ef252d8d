import { fixFindings } from '../../../src/change/fix/fix';
import { readFixableInput } from '../../../src/cli/input/fix-input';
import { RULES } from '../../../src/plan/rules';
import { QUOTED, withStrategy } from '../../cli/manifests';
import { folderWith } from '../../folder';

/** Renaming its field would leave one of ten pods available. */
const UNSAFE = withStrategy('{rollingUpdate: {maxSurge: 1, max_unavailable: 9}}');

/** Fixes a folder with this many files with a number in quotes, and this many whose fix is not safe. */
async function fixed(sound: number, unsafe: number): Promise<{ readonly fixed: number; readonly unsafe: number; readonly plans: number }> {
  const named = (count: number, yaml: string, as: string) =>
    Array.from({ length: count }, (_, index) => [`${as}-${index}.yaml`, yaml.replace(/name: \w+\n/, `name: ${as}-${index}\n`)] as const);
  const folder = folderWith(Object.fromEntries([...named(sound, QUOTED, 'sound'), ...named(unsafe, UNSAFE, 'unsafe')]));
  const silent = { write: () => undefined, isTTY: false };
  try {
    const io = { stdout: silent, stderr: silent, stdin: [], cwd: folder.path, env: {} };
    const { plan, mayWrite } = await readFixableInput(['.'], { from: [] }, io);
    let plans = 0;
    const counted: typeof plan = (texts) => {
      plans++;
      return plan(texts);
    };
    const outcome = fixFindings({ rules: RULES, plan: counted, mayWrite, isSelected: () => true });
    return { fixed: outcome.fixed.length, unsafe: outcome.unsafe.length, plans };
  } finally {
    folder.remove();
  }
}

test('the number of plans depends on the number of unsafe fixes and not on that of all fixes', async () => {
  const few = await fixed(20, 3);
  expect(few).toMatchObject({ fixed: 20, unsafe: 3 });
  expect(await fixed(80, 3)).toEqual({ ...few, fixed: 80 });
  expect(few.plans).toBeLessThanOrEqual(3 + 2 * 3);
});

test('all attempts together have the time of the budget, since their number grows with the input', async () => {
  const folder = folderWith({ 'a.yaml': QUOTED });
  const silent = { write: () => undefined, isTTY: false };
  const clock = jest.spyOn(process.hrtime, 'bigint');
  try {
    const io = { stdout: silent, stderr: silent, stdin: [], cwd: folder.path, env: {} };
    const { plan, limit } = await readFixableInput(['.'], { from: [], budget: ['seconds=60'] }, io);
    const begin = process.hrtime.bigint();
    const attempt = (seconds: bigint) => {
      clock.mockReturnValue(begin + seconds * 1_000_000_000n);
      return limit(() => plan(new Map([['./a.yaml', withStrategy('{}')]])).plan.rollouts.length);
    };
    expect(attempt(50n)).toBe(1);
    expect(() => attempt(70n)).toThrow(
      'trying the fixes takes more than 60 seconds, so nothing is written; name fewer files, or some rules with --rule, or raise the budget with --budget seconds=120, if you trust this input',
    );
  } finally {
    clock.mockRestore();
    folder.remove();
  }
});
