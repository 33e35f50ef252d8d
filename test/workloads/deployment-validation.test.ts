import { deploymentStrategyFindings } from '../../src/workloads/validation';
import { deployment, findingsOf, lines, rolloutOf } from './plan';

/** The messages about a rolling update, all of this code. */
function messagesOn(rollingUpdate: object, code = 'kubernetes/invalid-strategy'): string[] {
  const findings = deploymentStrategyFindings({ rollingUpdate }, 'spec.strategy');
  expect(findings.filter((finding) => finding.code !== code)).toEqual([]);
  return findings.map((finding) => finding.message);
}

function pathsAndMessages(strategy: unknown) {
  return deploymentStrategyFindings(strategy, 'spec.strategy').map(({ path, message, help }) => ({ path, message, help }));
}

describe('what the API server takes', () => {
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
    expect(deploymentStrategyFindings(strategy, 'spec.strategy')).toEqual([]);
  });
});

describe('what the API server refuses in a rolling update', () => {
  test('a number in quotes', () => {
    expect(deploymentStrategyFindings({ rollingUpdate: { maxSurge: '1' } }, 'spec.predictor.deploymentStrategy')).toEqual([
      {
        code: 'kubernetes/quoted-integer',
        severity: 'error',
        path: 'spec.predictor.deploymentStrategy.rollingUpdate.maxSurge',
        message:
          'maxSurge is "1", a number in quotes, which the API server refuses: ' +
          "a valid percent string must be a numeric string followed by an ending '%'.",
        help: 'Write 1 without quotes, or a percentage such as "25%".',
      },
    ]);
  });

  test('a negative number in quotes is not advised without them', () => {
    expect(deploymentStrategyFindings({ rollingUpdate: { maxSurge: '-1' } }, 'spec.strategy')[0]!.help).toBe(
      'Write a whole number of at least 0 without quotes, or a percentage such as "25%".',
    );
  });

  test('strings that are no percentage', () => {
    expect(['abc', '', '1.5%', '-5%', '%', ' 25%'].flatMap((maxSurge) => messagesOn({ maxSurge }))).toMatchInlineSnapshot(`
[
  "maxSurge is "abc", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
  "maxSurge is "", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
  "maxSurge is "1.5%", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
  "maxSurge is "-5%", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
  "maxSurge is "%", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
  "maxSurge is " 25%", which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
]
`);
  });

  test('numbers that are no count of pods', () => {
    const numbers = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648];
    expect(numbers.flatMap((maxUnavailable) => messagesOn({ maxUnavailable }))).toMatchInlineSnapshot(`
[
  "maxUnavailable is -1, which the API server refuses: must be greater than or equal to 0.",
  "maxUnavailable is 1.5, which the API server refuses: it is not a whole number.",
  "maxUnavailable is NaN, which the API server refuses: it is not a whole number.",
  "maxUnavailable is Infinity, which the API server refuses: it is not a whole number.",
  "maxUnavailable is 2147483648, which the API server refuses: it does not fit into 32 bits (at most 2147483647).",
]
`);
  });

  test('values of another type', () => {
    expect([true, [], {}].flatMap((maxSurge) => messagesOn({ maxSurge }, 'input/wrong-type'))).toMatchInlineSnapshot(`
[
  "maxSurge is true, but the API wants a whole number or a percentage such as "25%" here and refuses the whole object.",
  "maxSurge is [], but the API wants a whole number or a percentage such as "25%" here and refuses the whole object.",
  "maxSurge is {}, but the API wants a whole number or a percentage such as "25%" here and refuses the whole object.",
]
`);
  });

  test('both 0, written as a number or as a percentage', () => {
    const zeros = [
      { maxSurge: 0, maxUnavailable: 0 },
      { maxSurge: '0%', maxUnavailable: '0%' },
      { maxSurge: '0%', maxUnavailable: 0 },
      { maxSurge: 0, maxUnavailable: '00%' },
    ];
    expect(zeros.flatMap((zero) => messagesOn(zero))).toMatchInlineSnapshot(`
[
  "maxUnavailable is 0 and maxSurge is 0, which the API server refuses: maxUnavailable may not be 0 when \`maxSurge\` is 0.",
  "maxUnavailable is "0%" and maxSurge is "0%", which the API server refuses: maxUnavailable may not be 0 when \`maxSurge\` is 0.",
  "maxUnavailable is 0 and maxSurge is "0%", which the API server refuses: maxUnavailable may not be 0 when \`maxSurge\` is 0.",
  "maxUnavailable is "00%" and maxSurge is 0, which the API server refuses: maxUnavailable may not be 0 when \`maxSurge\` is 0.",
]
`);
  });

  test('two zeros are not reported on top of a malformed value', () => {
    expect(lines(deploymentStrategyFindings({ rollingUpdate: { maxSurge: '0', maxUnavailable: 0 } }, 'spec.strategy'))).toEqual([
      'error kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge',
    ]);
  });

  test('maxUnavailable above 100%; maxSurge may be', () => {
    expect(messagesOn({ maxSurge: '101%', maxUnavailable: '101%' })).toMatchInlineSnapshot(`
[
  "maxUnavailable is "101%", which the API server refuses: must not be greater than 100%.",
]
`);
  });

  test('both halves, each with a finding of its own', () => {
    expect(lines(deploymentStrategyFindings({ rollingUpdate: { maxSurge: '1', maxUnavailable: -2 } }, 'spec.strategy'))).toEqual([
      'error kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge',
      'error kubernetes/invalid-strategy spec.strategy.rollingUpdate.maxUnavailable',
    ]);
  });
});

describe('what the API server refuses in a strategy', () => {
  test('a rolling update beside Recreate, also an empty one', () => {
    expect(pathsAndMessages({ type: 'Recreate', rollingUpdate: {} })).toMatchInlineSnapshot(`
[
  {
    "help": "Delete rollingUpdate, or write type: RollingUpdate.",
    "message": "rollingUpdate stands beside type Recreate, which the API server refuses: may not be specified when strategy \`type\` is 'Recreate'.",
    "path": "spec.strategy.rollingUpdate",
  },
]
`);
  });

  test('a type that it does not know', () => {
    expect(pathsAndMessages({ type: 'Rolling' })).toMatchInlineSnapshot(`
[
  {
    "help": "Write type: RollingUpdate or type: Recreate.",
    "message": "type is "Rolling", which the API server refuses: supported values are "Recreate" and "RollingUpdate".",
    "path": "spec.strategy",
  },
]
`);
  });

  test('another type of value', () => {
    expect(pathsAndMessages('RollingUpdate')).toMatchInlineSnapshot(`
[
  {
    "help": "Write a map.",
    "message": "strategy is "RollingUpdate", but the API wants a map here and refuses the whole object.",
    "path": "spec.strategy",
  },
]
`);
    expect(pathsAndMessages({ type: 1, rollingUpdate: [] })).toMatchInlineSnapshot(`
[
  {
    "help": "Write a string.",
    "message": "type is 1, but the API wants a string here and refuses the whole object.",
    "path": "spec.strategy.type",
  },
  {
    "help": "Write a map.",
    "message": "rollingUpdate is [], but the API wants a map here and refuses the whole object.",
    "path": "spec.strategy.rollingUpdate",
  },
]
`);
  });
});

test('fields that the API server drops are warnings, with the name that was likely meant', () => {
  const strategy = { typ: 'Recreate', rolling_update: {}, rollingUpdate: { max_surge: 1, maxunavailable: 1, partition: 0 } };
  const findings = deploymentStrategyFindings(strategy, 'spec.strategy');
  expect(findings.map(({ path, help }) => `${path}: ${help}`)).toMatchInlineSnapshot(`
[
  "spec.strategy.typ: Write type, or delete the field.",
  "spec.strategy.rolling_update: Write rollingUpdate, or delete the field.",
  "spec.strategy.rollingUpdate.max_surge: Write maxSurge, or delete the field.",
  "spec.strategy.rollingUpdate.maxunavailable: Write maxUnavailable, or delete the field.",
  "spec.strategy.rollingUpdate.partition: Delete the field; known here: maxSurge, maxUnavailable.",
]
`);
  expect(findings[4]).toMatchObject({ severity: 'warning', code: 'input/unknown-field' });
  expect(findings[0]!.message).toBe('spec.strategy has no field "typ"; the API server drops it, so it has no effect.');
});

describe('what the API server refuses in a Deployment', () => {
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

  test('metadata of another type', () => {
    const metadata = { name: 2_024, labels: { version: 1 }, annotations: [] };
    expect(lines(findingsOf([deployment({}, metadata)]))).toEqual([
      'error input/wrong-type metadata.name',
      'error input/wrong-type metadata.labels[version]',
      'error input/wrong-type metadata.annotations',
    ]);
  });

  test('a number among the labels, the mistake that YAML invites, is named', () => {
    expect(findingsOf([deployment({ template: { metadata: { labels: { app: 'web', 'app.kubernetes.io/version': 2 } } } })])).toEqual([
      {
        code: 'input/wrong-type',
        severity: 'error',
        path: 'spec.template.metadata.labels[app.kubernetes.io/version]',
        message: 'labels[app.kubernetes.io/version] is 2, but the API wants a string here and refuses the whole object.',
        help: 'Write a string.',
      },
    ]);
  });

  test('the deadline, with both numbers and what to write', () => {
    const [finding] = findingsOf([deployment({ progressDeadlineSeconds: 60, minReadySeconds: 90 })]);
    expect(finding).toEqual({
      code: 'kubernetes/invalid-strategy',
      severity: 'error',
      path: 'spec.progressDeadlineSeconds',
      message: 'progressDeadlineSeconds is 60, which the API server refuses: must be greater than minReadySeconds (it is 90).',
      help: 'Write a number above 90 plus the seconds that a pod takes to become ready.',
    });
  });

  test('null counts as left out everywhere but in spec', () => {
    const counts = { replicas: null, minReadySeconds: null, progressDeadlineSeconds: null, revisionHistoryLimit: null };
    const { strategy, simulation } = rolloutOf([deployment({ ...counts, strategy: null, template: null, paused: null })]);
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } });
    expect(simulation).toMatchObject({ replicas: 1 });
  });
});
