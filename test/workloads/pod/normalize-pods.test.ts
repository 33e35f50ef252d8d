import { normalizePodFields } from '../../../src/workloads/pod/normalize-pods';

describe('pods in the resource of an operator are the same', () => {
  test.each([
    [
      'with an amount in other words',
      { resources: { requests: { cpu: '1000m' }, limits: { memory: '1024Mi' } } },
      { resources: { requests: { cpu: 1 }, limits: { memory: '1Gi' } } },
    ],
    ['with a protocol that every port has', { ports: [{ containerPort: 80, protocol: 'TCP' }] }, { ports: [{ containerPort: 80 }] }],
    [
      'with the service that every probe asks for',
      { livenessProbe: { grpc: { port: 1, service: '' } } },
      { livenessProbe: { grpc: { port: 1 } } },
    ],
    ['with null, and with an empty list', { command: null, args: [], env: undefined, name: 'a' }, { name: 'a' }],
    ['in a list', [{ a: null }, { ports: [{ protocol: 'TCP' }] }], [{}, { ports: [{}] }]],
  ])('%s', (_what, one, other) => {
    expect(normalizePodFields(one)).toStrictEqual(normalizePodFields(other));
  });
});

test.each([
  ['another protocol', { ports: [{ containerPort: 80, protocol: 'UDP' }] }],
  ['another service', { livenessProbe: { grpc: { port: 1, service: 'a' } } }],
  ['a service that is none of a probe, and a port that is no map', { service: '', ports: ['TCP'], http: { service: '' } }],
  ['0, false, an empty text and an empty map', { a: 0, b: false, c: '', d: {} }],
])('%s stays', (_what, pods) => {
  expect(normalizePodFields(pods)).toStrictEqual(pods);
});
