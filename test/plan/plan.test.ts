import { VersionError } from '../../src/core/values/versions';
import { planInput, planManifests } from '../../src/plan/plan';
import type { PlanOptions } from '../../src/plan/plan-options';
import { readFiles } from '../../src/input/read';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { widgetSystem } from './fake-system';

/** Plans files with a fake system. Their objects are Widgets with one finding each, and Gadgets as context. */
function planFiles(files: Readonly<Record<string, string>>, options: PlanOptions = {}): PlanDocument {
  const { objects, findings, files: names, locations } = readFiles(Object.entries(files).map(([file, content]) => ({ file, content })));
  const { locate, textOf } = locations;
  return expectValidPlan(planInput({ objects, findings, files: names, locate, textOf, systems: [widgetSystem] }, options));
}

function widget(name: string, namespace?: string): string {
  const metadata = namespace === undefined ? `{name: ${name}}` : `{name: ${name}, namespace: ${namespace}}`;
  return `apiVersion: toys/v1\nkind: Widget\nmetadata: ${metadata}\nspec:\n  size: 3\n`;
}

function codesAndPlaces(plan: PlanDocument): string[] {
  return plan.findings.map(({ code, source }) => (source ? `${code} ${source.file}:${source.line}` : code));
}

test('a plan contains the rollouts in input order, each with its findings and their positions', () => {
  expect(planFiles({ 'b.yaml': `${widget('two')}---\n${widget('one', 'shop')}` })).toEqual({
    formatVersion: '1.2',
    versions: {
      kubernetes: '1.36',
      kserve: '0.17',
      knative: '1.21',
      kuberay: '1.7',
      fleet: '0.16',
      lws: '0.9',
      'argo-rollouts': '1.9',
      'argo-cd': '3.5',
    },
    assumedVersions: { kubernetes: '1.36' },
    rollouts: [
      {
        system: 'baw',
        resource: { apiVersion: 'toys/v1', kind: 'Widget', name: 'two' },
        strategy: null,
        provenance: [],
        simulation: null,
        findings: [
          {
            code: 'baw/sized',
            severity: 'warning',
            messageId: 'widget',
            data: { name: 'two' },
            path: 'spec.size',
            message: 'two has a size.',
            source: { file: 'b.yaml', line: 5, column: 3 },
          },
        ],
      },
      {
        system: 'baw',
        resource: { apiVersion: 'toys/v1', kind: 'Widget', namespace: 'shop', name: 'one' },
        strategy: null,
        provenance: [],
        simulation: null,
        findings: [
          {
            code: 'baw/sized',
            severity: 'warning',
            messageId: 'widget',
            data: { name: 'one' },
            path: 'spec.size',
            message: 'one has a size.',
            source: { file: 'b.yaml', line: 11, column: 3 },
          },
        ],
      },
    ],
    findings: [],
    notPlanned: [],
    summary: { rollouts: 2, notPlanned: 0, errors: 0, warnings: 2, infos: 0, suppressed: 0 },
  });
});

test('no input is an empty plan', () => {
  expect(planFiles({})).toMatchObject({
    rollouts: [],
    findings: [],
    summary: { rollouts: 0, errors: 0, warnings: 0, infos: 0, suppressed: 0 },
  });
});

test('findings about no rollout come first in input order, those without a position last', () => {
  const plan = planFiles(
    {
      'z.yaml': 'kind: [\n---\napiVersion: toys/v1\nkind: Gadget\nspec: 1\n',
      'a.yaml': `${widget('one')}---\n${widget('one')}---\nkind: {\n`,
    },
    { versions: { fleet: '1.0', kubernetes: '1.99' } },
  );
  expect(codesAndPlaces(plan)).toEqual([
    'input/unreadable z.yaml:1',
    'baw/sized z.yaml:5',
    'input/duplicate-resource a.yaml:9',
    'input/unreadable a.yaml:13',
    'input/unknown-version',
    'input/unknown-version',
  ]);
  expect(plan.summary).toEqual({ rollouts: 2, notPlanned: 0, errors: 3, warnings: 3, infos: 2, suppressed: 0 });
});

describe('input/duplicate-resource', () => {
  test('fires on the second of two objects with one group, kind, namespace and name, and both are planned', () => {
    const plan = planFiles({ 'a.yaml': `${widget('one', 'shop')}---\n# the same again\n${widget('one', 'shop')}` });
    expect(plan.rollouts).toHaveLength(2);
    expect(plan.findings).toEqual([
      {
        code: 'input/duplicate-resource',
        severity: 'error',
        messageId: 'duplicate',
        data: { resource: 'Widget shop/one', first: { file: 'a.yaml', line: 3 } },
        path: 'metadata.name',
        message: expect.any(String),
        help: expect.any(String),
        source: { file: 'a.yaml', line: 10, column: 12 },
      },
    ]);
  });

  test('fires on objects that no plan reads', () => {
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n';
    expect(codesAndPlaces(planFiles({ 'a.yaml': `${account}---\n${account}` }))).toEqual(['input/duplicate-resource a.yaml:7']);
  });

  test('fires on context objects, whatever the version of their group', () => {
    const autoscaler = 'apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n';
    expect(codesAndPlaces(planFiles({ 'a.yaml': `${autoscaler}---\n${autoscaler.replace('/v1', '/v2')}` }))).toEqual([
      'input/duplicate-resource a.yaml:7',
    ]);
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inferenceservice-config}\n';
    expect(codesAndPlaces(planFiles({ 'a.yaml': `${config}---\n${config}` }))).toEqual(['input/duplicate-resource a.yaml:7']);
  });

  test.each([
    ['another namespace', widget('one', 'shop'), widget('one', 'bank')],
    ['no namespace', widget('one', 'shop'), widget('one')],
    ['another kind', widget('one'), widget('one').replace('Widget', 'Gadget')],
    ['another group', widget('one'), widget('one').replace('toys/', 'tools/')],
    ['no name', widget('').replace('name: ', 'generateName: web-'), widget('').replace('name: ', 'generateName: web-')],
  ])('is silent for %s', (_, first, second) => {
    expect(planFiles({ 'a.yaml': `${first}---\n${second}` }).findings.filter(({ code }) => code === 'input/duplicate-resource')).toEqual(
      [],
    );
  });
});

describe('input/unknown-version', () => {
  test('fires for a version later than the newest known', () => {
    expect(planFiles({}, { versions: { kserve: '0.21' } }).findings).toEqual([
      {
        code: 'input/unknown-version',
        severity: 'info',
        messageId: 'later',
        data: {
          product: 'kserve',
          version: '0.21',
          oldest: '0.15',
          newest: '0.20',
          unreleasedFeature: 'the strategy of an LLMInferenceService and the requests of canaries',
        },
        path: '',
        message: expect.any(String),
        help: expect.any(String),
      },
    ]);
  });

  test('is silent for any known version', () => {
    expect(planFiles({}, { versions: { kserve: '0.20', kubernetes: 'v1.30.2' } })).toMatchObject({
      findings: [],
      versions: { kserve: '0.20', kubernetes: '1.30.2' },
    });
  });

  test('an invalid version is refused', () => {
    expect(() => planFiles({}, { versions: { kserve: 'new' } })).toThrow(VersionError);
  });
});

test.each([NaN, Infinity, -1, 2 ** 31])('startupSeconds of %s are refused', (startupSeconds) => {
  expect(() => planManifests([], { startupSeconds })).toThrow(RangeError);
});
