import type { Manifest } from '../../src/core/manifest';
import { readFiles } from '../../src/input/read';
import type { FileKind } from '../../src/input/read';

/** A file toybox.yaml, whatever folder it stands in, as an object. */
const toybox: FileKind = (file, content) =>
  file.endsWith('toybox.yaml') ? { apiVersion: 'toys/v1', kind: 'Toybox', metadata: { name: file }, content } : undefined;

function objectsIn(file: string, content: string, kinds: readonly FileKind[] = [toybox]): readonly Manifest[] {
  return readFiles([{ file, content }], { kinds }).objects;
}

describe('a file that is an object by its name', () => {
  test('is that object, with its first document as content', () => {
    expect(objectsIn('a/toybox.yaml', 'size: 3\n---\nsize: 5\n')).toEqual([
      { apiVersion: 'toys/v1', kind: 'Toybox', metadata: { name: 'a/toybox.yaml' }, content: { size: 3 } },
    ]);
  });

  test.each(['', '# nothing\n', '---\n'])('has an empty map as content where it is empty: %j', (content) => {
    expect(objectsIn('toybox.yaml', content)).toMatchObject([{ kind: 'Toybox', content: {} }]);
  });

  test('stands before the Kubernetes objects that follow in it', () => {
    expect(objectsIn('toybox.yaml', 'size: 3\n---\napiVersion: v1\nkind: Pod\n')).toMatchObject([{ kind: 'Toybox' }, { kind: 'Pod' }]);
  });

  test.each([
    ['that holds a Kubernetes object', 'apiVersion: v1\nkind: Pod\n', ['Pod']],
    ['that holds a list', '- 1\n', []],
    ['that cannot be read', 'size: [\n', []],
  ])('is none where it is one %s', (_, content, kinds) => {
    expect(objectsIn('toybox.yaml', content).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('is none by another name, nor where no such kind is known', () => {
    expect([objectsIn('values.yaml', 'size: 3\n'), objectsIn('toybox.yaml', 'size: 3\n', [])]).toEqual([[], []]);
  });

  test('has its fields at their places in the file', () => {
    const { objects, locations } = readFiles([{ file: 'toybox.yaml', content: '# toys\n---\nsize: 3\nlids: {red: 1}\n' }], {
      kinds: [toybox],
    });
    expect(['size', 'lids.red'].map((path) => locations.locate(objects[0]!, path))).toEqual([
      { file: 'toybox.yaml', line: 3, column: 1 },
      { file: 'toybox.yaml', line: 4, column: 8 },
    ]);
  });
});
