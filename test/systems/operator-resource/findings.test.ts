import { operatorResource, plan, planOne } from './plan';

function findings(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return planOne({ replicas: 4, strategy: { type: 'RollingUpdate', rolling_update }, ...more }).findings;
}

function codes(rolling_update: unknown, more: Record<string, unknown> = {}) {
  return findings(rolling_update, more).map(({ code, path }) => [code, path]);
}

const RU = 'spec.strategy.rolling_update';

describe('baw/quoted-integer', () => {
  test('explains a number in quotes, which is fine in the resource and not in a Deployment', () => {
    expect(findings({ max_surge: '1', max_unavailable: 1 })).toEqual([
      {
        code: 'baw/quoted-integer',
        severity: 'info',
        path: `${RU}.max_surge`,
        message:
          'max_surge is "1", a number in quotes: fine in this resource, where the operator reads it as 1; a Deployment with it would be refused.',
        help: 'Leave it, or write 1 without quotes; write it without quotes wherever you copy it into a Deployment.',
      },
    ]);
  });

  test('stands for replicas in quotes as well', () => {
    expect(codes({ max_surge: 1, max_unavailable: 1 }, { replicas: '4' })).toEqual([['baw/quoted-integer', 'spec.replicas']]);
  });

  test('is silent about numbers and percentages', () => {
    expect(codes({ max_surge: 1, max_unavailable: '25%' })).toEqual([]);
  });
});

describe('baw/unknown-mount', () => {
  const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };

  test('says why no waves are shown for a strategy deep inside a resource', () => {
    expect(planOne({ a: { b: { strategy } } }).findings).toEqual([
      {
        code: 'baw/unknown-mount',
        severity: 'warning',
        path: 'spec.a.b.strategy',
        message:
          "spec.a.b.strategy stands more than one level below spec: which replicas it applies to can't be known, so its waves can't be " +
          'shown.',
        help: 'Put strategy beside replicas, at spec or one level below it, if the operator reads it there.',
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
    expect(findings({ max_surge: 1, max_unavailable: '150%' })).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        path: `${RU}.max_unavailable`,
        message:
          'max_unavailable is "150%", which the API server refuses in the Deployment that the operator writes: must not be greater than 100%.',
        help: 'Write a percentage from "0%" to "100%".',
      },
    ]);
  });

  test.each([
    [
      'replicas below 0',
      { replicas: -2 },
      'kubernetes/invalid-strategy',
      'replicas is -2, which the API server refuses in the Deployment that the operator writes: must be greater than or equal to 0.',
    ],
    [
      'replicas below 0, in quotes as they stand there',
      { replicas: '-2' },
      'kubernetes/invalid-strategy',
      'replicas is "-2", which the API server refuses in the Deployment that the operator writes: must be greater than or equal to 0.',
    ],
    [
      'replicas that are no number',
      { replicas: 'many' },
      'input/wrong-type',
      'replicas is "many", but the API wants a whole number in the Deployment that the operator writes, and refuses that Deployment.',
    ],
    [
      'a limit below 0, in quotes',
      { strategy: { rolling_update: { max_surge: '-1' } } },
      'kubernetes/invalid-strategy',
      'max_surge is "-1", which the API server refuses in the Deployment that the operator writes: must be greater than or equal to 0.',
    ],
    [
      'a limit that is no number',
      { strategy: { rolling_update: { max_surge: true } } },
      'input/wrong-type',
      'max_surge is true, but the API wants a whole number or a percentage such as "25%" in the Deployment that the operator writes, and ' +
        'refuses that Deployment.',
    ],
    [
      'both limits 0',
      { strategy: { rolling_update: { max_surge: '0', max_unavailable: 0 } } },
      'kubernetes/invalid-strategy',
      'max_unavailable is 0 and max_surge is "0", which the API server refuses in the Deployment that the operator writes: max_unavailable ' +
        'may not be 0 when `max_surge` is 0.',
    ],
  ])('with the value as it stands there, for the CR itself is accepted: %s', (_what, spec, code, message) => {
    const strategy = { rolling_update: { max_surge: 1, max_unavailable: 1 } };
    const errors = planOne({ replicas: 4, strategy, ...spec }).findings.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code, message }]);
  });

  test('an unknown type', () => {
    expect(planOne({ strategy: { type: 'Rolling', rolling_update: {} } }).findings).toMatchObject([
      { code: 'kubernetes/invalid-strategy', path: 'spec.strategy' },
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
    expect(rollouts[0]!.findings.map(({ code, path, message }) => [code, path, message])).toEqual([
      ['input/wrong-type', 'metadata.name', 'name is 5, but the API wants a string here and refuses the whole object.'],
      ['input/wrong-type', 'metadata.namespace', 'namespace is false, but the API wants a string here and refuses the whole object.'],
      ['input/wrong-type', 'metadata.labels[a]', 'labels[a] is 1, but the API wants a string here and refuses the whole object.'],
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
        path: `${RU}.maxSurge`,
        message: `${RU} has no field "maxSurge"; the operator drops it, so it has no effect.`,
        help: 'Write max_surge, or delete the field.',
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
    ['no pod may be missing', 5, { max_surge: 1, max_unavailable: 0 }, 'kubernetes/surge-needs-headroom', 'info', `${RU}.max_unavailable`],
    ['all pods may be missing', 2, { max_surge: 0, max_unavailable: 2 }, 'kubernetes/outage', 'warning', `${RU}.max_unavailable`],
  ])('%s', (_what, replicas, rolling_update, code, severity, path) => {
    const rollout = planOne({ replicas, strategy: { rolling_update } });
    expect(rollout.findings).toMatchObject([{ code, severity, path }]);
    expect(JSON.stringify(rollout.findings)).not.toMatch(/maxSurge|maxUnavailable|rollingUpdate/);
  });

  test('nothing for no replicas', () => {
    expect(planOne({ replicas: 0, strategy: { rolling_update: { max_surge: 1, max_unavailable: 0 } } })).toMatchObject({
      simulation: { waves: [] },
      findings: [],
    });
  });
});
