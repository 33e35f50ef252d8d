import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

const MODE = 'serving.kserve.io/deploymentMode';

interface Given {
  readonly mode?: string;
  readonly status?: string;
  readonly metadata?: object;
  readonly predictor?: object;
}

function service({ mode, status, metadata = {}, predictor = {} }: Given) {
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

function changed(old: Given, next: Given, { defaults, version = '0.17' }: { readonly defaults?: string; readonly version?: string } = {}) {
  const around = defaults === undefined ? [] : [platform(defaults)];
  const plan = planChange([service(old), ...around], [service(next), ...around], { versions: { kserve: version } });
  const [{ effect, refusal }] = expectValidPlan(plan).change.objects as [(typeof plan.change.objects)[number]];
  return refusal ? [effect, refusal.message] : [effect];
}

const refused = (from: string, to: string) => ['refused', `update rejected: deploymentMode cannot be changed from '${from}' to '${to}'`];

describe('the mode of an InferenceService, which is recorded once and for good', () => {
  test.each<[string, Given, Given, string | undefined, readonly string[]]>([
    ['another one is refused, by the manifest alone', { mode: 'Standard' }, { mode: 'Knative' }, undefined, refused('Standard', 'Knative')],
    ['by the status', { status: 'Knative', mode: 'Knative' }, { mode: 'Standard' }, undefined, refused('Knative', 'Standard')],
    ['by the default that was in force', {}, { mode: 'Standard' }, 'Knative', refused('Knative', 'Standard')],
    [
      'the annotation taken away, where the webhook puts the default there',
      { mode: 'Knative' },
      {},
      'Standard',
      refused('Knative', 'Standard'),
    ],
    ['the annotation of the default taken away, which the webhook puts back', { mode: 'Standard' }, {}, 'Standard', ['none']],
    ['the annotation taken away, where the webhook adds none: the pods lose it', { mode: 'Standard' }, {}, 'Knative', ['roll']],
    ['an old name for the same one, which the webhook writes anew', { mode: 'Standard' }, { mode: 'RawDeployment' }, undefined, ['none']],
    ['the default spelled out, which the webhook had written', {}, { mode: 'Standard' }, 'Standard', ['none']],
    ['a mode where none was in view', {}, { mode: 'Standard' }, undefined, ['unknown']],
    ['none where one was, and no default in view', { mode: 'Standard' }, {}, undefined, ['unknown']],
    ['no mode on either side', {}, { predictor: { timeout: 3 } }, undefined, ['roll']],
    [
      'a mode beside a strategy that only Standard takes, so that it was the default',
      { predictor: { deploymentStrategy: { type: 'Recreate' } } },
      { mode: 'Knative' },
      undefined,
      refused('Standard', 'Knative'),
    ],
    [
      'none, of a live service that its controller has not seen yet: its mode is the one that both sides name',
      { metadata: { uid: '1', annotations: { [MODE]: 'Standard' } } },
      { mode: 'Standard', predictor: { minReplicas: 3 } },
      undefined,
      ['scale'],
    ],
    [
      'a status that names none, which is as good as none',
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

  test('changes for nobody whose object is not written, when the default changes', () => {
    const { change } = planChange([service({}), platform('Knative')], [service({}), platform('Standard')]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['none', 'settings']);
  });

  test.each<[string, Given, Given, readonly string[]]>([
    ['0.15', { mode: 'RawDeployment' }, { mode: 'Serverless' }, refused('RawDeployment', 'Serverless')],
    // 0.16 records the new name, and its webhook leaves the old one in the annotation: no update passes.
    ['0.16', { mode: 'RawDeployment' }, { mode: 'RawDeployment', predictor: { minReplicas: 3 } }, refused('Standard', 'RawDeployment')],
    ['0.17', { mode: 'RawDeployment' }, { mode: 'RawDeployment', predictor: { minReplicas: 3 } }, ['scale']],
    // A status of 0.15 is refused by 0.17, whose webhook gives the annotation the new name, and read as the new name from 0.19 on.
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

test('a mode that no file tells is said once a run, of all services that it is of', () => {
  const names = ['iris', 'bert'];
  const side = (annotations: object) => names.map((name) => service({ metadata: { name, namespace: 'models', annotations } }));
  const said = planChange(side({}), side({ [MODE]: 'Standard' })).findings.filter(({ messageId }) => messageId === 'deployment-mode');
  expect(said).toMatchObject([
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
