import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
          ports: [{containerPort: 8080}]
          readinessProbe: {httpGet: {path: /, port: 8080}}
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: 8080}]
`;

const overlay = (count: number) => `namespace: prod\nresources: [../../base]\nreplicas: [{name: web, count: ${count}}]\n`;

/** A repository with a base and overlays, as it is in production. */
const REPOSITORY = {
  'base/web.yaml': WEB,
  'base/service.yaml': SERVICE,
  'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
  'overlays/prod/kustomization.yaml': overlay(6),
};

/** Pull requests: what each changes, and what the job says about it. */
const PULL_REQUESTS: readonly (readonly [string, Readonly<Record<string, string>>, number, string, string])[] = [
  [
    'scales production down',
    { 'overlays/prod/kustomization.yaml': overlay(1) },
    1,
    'change/scaled-down',
    '1 of 2 objects differs: 1 scales; 5 pods are removed; needs no extra pods',
  ],
  [
    'is refused',
    { 'base/web.yaml': WEB.replaceAll('app: web', 'app: shop'), 'base/service.yaml': SERVICE.replace('app: web', 'app: shop') },
    1,
    'change/refused',
    '1 is refused',
  ],
  [
    'writes a trap for the next rollout',
    { 'base/web.yaml': WEB.replace('  selector:', '  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 100%}}\n  selector:') },
    1,
    'kubernetes/outage',
    'the next rollout has 1 error',
  ],
  [
    'breaks the selector of the Service',
    { 'base/service.yaml': SERVICE.replace('app: web', 'app: wbe') },
    1,
    'change/service-without-endpoints',
    '1 of 2 objects differs: 1 changes settings',
  ],
  [
    'is harmless',
    { 'base/web.yaml': WEB.replace('web:1', 'web:2') },
    0,
    '',
    '1 of 2 objects differs: 1 rolls; 6 pods are replaced; needs up to 2 extra pods',
  ],
];

/** A kustomize that does what these overlays need: the namespace, the number of replicas and the files of the base. */
const KUSTOMIZE = `#!/bin/sh
count=$(sed -n 's/.*count: \\([0-9]*\\).*/\\1/p' "$2/kustomization.yaml")
for file in base/web.yaml base/service.yaml; do
  sed -e 's/metadata: {name: web}/metadata: {name: web, namespace: prod}/' -e "s/replicas: 2/replicas: $count/" "$file"
  echo ---
done
`;

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
}

function folderOf(program: string): string {
  return path.dirname(execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim());
}

/** Runs a command on a pull request, with the real kustomize of kubectl if it is installed and asked for. */
async function onPullRequest(args: string, changes: Readonly<Record<string, string>>, isReal = false) {
  const bin = folderWith({});
  if (!isReal) {
    writeFileSync(path.join(bin.path, 'kustomize'), KUSTOMIZE);
    chmodSync(path.join(bin.path, 'kustomize'), 0o755);
  }
  const result = await rolloutkit(args, {
    files: REPOSITORY,
    env: { PATH: [bin.path, folderOf('git'), folderOf('sed'), ...(isReal ? [folderOf('kubectl')] : [])].join(':') },
    prepare: (folder) => {
      git(folder, 'init', '-q', '-b', 'main');
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'production');
      for (const [file, text] of Object.entries(changes)) writeFileSync(path.join(folder, file), text);
    },
  });
  bin.remove();
  return result;
}

/** The kustomize of kubectl is used too, on machines that have it. */
const RENDERERS = ['kustomize', ...(spawnSync('kubectl', ['version', '--client']).status === 0 ? ['kubectl'] : [])];

const CASES = RENDERERS.flatMap((renderer) => PULL_REQUESTS.map((pullRequest) => [...pullRequest, renderer] as const));

describe('a pull request to a base and an overlay', () => {
  test.each(CASES)(
    'that %s',
    async (_, changes, exitCode, code, headline, renderer) => {
      const isReal = renderer === 'kubectl';
      const check = await onPullRequest('check --from git:main --render --fail-on warning overlays/prod', changes, isReal);
      expect([check.exitCode, check.stdout.includes(code)]).toEqual([exitCode, true]);
      const { stdout } = await onPullRequest('plan --from git:main --render --format markdown overlays/prod', changes, isReal);
      expect(stdout.split('\n')[1]).toContain(headline);
    },
    60_000,
  );
});
