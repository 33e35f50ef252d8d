import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from './command-line';

const web = (name: string, image: string, replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: web, image: "${image}", readinessProbe: {tcpSocket: {port: 80}}}]}
`;
const service = (name: string, namespace: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {selector: {app: ${name}}, ports: [{port: 80}]}\n`;

describe('the recipes of docs/render.md', () => {
  test('two folders that argocd-diff-preview rendered, with a file for each Application', async () => {
    const files = {
      'output/base/api-in-cluster.yaml': `---\n${web('api', 'api:1', 2)}`,
      'output/base/shop-in-cluster.yaml': `---\n${web('shop', 'shop:1', 4)}---\n${service('shop', 'shop')}`,
      'output/base/old-in-cluster.yaml': `---\n${web('old', 'old:1', 1)}`,
      'output/target/api-in-cluster.yaml': `---\n${web('api', 'api:2', 2)}`,
      'output/target/shop-in-cluster.yaml': `---\n${web('shop', 'shop:1', 4)}---\n${service('shop', 'shop').replace('app: shop', 'app: web')}`,
    };
    const options = '--from ./output/base --apply argocd --prune';
    const check = await rolloutkit(`check --format github --fail-on warning ${options} output/target`, { files });
    expect(check.exitCode).toBe(1);
    expect(check.stdout).toContain('::error file=output/target/shop-in-cluster.yaml,line=15,');
    const plan = await rolloutkit(`plan --format markdown ${options} output/target`, { files });
    expect(plan.stdout.split('\n')[1]).toBe(
      '## 3 of 4 objects differ: 1 rolls, 1 is deleted, 1 changes settings; 2 pods are replaced, 1 removed; needs up to 1 extra pod; 1 Service loses all ready endpoints; assumes Kubernetes 1.36',
    );
  });

  test('two outputs of helm template: Helm deletes what the new release lacks', async () => {
    const files = {
      'old.yaml': `---\n# Source: web/templates/a.yaml\n${web('web', 'web:1', 2)}---\n${service('gone', 'shop')}`,
      'new.yaml': `---\n# Source: web/templates/a.yaml\n${web('web', 'web:1', 3)}`,
    };
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --apply helm --prune --fail-on warning', { files });
    expect([exitCode, stdout.split('\n')[0]]).toEqual([
      0,
      '2 of 2 objects differ: 1 scales, 1 is deleted; 1 pod is added; needs up to 1 extra pod; assumes Kubernetes 1.36',
    ]);
  });
});

const HAS_HELM = spawnSync('helm', ['version']).status === 0;

// Only where Helm is installed: a skipped test would fail the gate.
if (HAS_HELM) {
  describe('the job for a chart', () => {
    test('fails a pull request that scales production down, with the installed Helm', async () => {
      const { exitCode, stdout } = await rolloutkit(
        'check --from git:main --render --values prod.yaml --fail-on warning --format github chart',
        {
          files: {
            'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
            'chart/templates/web.yaml': web('web', 'web:1', 0).replace('replicas: 0', 'replicas: {{ .Values.count }}'),
            'prod.yaml': 'count: 6\n',
          },
          env: { PATH: process.env['PATH']! },
          prepare: (folder) => {
            const git = (...args: readonly string[]) =>
              execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
                cwd: folder,
              });
            git('init', '-q', '-b', 'main');
            git('add', '-A');
            git('commit', '-q', '-m', 'production');
            writeFileSync(path.join(folder, 'prod.yaml'), 'count: 1\n');
          },
        },
      );
      expect([exitCode, stdout.split(',title')[0]]).toEqual([1, '::warning file=chart/templates/web.yaml,line=5']);
    });
  });
}
