import * as fc from 'fast-check';
import { WHOLE_OBJECT, at, childPath, entryPath, fieldName, fieldPath, fieldPathParts } from '../../src/core/field-path';
import type { PathPart } from '../../src/core/field-path';

describe('a path is written as the API server writes it', () => {
  test.each<[PathPart[], string]>([
    [[], ''],
    [['spec', 'strategy'], 'spec.strategy'],
    [['spec', 'containers', 0, 'env'], 'spec.containers[0].env'],
    [['data', 'a.b', 'mode'], 'data[a.b].mode'],
    [['metadata', 'annotations', 'example.com/a'], 'metadata.annotations[example.com/a]'],
    [['data', '7'], 'data[7]'],
    [['data', ''], 'data[""]'],
    [['data', 'a]b'], 'data["a]b"]'],
    [['data', 'a"b'], 'data["a\\"b"]'],
  ])('%j is %s', (parts, path) => {
    expect(fieldPath(...parts)).toBe(path);
    expect(childPath(WHOLE_OBJECT, ...parts)).toBe(path);
  });

  test('below another path, and as an entry of a map whose keys are data', () => {
    expect(childPath(at`spec.template`, 'spec', 'volumes', 2)).toBe('spec.template.spec.volumes[2]');
    expect([entryPath('metadata.labels', 'app'), entryPath('data', 'a.b')]).toEqual(['metadata.labels[app]', 'data[a.b]']);
  });
});

describe('a template is a path: its first value a path to go on from, each other one part', () => {
  test('whatever dots the parts hold', () => {
    const holder = at`spec.template.metadata`;
    const name = 'rolloutkit/startup.seconds';
    expect(at`${holder}.annotations[${name}]`).toBe('spec.template.metadata.annotations[rolloutkit/startup.seconds]');
    expect(at`${holder}.${'a.b'}`).toBe('spec.template.metadata[a.b]');
    expect(at`spec.containers[${1}].${'readinessProbe'}`).toBe('spec.containers[1].readinessProbe');
  });

  test('which goes on from a whole object without a dot', () => {
    expect([at`${WHOLE_OBJECT}.spec.replicas`, at`${WHOLE_OBJECT}`]).toEqual(['spec.replicas', '']);
  });
});

describe('a path is taken apart into the parts that it was made of', () => {
  test('as they are read in a text', () => {
    expect(fieldPathParts('spec.containers[0].env')).toEqual(['spec', 'containers', 0, 'env']);
    expect(fieldPathParts('data[a.b].mode')).toEqual(['data', 'a.b', 'mode']);
    expect(fieldPathParts('')).toEqual([]);
  });

  test('whatever characters they hold; a name of digits alone is an index', () => {
    const name = fc.string().filter((text) => !/^[0-9]+$/.test(text));
    const part = fc.oneof(name, fc.nat(1_000_000));
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => !/^[0-9]+$/.test(text)),
        fc.array(part),
        (first, rest) => {
          expect(fieldPathParts(fieldPath(first, ...rest))).toEqual([first, ...rest]);
        },
      ),
    );
  });
});

test('a field is named by the end of its path, the key of a map with its map', () => {
  expect(['replicas', 'spec.replicas', 'spec.list[0]', 'metadata.labels[app.kubernetes.io/version]'].map(fieldName)).toEqual([
    'replicas',
    'replicas',
    'list[0]',
    'labels[app.kubernetes.io/version]',
  ]);
});
