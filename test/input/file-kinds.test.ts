import type { Manifest } from '../../src/core/manifest/manifest';
import { readFiles } from '../../src/input/read';
import type { FileKind } from '../../src/input/add-file';

/** Turns a file toybox.yaml in any folder into an object. */
const toybox: FileKind = (file, content) =>
  file.endsWith('toybox.yaml') ? { apiVersion: 'toys/v1', kind: 'Toybox', metadata: { name: file }, content } : undefined;

function objectsIn(file: string, content: string, kinds: readonly FileKind[] = [toybox]): readonly Manifest[] {
  return readFiles([{ file, content }], { kinds }).objects;
}

describe('a file that is an object because of its name', () => {
  test('is that object, with its first document as content', () => {
    expect(objectsIn('a/toybox.yaml', 'size: 3\n---\nsize: 5\n')).toEqual([
      { apiVersion: 'toys/v1', kind: 'Toybox', metadata: { name: 'a/toybox.yaml' }, content: { size: 3 } },
    ]);
  });

  test.each(['', '# nothing\n', '---\n'])('has an empty map as content if it is empty: %j', (content) => {
    expect(objectsIn('toybox.yaml', content)).toMatchObject([{ kind: 'Toybox', content: {} }]);
  });

  test('comes before the Kubernetes objects in the same file', () => {
    expect(objectsIn('toybox.yaml', 'size: 3\n---\napiVersion: v1\nkind: Pod\n')).toMatchObject([{ kind: 'Toybox' }, { kind: 'Pod' }]);
  });

  test.each([
    ['contains a Kubernetes object', 'apiVersion: v1\nkind: Pod\n', ['Pod']],
    ['contains a list', '- 1\n', []],
    ['cannot be read', 'size: [\n', []],
  ])('is not an object if it %s', (_, content, kinds) => {
    expect(objectsIn('toybox.yaml', content).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('is not an object with another name, or if the kind of file is unknown', () => {
    expect([objectsIn('values.yaml', 'size: 3\n'), objectsIn('toybox.yaml', 'size: 3\n', [])]).toEqual([[], []]);
  });

  test('has the locations of its fields in the file', () => {
    const { objects, locations } = readFiles([{ file: 'toybox.yaml', content: '# toys\n---\nsize: 3\nlids: {red: 1}\n' }], {
      kinds: [toybox],
    });
    expect(['size', 'lids.red'].map((path) => locations.locate(objects[0]!, path))).toEqual([
      { file: 'toybox.yaml', line: 3, column: 1 },
      { file: 'toybox.yaml', line: 4, column: 8 },
    ]);
  });
});
