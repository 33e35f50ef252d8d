import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

const MODE = 'serving.kserve.io/deploymentMode';

interface ServiceInput {
  readonly mode?: string;
  readonly status?: string;
  readonly metadata?: object;
  readonly predictor?: object;
}

function service({ mode, status, metadata = {}, predictor = {} }: ServiceInput) {
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', ...(mode !== undefined && { annotations: { [MODE]: mode } }), ...metadata },
    spec: {
      predictor: { minReplicas: 2, model: { modelFormat: { name: 'sklearn' }, runtime: 'sk', storageUri: 'gs://a/1' }, ...predictor },
    },
    ...(status !== undefined && { status: { deploymentMode: status } }),
  };
}

function platform(defaultDeploymentMode: string) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { deploy: JSON.stringify({ defaultDeploymentMode }) },
  };
}

function changed(
  old: ServiceInput,
  next: ServiceInput,
  { defaults, version = '0.17' }: { readonly defaults?: string; readonly version?: string } = {},
) {
  const around = defaults === undefined ? [] : [platform(defaults)];
  const plan = planChange([service(old), ...around], [service(next), ...around], { versions: { kserve: version } });
  const [{ effect, refusal }] = expectValidPlan(plan).change.objects as [(typeof plan.change.objects)[number]];
  return refusal ? [effect, refusal.message] : [effect];
}

const refused = (from: string, to: string) => ['refused', `update rejected: deploymentMode cannot be changed from '${from}' to '${to}'`];

describe('the mode of an InferenceService, which is recorded once and permanently', () => {
  test.each<[string, ServiceInput, ServiceInput, string | undefined, readonly string[]]>([
    [
      'another mode is refused, according to the manifest only',
      { mode: 'Standard' },
      { mode: 'Knative' },
      undefined,
      refused('Standard', 'Knative'),
    ],
    [
      'another mode is refused, according to the status',
      { status: 'Knative', mode: 'Knative' },
      { mode: 'Standard' },
      undefined,
      refused('Knative', 'Standard'),
    ],
    ['another mode is refused, according to the default at that time', {}, { mode: 'Standard' }, 'Knative', refused('Knative', 'Standard')],
    ['the annotation is removed, and the webhook sets the default', { mode: 'Knative' }, {}, 'Standard', refused('Knative', 'Standard')],
    ['the annotation with the default is removed, and the webhook restores it', { mode: 'Standard' }, {}, 'Standard', ['none']],
    ['the annotation is removed, and the webhook adds none: the pods lose it', { mode: 'Standard' }, {}, 'Knative', ['roll']],
    ['an old name for the same mode, which the webhook replaces', { mode: 'Standard' }, { mode: 'RawDeployment' }, undefined, ['none']],
    ['the written-out default, which the webhook had set', {}, { mode: 'Standard' }, 'Standard', ['none']],
    ['a mode where the old one is not in the input', {}, { mode: 'Standard' }, undefined, ['unknown']],
    ['a removed mode without a default in the input', { mode: 'Standard' }, {}, undefined, ['unknown']],
    [
      'a removed mode without a default in the input, although the strategy needs that default',
      { mode: 'Standard', predictor: { deploymentStrategy: { type: 'Recreate' } } },
      { predictor: { deploymentStrategy: { type: 'Recreate' } } },
      undefined,
      ['unknown'],
    ],
    [
      'a new strategy that needs a default which is not in the input',
      {},
      { predictor: { deploymentStrategy: { type: 'Recreate' } } },
      undefined,
      ['unknown'],
    ],
    [
      'a strategy on both sides, so that OLD was admitted with the default that it needs',
      { predictor: { deploymentStrategy: { type: 'Recreate' } } },
      { predictor: { minReplicas: 3, deploymentStrategy: { type: 'Recreate' } } },
      undefined,
      ['scale'],
    ],
    ['no mode on either side', {}, { predictor: { timeout: 3 } }, undefined, ['roll']],
    [
      'a mode with a strategy that only Standard accepts, so that Standard was the default',
      { predictor: { deploymentStrategy: { type: 'Recreate' } } },
      { mode: 'Knative' },
      undefined,
      refused('Standard', 'Knative'),
    ],
    [
      'no mode in the status of a live service that its controller has not seen yet: its mode is the one that both sides set',
      { metadata: { uid: '1', annotations: { [MODE]: 'Standard' } } },
      { mode: 'Standard', predictor: { minReplicas: 3 } },
      undefined,
      ['scale'],
    ],
    [
      'an empty mode in the status, which counts as none',
      { mode: 'Standard', status: '' },
      { mode: 'Knative' },
      undefined,
      refused('Standard', 'Knative'),
    ],
    [
      'a live service that its controller has not seen yet',
      { mode: 'Standard', metadata: { uid: '1', annotations: { [MODE]: 'Standard' } } },
      { mode: 'Knative' },
      undefined,
      ['unknown'],
    ],
  ])('%s', (_what, old, next, defaults, expected) => {
    expect(changed(old, next, { ...(defaults && { defaults }) })).toEqual(expected);
  });

  test('does not change for services that are not written when the default changes', () => {
    const { change } = planChange([service({}), platform('Knative')], [service({}), platform('Standard')]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['none', 'settings']);
  });

  test.each<[string, ServiceInput, ServiceInput, readonly string[]]>([
    ['0.15', { mode: 'RawDeployment' }, { mode: 'Serverless' }, refused('RawDeployment', 'Serverless')],
    // 0.16 records the new name, and its webhook keeps the old one in the annotation: every update is refused.
    ['0.16', { mode: 'RawDeployment' }, { mode: 'RawDeployment', predictor: { minReplicas: 3 } }, refused('Standard', 'RawDeployment')],
    ['0.17', { mode: 'RawDeployment' }, { mode: 'RawDeployment', predictor: { minReplicas: 3 } }, ['scale']],
    // 0.17 refuses a status of 0.15, since its webhook gives the annotation the new name. From 0.19 on it is read as the new name.
    [
      '0.17',
      { mode: 'RawDeployment', status: 'RawDeployment' },
      { mode: 'RawDeployment', predictor: { minReplicas: 3 } },
      refused('RawDeployment', 'Standard'),
    ],
    ['0.19', { mode: 'RawDeployment', status: 'RawDeployment' }, { mode: 'RawDeployment', predictor: { minReplicas: 3 } }, ['scale']],
    ['0.20', { mode: 'RawDeployment', status: 'RawDeployment' }, { mode: 'Knative' }, refused('Standard', 'Knative')],
  ])('reads old names as KServe %s does: %#', (version, old, next, expected) => {
    expect(changed(old, next, { version })).toEqual(expected);
  });
});

test('a mode that is in no file is reported once per run, for all services that it concerns', () => {
  const names = ['iris', 'bert'];
  const side = (annotations: object) => names.map((name) => service({ metadata: { name, namespace: 'models', annotations } }));
  const unknown = planChange(side({}), side({ [MODE]: 'Standard' })).findings.filter(({ messageId }) => messageId === 'deployment-mode');
  expect(unknown).toMatchObject([
    {
      code: 'change/incomplete-information',
      severity: 'info',
      path: '',
      data: { resources: ['InferenceService models/iris', 'InferenceService models/bert'] },
    },
  ]);
  const known = planChange(side({ [MODE]: 'Standard' }), side({ [MODE]: 'Standard' })).findings;
  expect(known.filter(({ code }) => code === 'change/incomplete-information')).toEqual([]);
});
