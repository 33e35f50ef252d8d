import { planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { operatorResource, plan, planOne } from './plan';

function findings(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return planOne({ replicas: 4, strategy: { type: 'RollingUpdate', rolling_update }, ...more }).findings;
}

function codes(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return findings(rolling_update, more).map(({ code, path }) => [code, path]);
}

const RU = 'spec.strategy.rolling_update';

/** The names of the strategy fields in the resource. */
const NAMES = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };

describe('baw/quoted-integer', () => {
  test('reports a quoted number, which is valid in the resource but not in a Deployment', () => {
    expect(factsOf(findings({ max_surge: '1', max_unavailable: 1 }))).toEqual([
      {
        code: 'baw/quoted-integer',
        severity: 'info',
        messageId: 'accepted',
        path: `${RU}.max_surge`,
        data: { field: 'max_surge', value: '1', number: 1 },
      },
    ]);
  });

  test('also reports quoted replicas', () => {
    expect(codes({ max_surge: 1, max_unavailable: 1 }, { replicas: '4' })).toEqual([['baw/quoted-integer', 'spec.replicas']]);
  });

  test('does not report a negative number, which is invalid with and without quotes', () => {
    expect(codes({ max_surge: '-1', max_unavailable: 1 })).toEqual([['kubernetes/invalid-strategy', `${RU}.max_surge`]]);
  });

  test('does not report numbers and percentages', () => {
    expect(codes({ max_surge: 1, max_unavailable: '25%' })).toEqual([]);
  });
});

describe('baw/unknown-mount', () => {
  const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };

  test('reports why no waves are shown for a deeply nested strategy', () => {
    expect(factsOf(planOne({ a: { b: { strategy } } }).findings)).toEqual([
      {
        code: 'baw/unknown-mount',
        severity: 'warning',
        messageId: 'tooDeep',
        path: 'spec.a.b.strategy',
        data: { strategy: 'spec.a.b.strategy' },
      },
    ]);
  });

  test.each<[what: string, spec: object, notPlanned: readonly string[]]>([
    ['is not planned', { a: { b: { strategy } } }, ['which replicas its strategy applies to is unknown']],
    ['is planned one level below spec', { a: { replicas: 2, strategy } }, []],
  ])('a resource with a strategy %s', (_what, spec, notPlanned) => {
    const planned = planManifests([operatorResource(spec)]);
    expect(planned.notPlanned.map(({ reason }) => reason)).toEqual(notPlanned);
  });

  test('is not reported in spec and one level below', () => {
    expect(planOne({ replicas: 2, a: { strategy, replicas: 2 } }).findings).toEqual([]);
  });
});

describe('a value that a Deployment would be refused for is an error at the field of the resource', () => {
  test.each([
    ['both zero', { max_surge: '0', max_unavailable: '0%' }, 'kubernetes/invalid-strategy', `${RU}.max_unavailable`],
    ['above 100%', { max_surge: 1, max_unavailable: '150%' }, 'kubernetes/invalid-strategy', `${RU}.max_unavailable`],
    ['negative and quoted', { max_surge: '-1', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['beyond 32 bits and quoted', { max_surge: '99999999999', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['not a number', { max_surge: 'some', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['a fraction', { max_surge: 1.5, max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['a list', [], 'input/wrong-type', RU],
  ])('%s', (_what, rolling_update, code, path) => {
    const rollout = planOne({ replicas: 4, strategy: { type: 'RollingUpdate', rolling_update } });
    expect(rollout.findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ code, path }]);
    expect(rollout).toMatchObject({ strategy: null, simulation: null, provenance: [] });
  });

  test('with the field names of the resource', () => {
    expect(factsOf(findings({ max_surge: 1, max_unavailable: '150%' }))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'aboveHundredPercent',
        path: `${RU}.max_unavailable`,
        data: { field: 'max_unavailable', value: '150%', writer: 'the operator' },
      },
    ]);
  });

  const writer = 'the operator';
  const INT_OR_PERCENT = 'a whole number or a percentage such as "25%"';

  test.each([
    [
      'negative replicas',
      { replicas: -2 },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'replicas', value: -2, writer } },
    ],
    [
      'negative replicas, quoted as written',
      { replicas: '-2' },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'replicas', value: '-2', writer } },
    ],
    [
      'replicas that are not a number',
      { replicas: 'many' },
      {
        code: 'input/wrong-type',
        messageId: 'field',
        data: { field: 'replicas', value: 'many', expectedType: 'a whole number', writer: 'the operator' },
      },
    ],
    [
      'replicas beyond 32 bits, quoted as written',
      { replicas: '99999999999' },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'tooLarge',
        data: { field: 'replicas', value: '99999999999', expected: 'a whole number', writer },
      },
    ],
    [
      'a negative limit, quoted',
      { strategy: { rolling_update: { max_surge: '-1' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'max_surge', value: '-1', writer } },
    ],
    [
      'a limit beyond 32 bits, quoted',
      { strategy: { rolling_update: { max_surge: '99999999999' } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'tooLarge',
        data: { field: 'max_surge', value: '99999999999', expected: INT_OR_PERCENT, writer },
      },
    ],
    [
      'a limit that is not a number',
      { strategy: { rolling_update: { max_surge: true } } },
      {
        code: 'input/wrong-type',
        messageId: 'field',
        data: { field: 'max_surge', value: true, expectedType: INT_OR_PERCENT, writer: 'the operator' },
      },
    ],
    [
      'a limit with the name of a Deployment field as its value',
      { strategy: { rolling_update: { max_surge: 'maxUnavailable' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'notPercent', data: { field: 'max_surge', value: 'maxUnavailable', writer } },
    ],
    [
      'both limits 0',
      { strategy: { rolling_update: { max_surge: '0', max_unavailable: 0 } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'bothZero', data: { maxSurge: '0', maxUnavailable: 0, names: NAMES, writer } },
    ],
    [
      'limits with Recreate',
      { strategy: { type: 'Recreate', rolling_update: { max_surge: 1 } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'unusedLimits', data: { field: 'rolling_update', type: 'Recreate', writer } },
    ],
  ])('with the value as written, because the CR itself is accepted: %s', (_what, spec, expected) => {
    const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };
    const errors = planOne({ replicas: 4, strategy, ...spec }).findings.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([expected]);
    expect(errors[0]!.data).toEqual(expected.data);
  });

  test('an unknown type', () => {
    expect(planOne({ strategy: { type: 'Rolling', rolling_update: {} } }).findings).toMatchObject([
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'unknownType',
        path: 'spec.strategy',
        data: { value: 'Rolling', choices: ['Recreate', 'RollingUpdate'], writer },
      },
    ]);
  });
});

describe('invalid metadata is an error as well, in each rollout', () => {
  const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };
  const withMetadata = (metadata: unknown) =>
    plan({ ...operatorResource({ a: { replicas: 2, strategy }, b: { replicas: 2, strategy } }), metadata } as never);

  test('metadata of the wrong type', () => {
    const rollouts = withMetadata({ name: 5, namespace: false, labels: { a: 1 } });
    expect(rollouts.map(({ resource, strategy: stored, simulation }) => [resource.component, stored, simulation])).toEqual([
      ['a', null, null],
      ['b', null, null],
    ]);
    expect(rollouts[0]!.findings).toEqual(rollouts[1]!.findings);
    const wrongType = { code: 'input/wrong-type', severity: 'error', messageId: 'field' };
    expect(factsOf(rollouts[0]!.findings)).toEqual([
      { ...wrongType, path: 'metadata.name', data: { field: 'name', value: 5, expectedType: 'a string' } },
      { ...wrongType, path: 'metadata.namespace', data: { field: 'namespace', value: false, expectedType: 'a string' } },
      { ...wrongType, path: 'metadata.labels[a]', data: { field: 'labels[a]', value: 1, expectedType: 'a string' } },
    ]);
  });

  test('valid metadata is not reported', () => {
    expect(withMetadata({ name: 'baw', labels: { a: '1' }, annotations: null }).flatMap(({ findings: all }) => all)).toEqual([]);
  });
});

describe('fields that the operator does not support', () => {
  test('a camelCase name of a Deployment is a warning with the correct name', () => {
    expect(findings({ maxSurge: 1, max_unavailable: 1 })).toMatchObject([
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'unknown',
        path: `${RU}.maxSurge`,
        data: {
          parentPath: RU,
          field: 'maxSurge',
          reader: 'the operator',
          nearest: 'max_surge',
          knownFields: ['max_surge', 'max_unavailable'],
        },
      },
    ]);
  });

  test('next to rolling_update too', () => {
    const rollout = planOne({ replicas: 4, strategy: { rolling_update: { max_surge: 1, max_unavailable: 1 }, max_surge: 2 } });
    expect(rollout.findings).toMatchObject([{ code: 'input/unknown-field', path: 'spec.strategy.max_surge' }]);
  });
});

describe('findings about the numbers are reported at the field of the resource', () => {
  test.each([
    ['fencepost', 2, { max_surge: 0, max_unavailable: '25%' }, 'kubernetes/fencepost', 'info', `${RU}.max_unavailable`],
    ['all pods may be unavailable', 2, { max_surge: 0, max_unavailable: 2 }, 'kubernetes/outage', 'warning', `${RU}.max_unavailable`],
  ])('%s', (_what, replicas, rolling_update, code, severity, path) => {
    const rollout = planOne({ replicas, strategy: { rolling_update } });
    expect(rollout.findings).toMatchObject([{ code, severity, path, data: { names: NAMES } }]);
    // The field names of a Deployment must not appear.
    const texts = rollout.findings.map(({ message, help }) => `${message} ${help}`);
    expect(texts.filter((text) => /maxSurge|maxUnavailable|rollingUpdate/.test(text))).toEqual([]);
  });

  test('nothing without replicas', () => {
    expect(planOne({ replicas: 0, strategy: { rolling_update: { max_surge: 1, max_unavailable: 0 } } })).toMatchObject({
      simulation: { waves: [] },
      findings: [],
    });
  });
});
