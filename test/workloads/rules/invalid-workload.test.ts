import { factsOf } from '../../facts';
import { sound } from '../../sound-workload';
import { findingsOf, lines, rolloutOf } from '../plan';

const WEB = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } });

/** Returns a valid Deployment with these fields in its spec and in its pod spec. */
function web(spec: object, pod: object = {}): object {
  const { template } = WEB.spec as typeof WEB.spec & { template: { spec: object } };
  return { ...WEB, spec: { ...WEB.spec, template: { ...template, spec: { ...template.spec, ...pod } }, ...spec } };
}

function refusals(object: object, kubernetes = '1.34') {
  return factsOf(findingsOf([object], 'kubernetes/invalid-workload', { versions: { kubernetes } }));
}

const ERROR = { code: 'kubernetes/invalid-workload', severity: 'error' } as const;

test('a missing selector is reported with the labels to write, and nothing is planned', () => {
  const object = web({ selector: undefined });
  expect(refusals(object)).toEqual([{ ...ERROR, messageId: 'selectorMissing', path: 'spec.selector', data: { labels: { app: 'web' } } }]);
  expect(rolloutOf([object])).toMatchObject({ strategy: null, simulation: null });
});

test('an empty selector and one that does not match the pods are refused', () => {
  expect(refusals(web({ selector: {} }))).toMatchObject([{ messageId: 'selectorEmpty', path: 'spec.selector' }]);
  expect(
    refusals(web({ selector: { matchLabels: { app: 'shop' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] } })),
  ).toEqual([
    {
      ...ERROR,
      messageId: 'notSelected',
      path: 'spec.template.metadata.labels',
      data: { selector: 'app=shop,tier In (a, b)', labels: 'app=web' },
    },
  ]);
});

test('requests must equal the limits for devices, and must not exceed them for other resources', () => {
  const resources = { requests: { cpu: '2', 'nvidia.com/gpu': 1, 'amd.com/gpu': 1 }, limits: { cpu: '1500m', 'nvidia.com/gpu': 2 } };
  expect(refusals(web({}, { containers: [{ name: 'a', image: 'a', readinessProbe: { grpc: { port: 1 } }, resources }] }))).toEqual([
    {
      ...ERROR,
      messageId: 'aboveLimit',
      path: 'spec.template.spec.containers[0].resources.requests[cpu]',
      data: { field: 'requests[cpu]', value: '2', resource: 'cpu', limit: '1500m' },
    },
    {
      ...ERROR,
      messageId: 'notLimit',
      path: 'spec.template.spec.containers[0].resources.requests[nvidia.com/gpu]',
      data: { field: 'requests[nvidia.com/gpu]', value: 1, resource: 'nvidia.com/gpu', limit: 2 },
    },
    {
      ...ERROR,
      messageId: 'noLimit',
      path: 'spec.template.spec.containers[0].resources.limits',
      data: { field: 'limits', resource: 'amd.com/gpu' },
    },
  ]);
});

test('a field that a version drops for lack of a gate is not validated', () => {
  const volumes = [{ name: 'model', image: { reference: 'model:1', pullPolicy: 'Sometimes' } }];
  const containers = [{ name: 'a', image: 'a', readinessProbe: { grpc: { port: 1 } }, volumeMounts: [{ name: 'model', mountPath: '/m' }] }];
  expect(refusals(web({}, { containers, volumes }), '1.34')).toEqual([]);
  expect(refusals(web({}, { containers, volumes }), '1.35')).toMatchObject([
    { messageId: 'choice', path: 'spec.template.spec.volumes[0].image.pullPolicy', data: { value: 'Sometimes' } },
  ]);
});

test('misspelled fields are reported with the nearest name, and fields that are too new with their version', () => {
  const object = { ...web({ repicas: 3, Strategy: {} }, { hostnameOverride: 'a', tolerationz: [] }) };
  const found = findingsOf([object], 'input/unknown-field', { versions: { kubernetes: '1.33' } });
  expect(factsOf(found).map(({ messageId, path, data }) => [messageId, path, data.nearest ?? data.since])).toEqual([
    ['unknown', 'spec.template.spec.tolerationz', 'tolerations'],
    ['unknown', 'spec.repicas', 'replicas'],
    ['unknown', 'spec.Strategy', 'strategy'],
    ['tooNew', 'spec.template.spec.hostnameOverride', '1.34'],
  ]);
});

test('if fields cannot be decoded, only these are reported, since the API server stops there', () => {
  const containers = [{ name: 'a', image: 5, ports: [{ containerPort: '80' }], resources: { limits: { memory: '1gb' } } }];
  expect(lines(findingsOf([web({ selector: undefined }, { containers })]))).toEqual([
    'error input/wrong-type spec.template.spec.containers[0].image',
    'error kubernetes/quoted-integer spec.template.spec.containers[0].ports[0].containerPort',
    'error input/wrong-type spec.template.spec.containers[0].resources.limits[memory]',
  ]);
});
