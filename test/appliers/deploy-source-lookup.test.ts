import { collectDeploySources } from '../../src/appliers/deploy-source';
import { DeploySourceLookup } from '../../src/appliers/deploy-source-lookup';
import { countCpuSeconds } from '../setup/cpu-seconds';

const application = (name: string, path: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd' },
  spec: { source: { path } },
});
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

function lookupOf(folders: Readonly<Record<string, string>>, files: readonly string[] = []): DeploySourceLookup {
  const sources = collectDeploySources(Object.entries(folders).map(([name, folder]) => application(name, folder)));
  return new DeploySourceLookup(sources, () => files);
}

test.each<readonly [string, Readonly<Record<string, string>>, string | undefined]>([
  ['the longest folder', { a: 'apps', b: 'apps/web' }, 'b'],
  ['a folder of which the PATH has only the end', { a: 'deploy/in/apps' }, 'a'],
  ['a folder below the PATH', { a: 'apps/web', b: 'other' }, 'a'],
  ['the root if there is no other', { a: '', b: 'other' }, 'a'],
  ['none of two with the same folder', { a: 'apps/web', b: 'apps/web' }, undefined],
  ['none of two folders with equally long names', { a: 'x/in', b: 'apps' }, undefined],
  ['none in another folder', { a: 'other', b: 'another' }, undefined],
])('the source of a file in in/apps/web is that of %s', (_, folders, name) => {
  const found = lookupOf(folders).find({ next: configMap('c'), file: 'in/apps/web/cm.yaml' });
  expect(found?.source.object.metadata?.name).toBe(name);
});

test('a single source applies the input if none of its files is in the folder', () => {
  const find = (file: string) => lookupOf({ a: 'other' }, [file]).find({ next: configMap('c'), file: 'in/cm.yaml' })?.because;
  expect(find('in/cm.yaml')).toBe('Application argocd/a is in view');
  expect(find('in/other/cm.yaml')).toBeUndefined();
});

test('10,000 sources and as many files take no minutes', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => index);
  const lookup = lookupOf(Object.fromEntries(numbers.map((index) => [`a${index}`, `apps/a${index}/prod`])));
  const readSeconds = countCpuSeconds();
  const found = numbers.map((index) => lookup.find({ next: configMap(`c${index}`), file: `in/apps/a${index}/prod/cm.yaml` }));
  expect(readSeconds()).toBeLessThan(5);
  expect(found.every((each, index) => each?.because === `Application argocd/a${index} applies its folder`)).toBe(true);
});

test('folders and paths with thousands of names take no seconds and no gigabytes', () => {
  const names = Array.from({ length: 1_300 }, (_, index) => index % 100);
  const readSeconds = countCpuSeconds();
  const lookup = lookupOf({ deep: names.join('/'), endless: 'a/'.repeat(1_000_000), web: '98/99' });
  const nameOf = (file: string) => lookup.find({ next: configMap('c'), file })?.source.object.metadata?.name;
  expect([nameOf(`${names.join('/')}/cm.yaml`), nameOf(`${[...names, 'x'].join('/').repeat(10)}/cm.yaml`), nameOf('a/a/cm.yaml')]).toEqual([
    'deep',
    'deep',
    undefined,
  ]);
  expect(readSeconds()).toBeLessThan(5);
});
