import {
  applyEdits,
  getParentPath,
  parseJsonObject,
  removeField,
  renameField,
  setField,
  getSiblingPath,
} from '../../src/core/findings/suggested-fix';
import type { Edit } from '../../src/core/findings/suggested-fix';
import { toFieldPath } from '../../src/core/manifest/field-path';

const SPEC = { replicas: '3', containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }], paused: true };

describe('an edited object has', () => {
  test.each<[string, Edit, unknown]>([
    ['a value set', setField(toFieldPath`spec.replicas`, 3), { ...SPEC, replicas: 3 }],
    [
      'a value set below a missing field',
      setField(toFieldPath`spec.strategy.type`, 'Recreate'),
      { ...SPEC, strategy: { type: 'Recreate' } },
    ],
    [
      'a value of one item',
      setField(toFieldPath`spec.containers[1].image`, 'b:2'),
      { ...SPEC, containers: [SPEC.containers[0], { name: 'b', image: 'b:2' }] },
    ],
    [
      'an item after the last',
      setField(toFieldPath`spec.containers[2].name`, 'c'),
      { ...SPEC, containers: [...SPEC.containers, { name: 'c' }] },
    ],
    ['a field removed', removeField(toFieldPath`spec.paused`), { replicas: '3', containers: SPEC.containers }],
    ['an item removed', removeField(toFieldPath`spec.containers[0]`), { ...SPEC, containers: [{ name: 'b' }] }],
    ['no change if a removed field is missing', removeField(toFieldPath`spec.strategy.type`), SPEC],
    ['no change if a renamed field is missing', renameField(toFieldPath`spec.strategy`, 'updateStrategy'), SPEC],
    ['no change if the new name is taken', renameField(toFieldPath`spec.replicas`, 'paused'), SPEC],
  ])('%s', (_what, edit, spec) => {
    expect(applyEdits({ kind: 'Deployment', spec: SPEC }, [edit])).toEqual({ kind: 'Deployment', spec });
  });

  test('a renamed field at the same position', () => {
    const { spec } = applyEdits({ spec: SPEC }, [renameField(toFieldPath`spec.containers`, 'initContainers')]) as { spec: object };
    expect(Object.entries(spec)).toEqual([
      ['replicas', '3'],
      ['initContainers', SPEC.containers],
      ['paused', true],
    ]);
    expect(applyEdits({ spec: SPEC }, [renameField(toFieldPath`spec.containers[0].image`, 'picture')])).toEqual({
      spec: { ...SPEC, containers: [{ name: 'a', picture: 'a:1' }, { name: 'b' }] },
    });
  });

  test('text that is a JSON object edited, and any other text replaced', () => {
    const deploy = setField(toFieldPath`data.deploy.mode`, 'Standard');
    expect(applyEdits({ data: { deploy: ' {"mode":"Knative","more":1}' } }, [deploy])).toEqual({
      data: { deploy: '{"mode":"Standard","more":1}' },
    });
    expect(applyEdits({ data: { deploy: '["Knative"]' } }, [deploy])).toEqual({ data: { deploy: { mode: 'Standard' } } });
  });

  test('all edits applied one after the other', () => {
    expect(applyEdits({ a: 1 }, [setField(toFieldPath`b`, 2), renameField(toFieldPath`a`, 'c'), removeField(toFieldPath`b`)])).toEqual({
      c: 1,
    });
  });
});

test('text is parsed as JSON if it is an object', () => {
  expect([' {"a":1}', '{"a":', '[1]', '1', 'text', '', 3, { a: 1 }].map(parseJsonObject)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a path has sibling and parent paths', () => {
  expect(getSiblingPath(toFieldPath`spec.minAvailable`, 'maxUnavailable')).toBe('spec.maxUnavailable');
  expect(getParentPath(toFieldPath`spec.containers[0].image`)).toBe('spec.containers[0]');
});
