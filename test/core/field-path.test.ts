import * as fc from 'fast-check';
import {
  toFieldPath,
  appendToPath,
  appendMapKey,
  appendLazily,
  appendMapKeyLazily,
  getFieldName,
  buildFieldPath,
  parseFieldPath,
  resolveLazyPath,
  ROOT_PATH,
} from '../../src/core/manifest/field-path';
import type { PathPart } from '../../src/core/manifest/field-path';
import { scaleRuns } from '../setup/scale-runs';

describe('a path is written as the API server writes it', () => {
  test.each<[string, readonly PathPart[]]>([
    ['', []],
    ['spec', ['spec']],
    ['spec.containers[0].env', ['spec', 'containers', 0, 'env']],
    ['spec.rollingUpdate.max_surge', ['spec', 'rollingUpdate', 'max_surge']],
    ['metadata.labels[app.kubernetes.io/name]', ['metadata', 'labels', 'app.kubernetes.io/name']],
    ['data[deploy.json].mode', ['data', 'deploy.json', 'mode']],
    ['[a.b].c', ['a.b', 'c']],
    ['[0][1].name', [0, 1, 'name']],
    ['spec.a name with blanks', ['spec', 'a name with blanks']],
    ['spec["a[0]"]', ['spec', 'a[0]']],
    ['spec["a]b"].c', ['spec', 'a]b', 'c']],
    ['spec["say \\"hi\\""]', ['spec', 'say "hi"']],
    ['spec[""].b', ['spec', '', 'b']],
  ])('%s', (path, parts) => {
    expect(buildFieldPath(...parts)).toBe(path);
    expect(parseFieldPath(path)).toEqual(parts);
  });
});

/** Names with dots, brackets, quotes, backslashes, spaces, or only digits. */
const NAME = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]*$/),
  fc.string({ unit: fc.constantFrom('.', '[', ']', '"', '\\', ' ', '/', 'a', 'B', '0', '9', 'ü', '\n'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const PART: fc.Arbitrary<PathPart> = fc.oneof({ weight: 3, arbitrary: NAME }, { weight: 1, arbitrary: fc.nat() });

/** Returns a part as it is parsed: a name of digits becomes an index, `list[0]`, both for a list and for a map with such a key. */
function toParsedPart(part: PathPart): PathPart {
  return typeof part === 'string' && /^[0-9]{1,15}$/.test(part) ? Number(part) : part;
}

describe('the parts of a path can be recovered', () => {
  test('with any names', () => {
    fc.assert(
      fc.property(fc.array(PART, { maxLength: 6 }), (parts) => {
        expect(parseFieldPath(buildFieldPath(...parts))).toEqual(parts.map((part, index) => (index === 0 ? part : toParsedPart(part))));
      }),
      { numRuns: scaleRuns(5_000) },
    );
  });

  test('so two paths are equal only if their parts are equal', () => {
    const parts = fc.array(PART.map(toParsedPart), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(buildFieldPath(...one) === buildFieldPath(...other)).toBe(
          JSON.stringify(one.map(String)) === JSON.stringify(other.map(String)),
        );
      }),
    );
  });

  test('and a path can be built in steps', () => {
    fc.assert(
      fc.property(fc.array(PART, { minLength: 1, maxLength: 4 }), fc.array(PART, { maxLength: 4 }), (outer, inner) => {
        expect(appendToPath(buildFieldPath(...outer), ...inner)).toBe(buildFieldPath(...outer, ...inner));
      }),
    );
  });
});

test('a name of only digits is written as an index', () => {
  expect(buildFieldPath('data', '7')).toBe('data[7]');
  expect(parseFieldPath('data[7]')).toEqual(['data', 7]);
});

describe('the template toFieldPath', () => {
  const name = 'app.kubernetes.io/version';
  const parent = toFieldPath`spec.template.metadata`;

  test('reads like the path that it builds', () => {
    expect(toFieldPath`spec.strategy.rollingUpdate.maxSurge`).toBe('spec.strategy.rollingUpdate.maxSurge');
    expect(toFieldPath``).toBe(ROOT_PATH);
  });

  test('continues a path at its very start', () => {
    expect(toFieldPath`${parent}.annotations`).toBe('spec.template.metadata.annotations');
    expect(toFieldPath`${toFieldPath`data[a.b]`}.mode`).toBe('data[a.b].mode');
    expect(toFieldPath`${parent}`).toBe(parent);
    expect(toFieldPath`${ROOT_PATH}.spec`).toBe('spec');
  });

  test('treats any other value as one part, whatever it contains', () => {
    expect(toFieldPath`${parent}.labels[${name}]`).toBe('spec.template.metadata.labels[app.kubernetes.io/version]');
    expect(toFieldPath`spec.containers[${2}].readinessProbe`).toBe('spec.containers[2].readinessProbe');
    expect(toFieldPath`spec.${'strategy'}.${'max.surge'}`).toBe('spec.strategy[max.surge]');
    expect(toFieldPath`${parent}.${'a.b'}`).toBe('spec.template.metadata[a.b]');
    expect(toFieldPath`data[${'a[0]'}]`).toBe('data["a[0]"]');
    expect([toFieldPath`spec.list.${0}`, toFieldPath`spec.ports.${'80'}.name`]).toEqual(['spec.list[0]', 'spec.ports[80].name']);
  });

  test('makes the path of its parts', () => {
    fc.assert(
      fc.property(NAME, NAME, fc.nat(), (outer, inner, index) => {
        expect(toFieldPath`spec.${outer}.items[${index}].env[${inner}]`).toBe(
          appendMapKey(buildFieldPath('spec', outer, 'items', index, 'env'), inner),
        );
      }),
    );
  });
});

test('malformed paths are parsed as far as possible', () => {
  expect(['spec[a', 'spec["a', 'spec[', 'spec]', 'spec.', '..a'].map(parseFieldPath)).toEqual([
    ['spec', 'a'],
    ['spec', '"a'],
    ['spec', ''],
    ['spec]'],
    ['spec'],
    ['a'],
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(Array.isArray(parseFieldPath(text))).toBe(true);
    }),
  );
});

test('an entry of a map whose keys are data is in brackets, even if its key needs none', () => {
  expect([appendMapKey('metadata.labels', 'app'), appendMapKey('metadata.labels', 'a.b/c'), appendMapKey('data', 'a]')]).toEqual([
    'metadata.labels[app]',
    'metadata.labels[a.b/c]',
    'data["a]"]',
  ]);
});

test('the name of a field is the end of its path; an entry includes its map or list', () => {
  expect(
    ['replicas', 'spec.replicas', 'spec.list[0]', 'metadata.labels[app.kubernetes.io/version]', 'data["a].b"]', 'data["a].b"].mode'].map(
      getFieldName,
    ),
  ).toEqual(['replicas', 'replicas', 'list[0]', 'labels[app.kubernetes.io/version]', 'data["a].b"]', 'mode']);
});

test('a lazy path consists of its parent path and a field, an item or a map entry', () => {
  const containers = appendLazily(toFieldPath`spec.template.spec`, 'containers');
  expect(resolveLazyPath(toFieldPath`spec`)).toBe('spec');
  expect(resolveLazyPath(appendLazily(appendLazily(containers, 1), 'image'))).toBe('spec.template.spec.containers[1].image');
  expect(resolveLazyPath(appendLazily(containers, 'app'))).toBe('spec.template.spec.containers.app');
  expect(resolveLazyPath(appendMapKeyLazily(toFieldPath`metadata.labels`, 'app'))).toBe('metadata.labels[app]');
});
