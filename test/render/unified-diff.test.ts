import { createUnifiedDiff } from '../../src/render/text/fix';

test('the difference of two files has the lines of each document that differs, and their numbers in the file', () => {
  const document = (value: number) => `a: 1\nb: 2\nc: 3\nd: ${value}\n`;
  const old = [document(1), document(2), document(3)].join('---\n');
  const next = [document(1), `more: 0\n${document(2)}`, document(4)].join('---\n');
  expect(createUnifiedDiff('./a.yaml', old, next, () => false)).toMatchInlineSnapshot(`
"--- a/a.yaml
+++ b/a.yaml
@@ -5,4 +5,5 @@
 ---
+more: 0
 a: 1
 b: 2
 c: 3
@@ -11,4 +12,4 @@
 a: 1
 b: 2
 c: 3
-d: 3
+d: 4
"
`);
});

test('the difference shows no lines if very many of one document differ, since the time to compare them grows with its square', () => {
  expect(createUnifiedDiff('a.yaml', 'a: 1\n'.repeat(600), 'a: 2\n'.repeat(600), () => false)).toBe(
    '--- a/a.yaml\n+++ b/a.yaml\n(The lines are not shown, because more than 1,000 of a document differ.)\n',
  );
});
