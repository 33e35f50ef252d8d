import { readKustomization } from '../../src/input/kustomize/kustomization';
import { KustomizeBuilds } from '../../src/input/kustomize/kustomize-builds';
import { countCpuSeconds } from '../setup/cpu-seconds';

/** Builds kustomizations, given their texts by folder and the names of the ConfigMaps of each file. */
function build(texts: Readonly<Record<string, string>>, files: Readonly<Record<string, readonly string[]>>): KustomizeBuilds {
  const toFile = (entry: string) => entry;
  const folders = Object.entries(texts).map(([folder, text]) => [folder, { kustomization: readKustomization(text), toFile }] as const);
  const toObject = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  return new KustomizeBuilds(new Map(folders), new Map(Object.entries(files).map(([file, names]) => [file, names.map(toObject)])));
}

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('the first two entries with the same object are found, through the folders that contain them', () => {
  const builds = build(
    { top: 'resources: [a, b]', a: 'resources: [base]', b: 'resources: [base, b.yaml]', base: 'resources: [x.yaml]' },
    {
      'x.yaml': ['x'],
      'b.yaml': ['y'],
    },
  );
  expect(['top', 'a', 'b', 'base'].map((folder) => builds.findRefused(folder))).toEqual([
    { reason: 'in-both', first: 'a', second: 'b', resource: 'ConfigMap x' },
    undefined,
    undefined,
    undefined,
  ]);
});

test('a million objects are compared, and the folders after them are named', () => {
  const overlays = names(1_010, 'o');
  const texts = { base: 'resources: [x.yaml]', ...Object.fromEntries(overlays.map((folder) => [folder, 'resources: [base, y.yaml]'])) };
  const { uncompared } = build(texts, { 'x.yaml': names(1_000, 'x'), 'y.yaml': ['y'] });
  expect(uncompared.size).toBeGreaterThan(5);
  expect([...uncompared].at(-1)).toBe('o1009');
});

test('3,000 folders that each include the next, and 1,000 objects in the last, take no minutes', () => {
  const texts = names(3_000, '').map((name, index) => [`k${name}`, `resources: [${index === 2_999 ? 'x.yaml' : `k${index + 1}`}]`]);
  const readSeconds = countCpuSeconds();
  const builds = build(Object.fromEntries(texts), { 'x.yaml': names(1_000, 'x') });
  expect(readSeconds()).toBeLessThan(20);
  expect([builds.uncompared.size, builds.findRefused('k0')]).toEqual([0, undefined]);
}, 60_000);

test('3,000 folders that each set another namespace take no minutes, and those after a million objects are named', () => {
  const texts = names(3_000, '').map((name, index) => [
    `k${name}`,
    `namespace: n${name}\nresources: [${index === 2_999 ? 'x.yaml' : `k${index + 1}`}]`,
  ]);
  const readSeconds = countCpuSeconds();
  const { uncompared } = build(Object.fromEntries(texts), { 'x.yaml': names(3_000, 'x') });
  expect(readSeconds()).toBeLessThan(20);
  expect([uncompared.has('k2999'), uncompared.has('k0')]).toEqual([false, true]);
}, 60_000);
