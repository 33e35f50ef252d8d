/** Props that TypeScript refuses. `npm run types` fails if one of these lines compiles without its error. */
import { ApiObject, Testing } from 'cdk8s';
import { DaemonSetPolicy, DeploymentPolicy, InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';
import type {
  DaemonSetPolicyProps,
  FleetBundleProps,
  InferenceServiceRolloutProps,
  IntOrPercent,
  NotBothZero,
  OperatorRayServiceProps,
  PartitionProps,
  PlatformConfigProps,
  Refused,
  RolloutIntent,
} from 'rolloutkit';
import { synthError } from './synth-error';
import { model } from '../builders/served-model';

test('a quoted number is neither an integer nor a percentage', () => {
  const limits: IntOrPercent[] = [
    1,
    '25%',
    // @ts-expect-error
    '1',
    // @ts-expect-error
    'a quarter',
  ];
  // @ts-expect-error
  const intents: RolloutIntent[] = [Rollout.availability('1'), { type: 'RollingUpdate', maxSurge: 1 }];
  const props: InferenceServiceRolloutProps = {
    // @ts-expect-error
    predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' } },
    transformer: {
      containers: [{ name: 'kserve-container' }],
      // @ts-expect-error
      deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0' } },
    },
  };

  const { findings } = new InferenceServiceRollout(Testing.chart(), 'iris', props);

  expect(limits).toHaveLength(4);
  expect(intents).toHaveLength(2);
  // From JavaScript, these values cause a finding or an error.
  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ['kubernetes/quoted-integer', 'predictor.rollout.maxSurge'],
    ['kubernetes/quoted-integer', 'transformer.deploymentStrategy.rollingUpdate.maxUnavailable'],
  ]);
  // @ts-expect-error
  expect(() => KServePlatformConfig.of({ defaultRollout: { maxSurge: '1' } })).toThrow(/quoted-integer/);
});

test('two limits that are literally 0 do not compile, for pods and for groups', () => {
  // @ts-expect-error
  const pods = Rollout.rollingUpdate({ maxSurge: 0, maxUnavailable: '0%' });
  // @ts-expect-error
  const groups = Rollout.groups({ surge: 0, unavailable: 0 });
  expect([pods, groups]).toEqual([
    { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: '0%' },
    { maxSurge: 0, maxUnavailable: 0 },
  ]);
  expect([Rollout.groups(), Rollout.groups({ surge: 1 }), Rollout.groups({ surge: '0%' }), Rollout.groups({ unavailable: 2 })]).toEqual([
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: '0%', maxUnavailable: 1 },
    { maxSurge: 0, maxUnavailable: 2 },
  ]);
});

test('a goal is typed by what is rolled out: pods, a bundle, or an upgrade of Ray', () => {
  const bundle: FleetBundleProps['rollout'] = Rollout.goal({ atMostClustersAtOnce: 5, stopAfterBroken: 2, waves: 3 });
  const upgrade: OperatorRayServiceProps['upgrade'] = {
    gatewayClassName: 'istio',
    ...Rollout.goal({ extraGpus: 2, within: '45m', maxStep: 10 }),
  };
  const pods: RolloutIntent = Rollout.goal({ available: 6, extraGpus: 2, within: '15m' });
  // @ts-expect-error
  const podsOfBundle: FleetBundleProps['rollout'] = Rollout.goal({ available: 6 });
  // @ts-expect-error
  const wavesOfPods: RolloutIntent = Rollout.goal({ waves: 3 });
  // @ts-expect-error
  const mixed: RolloutIntent = Rollout.goal({ available: 6, waves: 3 });

  expect([bundle, upgrade, pods, podsOfBundle, wavesOfPods, mixed]).toEqual([
    { goal: { atMostClustersAtOnce: 5, stopAfterBroken: 2, waves: 3 } },
    { gatewayClassName: 'istio', goal: { extraGpus: 2, within: '45m', maxStep: 10 } },
    { goal: { available: 6, extraGpus: 2, within: '15m' } },
    { goal: { available: 6 } },
    { goal: { waves: 3 } },
    { goal: { available: 6, waves: 3 } },
  ]);
});

test('the compiler names the reason, and not another type', () => {
  const reason: Refused<'a ratio must be above 0'> = { refused: 'a ratio must be above 0' };
  // If the check made the parameter `never`, this would be an error about another type, such as Recreate.
  const limits: Parameters<typeof DeploymentPolicy.stateless<0, 0>>[0] = { update: 'Recreate' };
  const { maxUnavailable } = {} as NotBothZero<0, '0%'> & { readonly maxUnavailable: unknown };
  const refused: Refused<'one of maxSurge and maxUnavailable must be above 0'> = maxUnavailable;
  expect([reason.refused, limits, refused]).toEqual(['a ratio must be above 0', { update: 'Recreate' }, undefined]);
});

test('two limits of 0 in a separate object compile, because TypeScript has no type for all numbers except 0, and are refused at synth', () => {
  const rollout: RolloutIntent = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 };
  const { findings } = new InferenceServiceRollout(Testing.chart(), 'iris', { predictor: { model, rollout } });
  expect(findings).toMatchObject([{ severity: 'error', code: 'kubernetes/invalid-strategy', messageId: 'bothZero' }]);
  // @ts-expect-error
  expect(() => KServePlatformConfig.of({ defaultRollout: { maxSurge: 0, maxUnavailable: '0%' } })).toThrow(/invalid-strategy/);
  const asFound: PlatformConfigProps = { defaultRollout: { maxSurge: '10%' } };
  expect(KServePlatformConfig.of(asFound).defaultRollout).toEqual({ maxSurge: '10%' });
});

test('modes and types are case-sensitive strings', () => {
  // @ts-expect-error
  const lowerCase: RolloutIntent = { mode: 'availability', ratio: '25%' };
  // @ts-expect-error
  const unknownType: RolloutIntent = { type: 'BlueGreen' };

  expect([lowerCase, unknownType]).toHaveLength(2);
  // @ts-expect-error
  expect(() => KServePlatformConfig.of({ defaultDeploymentMode: 'Raw' })).toThrow(/invalid-config/);
});

test('an intent has all fields of its form and no others', () => {
  // @ts-expect-error
  const noRatio: RolloutIntent = { mode: 'Availability' };
  // @ts-expect-error
  const limitsBesideRecreate: RolloutIntent = { type: 'Recreate', maxSurge: 1 };
  // @ts-expect-error
  const partitionBesideOnDelete = DeploymentPolicy.stateful({ update: 'OnDelete', partition: 1 });

  expect([noRatio, limitsBesideRecreate, partitionBesideOnDelete]).toHaveLength(3);
  // @ts-expect-error
  const surging = DeploymentPolicy.stateful({ update: 'RollingUpdate', maxSurge: 1 });
  const message = synthError((chart) => surging.applyTo(new ApiObject(chart, 'db', { apiVersion: 'apps/v1', kind: 'StatefulSet' })));
  expect(message).toContain('DeploymentPolicy.stateful: maxSurge is not a prop');
});

test('a component only has its own props; other fields are in others', () => {
  const props: InferenceServiceRolloutProps[] = [
    { predictor: { model, podSpec: { nodeSelector: { pool: 'gpu' } }, others: { fieldOfNextYear: true } } },
    // @ts-expect-error
    { predictor: { model, minReplica: 4 } },
    // @ts-expect-error
    { predictor: { model, rolout: Rollout.availability('25%') } },
    // @ts-expect-error
    { predictor: { model }, transformer: { minReplica: 4 } },
    // @ts-expect-error
    { predictor: { model: { ...model, storageURI: 's3://bucket/model' } } },
    // @ts-expect-error
    { predictor: { containers: [{ name: 'kserve-container', imag: 'web:1' }] } },
    // @ts-expect-error
    { predictor: { model, workerSpec: { pipelineParallelsize: 2 } } },
  ];

  expect(props).toHaveLength(7);
});

test('impossible intents do not compile if the numbers are literals', () => {
  const one: IntOrPercent = JSON.parse('1') as IntOrPercent;
  const intents: RolloutIntent[] = [
    Rollout.rollingUpdate(),
    Rollout.rollingUpdate({ maxSurge: 0, maxUnavailable: 1 }),
    Rollout.rollingUpdate({ maxSurge: '10%', maxUnavailable: '0%' }),
    Rollout.rollingUpdate({ maxSurge: one, maxUnavailable: one }),
    Rollout.availability(one),
    // @ts-expect-error
    Rollout.rollingUpdate({ maxSurge: 0, maxUnavailable: '0%' }),
    // @ts-expect-error
    Rollout.rollingUpdate({ maxSurg: 1 }),
    // @ts-expect-error
    Rollout.availability(0),
    // @ts-expect-error
    Rollout.resourceAware('0%'),
    // @ts-expect-error
    { mode: 'Availability', ratio: '25%', type: 'RollingUpdate' },
    // @ts-expect-error
    { type: 'Recreate', mode: 'Availability' },
  ];
  // @ts-expect-error
  const policy = DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 });
  // @ts-expect-error
  const misspelt = (): unknown => DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurg: 1 });

  expect([...intents, policy, misspelt]).toHaveLength(13);
});

test('a partition names its clusters', () => {
  const partitions: PartitionProps[] = [
    { clusterName: 'paris' },
    { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } }, maxUnavailable: 1 },
    { group: { name: 'eu', selector: {} } },
    // @ts-expect-error
    {},
    // @ts-expect-error
    { name: 'prod', maxUnavailable: '10%' },
    // @ts-expect-error
    { clusterGroup: 'eu', group: { name: 'eu', selector: {} } },
  ];

  expect(partitions).toHaveLength(6);
});

test('a DaemonSet has one limit, or none with OnDelete', () => {
  const props: DaemonSetPolicyProps[] = [
    { maxUnavailable: '10%' },
    { maxSurge: 1, update: 'RollingUpdate', revisionHistory: 5 },
    { update: 'OnDelete' },
    // @ts-expect-error
    { maxSurge: 1, maxUnavailable: 1 },
    // @ts-expect-error
    { update: 'RollingUpdate' },
    // @ts-expect-error
    { update: 'OnDelete', maxUnavailable: 1 },
    // @ts-expect-error
    { update: 'Recreate' },
    // @ts-expect-error
    { maxUnavailable: '1' },
    // @ts-expect-error
    { maxSurge: '1' },
    // @ts-expect-error
    { maxUnavailable: 1, replicas: 3 },
  ];
  // @ts-expect-error
  const empty = DaemonSetPolicy.of({});

  expect([...props, empty]).toHaveLength(11);
});

test('props and resolved values are read-only', () => {
  const iris = new InferenceServiceRollout(Testing.chart(), 'iris', { predictor: { model } });

  // @ts-expect-error
  iris.predictor.strategy = null;
  expect(iris.predictor.strategy).toBeNull();
});
