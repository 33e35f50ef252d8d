import { readFiles } from '../../src/input/read';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { readText } from './reading';

const withoutKind = (count: number) => 'apiVersion: v1\nmetadata: {name: a}\nspec: {}\n---\n'.repeat(count);

/** Counts the findings by message. */
function countMessages(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { messageId } of readText(text).findings) counts[messageId] = (counts[messageId] ?? 0) + 1;
  return counts;
}

test('a hundred documents that are not objects are listed individually', () => {
  expect(countMessages(withoutKind(100))).toEqual({ document: 100 });
});

test('findings of a file beyond the first hundred become one finding, located at the first of them', () => {
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

test('broken documents and list items are limited in the same way, and valid objects are read', () => {
  expect(countMessages(`${'a: [\n---\n'.repeat(150)}a: 1\n`)).toEqual({ document: 100, omitted: 1 });
  expect(countMessages(`apiVersion: v1\nkind: List\nitems:\n${'- 1\n'.repeat(150)}`)).toEqual({ item: 100, omitted: 1 });
  expect(readText(`${withoutKind(150)}apiVersion: v1\nkind: Pod\n`).objects).toEqual([{ apiVersion: 'v1', kind: 'Pod' }]);
});

test('each file may have a hundred findings', () => {
  const { findings } = readFiles(['a.yaml', 'b.yaml'].map((file) => ({ file, content: withoutKind(100) })));
  expect(findings.map(({ messageId }) => messageId)).toEqual(Array.from({ length: 200 }, () => 'document'));
});

test('the finding about omitted findings is an error if one of them is', () => {
  const given = { path: 'app', as: 'folder' } as const;
  const content = 'text\n---\n'.repeat(102);
  const severities = (text: string) => readFiles([{ file: 'app/a.yaml', content: text, given }]).findings.map(({ severity }) => severity);
  expect(severities(content).at(100)).toBe('warning');
  expect(severities(`${content}${withoutKind(1)}`).at(100)).toBe('error');
});

test('duplicate keys are limited separately', () => {
  const duplicates = Array.from({ length: 130 }, (_, index) => `k${index}: 1\nk${index}: 2\n`).join('');
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n';
  const { findings } = readText(`${pod}${duplicates}---\n${pod}${duplicates}`);
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

test('unreadable objects of a program beyond the first hundred become one finding', () => {
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
  expect(normalizeObjects(Array.from({ length: 103 }, () => null)).findings.at(-1)).toMatchObject({
    messageId: 'omitted',
    severity: 'info',
  });
});
