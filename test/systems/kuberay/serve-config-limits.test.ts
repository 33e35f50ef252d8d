/** What the plan says about a Serve config with many or large aliases, which the operator reads. */
import { rolloutkit } from '../../cli/command-line';

function rayService(extra: string): string {
  const config = `target_capacity: 20.5\napplications:\n- name: a\n  import_path: b\n${extra}`;
  return JSON.stringify({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'r', annotations: { 'rolloutkit/ignore': 'kuberay/serve-config-conflict: x' } },
    spec: {
      serveConfigV2: config,
      upgradeStrategy: {
        type: 'NewClusterWithIncrementalUpgrade',
        clusterUpgradeOptions: { gatewayClassName: 'g', maxSurgePercent: 20, stepSizePercent: 10, intervalSeconds: 10 },
      },
      rayClusterConfig: {
        enableInTreeAutoscaling: true,
        headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'h', image: 'rayproject/ray:2.52.0' }] } } },
      },
    },
  });
}

function repeatAlias(text: string, count: number): string {
  return `  k: &a "${text}"\n${Array.from({ length: count }, (_, index) => `  k${index}: *a\n`).join('')}`;
}

async function check(extra: string): Promise<readonly [exitCode: number, stdout: string]> {
  const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned in', { files: { 'in/a.json': rayService(extra) } });
  return [exitCode, stdout];
}

test('large aliases do not hide what the Serve config says', async () => {
  const small = await check(repeatAlias('x', 59));
  expect(small).toMatchInlineSnapshot(`
[
  0,
  "1 rollout on Kubernetes 1.36 and KubeRay 1.7 (both assumed): 1 never finishes, no findings (1 suppressed)
",
]
`);
  expect(await check(repeatAlias('x'.repeat(60_000), 59))).toEqual(small);
});

test('a Serve config beyond the limits of the reader is not planned, and no annotation hides that', async () => {
  expect(await check(repeatAlias('x', 101))).toMatchInlineSnapshot(`
[
  1,
  "no rollouts on Kubernetes 1.36: 1 error

error  input/unreadable  in/a.json:1:1
  RayService r is not planned: the text in its serveConfigV2 cannot be read here, because it has more than 100 aliases.
  fix: Write the values out, or split the document.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
",
]
`);
});
