import { readFiles } from '../../src/input/read';
import type { ReadOptions } from '../../src/input/read';
import { isAskedFor, isAskedForOnce } from '../../src/plan/asked-for';
import { planInput, planManifests } from '../../src/plan/plan';
import { toPlanInput } from '../../src/plan/to-plan-input';
import { FILE_KINDS } from '../../src/plan/registry';
import { RULES } from '../../src/plan/rules';
import { LONG_DOCUMENT } from '../input/long-text';

function deployment(name: string, namespace = 'shop'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
spec:
  replicas: 4
  selector: {matchLabels: {app: ${name}}}
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 2}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: app, image: 'app:1'}]}
`;
}

function filesOf(texts: readonly string[]) {
  return texts.map((content, index) => ({ file: `${index}.yaml`, content }));
}

const READ_AGAIN: ReadOptions = { keeps: isAskedFor, readsAgain: isAskedForOnce, kinds: FILE_KINDS };

test('of a large input, Deployments and StatefulSets are held in outline, and read again where they are planned', () => {
  const { objects, locations } = readFiles(filesOf([deployment('held'), LONG_DOCUMENT, deployment('let-go')]), READ_AGAIN);

  expect(objects.map((object) => [object.metadata?.name, object.apiVersion, object.kind, 'spec' in object || 'data' in object])).toEqual([
    ['held', 'apps/v1', 'Deployment', true],
    ['large', 'v1', 'ConfigMap', false],
    ['let-go', 'apps/v1', 'Deployment', false],
  ]);
  expect(objects[2]!.metadata).toEqual({ name: 'let-go', namespace: 'shop' });
  const whole = locations.whole(objects[2]!);
  expect(whole).toEqual(readFiles(filesOf([deployment('let-go')])).objects[0]);
  expect(locations.locate(whole, 'spec.replicas')).toEqual({ file: '2.yaml', line: 5, column: 3 });
  expect(locations.whole(objects[0]!)).toBe(objects[0]);
});

test('of one file that is so large, most are read again anyway, and they are let go after 1 MB', () => {
  const comment = `# ${'x'.repeat(60_000)}\n`;
  const documents = Array.from({ length: 150 }, (_, index) => `${deployment(`web-${index}`)}${comment}`);
  const { objects } = readFiles(filesOf([documents.join('---\n')]), READ_AGAIN);
  expect(objects.findIndex((object) => !('spec' in object))).toBe(17);
  expect(objects.slice(17).filter((object) => 'spec' in object)).toEqual([]);
});

test.each([
  ['that has an anchor, for its aliases may make it large', deployment('web').replace('spec:', 'spec: &spec')],
  ['of a list', `apiVersion: v1\nkind: List\nitems:\n  - ${deployment('web').trimEnd().replaceAll('\n', '\n    ')}\n`],
  ['in JSON', JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: {} })],
  ['of more than 64 KiB', `${deployment('web')}# ${'x'.repeat(65_536)}\n`],
])('one %s is held', (_, text) => {
  const { objects } = readFiles(filesOf([LONG_DOCUMENT, text]), READ_AGAIN);
  expect(objects[1]).toHaveProperty('spec');
});

test('the example of every rule has the plan that it has where all is held', () => {
  const files = filesOf([LONG_DOCUMENT, ...RULES.flatMap(({ example, fixedExample }) => [example ?? '', fixedExample ?? ''])]);
  const [held, readAgain] = [{ kinds: FILE_KINDS }, READ_AGAIN].map((options) => readFiles(files, options));

  const letGo = readAgain!.objects.filter((object, index) => !('spec' in object) && 'spec' in held!.objects[index]!);
  expect(letGo.length).toBeGreaterThan(40);
  expect(planInput(toPlanInput(readAgain!))).toEqual(planInput(toPlanInput(held!)));
});

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: all, namespace: counted}
spec: {minAvailable: 3, selector: {}}
`;

/** A Deployment as plain data. */
function objectOf(name: string, namespace: string): object {
  return readFiles(filesOf([deployment(name, namespace)])).objects[0]!;
}

describe('of 600 Deployments, a third of them in a namespace with a budget', () => {
  const namespaceOf = (index: number) => (index % 3 === 0 ? 'counted' : 'shop');
  const objects = Array.from({ length: 600 }, (_, index) => objectOf(`web-${index}`, namespaceOf(index)));
  const budget = readFiles(filesOf([BUDGET])).objects[0]!;
  const { rollouts } = planManifests([...objects, budget]);

  test('each is planned, in the order of the input', () => {
    expect(rollouts.map(({ resource: { name } }) => name)).toEqual(objects.map((_, index) => `web-${index}`));
  });

  test('those that nothing counts are planned as if each stood alone', () => {
    const alone = objects.filter((_, index) => namespaceOf(index) === 'shop');
    const planned = rollouts.filter((_, index) => namespaceOf(index) === 'shop');
    expect(planned).toEqual(alone.flatMap((object) => planManifests([object]).rollouts));
  });

  test('the others with their budget', () => {
    const budgeted = rollouts.filter(({ budgets }) => budgets !== undefined);
    expect(budgeted.map(({ resource: { namespace } }) => namespace)).toEqual(Array.from({ length: 200 }, () => 'counted'));
  });
});
