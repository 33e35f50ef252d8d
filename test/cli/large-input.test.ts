import type { DiscoveredFile } from '../../src/input/discovered-file';
import { notifyOnLargeInput } from '../../src/cli/large-input';
import { rolloutkit } from './command-line';
import { QUOTED } from './manifests';
import { LONG_DOCUMENT } from '../input/long-text';

/** What a run of the files does, one after the other, and that it is told of a large input. */
function doneWith(files: readonly DiscoveredFile[]): readonly string[] {
  const done: string[] = [];
  for (const { file } of notifyOnLargeInput(files, { onLargeInput: () => done.push('large') })) done.push(file);
  return done;
}

const KIBIBYTES_256 = 'x'.repeat(256 * 1024);

test('from 512 KiB on an input is large, which is told once, before the file that makes it so', () => {
  const files = ['a', 'b', 'c', 'd'].map((file) => ({ file, content: KIBIBYTES_256 }));
  expect(doneWith(files)).toEqual(['a', 'large', 'b', 'c', 'd']);
});

test('an input of less is not, whatever else there is in its folders', () => {
  const skipped = { file: 'b', skipped: 'link' } as const;
  expect(doneWith([{ file: 'a', content: KIBIBYTES_256 }, skipped, { file: 'c', content: KIBIBYTES_256.slice(1) }])).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test('what is said of an object of a long text, it and its fix, is what is said of it in a short one', async () => {
  const results = async (...documents: readonly string[]) => {
    const { stdout } = await rolloutkit('check --format sarif all.yaml', { files: { 'all.yaml': documents.join('---\n') } });
    return (JSON.parse(stdout) as { readonly runs: readonly [{ readonly results: readonly object[] }] }).runs[0].results;
  };
  const [alone, among] = [await results(LONG_DOCUMENT.replaceAll('x', ''), QUOTED), await results(LONG_DOCUMENT, QUOTED)];
  expect(alone).toEqual([expect.objectContaining({ fixes: [expect.anything()] })]);
  expect(among).toEqual(alone);
});
