import { withProgress } from '../../src/cli/progress';

/** Passes files on that take 300 ms each. */
function stderrOf(files: number, isTTY: boolean): string {
  let clock = 0;
  let printed = '';
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => void (printed += text), isTTY },
    readStdin: () => Promise.resolve(''),
    cwd: '',
    env: {},
  };
  const passed = [
    ...withProgress(
      Array.from({ length: files }, (_, index) => index),
      io,
      () => (clock += 150),
    ),
  ];
  expect(passed).toHaveLength(files);
  return printed;
}

test('work of more than a second is counted for a person at a terminal, and the line is cleared at the end', () => {
  expect(stderrOf(9, true)).toBe('\r\u001b[K7 files read …\r\u001b[K9 files read …\r\u001b[K');
});

test('short work, and work for a pipe, is silent', () => {
  expect([stderrOf(3, true), stderrOf(50, false)]).toEqual(['', '']);
});
