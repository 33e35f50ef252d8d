import { withProgressMessage, withPlanningProgress, withProgress } from '../../src/cli/output/progress';

/** Reads files that take 300 ms each, with progress. */
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

test('files are counted on a terminal after a second, and the line is cleared at the end', () => {
  expect(stderrOf(9, true)).toBe('\r\u001b[K7 files read …\r\u001b[K9 files read …\r\u001b[K');
});

test('one file is counted in the singular', () => {
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

describe('a message about some work', () => {
  function saying(isTTY: boolean, work: () => number) {
    let printed = '';
    const result = withProgressMessage('reads a\u001b.json', { stderr: { write: (text) => void (printed += text), isTTY } }, work);
    return { printed, result };
  }

  test('is shown on a terminal while the work lasts, and not for a pipe', () => {
    expect(saying(true, () => 7)).toEqual({ printed: '\r\u001b[Kreads a\\u001b.json …\r\u001b[K', result: 7 });
    expect(saying(false, () => 7)).toEqual({ printed: '', result: 7 });
  });
});

test.each([
  [999, ''],
  [1_000, '\r\u001b[Kplanning 1000 objects …\r\u001b[K'],
])('a plan of %d objects says %j', (objects, output) => {
  let printed = '';
  expect(withPlanningProgress(objects, { stderr: { write: (text) => void (printed += text), isTTY: true } }, () => 7)).toBe(7);
  expect(printed).toBe(output);
});
