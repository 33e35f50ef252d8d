import { factsOf } from '../../facts';
import { sound } from '../../sound-workload';
import { findingsOf } from '../plan';

const { spec, ...WEB } = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } });
const { template, ...REST } = spec as unknown as {
  readonly template: { readonly spec: { readonly containers: readonly [object] } };
};

/** Returns what the API server refuses in a valid Deployment with these additional fields in its pods, container or metadata. */
function refusals(pod: object, container: object = {}, metadata: object = {}, kubernetes = '1.37') {
  const containers = [{ ...template.spec.containers[0], ...container }];
  const changed = { ...template, spec: { ...template.spec, containers, ...pod } };
  const object = { ...WEB, metadata: { ...WEB.metadata, ...metadata }, spec: { ...REST, template: changed } };
  return factsOf(findingsOf([object], 'kubernetes/invalid-workload', { versions: { kubernetes } })).map(({ messageId, path, data }) => [
    messageId,
    path.replace('spec.template.', ''),
    data,
  ]);
}

test('an IPv6 address may end in an IPv4 address, which counts as two groups', () => {
  const aliases = (ip: string) => ({ hostAliases: [{ ip, hostnames: ['a'] }] });
  expect(refusals(aliases('1:2:3:4:5:6:10.0.0.1'))).toEqual([]);
  expect(refusals(aliases('::ffff:10.0.0.1'))).toEqual([]);
  expect(refusals(aliases('1:2:3:4:5:6:7:10.0.0.1'))).toMatchObject([['format', 'spec.hostAliases[0].ip', {}]]);
});

test('a generateName may end in a dash, and must otherwise be a valid name', () => {
  expect(refusals({}, {}, { generateName: 'web-' })).toEqual([]);
  expect(refusals({}, {}, { generateName: 'Web-' })).toMatchObject([['format', 'metadata.generateName', { value: 'Wea' }]]);
});

describe('devices', () => {
  const volumes = [
    { name: 'scratch', emptyDir: {} },
    { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
  ];

  test('must be volumes of claims', () => {
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'disk', devicePath: '/dev/a' }] })).toEqual([]);
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'scratch', devicePath: '/dev/a' }] })).toMatchObject([
      ['notBlock', 'spec.containers[0].volumeDevices[0].name', { value: 'scratch' }],
    ]);
  });

  test('must have a path, and a missing one is the only finding', () => {
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'disk', devicePath: '' }] })).toMatchObject([
      ['missing', 'spec.containers[0].volumeDevices[0].devicePath', {}],
    ]);
  });

  test('must have different paths, and two missing paths count as equal', () => {
    const two = [...volumes, { name: 'other', persistentVolumeClaim: { claimName: 'other' } }];
    const volumeDevices = ['disk', 'other'].map((name) => ({ name, devicePath: '' }));
    expect(refusals({ volumes: two }, { volumeDevices }).map(([messageId, path]) => [messageId, path])).toEqual([
      ['missing', 'spec.containers[0].volumeDevices[0].devicePath'],
      ['missing', 'spec.containers[0].volumeDevices[1].devicePath'],
      ['mountPathTaken', 'spec.containers[0].volumeDevices[1].devicePath'],
    ]);
  });
});

test('with hostNetwork, a hostPort must equal the containerPort; 0 counts as not set', () => {
  const ports = (hostPort: number) => refusals({ hostNetwork: true }, { ports: [{ containerPort: 80, hostPort }] });
  expect([ports(80), ports(0)]).toEqual([[], []]);
  expect(ports(81)).toMatchObject([['notContainerPort', 'spec.containers[0].ports[0].hostPort', { value: 81 }]]);
});

describe('sources of a projected volume', () => {
  const projected = (source: object) => refusals({ volumes: [{ name: 'all', projected: { sources: [source] } }] });

  test('a trust bundle must have either a name or a signer', () => {
    const path = 'spec.volumes[0].projected.sources[0].clusterTrustBundle';
    expect(projected({ clusterTrustBundle: { name: 'ca', path: 'ca.pem' } })).toEqual([]);
    expect(projected({ clusterTrustBundle: { name: 'ca', signerName: 'a.io/b', path: 'ca.pem' } })).toEqual([
      ['several', path, { field: 'clusterTrustBundle', present: ['name', 'signerName'] }],
    ]);
    expect(projected({ clusterTrustBundle: { path: 'ca.pem' } })).toEqual([
      ['none', path, { field: 'clusterTrustBundle', choices: ['name', 'signerName'] }],
    ]);
  });

  test('a certificate must have at least one path', () => {
    const certificate = { signerName: 'a.io/b', keyType: 'ED25519' };
    expect(projected({ podCertificate: { ...certificate, credentialBundlePath: 'a.pem' } })).toEqual([]);
    expect(projected({ podCertificate: certificate })).toEqual([
      [
        'none',
        'spec.volumes[0].projected.sources[0].podCertificate',
        { field: 'podCertificate', choices: ['credentialBundlePath', 'keyPath', 'certificateChainPath'] },
      ],
    ]);
  });
});

test('a container must have the same hostProcess as its pod', () => {
  const process = (hostProcess: boolean) => ({ securityContext: { windowsOptions: { hostProcess } } });
  const pod = { os: { name: 'windows' }, hostNetwork: true };
  expect(refusals({ ...pod, ...process(true) }, process(true))).toEqual([]);
  expect(refusals({ ...pod, ...process(true) }, process(false))).toMatchObject([
    ['hostProcess', 'spec.containers[0].securityContext.windowsOptions.hostProcess', { value: false }],
  ]);
});

test('spaces around an amount are ignored', () => {
  const resources = { requests: { cpu: ' 1 ' }, limits: { cpu: '500m' } };
  expect(refusals({}, { resources })).toMatchObject([['aboveLimit', 'spec.containers[0].resources.requests[cpu]', { limit: '500m' }]]);
});

test('the claim of an ephemeral volume may have only labels and annotations, and even a 0 in other metadata is refused', () => {
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  const volumes = (metadata: object) => ({ volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { ...claim, metadata } } }] });
  expect(refusals(volumes({ labels: { a: 'b' }, name: '' }))).toEqual([]);
  expect(refusals(volumes({ deletionGracePeriodSeconds: 0 }))).toMatchObject([
    ['metadataField', 'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.deletionGracePeriodSeconds', { value: 0 }],
  ]);
});

describe('variables', () => {
  const variable = (fields: object, pod: object = {}) => refusals(pod, { env: [{ name: 'A', ...fields }] });

  test('a valueFrom without a source is refused, with or without a value', () => {
    expect(variable({ valueFrom: {} })).toMatchObject([['none', 'spec.containers[0].env[0].valueFrom', {}]]);
    expect(variable({ value: 'x', valueFrom: {} })).toMatchObject([['none', 'spec.containers[0].env[0].valueFrom', {}]]);
  });

  test('a file reference must be in an emptyDir of the pod', () => {
    const volumes = [
      { name: 'scratch', emptyDir: {} },
      { name: 'settings', configMap: { name: 'settings' } },
    ];
    const from = (volumeName: string) => variable({ valueFrom: { fileKeyRef: { volumeName, path: 'a.env', key: 'A' } } }, { volumes });
    const path = 'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName';
    expect(from('scratch')).toEqual([]);
    expect(from('settings')).toMatchObject([['notEmptyDir', path, { value: 'settings' }]]);
    expect(from('none')).toMatchObject([['notDeclared', path, { value: 'none', declared: ['scratch', 'settings'] }]]);
  });
});

test('an unknown terminationMessagePolicy is refused', () => {
  expect(refusals({}, { terminationMessagePolicy: 'FallbackToLogsOnError' })).toEqual([]);
  expect(refusals({}, { terminationMessagePolicy: 'Never' })).toMatchObject([
    ['choice', 'spec.containers[0].terminationMessagePolicy', { value: 'Never' }],
  ]);
});

test('a readiness probe may have no terminationGracePeriodSeconds, since it never terminates a container', () => {
  const probe = { grpc: { port: 1 }, terminationGracePeriodSeconds: 5 };
  expect(refusals({}, { livenessProbe: probe })).toEqual([]);
  expect(refusals({}, { readinessProbe: probe })).toMatchObject([
    ['notForReadiness', 'spec.containers[0].readinessProbe.terminationGracePeriodSeconds', { value: 5 }],
  ]);
});

test('a container may have a restartPolicy from 1.35 on; 1.34 drops it, and older versions refuse it', () => {
  const restarts = (restartPolicy: string, kubernetes: string) => refusals({}, { restartPolicy }, {}, kubernetes);
  expect(restarts('Never', '1.33')).toMatchObject([['notForContainer', 'spec.containers[0].restartPolicy', { value: 'Never' }]]);
  expect([restarts('Never', '1.34'), restarts('Sometimes', '1.34'), restarts('Never', '1.35')]).toEqual([[], [], []]);
  expect(restarts('Sometimes', '1.35')).toMatchObject([['choice', 'spec.containers[0].restartPolicy', { value: 'Sometimes' }]]);
});

test('a hook may sleep for 0 seconds from 1.33 on, and never for longer than the grace period', () => {
  const sleeps = (seconds: number, kubernetes: string) =>
    refusals({}, { lifecycle: { preStop: { sleep: { seconds } } } }, {}, kubernetes).map(([messageId]) => messageId);
  expect([sleeps(0, '1.32'), sleeps(0, '1.33'), sleeps(-1, '1.33')]).toEqual([['sleepTooShort'], [], ['sleepTooShort']]);
  expect([sleeps(30, '1.32'), sleeps(31, '1.32')]).toEqual([[], ['sleepTooLong']]);
});
