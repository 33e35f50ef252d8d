import { withProgressMessage, withPlanningProgress, withProgress } from '../../src/cli/progress';

/** Passes files on that take 300 ms each. */
function stderrOf(files: number, isTTY: boolean): string {
  let clock = 0;
  let printed = '';
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => void (printed += text), isTTY },
    stdin: [],
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

test('one file is one file', () => {
  let clock = 0;
  let printed = '';
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => void (printed += text), isTTY: true },
    stdin: [],
    cwd: '',
    env: {},
  };
  expect([...withProgress(['rendered'], io, () => (clock += 2_000))]).toEqual(['rendered']);
  expect(printed).toBe('\r\u001b[K1 file read …\r\u001b[K');
});

test('short work, and work for a pipe, is silent', () => {
  expect([stderrOf(3, true), stderrOf(50, false)]).toEqual(['', '']);
});

describe('one piece of work', () => {
  function saying(isTTY: boolean, work: () => number) {
    let printed = '';
    const result = withProgressMessage('reads a\u001b.json', { stderr: { write: (text) => void (printed += text), isTTY } }, work);
    return { printed, result };
  }

  test('is named at a terminal while it lasts, and not for a pipe', () => {
    expect(saying(true, () => 7)).toEqual({ printed: '\r\u001b[Kreads a\\u001b.json …\r\u001b[K', result: 7 });
    expect(saying(false, () => 7)).toEqual({ printed: '', result: 7 });
  });
});

test.each([
  [999, ''],
  [1_000, '\r\u001b[Kplans 1000 objects …\r\u001b[K'],
])('a plan of %d objects says %j', (objects, said) => {
  let printed = '';
  expect(withPlanningProgress(objects, { stderr: { write: (text) => void (printed += text), isTTY: true } }, () => 7)).toBe(7);
  expect(printed).toBe(said);
});
