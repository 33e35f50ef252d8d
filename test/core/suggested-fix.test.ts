import {
  applyEdits,
  getParentPath,
  parseJsonObject,
  removeField,
  renameField,
  setField,
  getSiblingPath,
} from '../../src/core/suggested-fix';
import type { Edit } from '../../src/core/suggested-fix';
import { toFieldPath } from '../../src/core/field-path';

const SPEC = { replicas: '3', containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }], paused: true };

describe('an object as edits leave it', () => {
  test.each<[string, Edit, unknown]>([
    ['a value set', setField(toFieldPath`spec.replicas`, 3), { ...SPEC, replicas: 3 }],
    [
      'a value set below what is not there',
      setField(toFieldPath`spec.strategy.type`, 'Recreate'),
      { ...SPEC, strategy: { type: 'Recreate' } },
    ],
    [
      'a value of one item',
      setField(toFieldPath`spec.containers[1].image`, 'b:2'),
      { ...SPEC, containers: [SPEC.containers[0], { name: 'b', image: 'b:2' }] },
    ],
    [
      'an item behind the last',
      setField(toFieldPath`spec.containers[2].name`, 'c'),
      { ...SPEC, containers: [...SPEC.containers, { name: 'c' }] },
    ],
    ['a field taken out', removeField(toFieldPath`spec.paused`), { replicas: '3', containers: SPEC.containers }],
    ['an item taken out', removeField(toFieldPath`spec.containers[0]`), { ...SPEC, containers: [{ name: 'b' }] }],
    ['what is not there taken out', removeField(toFieldPath`spec.strategy.type`), SPEC],
    ['what is not there given a name', renameField(toFieldPath`spec.strategy`, 'updateStrategy'), SPEC],
    ['a name that is taken', renameField(toFieldPath`spec.replicas`, 'paused'), SPEC],
  ])('%s', (_what, edit, spec) => {
    expect(applyEdits({ kind: 'Deployment', spec: SPEC }, [edit])).toEqual({ kind: 'Deployment', spec });
  });

  test('a field given another name stays where it stands', () => {
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

  test('text that is a JSON object is written anew, and any other text gives way', () => {
    const deploy = setField(toFieldPath`data.deploy.mode`, 'Standard');
    expect(applyEdits({ data: { deploy: ' {"mode":"Knative","more":1}' } }, [deploy])).toEqual({
      data: { deploy: '{"mode":"Standard","more":1}' },
    });
    expect(applyEdits({ data: { deploy: '["Knative"]' } }, [deploy])).toEqual({ data: { deploy: { mode: 'Standard' } } });
  });

  test('all of them, one after the other', () => {
    expect(applyEdits({ a: 1 }, [setField(toFieldPath`b`, 2), renameField(toFieldPath`a`, 'c'), removeField(toFieldPath`b`)])).toEqual({
      c: 1,
    });
  });
});

test('text is read as JSON where it is an object', () => {
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

test('a path has one beside it, and one above', () => {
  expect(getSiblingPath(toFieldPath`spec.minAvailable`, 'maxUnavailable')).toBe('spec.maxUnavailable');
  expect(getParentPath(toFieldPath`spec.containers[0].image`)).toBe('spec.containers[0]');
});
