import { deploymentModeOf, findUnknownMode } from '../../../src/systems/kserve/mode';
import { recordDeploymentMode } from '../../../src/systems/kserve/mode-change';
import { factsOf } from '../../facts';
import { configMap, listed, listedAll, plan, rolloutOf, service, STANDARD, STANDARD_PLATFORM } from './plan';

const MODE = 'serving.kserve.io/deploymentMode';
const MODE_PATH = `metadata.annotations[${MODE}]`;
const RECREATE = { deploymentStrategy: { type: 'Recreate' } };

describe('the mode of a service', () => {
  test.each([
    ['its status before anything else', 'Standard', { [MODE]: 'Knative' }, 'Knative', 'Standard'],
    ['its annotation', undefined, { [MODE]: 'ModelMesh' }, 'Standard', 'ModelMesh'],
    ['its annotation with an old name', undefined, { [MODE]: 'Serverless' }, 'Standard', 'Knative'],
    ['the default mode, if the annotation is not a mode', undefined, { [MODE]: 'standard' }, 'Knative', 'Knative'],
    ['the default mode', undefined, {}, 'Standard', 'Standard'],
    ['Knative, if nothing is set', undefined, {}, '', 'Knative'],
  ] as const)('is %s', (_, status, annotations, defaultMode, mode) => {
    expect(deploymentModeOf({ status, annotations, defaultMode })).toBe(mode);
  });
});

describe('a service without Deployments is one rollout, without a strategy', () => {
  test('in mode ModelMesh', () => {
    const { rollouts, notPlanned } = plan([
      service({}, { annotations: { [MODE]: 'ModelMesh' }, spec: { transformer: { containers: [] } } }),
    ]);
    expect(notPlanned).toMatchObject([{ kind: 'InferenceService', count: 1, reason: 'rolloutkit does not support the mode ModelMesh' }]);
    expect(rollouts).toHaveLength(1);
    const { findings, ...rollout } = rollouts[0]!;
    expect(rollout).toEqual({
      system: 'kserve',
      resource: { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', namespace: 'models', name: 'iris' },
      strategy: null,
      provenance: [],
      simulation: null,
    });
    expect(listed(findings)).toEqual([`info kserve/no-deployment at ${MODE_PATH}`]);
  });

  test('because of its status, which never changes', () => {
    const config = configMap({ defaultDeploymentMode: 'Knative' });
    const { findings } = rolloutOf(plan([service({}, { status: { deploymentMode: 'ModelMesh' } }), config]));
    expect(factsOf(findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-deployment",
    "data": {
      "mode": "ModelMesh",
    },
    "messageId": "modeOfStatus",
    "path": "status.deploymentMode",
    "severity": "info",
  },
]
`);
  });

  test.each([
    '{',
    '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"mode": "RollingUpdate", "maxSurge": 1}}}',
  ])('because of a ConfigMap with %s, so that it counts as not planned', (deploy) => {
    const { notPlanned } = plan([service({ minReplicas: 2 }), { ...configMap({}), data: { deploy } }]);
    expect(notPlanned).toMatchObject([{ kind: 'InferenceService', reason: 'the ConfigMap inferenceservice-config is not valid' }]);
  });

  test('when it is stopped', () => {
    const stopped = plan([service({}, { annotations: { 'serving.kserve.io/stop': 'true' } })]);
    const { findings } = rolloutOf(stopped);
    expect(stopped.notPlanned).toEqual([]);
    expect(factsOf(findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-deployment",
    "data": {},
    "messageId": "stopped",
    "path": "metadata.annotations[serving.kserve.io/stop]",
    "severity": "info",
  },
]
`);
  });
});

describe('a deploymentStrategy is refused outside of mode Standard', () => {
  const knative = configMap({ defaultDeploymentMode: 'Knative' });

  test('if neither the annotation nor the default mode is Standard', () => {
    const rollout = rolloutOf(plan([knative, service(RECREATE)]));
    expect(rollout.strategy).toBeNull();
    expect(factsOf(rollout.findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/strategy-outside-standard",
    "data": {
      "defaultMode": "Knative",
    },
    "messageId": "refused",
    "path": "spec.predictor.deploymentStrategy",
    "severity": "error",
  },
]
`);
  });

  test('which is reported with the annotation, if there is one', () => {
    const annotations = { 'serving.kserve.io/deploymentMode': 'Knative' };
    expect(factsOf(rolloutOf(plan([knative, service(RECREATE, { annotations })])).findings)).toEqual([
      {
        code: 'kserve/strategy-outside-standard',
        severity: 'error',
        messageId: 'refused',
        data: { annotation: 'Knative', defaultMode: 'Knative' },
        path: 'spec.predictor.deploymentStrategy',
      },
    ]);
  });

  test('except if the annotation is Standard, or is added because the default mode is', () => {
    expect(rolloutOf(plan([knative, service(RECREATE, { annotations: STANDARD })]), 'predictor').strategy).toEqual({ type: 'Recreate' });
    expect(rolloutOf(plan([configMap({ defaultDeploymentMode: 'RawDeployment' }), service(RECREATE)]), 'predictor').strategy).toEqual({
      type: 'Recreate',
    });
  });

  test('except with the HPA class of Knative, where it is accepted and ignored', () => {
    const annotations = { 'autoscaling.knative.dev/class': 'hpa.autoscaling.knative.dev' };
    const rollout = rolloutOf(plan([knative, service(RECREATE, { annotations })]), 'predictor');
    expect(rollout).toMatchObject({ strategy: null, simulation: { kind: 'revision' }, findings: [] });
  });

  test('for each component that has one', () => {
    const spec = { transformer: { containers: [{ name: 'kserve-container' }], ...RECREATE } };
    expect(listed(rolloutOf(plan([knative, service(RECREATE, { spec })])).findings)).toEqual([
      'error kserve/strategy-outside-standard at spec.predictor.deploymentStrategy',
      'error kserve/strategy-outside-standard at spec.transformer.deploymentStrategy',
    ]);
  });
});

describe('a mode that KServe refuses', () => {
  test('an annotation that is not a mode', () => {
    const rollout = rolloutOf(plan([STANDARD_PLATFORM, service({}, { annotations: { [MODE]: 'standard' } })]));
    expect(rollout.strategy).toBeNull();
    expect(factsOf(rollout.findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/invalid-config",
    "data": {
      "annotation": "standard",
      "mode": "Standard",
    },
    "messageId": "unknownAnnotation",
    "path": "metadata.annotations[serving.kserve.io/deploymentMode]",
    "severity": "error",
  },
]
`);
  });

  test('an annotation that is not a mode, with default mode Knative: it is skipped, and no Deployment is created', () => {
    const config = configMap({ defaultDeploymentMode: 'Knative' });
    const { findings } = rolloutOf(plan([config, service({}, { annotations: { [MODE]: 'standard' } })]));
    expect(factsOf(findings)).toEqual([
      {
        code: 'kserve/invalid-config',
        severity: 'error',
        messageId: 'unknownAnnotation',
        data: { annotation: 'standard', mode: 'Knative' },
        path: MODE_PATH,
      },
    ]);
  });

  test('RawDeployment in KServe 0.16, whose webhook does not treat it as Standard', () => {
    const isvc = service({ deploymentStrategy: { type: 'Recreate' } }, { annotations: { [MODE]: 'RawDeployment' } });
    const errorsAt = (version: string) => listedAll(plan([isvc], version)).filter((line) => line.startsWith('error'));
    expect(errorsAt('0.16')).toEqual(['error kserve/strategy-outside-standard at spec.predictor.deploymentStrategy']);
    expect(errorsAt('0.17')).toEqual([]);
  });

  test('an annotation that differs from the mode in the status', () => {
    const changed = service({}, { annotations: { [MODE]: 'RawDeployment' }, status: { deploymentMode: 'Serverless' } });
    expect(factsOf(rolloutOf(plan([changed])).findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/invalid-service",
    "data": {
      "admitted": "Standard",
      "current": "Knative",
      "isDefault": false,
    },
    "messageId": "modeChange",
    "path": "metadata.annotations[serving.kserve.io/deploymentMode]",
    "severity": "error",
  },
]
`);
  });

  test('a default mode that has changed to Standard: KServe adds the annotation and refuses it', () => {
    const config = configMap({ defaultDeploymentMode: 'Standard' });
    const { findings } = rolloutOf(plan([config, service({}, { status: { deploymentMode: 'Knative' } })]));
    expect(listed(findings)).toEqual([`error kserve/invalid-service at ${MODE_PATH}`]);
    expect(findings[0]).toMatchObject({ messageId: 'modeChange', data: { current: 'Knative', admitted: 'Standard', isDefault: true } });
  });

  test('without a ConfigMap in the input the default mode is assumed, and nothing is refused because of it', () => {
    const rollout = rolloutOf(plan([service({}, { status: { deploymentMode: 'Knative' } })]), 'predictor');
    expect(rollout).toMatchObject({ simulation: { kind: 'revision' }, findings: [] });
  });
});

describe('an annotation that is not a mode', () => {
  const unknownModeOf = (word: unknown) => findUnknownMode({ annotations: { [MODE]: word }, defaultMode: 'Standard' });

  test.each(['standard', 'Raw', ' '])('is %p', (word) => {
    expect(unknownModeOf(word)).toBe(word);
  });

  test.each(['Standard', 'Serverless', '', undefined, 5])('is undefined for %p', (word) => {
    expect(unknownModeOf(word)).toBeUndefined();
  });
});

describe('the recorded mode of OLD', () => {
  const annotations = (mode: string) => ({ annotations: { [MODE]: mode } });
  const [standard, knative] = [service({}, annotations('Standard')), service({}, annotations('Knative'))];

  test('is the mode of NEW if that has none: from the status, otherwise from the annotation', () => {
    expect(recordDeploymentMode(standard, service())).toEqual({ ...service(), status: { deploymentMode: 'Standard' } });
    const live = { ...standard, status: { deploymentMode: 'Serverless' } };
    expect(recordDeploymentMode(live, service({}, { status: { url: 'x' } }))).toEqual({
      ...service(),
      status: { url: 'x', deploymentMode: 'Knative' },
    });
  });

  test('is not used if NEW has a mode or OLD has none', () => {
    expect(recordDeploymentMode(standard, knative)).toBe(knative);
    expect(recordDeploymentMode(service(), standard)).toBe(standard);
    const plain = service();
    expect(recordDeploymentMode(service(), plain)).toBe(plain);
  });
});
