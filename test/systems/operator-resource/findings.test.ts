import { factsOf } from '../../facts';
import { operatorResource, plan, planOne } from './plan';

function findings(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return planOne({ replicas: 4, strategy: { type: 'RollingUpdate', rolling_update }, ...more }).findings;
}

function codes(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return findings(rolling_update, more).map(({ code, path }) => [code, path]);
}

const RU = 'spec.strategy.rolling_update';

/** What the resource calls the fields of a strategy. */
const NAMES = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };

describe('baw/quoted-integer', () => {
  test('explains a number in quotes, which is fine in the resource and not in a Deployment', () => {
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

  test('stands for replicas in quotes as well', () => {
    expect(codes({ max_surge: 1, max_unavailable: 1 }, { replicas: '4' })).toEqual([['baw/quoted-integer', 'spec.replicas']]);
  });

  test('is silent about a negative one, which is wrong with and without quotes', () => {
    expect(codes({ max_surge: '-1', max_unavailable: 1 })).toEqual([['kubernetes/invalid-strategy', `${RU}.max_surge`]]);
  });

  test('is silent about numbers and percentages', () => {
    expect(codes({ max_surge: 1, max_unavailable: '25%' })).toEqual([]);
  });
});

describe('baw/unknown-mount', () => {
  const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };

  test('says why no waves are shown for a strategy deep inside a resource', () => {
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

  test('is silent at spec and one level below', () => {
    expect(planOne({ replicas: 2, a: { strategy, replicas: 2 } }).findings).toEqual([]);
  });
});

describe('what a Deployment would be refused for is an error at the field of the resource', () => {
  test.each([
    ['both zero', { max_surge: '0', max_unavailable: '0%' }, 'kubernetes/invalid-strategy', `${RU}.max_unavailable`],
    ['above 100 %', { max_surge: 1, max_unavailable: '150%' }, 'kubernetes/invalid-strategy', `${RU}.max_unavailable`],
    ['negative in quotes', { max_surge: '-1', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['beyond 32 bits, in quotes', { max_surge: '99999999999', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['no number', { max_surge: 'some', max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['a fraction', { max_surge: 1.5, max_unavailable: 1 }, 'kubernetes/invalid-strategy', `${RU}.max_surge`],
    ['a list', [], 'input/wrong-type', RU],
  ])('%s', (_what, rolling_update, code, path) => {
    const rollout = planOne({ replicas: 4, strategy: { type: 'RollingUpdate', rolling_update } });
    expect(rollout.findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ code, path }]);
    expect(rollout).toMatchObject({ strategy: null, simulation: null, provenance: [] });
  });

  test('in the words of the resource', () => {
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
      'replicas below 0',
      { replicas: -2 },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'replicas', value: -2, writer } },
    ],
    [
      'replicas below 0, in quotes as they stand there',
      { replicas: '-2' },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'replicas', value: '-2', writer } },
    ],
    [
      'replicas that are no number',
      { replicas: 'many' },
      {
        code: 'input/wrong-type',
        messageId: 'field',
        data: { field: 'replicas', value: 'many', expectedType: 'a whole number', writer: 'the operator' },
      },
    ],
    [
      'replicas beyond 32 bits, in quotes as they stand there',
      { replicas: '99999999999' },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'tooLarge',
        data: { field: 'replicas', value: '99999999999', expected: 'a whole number', writer },
      },
    ],
    [
      'a limit below 0, in quotes',
      { strategy: { rolling_update: { max_surge: '-1' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'negative', data: { field: 'max_surge', value: '-1', writer } },
    ],
    [
      'a limit beyond 32 bits, in quotes',
      { strategy: { rolling_update: { max_surge: '99999999999' } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'tooLarge',
        data: { field: 'max_surge', value: '99999999999', expected: INT_OR_PERCENT, writer },
      },
    ],
    [
      'a limit that is no number',
      { strategy: { rolling_update: { max_surge: true } } },
      {
        code: 'input/wrong-type',
        messageId: 'field',
        data: { field: 'max_surge', value: true, expectedType: INT_OR_PERCENT, writer: 'the operator' },
      },
    ],
    [
      'a limit that bears the name of a field of a Deployment',
      { strategy: { rolling_update: { max_surge: 'maxUnavailable' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'notPercent', data: { field: 'max_surge', value: 'maxUnavailable', writer } },
    ],
    [
      'both limits 0',
      { strategy: { rolling_update: { max_surge: '0', max_unavailable: 0 } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'bothZero', data: { maxSurge: '0', maxUnavailable: 0, names: NAMES, writer } },
    ],
    [
      'limits beside Recreate',
      { strategy: { type: 'Recreate', rolling_update: { max_surge: 1 } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'unusedLimits', data: { field: 'rolling_update', type: 'Recreate', writer } },
    ],
  ])('with the value as it stands there, for the CR itself is accepted: %s', (_what, spec, expected) => {
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

describe('what every object is read as is an error too, of each of its rollouts', () => {
  const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };
  const withMetadata = (metadata: unknown) =>
    plan({ ...operatorResource({ a: { replicas: 2, strategy }, b: { replicas: 2, strategy } }), metadata } as never);

  test('metadata of another type', () => {
    const rollouts = withMetadata({ name: 5, namespace: false, labels: { a: 1 } });
    expect(rollouts.map(({ resource, strategy: stored, simulation }) => [resource.component, stored, simulation])).toEqual([
      ['a', null, null],
      ['b', null, null],
    ]);
    expect(rollouts[0]!.findings).toEqual(rollouts[1]!.findings);
    const wrongType = { code: 'input/wrong-type', severity: 'error', messageId: 'field' };
    expect(factsOf(rollouts[0]!.findings)).toEqual([
      { ...wrongType, path: 'metadata.name', data: { field: 'name', value: 5, wanted: 'a string' } },
      { ...wrongType, path: 'metadata.namespace', data: { field: 'namespace', value: false, wanted: 'a string' } },
      { ...wrongType, path: 'metadata.labels[a]', data: { field: 'labels[a]', value: 1, wanted: 'a string' } },
    ]);
  });

  test('nothing is said of metadata that is fine', () => {
    expect(withMetadata({ name: 'baw', labels: { a: '1' }, annotations: null }).flatMap(({ findings: all }) => all)).toEqual([]);
  });
});

describe('fields that the operator does not know', () => {
  test('the camelCase of a Deployment gets a warning with the name to write', () => {
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

  test('beside rolling_update too', () => {
    const rollout = planOne({ replicas: 4, strategy: { rolling_update: { max_surge: 1, max_unavailable: 1 }, max_surge: 2 } });
    expect(rollout.findings).toMatchObject([{ code: 'input/unknown-field', path: 'spec.strategy.max_surge' }]);
  });
});

describe('what follows from the numbers is said at the field of the resource', () => {
  test.each([
    ['fencepost', 2, { max_surge: 0, max_unavailable: '25%' }, 'kubernetes/fencepost', 'info', `${RU}.max_unavailable`],
    ['all pods may be missing', 2, { max_surge: 0, max_unavailable: 2 }, 'kubernetes/outage', 'warning', `${RU}.max_unavailable`],
  ])('%s', (_what, replicas, rolling_update, code, severity, path) => {
    const rollout = planOne({ replicas, strategy: { rolling_update } });
    expect(rollout.findings).toMatchObject([{ code, severity, path, data: { names: NAMES } }]);
    // The words of a Deployment are none of the resource's.
    const texts = rollout.findings.map(({ message, help }) => `${message} ${help}`);
    expect(texts.filter((text) => /maxSurge|maxUnavailable|rollingUpdate/.test(text))).toEqual([]);
  });

  test('nothing for no replicas', () => {
    expect(planOne({ replicas: 0, strategy: { rolling_update: { max_surge: 1, max_unavailable: 0 } } })).toMatchObject({
      simulation: { waves: [] },
      findings: [],
    });
  });
});
