/** Unknown props in a Pulumi program: the preview fails with the component, the prop and the closest name. */
import { DaemonSetPolicy, DeploymentPolicy, InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit/pulumi';
import { withoutPlaces } from '../constructs/synth-error';
import { run } from './program';
import { model } from '../builders/served-model';

const workloads = [{ metadata: { name: 'web' }, spec: {} }];

test.each([
  [
    InferenceServiceRollout,
    { predictor: { model, minReplica: 4, rolout: Rollout.availability('25%') } },
    [
      'InferenceServiceRollout "it" is refused:',
      '  predictor.minReplica is not a prop; write minReplicas, or leave it out',
      '  predictor.rolout is not a prop; write rollout, or leave it out',
    ],
  ],
  [
    InferenceServiceRollout,
    { predictor: { model }, platform: { defaultRolout: {} } },
    ['InferenceServiceRollout "it" is refused:', '  platform.defaultRolout is not a prop; write defaultRollout, or leave it out'],
  ],
  [
    DeploymentPolicy,
    { stateless: { update: 'RollingUpdate', maxSurg: 1 }, workloads },
    ['DeploymentPolicy "it" is refused:', '  stateless.maxSurg is not a prop; write maxSurge, or leave it out'],
  ],
  [
    DaemonSetPolicy,
    { policy: { maxUnavailble: 1 }, workload: [] },
    [
      'DaemonSetPolicy "it" is refused:',
      '  policy.maxUnavailble is not a prop; write maxUnavailable, or leave it out',
      '  workload is not a prop; write workloads, or leave it out',
    ],
  ],
  [
    KServePlatformConfig,
    { defaultRollout: { maxSurg: 1 } },
    ['KServePlatformConfig "it" is refused:', '  defaultRollout.maxSurg is not a prop; write maxSurge, or leave it out'],
  ],
])('%p', async (Component: new (...args: never[]) => unknown, args, lines) => {
  const said = run(() => Reflect.construct(Component, ['it', args])).then(
    () => 'nothing: the preview went through',
    (error: unknown) => withoutPlaces((error as Error).message),
  );
  expect((await said).split('\n')).toEqual(lines);
});

test('a transform refuses the policy before it is registered', () => {
  expect(() => DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurg: 1 } as never })).toThrow(
    'DeploymentPolicy.stateless: maxSurg is not a prop; write maxSurge, or leave it out',
  );
  expect(() => DaemonSetPolicy.transform({ maxSurg: 1 } as never)).toThrow(
    'DaemonSetPolicy: maxSurg is not a prop; write maxSurge, or leave it out',
  );
});

test('an error has the line of the program that creates the component', async () => {
  const said = run(() => new InferenceServiceRollout('iris', { predictor: { model, minReplicas: -1, maxReplicas: -2 } }));
  await expect(said).rejects.toThrow(
    /^InferenceServiceRollout "iris" is refused \(created at test\/pulumi\/unknown-props\.test\.ts:\d+:\d+\):\n/,
  );
  await expect(said).rejects.toThrow('[kserve/invalid-service] predictor.minReplicas:');
});
