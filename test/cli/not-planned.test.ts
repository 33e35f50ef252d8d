import { rolloutkit } from './command-line';

const KINDS = [
  ['ray.io/v1', 'RayCluster'],
  ['ray.io/v1alpha1', 'RayCluster'],
  ['serving.knative.dev/v1', 'Service'],
  ['v1', 'Pod'],
] as const;

const FILES = {
  'all.yaml': KINDS.map(([apiVersion, kind]) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`).join('---\n'),
};

const LINE = 'not planned: 2 RayClusters (ray.io), 1 Service (serving.knative.dev), 1 Pod';

describe('what is not planned', () => {
  test('is a line of the plan, below its first', async () => {
    expect(await rolloutkit('plan all.yaml', { files: FILES })).toEqual({
      exitCode: 0,
      stdout: `no rollouts on Kubernetes 1.34: no findings\n${LINE}\n`,
      stderr: '',
    });
  });

  test('is a line of a check, above its last', async () => {
    expect(await rolloutkit('check all.yaml', { files: FILES })).toEqual({
      exitCode: 0,
      stdout: `${LINE}\nno rollouts on Kubernetes 1.34: no findings\n`,
      stderr: '',
    });
  });

  test('stands in the JSON of a check', async () => {
    const { stdout } = await rolloutkit('check all.yaml --format json', { files: FILES });
    expect(JSON.parse(stdout)).toMatchObject({
      notPlanned: KINDS.map(([apiVersion, kind]) => ({ apiVersion, kind, count: 1, reason: expect.any(String) })),
      summary: { rollouts: 0, notPlanned: 4, errors: 0 },
    });
  });

  test('fails a check with --require-planned', async () => {
    expect(await rolloutkit('check all.yaml --require-planned', { files: FILES })).toMatchObject({ exitCode: 1 });
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n';
    expect(await rolloutkit('check a.yaml --require-planned', { files: { 'a.yaml': service } })).toMatchObject({ exitCode: 0 });
  });
});
