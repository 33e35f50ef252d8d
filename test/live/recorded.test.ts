import { cpSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from '../cli/command-line';

/** Recorded with kubectl from the API server and the controllers of Kubernetes 1.34.4 (`oracle/cluster`, TestServe). */
const RECORDED = path.resolve(__dirname, '../../examples/before-you-apply');

const setting = { prepare: (folder: string) => cpSync(RECORDED, folder, { recursive: true }) };

test('a recorded snapshot gives the plan of the change, amid everything that ran', async () => {
  const { stdout } = await rolloutkit('plan --from snapshot.json --format json new', setting);

  expect(JSON.parse(stdout)).toMatchObject({
    versions: { kubernetes: '1.34.4' },
    cluster: { context: 'staging', namespaces: ['shop'], unread: [] },
    change: {
      objects: [
        {
          resource: { kind: 'Deployment', namespace: 'shop', name: 'web' },
          effect: 'roll',
          because: [{ path: 'spec.template.spec.containers[web].image', old: 'shop/web:1', new: 'shop/web:2' }],
        },
      ],
      summary: { kept: 0, podsReplaced: 4 },
    },
    rollouts: [{ capacity: { verdict: 'fits' }, simulation: { peakPods: 5, minAvailable: 4 } }],
  });
});

test('recorded events show the deadlock of an image that does not exist, in any order of the files', async () => {
  const { stdout: plan } = await rolloutkit('plan --from snapshot.json --format json new', setting);
  const { exitCode, stdout } = await rolloutkit('verify plan.json --events events.jsonl --format json', {
    ...setting,
    files: { 'plan.json': plan },
  });

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    rollouts: [
      {
        status: 'deadlocks',
        message:
          'It deadlocks at wave 1: ImagePullBackOff: web-5db8888c66-t4995: Back-off pulling image "shop/web:2": ErrImagePull: shop/web:2: not found. 4 of 5 pods are ready. The plan does not expect it.',
        waves: [{ wave: 1, planned: { new: 1, old: 4 }, observed: { new: 1, old: 4 } }, { wave: 2 }, { wave: 3 }, { wave: 4 }, { wave: 5 }],
      },
    ],
  });
});
