/** Fields that the API server keeps as they are written, since the definition of their kind says so or is not known. */
import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from '../cli/command-line';

function twice(text: string): readonly [string, string] {
  return [text, text];
}

async function listEffects(old: string, next: string): Promise<readonly string[]> {
  const files = { 'old.yaml': old, 'new.yaml': next };
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
  return (JSON.parse(stdout) as PlanDocument).change!.objects.map(({ effect }) => effect);
}

describe('a field of an unknown kind is compared as it is written, whatever its type is in other kinds', () => {
  const WIDGET = 'apiVersion: x.io/v1\nkind: Widget\nmetadata: { name: w';
  const UID = ', uid: abc, resourceVersion: "1"';
  test.each<[old: string, next: string, live: string, files: string]>([
    ['spec: { template: { metadata: [1] } }', 'spec: { template: { metadata: [2] } }', 'unknown', 'unknown'],
    ['spec: { template: { metadata: a } }', 'spec: { template: { metadata: {} } }', 'unknown', 'unknown'],
    ['spec: { template: { metadata: {} } }', 'spec: { template: { a: null } }', 'none', 'unknown'],
    ['status: paused', 'status: running', 'unknown', 'unknown'],
    ['status: paused', 'status: { x: 1 }', 'unknown', 'unknown'],
    ['status: paused', 'status: paused', 'none', 'none'],
    ['status: paused', '', 'none', 'unknown'],
    ['', 'status: 5', 'unknown', 'unknown'],
    ['', 'status: {}', 'none', 'none'],
    ['status: { x: 1, y: 2 }', 'status: { x: 1 }', 'none', 'unknown'],
  ])('from "%s" to "%s"', async (old, next, live, files) => {
    const listEffectsFrom = (metadata: string) => listEffects(`${WIDGET}${metadata} }\n${old}\n`, `${WIDGET} }\n${next}\n`);
    expect([await listEffectsFrom(UID), await listEffectsFrom('')]).toEqual([[live], [files]]);
  });
});

test.each([
  ['type: x', 'type: x', ['none']],
  ['type: x', 'type: y', ['roll']],
  ['ports: [{ port: 80 }]', 'ports: [{ port: 80, protocol: TCP }]', ['roll']],
  ['grpc: { port: 9 }', 'grpc: { port: 9, service: "" }', ['roll']],
  ['limits: { cpu: 1000m }', 'limits: { cpu: "1" }', ['roll']],
  ['a: { b: null }', 'a: {}', ['roll']],
  ['a: []', 'b: []', ['roll']],
])('the text that KServe passes to a scheduler is compared as it is written: from "%s" to "%s"', async (old, next, effects) => {
  const service = (config: string) => `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: { name: llm }
spec:
  model: { uri: "hf://a/b" }
  template: { containers: [{ name: main, image: "llm:1" }] }
  router: { scheduler: { config: { inline: { kind: EndpointPickerConfig, ${config} } } } }
`;
  expect(await listEffects(service(old), service(next))).toEqual(effects);
});

test.each([
  ['source: { helm: { valuesObject: { a: null } } }', 'source: { helm: { valuesObject: {} } }', ['roll']],
  ['sources: [{ helm: { valuesObject: { a: null } } }]', 'sources: [{ helm: { valuesObject: {} } }]', ['roll']],
  ['source: { chart: null }', 'source: {}', ['none']],
])('a null in the values that an ApplicationSet passes to Helm deletes a default: from "%s" to "%s"', async (old, next, effects) => {
  const set = (source: string, elements = '[{ team: a }]') => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: teams, namespace: argocd }
spec:
  generators: [{ list: { elements: ${elements} } }]
  strategy: { type: RollingSync, rollingSync: { steps: [{ matchExpressions: [{ key: team, operator: In, values: [a] }] }] } }
  template: { metadata: { name: "{{team}}", labels: { team: "{{team}}" } }, spec: { project: default, ${source} } }
`;
  expect(await listEffects(set(old), set(next))).toEqual(effects);
  expect(await listEffects(set(old, '[{ team: a, x: { b: null } }]'), set(old, '[{ team: a, x: {} }]'))).toEqual(['roll']);
});

test.each([
  ['metadata: { name: a }\nmetadataPolicy: a', 'metadata: { name: a }\nmetadataPolicy: b', 'unknown'],
  ['metadata: { name: a }', 'metadata: { name: a }\nmetadata2: { replicas: 5 }', 'unknown'],
  ['metadata: { name: a, finalizers: [x.io/a] }', 'metadata: { name: a, finalizers: [x.io/b] }', 'metadata'],
])('a field whose name only begins with metadata is none of the metadata: from "%s" to "%s"', async (old, next, effect) => {
  const kind = 'apiVersion: x.io/v1\nkind: Widget\n';
  expect(await listEffects(`${kind}${old}\n`, `${kind}${next}\n`)).toEqual([effect]);
});

describe('a status is that of the controller only if a definition of OLD and of NEW says so', () => {
  const definition = (apiVersion: string, name: string, annotations = '{}') => `---
apiVersion: ${apiVersion}
kind: CustomResourceDefinition
metadata: { name: ${name}, annotations: ${annotations} }
spec:
  group: x.io
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
  const widget = (phase: string) => `apiVersion: x.io/v1\nkind: Widget\nmetadata: { name: w }\nstatus: { phase: ${phase} }\n`;
  const VALID = definition('apiextensions.k8s.io/v1', 'widgets.x.io');
  test.each([
    ['in both', VALID, VALID, 'none'],
    ['in NEW only', '', VALID, 'unknown'],
    ['a hook of NEW', '', definition('apiextensions.k8s.io/v1', 'widgets.x.io', '{ helm.sh/hook: test }'), 'unknown'],
    ['in a version that no server has', ...twice(definition('apiextensions.k8s.io/v9', 'widgets.x.io')), 'unknown'],
    ['of another name', ...twice(definition('apiextensions.k8s.io/v1', 'gadgets.x.io')), 'unknown'],
  ] as const)('%s', async (_, old, next, effect) => {
    expect((await listEffects(widget('a') + old, widget('b') + next))[0]).toBe(effect);
  });
});
