import type { PlanDocument } from '../../src/core/document/plan-document';
import { planSources } from '../../src/headless';
import { renderPlanJson } from '../../src/render/json/json';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "main:1", ports: [{containerPort: 80}]}]}
`;

const FILES = {
  'shop/base/web.yaml': WEB,
  'shop/base/kustomization.yaml': 'resources: [web.yaml]\n',
  'shop/prod/web.yaml': WEB.replace('replicas: 4', 'repicas: 4'),
  'shop/prod/kustomization.yaml': 'resources: [web.yaml]\n',
  'shop/broken.yaml': 'a: [\n',
  'quota.yaml': 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: pods}\nspec: {hard: {pods: "4"}}\n',
};

const SOURCES = Object.entries(FILES).map(([path, text]) => ({ path, text }));

test('texts with their paths are planned with units and positions, with the same bytes as on the command line', async () => {
  const plan = expectValidPlan(planSources(SOURCES, { versions: { kubernetes: '1.35' } }));
  const { stdout } = await rolloutkit('plan shop quota.yaml --format json --versions kubernetes=1.35', { files: FILES });
  // Only the command line computes a digest of what it read.
  const { inputDigest } = JSON.parse(stdout) as PlanDocument;
  expect(renderPlanJson({ ...plan, ...(inputDigest && { inputDigest }) })).toBe(stdout);

  expect(plan.rollouts.map(({ unit }) => unit)).toEqual(['shop/base', 'shop/prod']);
  expect(plan.findings).toMatchObject([{ code: 'input/unreadable', source: { file: 'shop/broken.yaml', line: 1 } }]);
  expect(plan.rollouts[1]!.findings).toContainEqual(
    expect.objectContaining({
      code: 'input/unknown-field',
      path: 'spec.repicas',
      source: { file: 'shop/prod/web.yaml', line: 5, column: 3 },
    }),
  );
});

test('the order of the files of a folder changes nothing, and that of paths only the order of the output', async () => {
  expect(planSources(SOURCES.toReversed())).toEqual(planSources(SOURCES));
  const files = { 'a.yaml': WEB, 'b.yaml': WEB.replace('name: web', 'name: api').replace('replicas: 4', 'replicas: "4"') };
  const partsOf = async (paths: string) => {
    const { rollouts, findings, summary } = JSON.parse((await rolloutkit(`plan --format json ${paths}`, { files })).stdout) as PlanDocument;
    return { rollouts, findings, summary };
  };
  const [inOrder, reversed] = [await partsOf('a.yaml b.yaml'), await partsOf('b.yaml a.yaml')];
  expect(reversed).toEqual({ ...inOrder, rollouts: inOrder.rollouts.toReversed() });
});

const config = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}---\n`;
const inNamespace = (name: string) => config(name).replace('}', ', namespace: shop}');
const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n';

test.each<readonly [what: string, old: (order: readonly string[]) => string, next: (order: readonly string[]) => string]>([
  ['objects that Fleet deletes', (order) => order.map((name) => config(name)).join(''), () => config('c')],
  [
    'objects with a namespace on one side',
    (order) => order.map(inNamespace).join(''),
    (order) => order.map((name) => config(name)).join(''),
  ],
  ['objects that are there twice', (order) => [...order, ...order].map((name) => config(name)).join(''), () => config('a') + config('b')],
  [
    'numbers that are rounded',
    (order) => order.map((name) => config(name)).join(''),
    (order) => order.map((name) => config(name, 'data: {x: 123456789012345678901}\n')).join(''),
  ],
  [
    'objects of a Namespace that is deleted',
    (order) => NAMESPACE + order.map(inNamespace).join(''),
    (order) => order.map(inNamespace).join(''),
  ],
  [
    'objects with a version that must be there',
    (order) => order.map((name) => config(name)).join(''),
    (order) => order.map((name) => config(name).replace('}', ', resourceVersion: "3"}')).join(''),
  ],
])('messages name the first by name in any order: %s', async (what, old, next) => {
  const planIn = async (order: readonly string[]) => {
    const files = { 'old/fleet.yaml': '', 'new/fleet.yaml': '', 'old/a.yaml': old(order), 'new/a.yaml': next(order) };
    const prune = what.includes('Namespace') ? '--prune' : '';
    const { stdout } = await rolloutkit(`plan --from old new ${prune} --format json`, { files });
    const { findings } = JSON.parse(stdout) as PlanDocument;
    return findings
      .map(({ message }) => message)
      .filter((message) => /ConfigMap (?:shop\/)?[ab]\b/.test(message))
      .toSorted();
  };
  const inOrder = await planIn(['a', 'b']);
  expect(inOrder).not.toEqual([]);
  expect(await planIn(['b', 'a'])).toEqual(inOrder);
});

test.each([
  ['aaa.yaml', '100', 1],
  ['zzz.yaml', '100', 0],
  ['aaa.yaml', '4', 0],
  ['zzz.yaml', '4', 1],
])('of two copies of a quota the last one decides, as for kubectl: a copy %s with %s pods', async (copy, pods, errors) => {
  const quota = (most: string) =>
    `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: pods, namespace: shop}\nspec: {hard: {pods: "${most}"}}\n`;
  const web = WEB.replace('{name: web}', '{name: web, namespace: shop}').replace('replicas: 4', 'replicas: 10');
  const files = { 'in/web.yaml': web, 'in/quota.yaml': quota(pods === '4' ? '100' : '4'), [`in/${copy}`]: quota(pods) };
  const { stdout } = await rolloutkit('check in --format json', { files });
  expect(stdout.split('"code": "kubernetes/insufficient-capacity"').length - 1).toBe(errors);
});

test('a path without a folder is a file given by name', () => {
  const { rollouts, findings } = planSources([
    { path: 'a.yaml', text: WEB },
    { path: 'b.yaml', text: 'no object\n' },
  ]);
  expect(rollouts).toHaveLength(1);
  expect(findings.map(({ code, source }) => [code, source?.file])).toEqual([['input/unreadable', 'b.yaml']]);
});

test('an invalid source is refused with its index', () => {
  const refusal = (sources: unknown) => () => planSources(sources as never);
  expect(refusal({ path: 'a', text: '' })).toThrow('the sources are a map: write a list of { path, text }');
  expect(refusal([{ path: 'a', text: '' }, WEB])).toThrow('sources[1] is ');
  expect(refusal([{ path: 'a', text: 3 }])).toThrow('sources[0] is a map: write { path, text }, both strings');
});

test('thousands of texts are not searched for each of them', () => {
  let reads = 0;
  const sources = Array.from({ length: 100 }, (_, index) => ({
    get path() {
      reads++;
      return `${index}.yaml`;
    },
    text: WEB,
  }));
  planSources(sources);
  expect(reads).toBeLessThan(2_000);
});
