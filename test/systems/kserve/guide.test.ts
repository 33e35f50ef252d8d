import type { Fields, Manifest } from '../../../src/core/manifest';
import { Rollout } from '../../../src/workloads/deployment/intent';
import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import { buildPlatformConfigMap } from '../../../src/systems/kserve/platform-manifest';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import type { InferenceServiceProps, PlatformRolloutProps } from '../../../src/systems/kserve/types';
import { listedAll, plan, rolloutDefaults, service, STANDARD } from './plan';

/** The predictor of every example of the guide. */
const PREDICTOR = { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' } };

/** A service as the guide prints it. */
function printed(rollingUpdate?: Fields, spec: Fields = {}): Manifest {
  const strategy = rollingUpdate && { deploymentStrategy: { type: 'RollingUpdate', rollingUpdate } };
  return service({ ...PREDICTOR, ...strategy }, { annotations: STANDARD, spec });
}

/** What becomes of objects on a cluster: strategies by component, or of the service where that is refused as a whole, and every finding. */
function outcome(...objects: readonly Manifest[]) {
  const document = plan(objects);
  return {
    strategies: Object.fromEntries(document.rollouts.map(({ resource, strategy }) => [resource.component ?? 'service', strategy])),
    findings: listedAll(document).filter((line) => !line.startsWith('info')),
  };
}

/** The same service as intent, on a platform that KServe itself can read. */
function right(props: Partial<InferenceServiceProps>, rollout?: PlatformRolloutProps) {
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

  test('as printed breaks every service without a strategy of its own', () => {
    expect(outcome(config, printed())).toEqual({
      strategies: { predictor: null },
      findings: [
        `warning kserve/mode-ignored at ${CONFIG_PATH}.mode`,
        `error kserve/config-quoted-integer at ${CONFIG_PATH}.maxSurge`,
        `error kserve/config-quoted-integer at ${CONFIG_PATH}.maxUnavailable`,
      ],
    });
  });

  test('made right: percentages, and the mode as the two values that it means', () => {
    expect(right({}, { mode: 'Availability', maxSurge: '25%' })).toEqual({ strategies: { predictor: rolling('25%', '0%') }, findings: [] });
  });
});

describe("the guide's strategy by service (Method 1)", () => {
  test('as printed is refused twice: numbers in quotes, and a transformer that v1beta1 does not know', () => {
    const transformer = {
      custom: { container: { image: 'my-transformer:latest' } },
      deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0', maxUnavailable: '1' } },
    };
    const written = printed({ maxUnavailable: '0', maxSurge: '1' }, { transformer });
    expect(outcome(KNOWN, written)).toEqual({
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

  test('made right: one more pod for the predictor, one less for the transformer', () => {
    const transformer = { containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }], rollout: Rollout.resourceAware(1) };
    const strategies = right({ predictor: { ...PREDICTOR, minReplicas: 4, rollout: Rollout.availability(1) }, transformer }).strategies;
    expect(strategies).toEqual({ predictor: rolling(1, 0), transformer: rolling(0, 1) });
  });
});

describe("the guide's examples", () => {
  test('1, Availability: as printed "0" is refused; made right', () => {
    expect(outcome(KNOWN, printed({ maxUnavailable: '0', maxSurge: '100%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxUnavailable`],
    });
    expect(right({ predictor: { ...PREDICTOR, rollout: Rollout.critical() } })).toEqual({
      strategies: { predictor: rolling('100%', 0) },
      findings: [],
    });
  });

  test('2, ResourceAware: as printed "0" is refused; made right', () => {
    expect(outcome(KNOWN, printed({ maxSurge: '0', maxUnavailable: '25%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxSurge`],
    });
    expect(right({ predictor: { ...PREDICTOR, minReplicas: 4, rollout: Rollout.resourceAware('25%') } })).toEqual({
      strategies: { predictor: rolling(0, '25%') },
      findings: [],
    });
  });

  test('3, defaults of the ConfigMap: by its default mode, and not by the annotation that the example shows', () => {
    const limits = { maxSurge: '40%', maxUnavailable: '20%' };
    expect(outcome(rolloutDefaults(limits), printed()).strategies).toEqual({ predictor: rolling('40%', '20%') });
    expect(outcome(rolloutDefaults(limits, 'Knative'), printed()).strategies).toEqual({ predictor: rolling('25%', '25%') });
    expect(right({}, { maxSurge: '40%', maxUnavailable: '20%' }).strategies).toEqual({ predictor: rolling('40%', '20%') });
  });

  test('4, no strategy anywhere: 25% and 25%', () => {
    expect(outcome(KNOWN, printed())).toEqual({ strategies: { predictor: rolling('25%', '25%') }, findings: [] });
    expect(right({})).toEqual({ strategies: { predictor: rolling('25%', '25%') }, findings: [] });
  });
});

describe("the guide's migration", () => {
  test('by service: as printed "0" is refused; made right', () => {
    expect(outcome(KNOWN, printed({ maxUnavailable: '0', maxSurge: '25%' }))).toEqual({
      strategies: { predictor: null },
      findings: [`error kubernetes/quoted-integer at ${PREDICTOR_PATH}.maxUnavailable`],
    });
    const { strategies } = right({ predictor: { ...PREDICTOR, rollout: Rollout.availability('25%') } });
    expect(strategies).toEqual({ predictor: rolling('25%', 0) });
  });

  test('by ConfigMap: accepted as printed, and its mode does nothing; made right it does', () => {
    const limits = { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' } as const;
    expect(outcome(rolloutDefaults(limits), printed())).toEqual({
      strategies: { predictor: rolling('25%', '25%') },
      findings: [`warning kserve/mode-ignored at ${CONFIG_PATH}.mode`],
    });
    expect(right({}, limits)).toEqual({ strategies: { predictor: rolling('25%', '0%') }, findings: [] });
  });
});

describe("the guide's best practices are presets", () => {
  test.each([
    ['production', Rollout.production(), rolling('25%', 0)],
    ['production with 50%', Rollout.production('50%'), rolling('50%', 0)],
    ['critical', Rollout.critical(), rolling('100%', 0)],
    ['testing', Rollout.testing(), rolling(0, '50%')],
  ])('%s', (_, rollout, strategy) => {
    expect(right({ predictor: { ...PREDICTOR, minReplicas: 4, rollout } })).toEqual({ strategies: { predictor: strategy }, findings: [] });
  });
});
