import { normalizePodFields } from '../../../src/workloads/pod/normalize-pods';

describe('pod fields in the resource of an operator are equal', () => {
  test.each([
    [
      'with an amount in another notation',
      { resources: { requests: { cpu: '1000m' }, limits: { memory: '1024Mi' } } },
      { resources: { requests: { cpu: 1 }, limits: { memory: '1Gi' } } },
    ],
    ['with the default protocol of a port', { ports: [{ containerPort: 80, protocol: 'TCP' }] }, { ports: [{ containerPort: 80 }] }],
    [
      'with the default service of a probe',
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
  ['a service outside a probe, and a port that is not a map', { service: '', ports: ['TCP'], http: { service: '' } }],
  ['0, false, an empty string and an empty map', { a: 0, b: false, c: '', d: {} }],
])('%s is kept', (_what, pods) => {
  expect(normalizePodFields(pods)).toStrictEqual(pods);
});
