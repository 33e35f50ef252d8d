import type { Fields } from '../../../src/core/manifest/manifest';
import { planChange } from '../../../src/headless';
import { plan, service, STANDARD_PLATFORM } from './plan';

/* The refusals of KServe 0.17's webhook for the metrics of an autoscaler, with its messages (validateAutoScalingCompExtension). */

const MODE = 'serving.kserve.io/deploymentMode';
const CLASS = 'serving.kserve.io/autoscalerClass';
const HPA = { [MODE]: 'Standard', [CLASS]: 'hpa' };
const KEDA = { [MODE]: 'Standard', [CLASS]: 'keda' };
const KNATIVE = { [MODE]: 'Knative' };
const KNATIVE_HPA = { ...KNATIVE, 'autoscaling.knative.dev/class': 'hpa.autoscaling.knative.dev' };

/** Returns the refusals as `path: message`. */
function refusals(annotations: Record<string, string>, predictor: Fields): string[] {
  const { rollouts } = plan([service(predictor, { annotations }), STANDARD_PLATFORM], '0.17');
  const errors = rollouts.flatMap(({ findings }) => findings.filter(({ code }) => code === 'kserve/invalid-service'));
  return errors.map(
    ({ path, message }) => `${path.replace('spec.predictor.', '')}: ${message.replace('The webhook refuses the service: ', '')}`,
  );
}

const metric = (fields: Fields) => ({ autoScaling: { metrics: [fields] } });
const resource = (name: string, target: Fields) => metric({ type: 'Resource', resource: { name, target } });
const external = (target: Fields, query = 'up') => metric({ type: 'External', external: { metric: { query }, target } });

test.each<[string, Record<string, string>, Fields]>([
  ['a CPU target', HPA, { scaleTarget: 100 }],
  ['memory', HPA, { scaleMetric: 'memory', scaleTarget: 100 }],
  ['the minimum of memory', HPA, { scaleMetric: 'memory', scaleTarget: 1 }],
  ['a resource metric', HPA, resource('cpu', { type: 'Utilization', averageUtilization: 60 })],
  ['anything without an autoscaler class', { [MODE]: 'Standard' }, { scaleMetric: 'rps', scaleTarget: 1000 }],
  ['requests in flight', KNATIVE, { scaleMetric: 'concurrency', scaleTarget: 500 }],
  ['CPU in Knative with its HPA class', KNATIVE_HPA, { scaleMetric: 'cpu', scaleTarget: 80 }],
  ['a resource of KEDA', KEDA, resource('memory', { type: 'AverageValue', averageValue: '1Mi' })],
  ['a query of KEDA', KEDA, external({ type: 'Value', value: '5' })],
])('accepts %s', (_what, annotations, predictor) => {
  expect(refusals(annotations, predictor)).toEqual([]);
});

test.each<[Record<string, string>, Fields, string]>([
  [HPA, { scaleTarget: 101 }, 'scaleTarget: the target utilization percentage should be a [1-100] integer.'],
  [HPA, { scaleTarget: 0 }, 'scaleTarget: the target utilization percentage should be a [1-100] integer.'],
  [HPA, { scaleMetric: 'memory', scaleTarget: 0 }, 'scaleTarget: the target memory should be greater than 1 MiB.'],
  [HPA, { scaleMetric: 'rps' }, 'scaleMetric: "rps" is not a metric that the autoscaler supports.'],
  [HPA, metric({ type: 'External' }), 'autoScaling.metrics[0].type: "External" is not a metric that the autoscaler supports.'],
  [HPA, metric({ type: 'Resource' }), 'autoScaling.metrics[0]: metricSpec.Resource is not set for resource metric source type.'],
  [KNATIVE, { scaleMetric: 'memory' }, 'scaleMetric: "memory" is not a metric that the autoscaler supports.'],
  [KNATIVE, { scaleMetric: 'rps', scaleTarget: 0 }, 'scaleTarget: the target for rps should be greater than 1.'],
  [KNATIVE_HPA, { scaleMetric: 'rps' }, 'scaleMetric: "rps" is not a metric that the autoscaler supports.'],
  [KEDA, { scaleMetric: 'cpu' }, 'scaleMetric: ScaleMetric is not supported for KEDA.'],
  [KEDA, metric({ type: 'Pods' }), 'autoScaling.metrics[0].type: "Pods" is not a metric that the autoscaler supports.'],
  [KEDA, resource('cpu', { type: 'Value' }), 'autoScaling.metrics[0].resource.target: the cpu target value type should be Utilization.'],
  [
    KEDA,
    resource('memory', { type: 'Value' }),
    'autoScaling.metrics[0].resource.target: the memory target value type should be AverageValue or Utilization.',
  ],
  [
    KEDA,
    resource('memory', { type: 'AverageValue', averageValue: '1023Ki' }),
    'autoScaling.metrics[0].resource.target: the memory target value should be greater than 1 MiB.',
  ],
  [
    KEDA,
    resource('disk', { type: 'Utilization', averageUtilization: 5 }),
    'autoScaling.metrics[0].resource.name: "disk" is not a metric that the autoscaler supports.',
  ],
  [KEDA, resource('cpu', { type: 'Utilization' }), 'autoScaling.metrics[0].resource.target: the AverageUtilization type should be set.'],
  [
    KEDA,
    resource('cpu', { type: 'Utilization', averageUtilization: 101 }),
    'autoScaling.metrics[0].resource.target.averageUtilization: the target utilization percentage should be a [1-100] integer.',
  ],
  [KEDA, external({ type: 'Value', value: '5' }, ''), 'autoScaling.metrics[0].external: the query should not be empty.'],
  [KEDA, external({ type: 'Value' }), 'autoScaling.metrics[0].external: the target threshold value should not be empty.'],
  [KEDA, external({ type: 'AverageValue', value: '5' }), 'autoScaling.metrics[0].external.target: the AverageValue type should be set.'],
  [KEDA, metric({ type: 'PodMetric' }), 'autoScaling.metrics[0]: metricSpec.PodMetric is not set for pod metric source type.'],
])('%j refuses %j', (annotations, predictor, refusal) => {
  expect(refusals(annotations, predictor)).toEqual([refusal]);
});

test('metrics are not validated if no ConfigMap determines the mode of the service', () => {
  const { rollouts } = plan([service({ scaleMetric: 'cpu' }, { annotations: {} })], '0.17');
  expect(rollouts.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))).toEqual([]);
});

test("a model's own name is refused", () => {
  const model = { modelFormat: { name: 'sklearn' }, storageUri: 'gs://a/1', name: 'iris' };
  expect(refusals({ [MODE]: 'Standard' }, { model })).toEqual(["model.name: the 'name' field is not allowed in standard predictor."]);
});

test('a framework replaces a model: nothing is refused, and the dropped model is reported', () => {
  const old = service({}, { annotations: { [MODE]: 'Standard' } });
  const next = service({ sklearn: { storageUri: 'gs://b/1' } }, { annotations: { [MODE]: 'Standard' } });
  const { change, rollouts } = planChange([old, STANDARD_PLATFORM], [next, STANDARD_PLATFORM], { versions: { kserve: '0.17' } });
  expect(change.objects[0]!.effect).toBe('roll');
  const replaced = rollouts[0]!.findings.filter(({ messageId }) => messageId === 'modelReplaced');
  expect(replaced.map(({ severity, path, message }) => [severity, path, message])).toEqual([
    ['warning', 'spec.predictor.model', 'The webhook replaces model with sklearn and drops all fields of model.'],
  ]);
});
