/** A drain needs the program of its server at preview. Other words of the command may be Outputs. */
import * as pulumi from '@pulumi/pulumi';
import {
  DaemonSetPolicy,
  DeploymentPolicy,
  DisaggregatedSetRollout,
  InferenceServiceRollout,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
} from 'rolloutkit/pulumi';
import { run } from './program';

const drain = { longestRequest: '60s' };
const pods = (container: object) => ({ spec: { containers: [{ name: 'main', image: 'app:1', ...container }] } });
const workload = (container: object) => ({
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, ...pods(container) } },
});
const rolling = { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, drain } as const;

const COMPONENTS: readonly (readonly [name: string, create: (container: object) => unknown, path: string])[] = [
  [
    'InferenceServiceRollout',
    (container) =>
      new InferenceServiceRollout('it', {
        predictor: { drain, containers: [{ ...pods(container).spec.containers[0]!, name: 'kserve-container' }] },
      }),
    'predictor.containers[0]',
  ],
  [
    'LLMInferenceServiceRollout',
    (container) => new LLMInferenceServiceRollout('it', { model: { uri: 'hf://m' }, drain, template: pods(container).spec }),
    'template.containers[0]',
  ],
  [
    'LeaderWorkerSetRollout',
    (container) => new LeaderWorkerSetRollout('it', { drain, leaderWorkerTemplate: { workerTemplate: pods(container) } }),
    'leaderWorkerTemplate.workerTemplate.spec.containers[0]',
  ],
  [
    'DisaggregatedSetRollout',
    (container) => {
      const role = { drain, leaderWorkerTemplate: { workerTemplate: pods(container) } };
      return new DisaggregatedSetRollout('it', { roles: ['prefill', 'decode'].map((name) => ({ name, ...role })) });
    },
    'roles[0].leaderWorkerTemplate.workerTemplate.spec.containers[0]',
  ],
  [
    'DeploymentPolicy',
    (container) => new DeploymentPolicy('it', { stateless: rolling, workloads: [workload(container)] }),
    'spec.template.spec.containers[0]',
  ],
  [
    'DaemonSetPolicy',
    (container) => new DaemonSetPolicy('it', { policy: { maxUnavailable: 1, drain }, workloads: [workload(container)] }),
    'spec.template.spec.containers[0]',
  ],
];

async function errorOf(create: () => unknown): Promise<string> {
  return run(create).then(
    () => 'nothing: it was registered',
    (error: unknown) => (error as Error).message,
  );
}

describe.each(COMPONENTS)('%s', (_name, create, path) => {
  test.each<[what: string, words: pulumi.Input<string>[]]>([
    ['the program', [pulumi.output('uvicorn'), 'app:app']],
    ['the module of Python', ['python', '-m', pulumi.output('uvicorn'), 'app:app']],
    ['the program that a shell executes', ['sh', '-c', pulumi.output('exec uvicorn app:app')]],
    ['what vllm does', ['vllm', pulumi.output('serve'), 'm']],
  ])('refuses an Output that decides which server drains: %s', async (_, command) => {
    expect(await errorOf(() => create({ command }))).toContain(`longestRequest needs 60 s, but ${path} `);
  });

  test('sets the flag of a server with other words that are Outputs', async () => {
    const { resources } = await run(() => create({ command: ['uvicorn', pulumi.output('app:app')] }));
    const written = JSON.stringify(resources.map(({ inputs }) => inputs as unknown));
    expect(written).toContain('"--timeout-graceful-shutdown","60"');
  });
});

test('the error says which program is needed', async () => {
  expect(await errorOf(() => COMPONENTS[0]![1]({ command: [pulumi.output('uvicorn'), 'app:app'] }))).toMatchInlineSnapshot(
    `"InferenceServiceRollout "it" is refused (created at test/pulumi/drain-outputs.test.ts:25:7): predictor.drain.longestRequest needs 60 s, but predictor.containers[0] starts a program that is known only later, and so is the flag of its server: write its name as plain text"`,
  );
});
