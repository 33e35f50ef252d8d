import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderWith } from '../folder';
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

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
}

function commitAll(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'production');
}

function writeProgram(file: string, script: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}`);
  chmodSync(file, 0o755);
}

describe('the recipe for argocd-diff-preview', () => {
  /** As version 0.2.13 writes them: a file for each Application, also for one that renders nothing, and no extension before 0.2.0. */
  const files = {
    'output/base/api.yaml': web('api', 'api:1', 2),
    'output/base/shop.yaml': `${web('shop', 'shop:1', 4)}---\n${service('shop', 'shop')}`,
    'output/base/old.yaml': web('old', 'old:1', 1),
    'output/base/nothing.yaml': '',
    'output/target/api.yaml': web('api', 'api:2', 2),
    'output/target/shop.yaml': `${web('shop', 'shop:1', 4)}---\n${service('shop', 'shop').replace('app: shop', 'app: web')}`,
    'output/target/nothing.yaml': '',
  };
  const options = '--from ./output/base --apply argocd --prune';

  test('compares two folders with a file for each Application', async () => {
    const check = await rolloutkit(`check --format github --fail-on warning ${options} output/target`, { files });
    expect(check.exitCode).toBe(1);
    expect(check.stdout).toContain('::error file=output/target/shop.yaml,line=14,');
    const plan = await rolloutkit(`plan --format markdown ${options} output/target`, { files });
    expect(plan.stdout.split('\n')[1]).toBe(
      '## 3 of 4 objects differ: 1 rolls, 1 is deleted, 1 changes settings; 2 pods are replaced, 1 removed; needs up to 1 extra pod; 1 Service loses all ready endpoints; assumes Kubernetes 1.36',
    );
  });

  test('asks for the files that are compared', () => {
    expect(readFileSync(path.join(__dirname, '../../docs/render.md'), 'utf8')).toContain('-e OUTPUT_APP_MANIFESTS=true');
  });
});

describe('the recipe for two charts', () => {
  test('compares two outputs of helm template: Helm deletes what the new release lacks', async () => {
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

/** Prints what Helm 3.20.2 prints for the chart below: the template with the number of the values file. */
const RECORDED_HELM = `[ "$1 $2 $3 $4" = "template chart --include-crds --values" ] || exit 1
count=$(sed -n 's/count: //p' "$5")
printf -- '---\\n# Source: web/templates/web.yaml\\n'
sed "s/{{ .Values.count }}/$count/" chart/templates/web.yaml
`;

// A skipped test would fail the gate, so the installed Helm is a case only where there is one.
const HELMS: readonly (readonly [string, string | undefined])[] = [
  ['as recorded', RECORDED_HELM],
  ...(spawnSync('helm', ['version']).status === 0 ? [['installed here', undefined] as const] : []),
];

describe('the job for a chart', () => {
  test.each(HELMS)('fails a pull request that scales production down, and names the template, with Helm %s', async (_, script) => {
    const bin = folderWith({});
    if (script !== undefined) writeProgram(path.join(bin.path, 'helm'), script);
    const { exitCode, stdout } = await rolloutkit(
      'check --from git:main --render --values prod.yaml --fail-on warning --format github chart',
      {
        files: {
          'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
          'chart/templates/web.yaml': web('web', 'web:1', 0).replace('replicas: 0', 'replicas: {{ .Values.count }}'),
          'prod.yaml': 'count: 6\n',
        },
        env: { PATH: `${bin.path}:${process.env['PATH']!}` },
        prepare: (folder) => {
          commitAll(folder);
          writeFileSync(path.join(folder, 'prod.yaml'), 'count: 1\n');
        },
      },
    );
    bin.remove();
    expect([exitCode, stdout.split(',title')[0]]).toEqual([1, '::warning file=chart/templates/web.yaml,line=5']);
  });
});

describe('the job for a Flux Kustomization with variables', () => {
  const SHOP = web('shop', 'shop:${tag}', 0)
    .replace('replicas: 0', 'replicas: ${replicas}')
    .replace('metadata: {name: shop, namespace: shop}', 'metadata:\n  name: shop\n  namespace: ${namespace:=shop}');
  const kustomization = (replicas: number) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./clusters/prod/apps
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {replicas: "${replicas}", tag: "1.4.2"}
`;
  const files = {
    'clusters/prod/apps.yaml': kustomization(6),
    'clusters/prod/apps/kustomization.yaml': 'resources: [shop.yaml]\n',
    'clusters/prod/apps/shop.yaml': SHOP,
  };
  /** What kubectl kustomize 5.5.0 and the substitution of Flux (fluxcd/pkg/envsubst 1.3.0, strict) printed, by the number of replicas. */
  const printed = (replicas: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: shop
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
      - image: shop:1.4.2
        name: web
        readinessProbe:
          tcpSocket:
            port: 80
`;
  /** Fails unless it is called as the page says, and prints what Flux builds from the Kustomization that is named. */
  const RECORDED_FLUX = `[ "$1 $2 $3 $4 $6 $8 $9" = "build kustomization apps --path --kustomization-file --dry-run --strict-substitute" ] || exit 1
[ -f "$5/kustomization.yaml" ] || exit 1
replicas=$(sed -n 's/.*replicas: "\\([0-9]*\\)".*/\\1/p' "$7")
cat <<END
${printed('$replicas').trimEnd()}
END
`;

  /** The shell steps of the page: those between the action of Flux and that of rolloutkit. */
  function shellStepsOfPage(): string {
    const page = readFileSync(path.join(__dirname, '../../docs/render.md'), 'utf8');
    const [, steps] = /fluxcd\/flux2\/action[\s\S]*?run: \|\n([\s\S]*?)\n {6}- uses:/.exec(page)!;
    return steps!.replaceAll(/^ {10}/gm, '');
  }

  test('fails a pull request that scales production down, from the shell steps of the page', async () => {
    const temporary = folderWith({});
    const bin = path.join(temporary.path, 'bin');
    writeProgram(path.join(bin, 'flux'), RECORDED_FLUX);
    const sides = Object.fromEntries(['old', 'new'].map((side) => [side, path.join(temporary.path, `${side}.yaml`)]));
    const { exitCode, stdout } = await rolloutkit(
      `check --from ${sides['old']} ${sides['new']} --apply flux --prune --fail-on warning --format github`,
      {
        files,
        prepare: (folder) => {
          commitAll(folder);
          const steps = shellStepsOfPage().replace('${{ github.event.pull_request.base.sha }}', git(folder, 'rev-parse', 'HEAD'));
          writeFileSync(path.join(folder, 'clusters/prod/apps.yaml'), kustomization(1));
          execFileSync('bash', ['-e', '-c', steps], {
            cwd: folder,
            stdio: 'ignore',
            env: { PATH: `${bin}:${process.env['PATH']!}`, RUNNER_TEMP: temporary.path },
          });
          git(folder, 'worktree', 'remove', '--force', path.join(temporary.path, 'base'));
        },
      },
    );
    temporary.remove();
    expect([exitCode, stdout.split('\n')[0]!.split('::')[2]]).toEqual([
      1,
      'The apply scales from 6 pods to 1: from then on, the loss of that pod or of its node is an outage. Fix: Write at least 2 replicas, or 6 as before.',
    ]);
  });

  test('without the variables the headline does not say that nothing changes', async () => {
    const { stdout } = await rolloutkit('plan --from old new', { files: { 'old/shop.yaml': SHOP, 'new/shop.yaml': SHOP } });
    expect(stdout.split('\n')[0]).toBe(
      'incomplete: 1 object has placeholders; the object that was read does not differ; assumes Kubernetes 1.36',
    );
  });
});
