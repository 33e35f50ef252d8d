import { buildLayout } from '../../src/input/layout';
import type { FileContext } from '../../src/input/layout';
import { countCpuSeconds } from '../setup/cpu-seconds';

const ROOT = { id: '/in', name: 'in', hasMarkerFile: false, isNamedInput: true };

/** Returns the places of some files, given the texts of kustomizations and tests around them. */
function placesOf(texts: Readonly<Record<string, string>>, files: readonly string[]): FileContext[] {
  return files.map(buildLayout([...Object.keys(texts), ...files], (file) => texts[file], ROOT));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Kustomizations of which each includes the next and adds a label; the last one includes files. */
function chain(length: number, files: readonly string[], labels: (index: number) => string): Record<string, string> {
  return Object.fromEntries(
    numbers(length).map((index) => {
      const resources = index === length - 1 ? files.map((file) => file.split('/')[1]) : [`../k${index + 1}`];
      return [`k${index}/kustomization.yaml`, `resources: [${resources.join(', ')}]\ncommonLabels: {${labels(index)}}\n`];
    }),
  );
}

test('the label of each kustomization around a file is added, the outer one last', () => {
  const texts = chain(3, ['k2/a.yaml'], (index) => `l${index}: x, same: "${index}"`);
  const [place] = placesOf(texts, ['k2/a.yaml']);
  expect(place!.labels!.objects).toEqual({ l0: 'x', l1: 'x', l2: 'x', same: '0' });
});

test('3,000 kustomizations that include each other and label 1,000 files take no minutes, and more than 100 labels are not added', () => {
  const files = numbers(1_000).map((index) => `k2999/f${index}.yaml`);
  const texts = chain(3_000, files, (index) => `l${index}: x`);
  const readSeconds = countCpuSeconds();
  const [place, kustomization] = placesOf(texts, [...files, 'k0/kustomization.yaml']).filter((_, index) => index % 1_000 === 0);
  expect(readSeconds()).toBeLessThan(10);
  expect(place!.labels).toBeUndefined();
  expect(kustomization).toMatchObject({ unbuilt: { folder: 'in/k0' }, altersObjects: true });
});

test('the files of the first 100 patterns of a folder are patches, and 20,000 patterns take no minutes', () => {
  const files = numbers(2_000).map((index) => `k/f${index}.yaml`);
  const texts = {
    'k/kustomization.yaml': `patchesStrategicMerge: [${numbers(20_000)
      .map((index) => `"?${index}.yaml"`)
      .join()}]\n`,
  };
  const readSeconds = countCpuSeconds();
  const places = placesOf(texts, files);
  expect(readSeconds()).toBeLessThan(10);
  expect(places.map(({ isPatch }) => isPatch)).toEqual(numbers(2_000).map((index) => index < 100));
});

test('a pattern matches files of its folder, and of folders below one that it matches', () => {
  const texts = { 'tests/kustomization.yaml': 'patchesStrategicMerge: ["*/patch-?.yaml", "../shared/p*"]\n' };
  const files = ['tests/a/patch-1.yaml', 'tests/patch-1.yaml', 'shared/p/deep/web.yaml', 'shared/web.yaml'];
  expect(placesOf(texts, files).map(({ isPatch }) => isPatch)).toEqual([true, false, true, false]);
});
