import { readFiles } from '../../src/input/read';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { readText } from './reading';

const withoutKind = (count: number) => 'apiVersion: v1\nmetadata: {name: a}\nspec: {}\n---\n'.repeat(count);

/** How often each message is given. */
function tellings(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { messageId } of readText(text).findings) counts[messageId] = (counts[messageId] ?? 0) + 1;
  return counts;
}

test('a hundred documents that are no objects are told one by one', () => {
  expect(tellings(withoutKind(100))).toEqual({ document: 100 });
});

test('those of a file beyond the first hundred are one finding, at the first of them', () => {
  const { findings } = readText(`${withoutKind(103)}apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n`);
  expect(findings).toHaveLength(101);
  expect(findings.at(-1)).toMatchObject({
    code: 'input/unreadable',
    messageId: 'omitted',
    severity: 'error',
    path: '',
    data: { file: 'app.yaml', listed: 100, omitted: 3 },
    source: { file: 'app.yaml', line: 401, column: 1 },
  });
});

test('broken documents and items of lists count alike, and what is sound is read', () => {
  expect(tellings(`${'a: [\n---\n'.repeat(150)}a: 1\n`)).toEqual({ document: 100, more: 1 });
  expect(tellings(`apiVersion: v1\nkind: List\nitems:\n${'- 1\n'.repeat(150)}`)).toEqual({ item: 100, more: 1 });
  expect(readText(`${withoutKind(150)}apiVersion: v1\nkind: Pod\n`).objects).toEqual([{ apiVersion: 'v1', kind: 'Pod' }]);
});

test('each file has a hundred of its own', () => {
  const { findings } = readFiles(['a.yaml', 'b.yaml'].map((file) => ({ file, content: withoutKind(100) })));
  expect(findings.map(({ messageId }) => messageId)).toEqual(Array.from({ length: 200 }, () => 'document'));
});

test('those that are told together are an error where one of them is', () => {
  const given = { path: 'app', as: 'folder' } as const;
  const content = 'text\n---\n'.repeat(102);
  const severities = (text: string) => readFiles([{ file: 'app/a.yaml', content: text, given }]).findings.map(({ severity }) => severity);
  expect(severities(content).at(100)).toBe('warning');
  expect(severities(`${content}${withoutKind(1)}`).at(100)).toBe('error');
});

test('keys that stand twice count by themselves', () => {
  const twice = Array.from({ length: 130 }, (_, index) => `k${index}: 1\nk${index}: 2\n`).join('');
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n';
  const { findings } = readText(`${pod}${twice}---\n${pod}${twice}`);
  expect(findings).toHaveLength(101);
  expect(findings.at(-1)).toMatchObject({
    code: 'input/duplicate-key',
    messageId: 'omitted',
    severity: 'warning',
    path: '',
    data: { file: 'app.yaml', listed: 100, omitted: 160 },
    source: { file: 'app.yaml', line: 205, column: 1 },
  });
});

test('of what a program gives, the objects that cannot be read beyond the first hundred are one finding', () => {
  const given = [...Array.from({ length: 103 }, () => ({ apiVersion: 'v1' })), { apiVersion: 'v1', kind: 'Pod' }];
  const { objects, findings } = normalizeObjects(given);
  expect(objects).toEqual([{ apiVersion: 'v1', kind: 'Pod' }]);
  expect(findings).toHaveLength(101);
  expect(findings.at(-1)).toMatchObject({
    code: 'input/unreadable',
    messageId: 'omitted',
    severity: 'error',
    data: { listed: 100, omitted: 3 },
  });
  expect(normalizeObjects(Array.from({ length: 103 }, () => null)).findings.at(-1)).toMatchObject({ messageId: 'more', severity: 'info' });
});
