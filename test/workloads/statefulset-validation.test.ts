import { findingsOf, lines, rolloutOf, statefulSet } from './plan';

function found(spec: unknown, kubernetes = '1.37') {
  return findingsOf([statefulSet(spec)], undefined, { versions: { kubernetes } });
}

function rollingUpdate(limits: object) {
  return { replicas: 5, updateStrategy: { rollingUpdate: limits } };
}

describe('what the API server refuses in a StatefulSet', () => {
  test.each([
    [{ replicas: '3' }, 'error kubernetes/quoted-integer spec.replicas'],
    [{ replicas: -1 }, 'error kubernetes/invalid-strategy spec.replicas'],
    [{ minReadySeconds: -1 }, 'error kubernetes/invalid-strategy spec.minReadySeconds'],
    [{ revisionHistoryLimit: 1.5 }, 'error kubernetes/invalid-strategy spec.revisionHistoryLimit'],
    [{ ordinals: { start: -1 } }, 'error kubernetes/invalid-strategy spec.ordinals.start'],
    [{ ordinals: { start: '1' } }, 'error kubernetes/quoted-integer spec.ordinals.start'],
    [{ podManagementPolicy: 'Ordered' }, 'error kubernetes/invalid-strategy spec.podManagementPolicy'],
    [{ podManagementPolicy: 1 }, 'error input/wrong-type spec.podManagementPolicy'],
    [{ updateStrategy: [] }, 'error input/wrong-type spec.updateStrategy'],
    [{ updateStrategy: { type: 'Recreate' } }, 'error kubernetes/invalid-strategy spec.updateStrategy'],
    [{ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } }, 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate'],
    [rollingUpdate({ partition: -1 }), 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate.partition'],
    [rollingUpdate({ partition: '1' }), 'error kubernetes/quoted-integer spec.updateStrategy.rollingUpdate.partition'],
    [rollingUpdate({ maxUnavailable: 0 }), 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [rollingUpdate({ maxUnavailable: '0%' }), 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [rollingUpdate({ maxUnavailable: '101%' }), 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [rollingUpdate({ maxUnavailable: '1' }), 'error kubernetes/quoted-integer spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [rollingUpdate({ maxUnavailable: 'abc' }), 'error kubernetes/invalid-strategy spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [null, 'error input/wrong-type spec'],
  ])('%j: %s', (spec, line) => {
    const rollout = rolloutOf([statefulSet(spec)], { versions: { kubernetes: '1.37' } });
    expect(lines(rollout.findings)).toEqual([line]);
    expect(rollout).toMatchObject({ strategy: null, provenance: [], simulation: null });
  });

  test("with the server's reasons, and what to write instead", () => {
    const specs = [
      { podManagementPolicy: 'Ordered' },
      { updateStrategy: { type: 'Recreate' } },
      { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } },
      rollingUpdate({ maxUnavailable: 0 }),
    ];
    expect(specs.flatMap((spec) => found(spec).map(({ message, help }) => ({ message, help })))).toMatchInlineSnapshot(`
[
  {
    "help": "Write OrderedReady or Parallel.",
    "message": "podManagementPolicy is "Ordered", which the API server refuses: must be 'OrderedReady' or 'Parallel'.",
  },
  {
    "help": "Write type: RollingUpdate or type: OnDelete.",
    "message": "type is "Recreate", which the API server refuses: must be 'RollingUpdate' or 'OnDelete'.",
  },
  {
    "help": "Delete rollingUpdate, or write type: RollingUpdate.",
    "message": "rollingUpdate stands beside type OnDelete, which the API server refuses: only allowed for updateStrategy 'RollingUpdate'.",
  },
  {
    "help": "Write maxUnavailable: 1, or leave the field out.",
    "message": "maxUnavailable is 0, which the API server refuses: cannot be 0.",
  },
]
`);
  });
});

test.each([
  [{}],
  [{ podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } }],
  [rollingUpdate({ partition: 99, maxUnavailable: 50 })],
  [rollingUpdate({ maxUnavailable: '100%' })],
  [rollingUpdate({ maxUnavailable: '10%' })],
  [{ updateStrategy: { type: null, rollingUpdate: { partition: null, maxUnavailable: null } } }],
  // Negative: the API server has no rule for it.
  [{ revisionHistoryLimit: -1 }],
])('the API server takes %j', (spec) => {
  expect(found(spec).filter((finding) => finding.severity === 'error')).toEqual([]);
});

describe('a version that drops maxUnavailable does not judge it', () => {
  test.each([[0], ['0%'], ['150%'], ['1'], ['abc'], [-1]])('%j is dropped by 1.34 and refused by 1.37', (maxUnavailable) => {
    const dropped = ['warning kubernetes/statefulset-max-unavailable-dropped spec.updateStrategy.rollingUpdate.maxUnavailable'];
    expect(lines(found(rollingUpdate({ maxUnavailable }), '1.34'))).toEqual(dropped);
    expect(found(rollingUpdate({ maxUnavailable }), '1.37')).toMatchObject([{ severity: 'error' }]);
  });

  test.each([[1.5], [true], [{}]])('%j cannot be decoded by any version', (maxUnavailable) => {
    expect(found(rollingUpdate({ maxUnavailable }), '1.34')).toMatchObject([{ severity: 'error' }]);
    expect(found(rollingUpdate({ maxUnavailable }), '1.37')).toMatchObject([{ severity: 'error' }]);
  });
});

test('fields that the API server drops are warnings, with the name that was likely meant', () => {
  const updateStrategy = { rollingupdate: {}, rollingUpdate: { max_unavailable: 2, maxSurge: 1 } };
  expect(found({ replicas: 3, updateStrategy }).map(({ code, path, help }) => `${code} ${path}: ${help}`)).toMatchInlineSnapshot(`
[
  "input/unknown-field spec.updateStrategy.rollingupdate: Write rollingUpdate, or delete the field.",
  "input/unknown-field spec.updateStrategy.rollingUpdate.max_unavailable: Write maxUnavailable, or delete the field.",
  "input/unknown-field spec.updateStrategy.rollingUpdate.maxSurge: Delete the field; known here: partition, maxUnavailable.",
]
`);
});
