import { factsOf } from '../../facts';
import { sound } from '../../sound-workload';
import { findingsOf } from '../plan';

const { spec, ...WEB } = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } });
const { template, ...REST } = spec as unknown as {
  readonly template: { readonly spec: { readonly containers: readonly [object] } };
};

/** What the server refuses of a sound Deployment whose pods, or whose container, have these fields as well, or whose metadata. */
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

test('an address of IPv6 may end in one of IPv4, which stands for two groups', () => {
  const aliases = (ip: string) => ({ hostAliases: [{ ip, hostnames: ['a'] }] });
  expect(refusals(aliases('1:2:3:4:5:6:10.0.0.1'))).toEqual([]);
  expect(refusals(aliases('::ffff:10.0.0.1'))).toEqual([]);
  expect(refusals(aliases('1:2:3:4:5:6:7:10.0.0.1'))).toMatchObject([['format', 'spec.hostAliases[0].ip', {}]]);
});

test('a generateName may end in a dash, and is a name but for that', () => {
  expect(refusals({}, {}, { generateName: 'web-' })).toEqual([]);
  expect(refusals({}, {}, { generateName: 'Web-' })).toMatchObject([['format', 'metadata.generateName', { value: 'Wea' }]]);
});

describe('devices', () => {
  const volumes = [
    { name: 'scratch', emptyDir: {} },
    { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
  ];

  test('are volumes of claims', () => {
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'disk', devicePath: '/dev/a' }] })).toEqual([]);
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'scratch', devicePath: '/dev/a' }] })).toMatchObject([
      ['notBlock', 'spec.containers[0].volumeDevices[0].name', { value: 'scratch' }],
    ]);
  });

  test('have a path, about which nothing else is said where there is none', () => {
    expect(refusals({ volumes }, { volumeDevices: [{ name: 'disk', devicePath: '' }] })).toMatchObject([
      ['missing', 'spec.containers[0].volumeDevices[0].devicePath', {}],
    ]);
  });

  test('have paths of their own, the second of two without one being that of the first', () => {
    const two = [...volumes, { name: 'other', persistentVolumeClaim: { claimName: 'other' } }];
    const volumeDevices = ['disk', 'other'].map((name) => ({ name, devicePath: '' }));
    expect(refusals({ volumes: two }, { volumeDevices }).map(([messageId, path]) => [messageId, path])).toEqual([
      ['missing', 'spec.containers[0].volumeDevices[0].devicePath'],
      ['missing', 'spec.containers[0].volumeDevices[1].devicePath'],
      ['mountPathTaken', 'spec.containers[0].volumeDevices[1].devicePath'],
    ]);
  });
});

test('on the network of the node a port of the host is that of the container; 0 stands for none', () => {
  const ports = (hostPort: number) => refusals({ hostNetwork: true }, { ports: [{ containerPort: 80, hostPort }] });
  expect([ports(80), ports(0)]).toEqual([[], []]);
  expect(ports(81)).toMatchObject([['notContainerPort', 'spec.containers[0].ports[0].hostPort', { value: 81 }]]);
});

describe('sources of a projected volume', () => {
  const projected = (source: object) => refusals({ volumes: [{ name: 'all', projected: { sources: [source] } }] });

  test('a trust bundle goes by its name or by its signer, not by both and not by none', () => {
    const place = 'spec.volumes[0].projected.sources[0].clusterTrustBundle';
    expect(projected({ clusterTrustBundle: { name: 'ca', path: 'ca.pem' } })).toEqual([]);
    expect(projected({ clusterTrustBundle: { name: 'ca', signerName: 'a.io/b', path: 'ca.pem' } })).toEqual([
      ['several', place, { field: 'clusterTrustBundle', present: ['name', 'signerName'] }],
    ]);
    expect(projected({ clusterTrustBundle: { path: 'ca.pem' } })).toEqual([
      ['none', place, { field: 'clusterTrustBundle', choices: ['name', 'signerName'] }],
    ]);
  });

  test('a certificate is written somewhere', () => {
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

test('a container is a process of its Windows node where the pod says so, and is not where it does not', () => {
  const process = (hostProcess: boolean) => ({ securityContext: { windowsOptions: { hostProcess } } });
  const pod = { os: { name: 'windows' }, hostNetwork: true };
  expect(refusals({ ...pod, ...process(true) }, process(true))).toEqual([]);
  expect(refusals({ ...pod, ...process(true) }, process(false))).toMatchObject([
    ['hostProcess', 'spec.containers[0].securityContext.windowsOptions.hostProcess', { value: false }],
  ]);
});

test('spaces around an amount are left out', () => {
  const resources = { requests: { cpu: ' 1 ' }, limits: { cpu: '500m' } };
  expect(refusals({}, { resources })).toMatchObject([['aboveLimit', 'spec.containers[0].resources.requests[cpu]', { limit: '500m' }]]);
});

test('the claim of an ephemeral volume has labels and annotations and no other metadata, not even 0 where that is said', () => {
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  const volumes = (metadata: object) => ({ volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { ...claim, metadata } } }] });
  expect(refusals(volumes({ labels: { a: 'b' }, name: '' }))).toEqual([]);
  expect(refusals(volumes({ deletionGracePeriodSeconds: 0 }))).toMatchObject([
    ['metadataField', 'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.deletionGracePeriodSeconds', { value: 0 }],
  ]);
});

describe('variables', () => {
  const variable = (fields: object, pod: object = {}) => refusals(pod, { env: [{ name: 'A', ...fields }] });

  test('a source that names none is told so, a value beside it or not', () => {
    expect(variable({ valueFrom: {} })).toMatchObject([['none', 'spec.containers[0].env[0].valueFrom', {}]]);
    expect(variable({ value: 'x', valueFrom: {} })).toMatchObject([['none', 'spec.containers[0].env[0].valueFrom', {}]]);
  });

  test('a file of them is in an emptyDir of the pod', () => {
    const volumes = [
      { name: 'scratch', emptyDir: {} },
      { name: 'settings', configMap: { name: 'settings' } },
    ];
    const from = (volumeName: string) => variable({ valueFrom: { fileKeyRef: { volumeName, path: 'a.env', key: 'A' } } }, { volumes });
    const place = 'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName';
    expect(from('scratch')).toEqual([]);
    expect(from('settings')).toMatchObject([['notEmptyDir', place, { value: 'settings' }]]);
    expect(from('none')).toMatchObject([['notDeclared', place, { value: 'none', known: ['scratch', 'settings'] }]]);
  });
});

test('a policy for the last words of a container is one that there is', () => {
  expect(refusals({}, { terminationMessagePolicy: 'FallbackToLogsOnError' })).toEqual([]);
  expect(refusals({}, { terminationMessagePolicy: 'Never' })).toMatchObject([
    ['choice', 'spec.containers[0].terminationMessagePolicy', { value: 'Never' }],
  ]);
});

test('a readiness probe ends no pod, so that it gives it no time for that', () => {
  const probe = { grpc: { port: 1 }, terminationGracePeriodSeconds: 5 };
  expect(refusals({}, { livenessProbe: probe })).toEqual([]);
  expect(refusals({}, { readinessProbe: probe })).toMatchObject([
    ['notForReadiness', 'spec.containers[0].readinessProbe.terminationGracePeriodSeconds', { value: 5 }],
  ]);
});

test('a container says how it restarts since 1.35; 1.34 drops that, and earlier ones refuse it', () => {
  const restarts = (restartPolicy: string, kubernetes: string) => refusals({}, { restartPolicy }, {}, kubernetes);
  expect(restarts('Never', '1.33')).toMatchObject([['notForContainer', 'spec.containers[0].restartPolicy', { value: 'Never' }]]);
  expect([restarts('Never', '1.34'), restarts('Sometimes', '1.34'), restarts('Never', '1.35')]).toEqual([[], [], []]);
  expect(restarts('Sometimes', '1.35')).toMatchObject([['choice', 'spec.containers[0].restartPolicy', { value: 'Sometimes' }]]);
});
