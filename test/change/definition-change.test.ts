/** What a change says of definitions: whether their controllers may read existing objects otherwise. */
import { NONE, summarize, UNKNOWN } from './summarize-change';

/** Returns what is said of a definition whose schema of `spec` changes. */
function changeSchema(old: object, next: object, kind = 'Widget', group = 'example.com'): string {
  const definition = (spec: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  });
  return summarize([definition({ type: 'object', ...old })], [definition({ type: 'object', ...next })]);
}

const INTEGER = { type: 'integer' };
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const EMBEDS = 'x-kubernetes-embedded-resource';

describe('a changed definition', () => {
  test.each([
    ['sets a default', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['sets another default', { properties: { size: { ...INTEGER, default: 1 } } }, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['has a new field with a default', {}, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['drops a field', { properties: { size: INTEGER } }, {}],
    [
      'drops a field of an item',
      { properties: { all: { type: 'array', items: { type: 'object', properties: { size: INTEGER } } } } },
      { properties: { all: { type: 'array', items: { type: 'object' } } } },
    ],
    ['drops the values of a map', { additionalProperties: INTEGER }, {}],
    ['drops the fields of a map', { additionalProperties: INTEGER }, { properties: { size: INTEGER } }],
    ['drops what it does not list', { [PRESERVES]: true }, {}],
    [
      'describes a field of which it kept everything',
      { [PRESERVES]: true },
      { [PRESERVES]: true, properties: { pool: { type: 'object' } } },
    ],
    ['describes the values of a map', { additionalProperties: true }, { additionalProperties: { type: 'object' } }],
    ['drops the kind of an object inside', { [EMBEDS]: true, properties: { size: INTEGER } }, { properties: { size: INTEGER } }],
    [
      'sets a default in place of a null',
      { properties: { size: { ...INTEGER, nullable: true, default: 2 } } },
      { properties: { size: { ...INTEGER, default: 2 } } },
    ],
  ])('may change what its controller reads if it %s', (_what, old, next) => {
    expect(changeSchema(old, next)).toBe(`unknown, ${UNKNOWN}`);
  });

  test.each([
    ['has another description', { description: 'a' }, { description: 'b' }],
    ['has a new field', {}, { properties: { size: INTEGER } }],
    ['has a default in a new field', {}, { properties: { pool: { type: 'object', properties: { size: { ...INTEGER, default: 2 } } } } }],
    ['keeps more', {}, { [PRESERVES]: true }],
    ['has a new map', {}, { additionalProperties: INTEGER }],
    ['has a new list', {}, { properties: { all: { type: 'array', items: { type: 'object', properties: { size: INTEGER } } } } }],
    [
      'describes values that it keeps',
      { [PRESERVES]: true },
      { [PRESERVES]: true, properties: { size: INTEGER, all: { [PRESERVES]: true } } },
    ],
    ['permits null', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, nullable: true } } }],
    ['has other limits', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, maximum: 5 } } }],
  ])('changes no object if it %s', (_what, old, next) => {
    expect(changeSchema(old, next)).toBe(`settings, ${NONE}`);
  });

  test('may change what its controller reads if it is converted otherwise', () => {
    const definition = (conversion?: object) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true }],
        conversion,
      },
    });
    const webhook = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } };
    expect(summarize([definition()], [definition(webhook)])).toBe(`unknown, ${UNKNOWN}`);
    expect(summarize([definition()], [definition({ strategy: 'None' })])).toBe(`settings, ${NONE}`);
    const by = (clientConfig: object) => definition({ strategy: 'Webhook', webhook: { clientConfig } });
    expect(summarize([by({ service: { name: 'a' } })], [by({ service: { name: 'b' } })])).toBe(`unknown, ${UNKNOWN}`);
    expect(summarize([by({ caBundle: 'YQ==' })], [by({ caBundle: 'Yg==' })])).toBe(`settings, ${NONE}`);
  });

  test.each([
    ['keda.sh', 'ScaledObject'],
    ['serving.kserve.io', 'ServingRuntime'],
    ['karpenter.sh', 'NodePool'],
    ['flagger.app', 'Canary'],
  ])('concerns the pods about which an object of %s %s decides', (group, kind) => {
    expect(changeSchema({ properties: { size: INTEGER } }, {}, kind, group)).toBe(`unknown, ${UNKNOWN}`);
  });

  test('concerns no pods if its kind is configuration', () => {
    expect(changeSchema({ properties: { size: INTEGER } }, {}, 'ServiceMonitor', 'monitoring.coreos.com')).toBe(`settings, ${NONE}`);
  });
});
