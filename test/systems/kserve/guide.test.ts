import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { Rollout } from '../../../src/props/rollout';
import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import { buildPlatformConfigMap } from '../../../src/systems/kserve/platform-manifest';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import type { InferenceServiceProps, PlatformRolloutProps } from '../../../src/systems/kserve/types';
import { listedAll, plan, rolloutDefaults, service, STANDARD } from './plan';

/** The predictor of every example of the guide. */
const PREDICTOR = { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' } };

/** Returns a service as shown in the guide. */
function guideService(rollingUpdate?: Fields, spec: Fields = {}): Manifest {
  const strategy = rollingUpdate && { deploymentStrategy: { type: 'RollingUpdate', rollingUpdate } };
  return service({ ...PREDICTOR, ...strategy }, { annotations: STANDARD, spec });
}

/** Returns the strategies by component, or of the service if it is refused entirely, and every finding. */
function outcome(...objects: readonly Manifest[]) {
  const document = plan(objects);
  return {
    strategies: Object.fromEntries(document.rollouts.map(({ resource, strategy }) => [resource.component ?? 'service', strategy])),
    findings: listedAll(document).filter((line) => !line.startsWith('info')),
  };
}

/** Returns the outcome of the same service as an intent, on a platform that KServe can read. */
function outcomeOfIntent(props: Partial<InferenceServiceProps>, rollout?: PlatformRolloutProps) {
  const { manifest: config } = buildPlatformConfigMap({ defaultDeploymentMode: 'Standard', ...(rollout && { defaultRollout: rollout }) });
  const platform = readPlatformConfig(config).config!;
  const { manifest } = buildInferenceService('iris', { platform, predictor: PREDICTOR, ...props });
  return outcome(config, manifest);
}

function rolling(maxSurge: unknown, maxUnavailable: unknown) {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

const PREDICTOR_PATH = 'spec.predictor.deploymentStrategy.rollingUpdate';
const TRANSFORMER_PATH = 'spec.transformer.deploymentStrategy.rollingUpdate';
const CONFIG_PATH = 'data[deploy].deploymentRolloutStrategy.defaultRollout';
const KNOWN = rolloutDefaults({});

describe("the guide's ConfigMap (Method 2)", () => {
  const config = rolloutDefaults({ mode: 'Availability', maxSurge: '1', maxUnavailable: '1' });

  test('as shown breaks every service without its own strategy', () => {
    expect(outcome(config, guideService())).toEqual({
      strategies: { predictor: null },
      findings: [
        `warning kserve/mode-ignored at ${CONFIG_PATH}.mode`,
        `error kserve/config-quoted-integer at ${CONFIG_PATH}.maxSurge`,
        `error kserve/config-quoted-integer at ${CONFIG_PATH}.maxUnavailable`,
      ],
    });
  });

  test('corrected: percentages, and the mode as the two values that it means', () => {
    expect(outcomeOfIntent({}, { mode: 'Availability', maxSurge: '25%' })).toEqual({
      strategies: { predictor: rolling('25%', '0%') },
      findings: [],
    });
  });
});

describe("the guide's strategy by service (Method 1)", () => {
  test('as shown is refused twice: quoted numbers, and a transformer that v1beta1 does not support', () => {
    const transformer = {
      custom: { container: { image: 'my-transformer:latest' } },
      deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0', maxUnavailable: '1' } },
    };
    const isvc = guideService({ maxUnavailable: '0', maxSurge: '1' }, { transformer });
    expect(outcome(KNOWN, isvc)).toEqual({
      strategies: { service: null },
      findings: [
        `error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxSurge`,
        `error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxUnavailable`,
        `error kubernetes/quoted-integer at ${TRANSFORMER_PATH}.maxSurge`,
        `error kubernetes/quoted-integer at ${TRANSFORMER_PATH}.maxUnavailable`,
        'error kserve/invalid-service at spec.transformer.custom',
      ],
    });
  });

  test('corrected: one more pod for the predictor, one less for the transformer', () => {
    const transformer = { containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }], rollout: Rollout.resourceAware(1) };
    const strategies = outcomeOfIntent({
      predictor: { ...PREDICTOR, minReplicas: 4, rollout: Rollout.availability(1) },
      transformer,
    }).strategies;
    expect(strategies).toEqual({ predictor: rolling(1, 0), transformer: rolling(0, 1) });
  });
});

describe("the guide's examples", () => {
  test('1, Availability: as shown "0" is refused; corrected it is accepted', () => {
    expect(outcome(KNOWN, guideService({ maxUnavailable: '0', maxSurge: '100%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxUnavailable`],
    });
    expect(outcomeOfIntent({ predictor: { ...PREDICTOR, rollout: Rollout.critical() } })).toEqual({
      strategies: { predictor: rolling('100%', 0) },
      findings: [],
    });
  });

  test('2, ResourceAware: as shown "0" is refused; corrected it is accepted', () => {
    expect(outcome(KNOWN, guideService({ maxSurge: '0', maxUnavailable: '25%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxSurge`],
    });
    expect(outcomeOfIntent({ predictor: { ...PREDICTOR, minReplicas: 4, rollout: Rollout.resourceAware('25%') } })).toEqual({
      strategies: { predictor: rolling(0, '25%') },
      findings: [],
    });
  });

  test('3, defaults of the ConfigMap: they depend on its default mode, not on the annotation in the example', () => {
    const limits = { maxSurge: '40%', maxUnavailable: '20%' };
    expect(outcome(rolloutDefaults(limits), guideService()).strategies).toEqual({ predictor: rolling('40%', '20%') });
    expect(outcome(rolloutDefaults(limits, 'Knative'), guideService()).strategies).toEqual({ predictor: rolling('25%', '25%') });
    expect(outcomeOfIntent({}, { maxSurge: '40%', maxUnavailable: '20%' }).strategies).toEqual({ predictor: rolling('40%', '20%') });
  });

  test('4, no strategy anywhere: 25% and 25%', () => {
    expect(outcome(KNOWN, guideService())).toEqual({ strategies: { predictor: rolling('25%', '25%') }, findings: [] });
    expect(outcomeOfIntent({})).toEqual({ strategies: { predictor: rolling('25%', '25%') }, findings: [] });
  });
});

describe("the guide's migration", () => {
  test('for a service: as shown "0" is refused; corrected it is accepted', () => {
    expect(outcome(KNOWN, guideService({ maxUnavailable: '0', maxSurge: '25%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxUnavailable`],
    });
    const { strategies } = outcomeOfIntent({ predictor: { ...PREDICTOR, rollout: Rollout.availability('25%') } });
    expect(strategies).toEqual({ predictor: rolling('25%', 0) });
  });

  test('for the ConfigMap: as shown its mode has no effect; corrected it has', () => {
    const limits = { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' } as const;
    expect(outcome(rolloutDefaults(limits), guideService())).toEqual({
      strategies: { predictor: rolling('25%', '25%') },
      findings: [`warning kserve/mode-ignored at ${CONFIG_PATH}.mode`],
    });
    expect(outcomeOfIntent({}, limits)).toEqual({ strategies: { predictor: rolling('25%', '0%') }, findings: [] });
  });
});

describe("the guide's best practices are presets", () => {
  test.each([
    ['production', Rollout.production(), rolling('25%', 0)],
    ['production with 50%', Rollout.production('50%'), rolling('50%', 0)],
    ['critical', Rollout.critical(), rolling('100%', 0)],
    ['testing', Rollout.testing(), rolling(0, '50%')],
  ])('%s', (_, rollout, strategy) => {
    expect(outcomeOfIntent({ predictor: { ...PREDICTOR, minReplicas: 4, rollout } })).toEqual({
      strategies: { predictor: strategy },
      findings: [],
    });
  });
});
