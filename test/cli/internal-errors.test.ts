/** An error that no command expects ends with exit code 2, and says so without a stack trace. */
import { run } from '../../src/cli/run';

async function runBroken(error: unknown) {
  const printed = { stdout: '', stderr: '' };
  const io = {
    stdout: { write: (text: string) => void (printed.stdout += text), isTTY: false },
    stderr: { write: (text: string) => void (printed.stderr += text), isTTY: false },
    stdin: [],
    cwd: __dirname,
    env: {},
  };
  const exitCode = await run(['check', 'web.yaml'], io, () => {
    throw error;
  });
  return { exitCode, ...printed };
}

test.each([
  ['an error', new TypeError('x is undefined'), 'x is undefined'],
  ['the end of the stack', new RangeError('Maximum call stack size exceeded'), 'Maximum call stack size exceeded'],
  ['an error that quotes the input', new Error('"a\u001b[31m"'), '"a\\u001b[31m"'],
])('%s in a command ends it with exit code 2, and asks for a report', async (_, error, message) => {
  expect(await runBroken(error)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `rolloutkit: internal error: ${message}; please report it, with the command line\n`,
  });
});

test('an output that is longer than a text can be is no internal error, and the advice holds for every format', async () => {
  expect(await runBroken(new RangeError('Invalid string length'))).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'rolloutkit: the output is longer than a text can be; name fewer files or folders\n',
  });
});
