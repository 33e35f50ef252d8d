import { factsOf } from '../../facts';
import { findingsOf, lines, rolloutOf, statefulSet } from '../plan';

const LIMITS = 'spec.updateStrategy.rollingUpdate';

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

function found(spec: unknown, kubernetes = '1.37') {
  return findingsOf([statefulSet(spec)], undefined, { versions: { kubernetes } });
}

function rollingUpdate(limits: object) {
  return { replicas: 5, updateStrategy: { rollingUpdate: limits } };
}

describe('the API server refuses in a StatefulSet', () => {
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

  test.each([
    [{ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep' } }, ['spec.persistentVolumeClaimRetentionPolicy.whenDeleted']],
    [{ persistentVolumeClaimRetentionPolicy: { whenDeleted: '', whenScaled: 'Delete' } }, []],
    [{ volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM }] }, []],
    [{ volumeClaimTemplates: [{ spec: CLAIM }] }, ['spec.volumeClaimTemplates[0].metadata.name']],
    [
      { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { ...CLAIM, accessModes: [] } }] },
      ['spec.volumeClaimTemplates[0].spec.accessModes'],
    ],
    [{ serviceName: 'My Service' }, ['spec.serviceName']],
  ])('invalid claims and service names: %j', (spec, paths) => {
    expect(found({ replicas: 2, ...spec }).map(({ code, path }) => [code, path])).toEqual(
      paths.map((path) => ['kubernetes/invalid-workload', path]),
    );
  });

  test.each([
    [
      { podManagementPolicy: 'Ordered' },
      'unknownPolicy',
      { field: 'podManagementPolicy', value: 'Ordered', choices: ['OrderedReady', 'Parallel'] },
    ],
    [
      { updateStrategy: { type: 'Recreate' } },
      'unknownUpdateType',
      { field: 'type', value: 'Recreate', choices: ['RollingUpdate', 'OnDelete'] },
    ],
    [{ updateStrategy: { type: 'OnDelete', rollingUpdate: {} } }, 'unusedLimits', { field: 'rollingUpdate', type: 'OnDelete' }],
    [rollingUpdate({ maxUnavailable: 0 }), 'cannotBeZero', { field: 'maxUnavailable', value: 0 }],
  ])("%j, with the API server's reason", (spec, messageId, data) => {
    expect(found(spec)).toMatchObject([{ code: 'kubernetes/invalid-strategy', messageId, data }]);
  });
});

test.each([
  [{}],
  [{ podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } }],
  [rollingUpdate({ partition: 99, maxUnavailable: 50 })],
  [rollingUpdate({ maxUnavailable: '100%' })],
  [rollingUpdate({ maxUnavailable: '10%' })],
  [{ updateStrategy: { type: null, rollingUpdate: { partition: null, maxUnavailable: null } } }],
  // The API server has no rule for a negative value.
  [{ revisionHistoryLimit: -1 }],
])('the API server accepts %j', (spec) => {
  expect(found(spec).filter((finding) => finding.severity === 'error')).toEqual([]);
});

test('a version without a patch release is reported if a later patch release drops maxUnavailable', () => {
  const findingsWith = (version: string, maxUnavailable: unknown) => lines(found(rollingUpdate({ maxUnavailable }), version));
  const dropped = ['warning kubernetes/statefulset-max-unavailable-dropped spec.updateStrategy.rollingUpdate.maxUnavailable'];
  expect(findingsWith('1.35', 2)).toEqual(dropped);
  expect(findingsWith('1.35', 1)).toEqual([]);
  expect(findingsWith('1.35.2', 2)).toEqual([]);
  expect(findingsWith('1.37', 2)).toEqual([]);
});

describe('a version that drops maxUnavailable does not validate it', () => {
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

test('fields that the API server drops are warnings, with the likely intended name', () => {
  const updateStrategy = { rollingupdate: {}, rollingUpdate: { max_unavailable: 2, maxSurge: 1 } };
  const inStrategy = { parentPath: 'spec.updateStrategy', reader: 'the API server', knownFields: ['type', 'rollingUpdate'] };
  const inLimits = { parentPath: LIMITS, reader: 'the API server', knownFields: ['partition', 'maxUnavailable'] };
  const warning = { code: 'input/unknown-field', severity: 'warning', messageId: 'unknown' };
  expect(factsOf(found({ replicas: 3, updateStrategy }))).toEqual([
    { ...warning, path: 'spec.updateStrategy.rollingupdate', data: { ...inStrategy, field: 'rollingupdate', nearest: 'rollingUpdate' } },
    { ...warning, path: `${LIMITS}.max_unavailable`, data: { ...inLimits, field: 'max_unavailable', nearest: 'maxUnavailable' } },
    { ...warning, path: `${LIMITS}.maxSurge`, data: { ...inLimits, field: 'maxSurge' } },
  ]);
});

test('the provenance lists the source of each field of the strategy, also without a strategy', () => {
  const provenanceOf = (updateStrategy: unknown, kubernetes = '1.37') =>
    rolloutOf([statefulSet({ replicas: 3, updateStrategy })], { versions: { kubernetes } }).provenance.map(
      ({ field, value, layer, reason }) => [field, value, layer, reason],
    );
  const type = [
    'type',
    'RollingUpdate',
    'kubernetes-default',
    'spec.updateStrategy.type is not set; the API server fills in "RollingUpdate".',
  ];
  const defaulted = (field: string, value: number) => [
    field,
    value,
    'kubernetes-default',
    `${LIMITS}.${field} is not set; the API server fills in ${value}.`,
  ];
  for (const updateStrategy of [undefined, null, {}]) {
    expect(provenanceOf(updateStrategy)).toEqual([type, defaulted('maxUnavailable', 1), defaulted('partition', 0)]);
    expect(provenanceOf(updateStrategy, '1.34')).toEqual([type, defaulted('partition', 0)]);
  }
  expect(provenanceOf({ rollingUpdate: { partition: 1 } })).toEqual([
    type,
    defaulted('maxUnavailable', 1),
    ['partition', 1, 'user', `${LIMITS}.partition is set.`],
  ]);
});
