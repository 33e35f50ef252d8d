import { toFieldPath } from '../../../src/core/manifest/field-path';
import { validateDeploymentStrategy } from '../../../src/workloads/deployment/validation';
import { factsOf } from '../../facts';
import { deployment, findingsOf, lines, rolloutOf } from '../plan';

const LIMITS = 'spec.strategy.rollingUpdate';

const INT_OR_PERCENT = 'a whole number or a percentage such as "25%"';

/** Validates a strategy at its usual path. */
function found(strategy: unknown) {
  return validateDeploymentStrategy(strategy, { path: toFieldPath`spec.strategy` });
}

/** Returns the messages about a rolling update, which must all have this code, with their data. */
function messagesOf(rollingUpdate: object, code = 'kubernetes/invalid-strategy') {
  const findings = found({ rollingUpdate });
  expect(findings.filter((finding) => finding.code !== code)).toEqual([]);
  return findings.map(({ messageId, data }) => [messageId, data]);
}

describe('the API server accepts', () => {
  test.each([
    [undefined],
    [null],
    [{}],
    [{ type: null, rollingUpdate: null }],
    [{ type: '' }],
    [{ type: 'Recreate' }],
    [{ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
    [{ rollingUpdate: { maxSurge: '150%' } }],
    [{ rollingUpdate: { maxSurge: 1_000 } }],
    [{ rollingUpdate: { maxUnavailable: 50 } }],
    [{ rollingUpdate: { maxSurge: 0, maxUnavailable: '1%' } }],
    [{ rollingUpdate: { maxSurge: 0 } }],
  ])('%j', (strategy) => {
    expect(found(strategy)).toEqual([]);
  });
});

describe('the API server refuses in a rolling update', () => {
  test('a quoted number', () => {
    const quoted = { rollingUpdate: { maxSurge: '1' } };
    expect(factsOf(validateDeploymentStrategy(quoted, { path: toFieldPath`spec.predictor.deploymentStrategy` }))).toEqual([
      {
        code: 'kubernetes/quoted-integer',
        severity: 'error',
        messageId: 'numberOrPercent',
        path: 'spec.predictor.deploymentStrategy.rollingUpdate.maxSurge',
        data: { field: 'maxSurge', value: '1' },
      },
    ]);
  });

  test('a quoted negative number, for which the advice is not to remove the quotes', () => {
    expect(messagesOf({ maxSurge: '-1' }, 'kubernetes/quoted-integer')).toEqual([['numberOrPercent', { field: 'maxSurge', value: '-1' }]]);
  });

  test('more digits than a number can have, which are truncated in the data, with the number of digits', () => {
    const maxSurge = '9'.repeat(100_000);
    const value = { described: `"${'9'.repeat(76)}…"` };
    expect(messagesOf({ maxSurge }, 'kubernetes/quoted-integer')).toEqual([
      ['tooLong', { field: 'maxSurge', value, digits: 100_000, takesPercent: true }],
    ]);
    expect(messagesOf({ maxSurge: '9'.repeat(300) }, 'kubernetes/quoted-integer')).toEqual([
      ['numberOrPercent', { field: 'maxSurge', value }],
    ]);
  });

  test.each(['abc', '', '1.5%', '-5%', '%', ' 25%'])('a string that is not a percentage: %j', (maxSurge) => {
    expect(messagesOf({ maxSurge })).toEqual([['notPercent', { field: 'maxSurge', value: maxSurge }]]);
  });

  test.each([
    [-1, 'negative', {}],
    [1.5, 'fraction', { expected: INT_OR_PERCENT }],
    [2_147_483_648, 'tooLarge', { expected: INT_OR_PERCENT }],
  ])('a number that is not a count of pods: %d', (maxUnavailable, messageId, more) => {
    expect(messagesOf({ maxUnavailable })).toEqual([[messageId, { field: 'maxUnavailable', value: maxUnavailable, ...more }]]);
  });

  test.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('a number that JSON cannot represent, which the data describes: %d', (maxUnavailable, described) => {
    expect(messagesOf({ maxUnavailable })).toEqual([
      ['fraction', { field: 'maxUnavailable', value: { described }, expected: INT_OR_PERCENT }],
    ]);
  });

  test.each([
    [true, true],
    [[], { described: '[]' }],
    [{}, { described: '{}' }],
  ])('a value of another type: %j', (maxSurge, value) => {
    expect(messagesOf({ maxSurge }, 'input/wrong-type')).toEqual([['field', { field: 'maxSurge', value, expectedType: INT_OR_PERCENT }]]);
  });

  test.each([
    { maxSurge: 0, maxUnavailable: 0 },
    { maxSurge: '0%', maxUnavailable: '0%' },
    { maxSurge: '0%', maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: '00%' },
  ])('both 0, written as a number or as a percentage: %j', (zeros) => {
    const names = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };
    expect(messagesOf(zeros)).toEqual([['bothZero', { ...zeros, names }]]);
    expect(lines(found({ rollingUpdate: zeros }))).toEqual([`error kubernetes/invalid-strategy ${LIMITS}.maxUnavailable`]);
  });

  test('a malformed value, without an additional finding about two zeros', () => {
    expect(lines(found({ rollingUpdate: { maxSurge: '0', maxUnavailable: 0 } }))).toEqual([
      'error kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge',
    ]);
  });

  test('a maxUnavailable above 100%, but not a maxSurge above 100%', () => {
    expect(messagesOf({ maxSurge: '101%', maxUnavailable: '101%' })).toEqual([
      ['aboveHundredPercent', { field: 'maxUnavailable', value: '101%' }],
    ]);
  });

  test('no maxSurge that the controller cannot parse, but it is reported', () => {
    expect(messagesOf({ maxSurge: '99999999999%' })).toEqual([['uncountable', { field: 'maxSurge', value: '99999999999%' }]]);
  });

  test('both limits, each with its own finding', () => {
    expect(lines(found({ rollingUpdate: { maxSurge: '1', maxUnavailable: -2 } }))).toEqual([
      'error kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge',
      'error kubernetes/invalid-strategy spec.strategy.rollingUpdate.maxUnavailable',
    ]);
  });
});

describe('the API server refuses in a strategy', () => {
  test('a rolling update with Recreate, even an empty one', () => {
    expect(factsOf(found({ type: 'Recreate', rollingUpdate: {} }))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'unusedLimits',
        path: LIMITS,
        data: { field: 'rollingUpdate', type: 'Recreate' },
      },
    ]);
  });

  test('an unknown type', () => {
    expect(factsOf(found({ type: 'Rolling' }))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'unknownType',
        path: 'spec.strategy',
        data: { field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'] },
      },
    ]);
  });

  test('a value of the wrong type', () => {
    const wrongType = { code: 'input/wrong-type', severity: 'error', messageId: 'field' };
    expect(factsOf(found('RollingUpdate'))).toEqual([
      { ...wrongType, path: 'spec.strategy', data: { field: 'strategy', value: 'RollingUpdate', expectedType: 'a map' } },
    ]);
    expect(factsOf(found({ type: 1, rollingUpdate: [] }))).toEqual([
      { ...wrongType, path: 'spec.strategy.type', data: { field: 'type', value: 1, expectedType: 'a string' } },
      { ...wrongType, path: LIMITS, data: { field: 'rollingUpdate', value: { described: '[]' }, expectedType: 'a map' } },
    ]);
  });
});

test('fields that the API server drops are warnings, with the likely intended name', () => {
  const strategy = { typ: 'Recreate', rolling_update: {}, rollingUpdate: { max_surge: 1, maxunavailable: 1, partition: 0 } };
  const inStrategy = { parentPath: 'spec.strategy', reader: 'the API server', knownFields: ['type', 'rollingUpdate'] };
  const inLimits = { parentPath: LIMITS, reader: 'the API server', knownFields: ['maxSurge', 'maxUnavailable'] };
  const warning = { code: 'input/unknown-field', severity: 'warning', messageId: 'unknown' };
  expect(factsOf(found(strategy))).toEqual([
    { ...warning, path: 'spec.strategy.typ', data: { ...inStrategy, field: 'typ', nearest: 'type' } },
    { ...warning, path: 'spec.strategy.rolling_update', data: { ...inStrategy, field: 'rolling_update', nearest: 'rollingUpdate' } },
    { ...warning, path: `${LIMITS}.max_surge`, data: { ...inLimits, field: 'max_surge', nearest: 'maxSurge' } },
    { ...warning, path: `${LIMITS}.maxunavailable`, data: { ...inLimits, field: 'maxunavailable', nearest: 'maxUnavailable' } },
    { ...warning, path: `${LIMITS}.partition`, data: { ...inLimits, field: 'partition' } },
  ]);
});

describe('the API server refuses in a Deployment', () => {
  test.each([
    [{ replicas: '3' }, 'error kubernetes/quoted-integer spec.replicas'],
    [{ replicas: -1 }, 'error kubernetes/invalid-strategy spec.replicas'],
    [{ replicas: 2.5 }, 'error kubernetes/invalid-strategy spec.replicas'],
    [{ replicas: 3_000_000_000 }, 'error kubernetes/invalid-strategy spec.replicas'],
    [{ replicas: 'three' }, 'error input/wrong-type spec.replicas'],
    [{ minReadySeconds: -1 }, 'error kubernetes/invalid-strategy spec.minReadySeconds'],
    [{ minReadySeconds: '5' }, 'error kubernetes/quoted-integer spec.minReadySeconds'],
    [{ revisionHistoryLimit: -1 }, 'error kubernetes/invalid-strategy spec.revisionHistoryLimit'],
    [{ progressDeadlineSeconds: -1 }, 'error kubernetes/invalid-strategy spec.progressDeadlineSeconds'],
    [{ progressDeadlineSeconds: 0 }, 'error kubernetes/invalid-strategy spec.progressDeadlineSeconds'],
    [{ progressDeadlineSeconds: 60, minReadySeconds: 60 }, 'error kubernetes/invalid-strategy spec.progressDeadlineSeconds'],
    [{ minReadySeconds: 600 }, 'error kubernetes/invalid-strategy spec.progressDeadlineSeconds'],
    [{ paused: 'yes' }, 'error input/wrong-type spec.paused'],
    [{ strategy: [] }, 'error input/wrong-type spec.strategy'],
    [{ template: [] }, 'error input/wrong-type spec.template'],
    [{ template: { spec: { containers: {} } } }, 'error input/wrong-type spec.template.spec.containers'],
    [{ template: { spec: { containers: ['app'] } } }, 'error input/wrong-type spec.template.spec.containers[0]'],
    [null, 'error input/wrong-type spec'],
    ['text', 'error input/wrong-type spec'],
  ])('%j: %s', (spec, line) => {
    const rollout = rolloutOf([deployment(spec)]);
    expect(lines(rollout.findings)).toEqual([line]);
    expect(rollout).toMatchObject({ strategy: null, provenance: [], simulation: null });
  });

  test('metadata of the wrong type', () => {
    const metadata = { name: 2_024, labels: { version: 1 }, annotations: [] };
    expect(lines(findingsOf([deployment({}, metadata)]))).toEqual([
      'error input/wrong-type metadata.name',
      'error input/wrong-type metadata.labels[version]',
      'error input/wrong-type metadata.annotations',
    ]);
  });

  test('a number as a label value, a common mistake in YAML', () => {
    const labels = { app: 'web', 'app.kubernetes.io/version': 2 };
    expect(factsOf(findingsOf([deployment({ template: { metadata: { labels } } })]))).toEqual([
      {
        code: 'input/wrong-type',
        severity: 'error',
        messageId: 'field',
        path: 'spec.template.metadata.labels[app.kubernetes.io/version]',
        data: { field: 'labels[app.kubernetes.io/version]', value: 2, expectedType: 'a string' },
      },
    ]);
  });

  test('a deadline that is too short, with both numbers', () => {
    expect(factsOf(findingsOf([deployment({ progressDeadlineSeconds: 60, minReadySeconds: 90 })]))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'deadline',
        path: 'spec.progressDeadlineSeconds',
        data: { field: 'progressDeadlineSeconds', value: 60, minReadySeconds: 90 },
      },
    ]);
  });

  test('no null except as spec: elsewhere null counts as not set', () => {
    const counts = { replicas: null, minReadySeconds: null, progressDeadlineSeconds: null, revisionHistoryLimit: null };
    const { strategy, simulation } = rolloutOf([deployment({ ...counts, strategy: null, template: null, paused: null })]);
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } });
    expect(simulation).toMatchObject({ replicas: 1 });
  });
});
