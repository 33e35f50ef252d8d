/** What a cluster says about pods, such as the name of an image, is printed as text that no terminal and no CI log executes. */
import type { VerifyReport } from '../../src/core/document/verify-report';
import { formatStartupFile } from '../../src/live/verify/startup-file';
import { rolloutkit } from '../cli/command-line';
import { DeploymentStream } from './rollout-stream';

const manifest = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;

const HOSTILE = 'no image "\u001b[2J\u202eweb"\n::error::##vso[task.complete]x';

test.each(['InvalidImageName', 'ErrImagePull'])('of a pod that waits because of %s', async (reason) => {
  const { stdout: plan } = await rolloutkit('plan --from old.yaml new.yaml --format json', {
    files: { 'old.yaml': manifest('web:1'), 'new.yaml': manifest('web:2') },
  });
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const events = new DeploymentStream({ replicas: 2, strategy })
    .apply(0, 'web:2')
    .scale('new', 1)
    .create('new-1', 0)
    .waits('new-1', 20, reason, HOSTILE);
  const { stdout } = await rolloutkit('verify plan.json --events events.json', {
    files: { 'plan.json': plan, 'events.json': events.toString() },
  });
  const said = stdout.split('\n').find((line) => line.includes('no image'));
  expect(said).toContain('no image "\\u001b[2J\\u202eweb"\\n::error::\\u0023#vso[task.complete]x');
});

test('of a plan that has it instead of a number, which is an error', async () => {
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', {
    files: { 'old.yaml': manifest('web:1'), 'new.yaml': manifest('web:2') },
  });
  const plan = JSON.parse(stdout) as { rollouts: { simulation: { waves: { wave: unknown }[] } }[] };
  plan.rollouts[0]!.simulation.waves[0]!.wave = HOSTILE;

  expect(await rolloutkit('verify plan.json', { files: { 'plan.json': JSON.stringify(plan) } })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'rolloutkit: plan.json is not a plan document as plan --format json prints it: rollouts[0].simulation.waves[0].wave is "no image \\"\\u001b[2J\\u202eweb\\"\\n::error::\\u0023#vso[task.complete]x", which is not a whole number\n',
  });
});

test('in the file of the start-up times, as a name that means the same', () => {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: HOSTILE };
  const file = formatStartupFile({ rollouts: [{ resource, startup: { p50: 1, p95: 2, pods: 1 } }] } as unknown as VerifyReport);
  expect(file.split('\n')[2]).toBe(
    String.raw`    "Deployment/shop/no image \"\u001b[2J\u202eweb\"\n::error::\u0023#vso[task.complete]x": {`,
  );
  expect(JSON.parse(file)).toEqual({ startupSeconds: { [`Deployment/shop/${HOSTILE}`]: { p50: 1, p95: 2, pods: 1 } } });
});
