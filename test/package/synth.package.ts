import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const cdk8s = path.join(root, 'node_modules/.bin/cdk8s');

beforeAll(() => {
  const built = ['lib/index.js', 'build/examples/main.js'].every((file) => existsSync(path.join(root, file)));
  if (!built) throw new Error('not built: run npm run build');
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted();
}

describe('cdk8s synth', () => {
  test('writes every example into a folder with its name', () => {
    const output = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-')), 'dist');

    execFileSync(cdk8s, ['synth', '--check-upgrade=false', '--output', output], { cwd: root, stdio: 'pipe' });

    expect(filesBelow(output)).toMatchInlineSnapshot(`
[
  "argo-cd/shop.k8s.yaml",
  "daemonset-agents/agents.k8s.yaml",
  "daemonset-agents/nodes.k8s.yaml",
  "deployment-policies/shop.k8s.yaml",
  "disaggregatedset/llm.k8s.yaml",
  "drain/drain.k8s.yaml",
  "fleet-git/fleet.k8s.yaml",
  "fleet-git/shop/fleet.yaml",
  "fleet-git/shop/shop.yaml",
  "fleet-guide/fleet.k8s.yaml",
  "gpu-quota/deadlock.k8s.yaml",
  "gpu-quota/no-quota.k8s.yaml",
  "gpu-quota/safe.k8s.yaml",
  "guardrails/guardrails.k8s.yaml",
  "guardrails/shop.k8s.yaml",
  "ibm-baw/workflow.k8s.yaml",
  "kserve-best-practices/practices.k8s.yaml",
  "kserve-guide/guide.k8s.yaml",
  "kserve-multinode/llm.k8s.yaml",
  "kserve-platform/platform.k8s.yaml",
  "kserve-platform/recommendations.k8s.yaml",
  "kuberay-guide/guide.k8s.yaml",
  "kuberay-llm-40-gpus/operated.k8s.yaml",
  "kuberay-llm-40-gpus/staged.k8s.yaml",
  "leaderworkerset/llm.k8s.yaml",
  "llminferenceservice/llm.k8s.yaml",
  "quick-start/models.k8s.yaml",
]
`);
  });

  test('fails with exit code 2 if the validation plugin finds something that a cluster would refuse', () => {
    const project = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
    const app = `mkdir -p "$CDK8S_OUTDIR" && cp web.yaml "$CDK8S_OUTDIR"`;
    writeFileSync(
      path.join(project, 'cdk8s.yaml'),
      JSON.stringify({ app, validations: [{ package: root, version: '0.1.0', class: 'RolloutValidation' }] }),
    );
    writeFileSync(
      path.join(project, 'web.yaml'),
      `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: "1"
`,
    );

    const { status, stdout } = spawnSync(cdk8s, ['synth', '--check-upgrade=false'], { cwd: project, encoding: 'utf8' });

    expect(status).toBe(2);
    expect(stdout).toContain('kubernetes/quoted-integer (1 occurrences)');
    expect(stdout).toContain('How to fix: Write 1 without quotes, or a percentage such as "25%".');
  });

  test('shows on standard error the report of an app on the change, since the CLI captures standard output', () => {
    const output = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-')), 'dist');
    const app = 'node build/examples/plan-at-synth/app.js';

    const args = ['synth', '--check-upgrade=false', '--app', app, '--output', output];
    const { status, stdout, stderr } = spawnSync(cdk8s, args, { cwd: root, encoding: 'utf8' });

    expect({ status, written: filesBelow(output) }).toEqual({ status: 0, written: ['shop.k8s.yaml'] });
    expect(stderr).toContain(
      '2 of 2 objects differ: 1 rolls, 1 scales; 4 pods are replaced; needs up to 5 extra pods; assumes Kubernetes 1.36\n',
    );
    expect(stdout).not.toContain('objects differ');
  });

  test('prints the plan of the change if the validation plugin is configured to', () => {
    const project = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
    const output = path.join(project, 'dist');
    const properties = { print: true, from: path.join(root, 'examples/plan-at-synth/applied'), failOn: 'info', config: false };
    writeFileSync(
      path.join(project, 'cdk8s.yaml'),
      JSON.stringify({
        app: `cd ${root} && node build/examples/plan-at-synth/app.js 2>/dev/null`,
        output,
        validations: [{ package: root, version: '0.1.0', class: 'RolloutValidation', properties }],
      }),
    );

    const { status, stdout } = spawnSync(cdk8s, ['synth', '--check-upgrade=false'], { cwd: project, encoding: 'utf8' });

    expect(status).toBe(0);
    expect(stdout).toContain(
      '2 of 2 objects differ: 1 rolls, 1 scales; 4 pods are replaced; needs up to 5 extra pods; assumes Kubernetes 1.36\n',
    );
  });
});
