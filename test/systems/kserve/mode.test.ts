import { deploymentModeOf } from '../../../src/systems/kserve/mode';
import { configMap, listed, listedAll, plan, rolloutOf, service, STANDARD } from './plan';

const MODE = 'serving.kserve.io/deploymentMode';
const MODE_PATH = `metadata.annotations[${MODE}]`;
const RECREATE = { deploymentStrategy: { type: 'Recreate' } };

describe('the mode of a service', () => {
  test.each([
    ['its status, whatever else is said', 'Standard', { [MODE]: 'Knative' }, 'Knative', 'Standard'],
    ['its annotation', undefined, { [MODE]: 'ModelMesh' }, 'Standard', 'ModelMesh'],
    ['its annotation by an old name', undefined, { [MODE]: 'Serverless' }, 'Standard', 'Knative'],
    ['the default mode, where the annotation is no mode', undefined, { [MODE]: 'standard' }, 'Knative', 'Knative'],
    ['the default mode', undefined, {}, 'Standard', 'Standard'],
    ['Knative, where nothing is said', undefined, {}, '', 'Knative'],
  ] as const)('is %s', (_, status, annotations, defaultMode, mode) => {
    expect(deploymentModeOf({ status, annotations, defaultMode })).toBe(mode);
  });
});

describe('a service without Deployments is one rollout, without a strategy', () => {
  test.each(['Knative', 'ModelMesh', 'Serverless'])('in mode %s', (mode) => {
    const { rollouts } = plan([service({}, { annotations: { [MODE]: mode }, spec: { transformer: { containers: [] } } })]);
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

  test('by its status, which never changes', () => {
    const config = configMap({ defaultDeploymentMode: 'Knative' });
    const { findings } = rolloutOf(plan([service({}, { status: { deploymentMode: 'Serverless' } }), config]));
    expect(findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-deployment",
    "help": "The mode of a service never changes: delete it and create it anew, annotated Standard, if Deployments are meant.",
    "message": "The service runs in mode Knative, in which KServe makes no Deployment: no maxSurge and no maxUnavailable applies.",
    "path": "status.deploymentMode",
    "severity": "info",
  },
]
`);
  });

  test('when it is stopped', () => {
    const { findings } = rolloutOf(plan([service({}, { annotations: { 'serving.kserve.io/stop': 'true' } })]));
    expect(findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-deployment",
    "help": "Delete the annotation serving.kserve.io/stop to start it.",
    "message": "The service is stopped: KServe deletes its Deployments, and nothing rolls out.",
    "path": "metadata.annotations[serving.kserve.io/stop]",
    "severity": "info",
  },
]
`);
  });
});

describe('a deploymentStrategy is refused outside of mode Standard', () => {
  const knative = configMap({ defaultDeploymentMode: 'Knative' });

  test('where neither the annotation nor the default mode is Standard', () => {
    const rollout = rolloutOf(plan([knative, service(RECREATE)]));
    expect(rollout.strategy).toBeNull();
    expect(rollout.findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/strategy-outside-standard",
    "help": "Annotate the service with serving.kserve.io/deploymentMode: Standard, or delete deploymentStrategy.",
    "message": "The webhook refuses the deploymentStrategy, because the service has no deploymentMode annotation and the default mode is Knative: customizing deploymentStrategy is only supported for raw deployment mode.",
    "path": "spec.predictor.deploymentStrategy",
    "severity": "error",
  },
]
`);
  });

  test('not where the annotation is Standard, or is added because the default mode is', () => {
    expect(rolloutOf(plan([knative, service(RECREATE, { annotations: STANDARD })]), 'predictor').strategy).toEqual({ type: 'Recreate' });
    expect(rolloutOf(plan([configMap({ defaultDeploymentMode: 'RawDeployment' }), service(RECREATE)]), 'predictor').strategy).toEqual({
      type: 'Recreate',
    });
  });

  test('not under the HPA class of Knative, where it is taken and ignored', () => {
    const annotations = { 'autoscaling.knative.dev/class': 'hpa.autoscaling.knative.dev' };
    const rollout = rolloutOf(plan([knative, service(RECREATE, { annotations })]));
    expect(rollout.strategy).toBeNull();
    expect(listed(rollout.findings)).toEqual([`info kserve/no-deployment at ${MODE_PATH}`]);
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
  test('an annotation that names no mode', () => {
    const rollout = rolloutOf(plan([service({}, { annotations: { [MODE]: 'standard' } })]), 'predictor');
    expect(rollout.strategy).toBeNull();
    expect(rollout.findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/invalid-config",
    "help": "Write Standard, Knative or ModelMesh, in exactly this spelling.",
    "message": "The annotation names no deployment mode: "standard". KServe skips it when it looks up the mode, and fails when it makes the Deployment: unsupported deployment mode for workload: standard.",
    "path": "metadata.annotations[serving.kserve.io/deploymentMode]",
    "severity": "error",
  },
]
`);
  });

  test('an annotation that names no mode, where the default mode is Knative: it is skipped, and no Deployment is made', () => {
    const config = configMap({ defaultDeploymentMode: 'Knative' });
    const { findings } = rolloutOf(plan([config, service({}, { annotations: { [MODE]: 'standard' } })]));
    expect(findings.map(({ message }) => message)).toEqual([
      'The annotation names no deployment mode: "standard". KServe skips it when it looks up the mode, and runs the service in mode Knative.',
    ]);
  });

  test('RawDeployment under KServe 0.16, whose webhook does not know it for Standard', () => {
    const isvc = service({ deploymentStrategy: { type: 'Recreate' } }, { annotations: { [MODE]: 'RawDeployment' } });
    const errorsAt = (version: string) => listedAll(plan([isvc], version)).filter((line) => line.startsWith('error'));
    expect(errorsAt('0.16')).toEqual(['error kserve/strategy-outside-standard at spec.predictor.deploymentStrategy']);
    expect(errorsAt('0.17')).toEqual([]);
  });

  test('an annotation that is not the mode of the status', () => {
    const changed = service({}, { annotations: { [MODE]: 'RawDeployment' }, status: { deploymentMode: 'Serverless' } });
    expect(rolloutOf(plan([changed])).findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-deployment",
    "help": "The mode of a service never changes: delete it and create it anew, annotated Standard, if Deployments are meant.",
    "message": "The service runs in mode Knative, in which KServe makes no Deployment: no maxSurge and no maxUnavailable applies.",
    "path": "status.deploymentMode",
    "severity": "info",
  },
  {
    "code": "kserve/invalid-service",
    "help": "Annotate the service with serving.kserve.io/deploymentMode: Knative, or delete it and create it anew.",
    "message": "The webhook refuses the update: deploymentMode cannot be changed from 'Knative' to 'Standard'; status.deploymentMode holds for the life of the service.",
    "path": "metadata.annotations[serving.kserve.io/deploymentMode]",
    "severity": "error",
  },
]
`);
  });

  test('a default mode that has become Standard since: KServe adds the annotation, and refuses it', () => {
    const config = configMap({ defaultDeploymentMode: 'Standard' });
    const { findings } = rolloutOf(plan([config, service({}, { status: { deploymentMode: 'Knative' } })]));
    expect(listed(findings)).toEqual([
      'info kserve/no-deployment at status.deploymentMode',
      `error kserve/invalid-service at ${MODE_PATH}`,
    ]);
    expect(findings[1]!.message).toMatchInlineSnapshot(
      `"The webhook refuses the update: deploymentMode cannot be changed from 'Knative' to 'Standard', which KServe adds because it is the default mode; status.deploymentMode holds for the life of the service."`,
    );
  });

  test('without a ConfigMap in view the default mode is a guess, and nothing is refused because of it', () => {
    const { findings } = rolloutOf(plan([service({}, { status: { deploymentMode: 'Knative' } })]));
    expect(listed(findings)).toEqual(['info kserve/no-deployment at status.deploymentMode']);
  });
});
