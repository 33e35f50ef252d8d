import { DEFAULT_BUDGET, BudgetTracker } from '../../src/input/read-budget';
import type { RunBudget } from '../../src/input/read-budget';
import { checkTimeNow } from '../../src/core/budget/deadline';
import { limitChecks, readFiles } from '../../src/input/read';
import { PLAN_READING } from '../../src/plan/registry';
import { countCpuSeconds } from '../setup/cpu-seconds';

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;

/** Returns the names of the objects that are read, and the problems of the others. */
function read(files: Readonly<Record<string, string>>, budget: Partial<RunBudget>): { names: unknown[]; problems: unknown[] } {
  const { objects, findings } = readFiles(
    Object.entries(files).map(([file, content]) => ({ file, content })),
    { budget: { ...DEFAULT_BUDGET, ...budget } },
  );
  return {
    names: objects.map(({ metadata }) => metadata?.name),
    problems: findings.map(({ code, data, source }) => [code, `${source!.file}:${source!.line}`, data]),
  };
}

const MEGABYTE = 1_000_000;
const large = (name: string, bytes: number) => `${pod(name)}# ${'x'.repeat(bytes)}\n`;

test('a file that exceeds the size limit is skipped, and the others are read', () => {
  const files = { 'a.yaml': large('a', 1.1 * MEGABYTE), 'b.yaml': pod('b') };
  expect(read(files, { 'file-megabytes': 1 })).toEqual({
    names: ['b'],
    problems: [['input/unreadable', 'a.yaml:1', { file: 'a.yaml', problem: { kind: 'over-budget', budget: 'file-megabytes', limit: 1 } }]],
  });
});

test('a file that exceeds the total size limit is skipped', () => {
  const files = { 'a.yaml': large('a', 0.9 * MEGABYTE), 'b.yaml': large('b', 0.9 * MEGABYTE), 'c.yaml': pod('c') };
  expect(read(files, { 'total-megabytes': 1 })).toEqual({
    names: ['a', 'c'],
    problems: [['input/unreadable', 'b.yaml:1', { file: 'b.yaml', problem: { kind: 'over-budget', budget: 'total-megabytes', limit: 1 } }]],
  });
});

test('expanded aliases count across all documents and files', () => {
  const aliased = (name: string) => `${pod(name)}x: &x ${'y'.repeat(30_000)}\nz: [${'*x, '.repeat(20)}]\n`;
  expect(read({ 'a.yaml': `${aliased('a')}---\n${aliased('b')}---\n${pod('c')}` }, { 'alias-megabytes': 1 })).toEqual({
    names: ['a', 'c'],
    problems: [['input/unreadable', 'a.yaml:11', { startLine: 7, problem: { kind: 'over-budget', budget: 'alias-megabytes', limit: 1 } }]],
  });
});

test('no further file is read once the time limit for reading is exceeded', () => {
  let seconds = 0;
  const tracker = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 10 }, () => seconds * 1_000);
  expect(tracker.chargeFile(1)).toBeUndefined();
  seconds = 11;
  expect(tracker.chargeFile(1)).toBe('seconds');
});

/** Reads with a clock that exceeds the time limit after a number of calls. */
function readLateAfter(calls: number, text: string, others: Readonly<Record<string, string>> = {}): ReturnType<typeof read> {
  let count = 0;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => (count++ < calls ? 0 : 11_000));
  try {
    return read({ 'a.yaml': text, ...others }, { seconds: 10 });
  } finally {
    clock.mockRestore();
  }
}

test('after the time limit the rest of a file is not read either, which is one finding at its location', () => {
  expect(readLateAfter(4, ['a', 'b', 'c', 'd', 'e'].map(pod).join('---\n'))).toEqual({
    names: ['a', 'b'],
    problems: [['input/unreadable', 'a.yaml:9', { startLine: 9, problem: { kind: 'over-budget', budget: 'seconds', limit: 10 } }]],
  });
});

test('after the time limit the rest of a List is not read either, nor the rest of its file and other files', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) => `- {apiVersion: v1, kind: Pod, metadata: {name: ${name}}}\n`);
  const list = `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
  expect(readLateAfter(7, `${pod('first')}---\n${list}---\n${pod('last')}`, { 'b.yaml': pod('other') })).toEqual({
    names: ['first', 'a', 'b', 'c', 'd'],
    problems: [['input/unreadable', 'a.yaml:5', { startLine: 5, problem: { kind: 'over-budget', budget: 'seconds', limit: 10 } }]],
  });
});

test('checks that compare files have the seconds of the budget again, and one finding says if they are omitted', () => {
  const findings = limitChecks(0, () => {
    const end = Date.now() + 2;
    while (Date.now() < end);
    checkTimeNow();
    return [];
  });
  expect(findings.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ['input/unreadable', 'error', 'Checks that compare the files of the input are omitted: they take more than 0 seconds.'],
  ]);
});

test('after the time limit a file that is too long is one finding about the time, and no further file is looked at', () => {
  let looks = 0;
  const files = ['a.yaml', 'b.yaml', 'c.yaml'].map((file) => ({ file, content: large('a', MEGABYTE) }));
  const spending = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 7, 'total-megabytes': 0.5 }, () => (++looks > 2 ? 8_000 : 0));
  expect(files.map(({ content }) => spending.chargeFile(content.length))).toEqual(['total-megabytes', 'seconds', 'seconds']);
});

test('after the time limit no further file is looked at, which is one finding about the first of them', () => {
  expect(readLateAfter(3, pod('a'), { 'b.yaml': pod('b'), 'c.yaml': pod('c') })).toEqual({
    names: ['a'],
    problems: [['input/unreadable', 'b.yaml:1', { file: 'b.yaml', problem: { kind: 'over-budget', budget: 'seconds', limit: 10 } }]],
  });
});

test('after the time limit the rest of a long document is not read either', () => {
  const anchors = 'x: [&a 1, *a]\n';
  const items = '- {a: 1}\n'.repeat(4_000);
  expect(readLateAfter(3, `${anchors}${pod('a')}items:\n${items}`)).toEqual({
    names: [],
    problems: [['input/unreadable', 'a.yaml:3334', { startLine: 1, problem: { kind: 'over-budget', budget: 'seconds', limit: 10 } }]],
  });
});

test.each([
  ['the fast reader', `${pod('a')}values:\n${'- a: 1\n'.repeat(20_000)}`],
  ['the fast reader, in brackets on one line', `${pod('a')}values: [${'{a: 1}, '.repeat(20_000)}1]\n`],
  ['the fast reader, in a map', `${pod('a')}data:\n${Array.from({ length: 20_000 }, (_, index) => `  k${index}: 1\n`).join('')}`],
  ['JSON', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, values: Array.from({ length: 20_000 }, () => 1) })],
])('after the time limit the rest of a document is not read on a fast path either: %s', (_, text) => {
  expect(read({ 'a.yaml': text }, {})).toEqual({ names: ['a'], problems: [] });
  const { names, problems } = readLateAfter(3, text);
  expect(names).toEqual([]);
  expect(problems).toMatchObject([['input/unreadable', expect.stringMatching(/^a\.yaml:/), { problem: { budget: 'seconds', limit: 10 } }]]);
});

test.each([
  ['300,000 empty lines', '\n'.repeat(300_000), []],
  [
    '40,000 kinds and as many versions',
    Array.from({ length: 40_000 }, (_, index) => `apiVersion: a${index}/v1\nkind: K${index}`).join('\n'),
    ['alteredObjects'],
  ],
])('a template with %s inside of an object takes no seconds, if every file must be planned', (_, lines, expected) => {
  const content = JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: 'App',
    metadata: { name: 'a' },
    spec: { text: `kind: Thing\nvalue: {{ a }}\n${lines}` },
  });
  const readSeconds = countCpuSeconds();
  const { findings } = readFiles([{ file: 'a.yaml', content }], { ...PLAN_READING, trustsInput: false });
  expect(findings.map(({ messageId }) => messageId)).toEqual(expected);
  expect(readSeconds()).toBeLessThan(3);
});
