import { edited, holderPath, jsonObjectOf, remove, rename, set, siblingPath } from '../../src/core/advice';
import type { Edit } from '../../src/core/advice';
import { at } from '../../src/core/field-path';

const SPEC = { replicas: '3', containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }], paused: true };

describe('an object as edits leave it', () => {
  test.each<[string, Edit, unknown]>([
    ['a value set', set(at`spec.replicas`, 3), { ...SPEC, replicas: 3 }],
    ['a value set below what is not there', set(at`spec.strategy.type`, 'Recreate'), { ...SPEC, strategy: { type: 'Recreate' } }],
    [
      'a value of one item',
      set(at`spec.containers[1].image`, 'b:2'),
      { ...SPEC, containers: [SPEC.containers[0], { name: 'b', image: 'b:2' }] },
    ],
    ['an item behind the last', set(at`spec.containers[2].name`, 'c'), { ...SPEC, containers: [...SPEC.containers, { name: 'c' }] }],
    ['a field taken out', remove(at`spec.paused`), { replicas: '3', containers: SPEC.containers }],
    ['an item taken out', remove(at`spec.containers[0]`), { ...SPEC, containers: [{ name: 'b' }] }],
    ['what is not there taken out', remove(at`spec.strategy.type`), SPEC],
    ['what is not there given a name', rename(at`spec.strategy`, 'updateStrategy'), SPEC],
    ['a name that is taken', rename(at`spec.replicas`, 'paused'), SPEC],
  ])('%s', (_what, edit, spec) => {
    expect(edited({ kind: 'Deployment', spec: SPEC }, [edit])).toEqual({ kind: 'Deployment', spec });
  });

  test('a field given another name stays where it stands', () => {
    const { spec } = edited({ spec: SPEC }, [rename(at`spec.containers`, 'initContainers')]) as { spec: object };
    expect(Object.entries(spec)).toEqual([
      ['replicas', '3'],
      ['initContainers', SPEC.containers],
      ['paused', true],
    ]);
    expect(edited({ spec: SPEC }, [rename(at`spec.containers[0].image`, 'picture')])).toEqual({
      spec: { ...SPEC, containers: [{ name: 'a', picture: 'a:1' }, { name: 'b' }] },
    });
  });

  test('text that is a JSON object is written anew, and any other text gives way', () => {
    const deploy = set(at`data.deploy.mode`, 'Standard');
    expect(edited({ data: { deploy: ' {"mode":"Knative","more":1}' } }, [deploy])).toEqual({
      data: { deploy: '{"mode":"Standard","more":1}' },
    });
    expect(edited({ data: { deploy: '["Knative"]' } }, [deploy])).toEqual({ data: { deploy: { mode: 'Standard' } } });
  });

  test('all of them, one after the other', () => {
    expect(edited({ a: 1 }, [set(at`b`, 2), rename(at`a`, 'c'), remove(at`b`)])).toEqual({ c: 1 });
  });
});

test('text is read as JSON where it is an object', () => {
  expect([' {"a":1}', '{"a":', '[1]', '1', 'text', '', 3, { a: 1 }].map(jsonObjectOf)).toEqual([
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
  expect(siblingPath(at`spec.minAvailable`, 'maxUnavailable')).toBe('spec.maxUnavailable');
  expect(holderPath(at`spec.containers[0].image`)).toBe('spec.containers[0]');
});
