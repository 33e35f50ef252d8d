import { readFiles } from '../../src/input/read';
import type { InputObjects } from '../../src/input/read';
import { isAskedFor, isAskedForOnce } from '../../src/plan/asked-for';
import { planInput } from '../../src/plan/plan';
import type { PlanInput } from '../../src/plan/plan';
import type { PlanOptions } from '../../src/plan/plan-options';
import { toPlanInput } from '../../src/plan/to-plan-input';
import { FILE_KINDS, SYSTEMS } from '../../src/plan/registry';
import { RULES } from '../../src/plan/rules';
import { LONG_DOCUMENT } from '../input/long-text';

function deployment(name: string, { namespace = 'shop', probe = true } = {}): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
spec:
  replicas: 4
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: app, image: 'app:1', ports: [{containerPort: 80}]${probe ? ', readinessProbe: {tcpSocket: {port: 80}}' : ''}}]}
`;
}

const ROLE = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader, namespace: shop}\nrules: []\n';
const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: all, namespace: counted}
spec: {minAvailable: 3, selector: {}}
`;
const QUOTA = `apiVersion: v1
kind: ResourceQuota
metadata: {name: pods, namespace: counted}
spec: {hard: {pods: "9"}}
`;
const KNOWN = deployment('known').replace('labels:', 'annotations: {rolloutkit/ignore: "pod/no-readiness-probe: a batch"}, labels:');

/** Reads one file, with whatever is in it set aside that can be, or with all held. */
function read(documents: readonly string[], setsAside = true): InputObjects {
  const file = { file: 'all.yaml', content: [LONG_DOCUMENT, ...documents].join('---\n'), given: { path: 'all.yaml', as: 'file' } as const };
  const again = { keeps: isAskedFor, readsAgain: isAskedForOnce, setsAside };
  return readFiles([file], { kinds: FILE_KINDS, paths: ['all.yaml'], ...(setsAside && again) });
}

/** Plans the same twice: with objects set aside, and with all held. */
function planned(documents: readonly string[], options: PlanOptions = {}, more: Partial<PlanInput> = {}) {
  const [aside, held] = [true, false].map((setsAside) => planInput({ ...toPlanInput(read(documents, setsAside)), ...more }, options));
  return { aside: aside!, held: held! };
}

const namesOf = ({ objects, aside }: InputObjects) => ({
  held: objects.map(({ metadata }) => metadata!.name),
  toPlan: Array.from(aside?.toPlan() ?? [], ({ object }) => object.metadata!.name),
  all: (aside?.among(objects) ?? objects).map(({ metadata }) => metadata!.name),
});

describe('of a long text, nothing is held', () => {
  test('of what is planned by itself, and of what no plan looks into', () => {
    expect(namesOf(read([deployment('a'), ROLE, BUDGET, deployment('b'), KNOWN]))).toEqual({
      held: ['large', 'all', 'known'],
      toPlan: ['a', 'b'],
      all: ['large', 'a', 'reader', 'all', 'b', 'known'],
    });
  });

  test.each([
    ['one without a name', deployment('a').replace('name: a,', 'generateName: a-,')],
    ['one in a list', `apiVersion: v1\nkind: List\nitems:\n  - ${deployment('a').trimEnd().replaceAll('\n', '\n    ')}\n`],
    ['one with an anchor', deployment('a').replace('spec:', 'spec: &spec')],
    ['one of more than 64 KiB', `${deployment('a')}# ${'x'.repeat(65_536)}\n`],
  ])('but %s is', (_, document) => {
    expect(read([document, deployment('b')]).aside).toHaveLength(1);
  });

  test.each([
    ['has a name twice', [deployment('a'), ROLE, deployment('a')]],
    ['has one twice, once held', [deployment('known'), KNOWN]],
  ])('unless it %s', (_, documents) => {
    const { objects, aside } = read(documents);
    expect({ aside, objects: objects.length }).toEqual({ aside: undefined, objects: documents.length + 1 });
    expect(planned(documents).aside).toEqual(planned(documents).held);
    expect(planned(documents).aside.findings).toEqual([expect.objectContaining({ code: 'input/duplicate-resource' })]);
  });

  test('but the first object, where it would leave none', () => {
    const padded = (name: string) => `${ROLE.replace('reader', name)}# ${'x'.repeat(60_000)}\n`;
    const content = Array.from({ length: 150 }, (_, index) => padded(`reader-${index}`)).join('---\n');
    const options = { keeps: isAskedFor, readsAgain: isAskedForOnce, setsAside: true, paths: ['all.yaml'] };
    const { held, all } = namesOf(readFiles([{ file: 'all.yaml', content }], options));
    expect([held, all.length]).toEqual([['reader-0'], 150]);
  });

  test('and a short text, one of several and one in a folder are held', () => {
    const content = [LONG_DOCUMENT, deployment('a')].join('---\n');
    const setsAside = (file: string, as: 'file' | 'folder', paths: readonly string[], text = content) =>
      readFiles([{ file, content: text, given: { path: paths[0]!, as } }], {
        readsAgain: isAskedForOnce,
        keeps: isAskedFor,
        setsAside: true,
        paths,
      }).aside !== undefined;
    expect(setsAside('a.yaml', 'file', ['a.yaml'])).toBe(true);
    expect(setsAside('a.yaml', 'file', ['a.yaml'], deployment('a'))).toBe(false);
    expect(setsAside('a.yaml', 'file', ['a.yaml', 'b.yaml'])).toBe(false);
    expect(setsAside('a/a.yaml', 'folder', ['a'])).toBe(false);
  });
});

describe('the plan is that of the same objects, all of them held,', () => {
  test('in the order of the text', () => {
    const documents = [deployment('b', { probe: false }), KNOWN, ROLE, deployment('a', { probe: false }), deployment('c')];
    const { aside, held } = planned(documents);
    expect(aside.rollouts.map(({ resource: { name } }) => name)).toEqual(['b', 'known', 'a', 'c']);
    expect(aside).toEqual(held);
  });

  test('also where something counts their pods together, or a capacity is given', () => {
    const documents = ['a', 'b', 'c'].map((name, index) => deployment(name, { namespace: index === 1 ? 'shop' : 'counted' }));
    const heldToo = KNOWN.replace('namespace: shop', 'namespace: counted');
    for (const options of [{}, { capacity: { free: { pods: 9 } } }]) {
      const { aside, held } = planned([documents[0]!, BUDGET, documents[1]!, QUOTA, heldToo, documents[2]!], options);
      expect(aside).toEqual(held);
      expect(aside.rollouts.map(({ resource: { name } }) => name)).toEqual(['a', 'b', 'known', 'c']);
    }
  });

  test('also where one lends its pods to another', () => {
    const borrowing = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: canary, namespace: shop}
spec:
  replicas: 4
  strategy: {blueGreen: {activeService: web}}
  selector: {matchLabels: {app: a}}
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: a}
`;
    const { aside, held } = planned([
      borrowing,
      deployment('b'),
      deployment('a').replace("'app:1'", "'app:1', resources: {limits: {nvidia.com/gpu: 1}}"),
    ]);
    expect(aside).toEqual(held);
    expect(aside.rollouts[0]!.findings.map(({ code }) => code)).toEqual(['argo-rollouts/needs-headroom']);
  });

  test('also where one of which no plan looks at more says what to ignore', () => {
    const { aside, held } = planned([
      ROLE.replace('namespace:', 'annotations: {rolloutkit/ignore: none}, namespace:'),
      ROLE.replace('reader', 'other'),
    ]);
    expect(aside.findings.map(({ code }) => code)).toEqual(['input/ignore-without-reason']);
    expect(aside).toEqual(held);
  });

  test('also where the API server has no such kind', () => {
    const unknown = 'apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: typo}\n';
    const { aside, held } = planned([unknown, deployment('a'), unknown.replace('typo', 'other')]);
    expect(aside.findings.map(({ source }) => source?.line)).toEqual([8, 22]);
    expect(aside).toEqual(held);
  });

  test('also where one of them fails', () => {
    const [failing] = SYSTEMS.filter((system) => system.recognises({ apiVersion: 'apps/v1', kind: 'Deployment' }));
    const systems = SYSTEMS.map((system): typeof system =>
      system === failing
        ? {
            ...system,
            plan: (object, context) => {
              if (object.metadata!.name === 'b') throw new Error('no plan');
              return system.plan(object, context);
            },
          }
        : system,
    );
    const { aside, held } = planned([deployment('a'), deployment('b'), deployment('c')], {}, { systems });
    expect(aside.findings.map(({ code, source }) => [code, source?.line])).toEqual([['input/unreadable', 17]]);
    expect(aside).toEqual(held);
  });

  test('and counts those that are not shown', () => {
    const documents = [deployment('a'), deployment('b', { probe: false }), deployment('c'), KNOWN];
    const { aside, held } = planned(documents, {}, { isCounted: ({ findings }) => findings.length === 0 });
    expect({ rollouts: aside.summary.rollouts, shown: aside.rollouts.length }).toEqual({ rollouts: 4, shown: 2 });
    expect(aside).toEqual(held);
  });

  test('for the example of every rule that has a Deployment or a StatefulSet', () => {
    const examples = RULES.flatMap(({ example }) =>
      example !== undefined && /^kind: (?:Deployment|StatefulSet)$/m.test(example) ? [example] : [],
    );
    let setAside = 0;
    for (const example of examples) {
      const input = read([example]);
      setAside += input.aside?.length ?? 0;
      expect(planInput(toPlanInput(input))).toEqual(planInput(toPlanInput(read([example], false))));
    }
    expect(setAside).toBeGreaterThan(20);
  });
});
