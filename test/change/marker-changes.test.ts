/** Files with which a tool decides what it applies from a folder, if only they change. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolloutkit } from '../cli/command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
const API = WEB.replaceAll('web', 'api');
const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

type Files = Readonly<Record<string, string>>;

interface Outcome {
  readonly exitCode: number;
  readonly headline: string;
  readonly found: readonly string[];
}

/** Checks a change of the markers of a folder with one Deployment. */
async function checkMarkers(old: Files, next: Files, option = ''): Promise<Outcome> {
  const place = (folder: string, files: Files) =>
    Object.fromEntries(Object.entries({ 'web.yaml': WEB, ...files }).map(([file, text]) => [`${folder}/${file}`, text]));
  const files = { ...place('old', old), ...place('new', next) };
  const { exitCode, stdout } = await rolloutkit(`check --from old new ${option} --format json`, { files });
  const { findings } = JSON.parse(stdout) as { findings: { code: string; messageId: string; severity: string; message: string }[] };
  const text = await rolloutkit(`check --from old new ${option}`, { files });
  return {
    exitCode,
    headline: text.stdout.split('\n')[0]!,
    found: findings.filter(({ messageId }) => messageId === 'markerChange').map(({ severity, message }) => `${severity} ${message}`),
  };
}

describe('a file that decides what a tool applies is never an unseen change', () => {
  test.each<readonly [file: string, old: Files, next: Files, message: string]>([
    ['a kustomization', { 'kustomization.yaml': 'resources: [web.yaml]\n' }, {}, 'old/kustomization.yaml is deleted, so kustomize may'],
    ['a fleet.yaml', { 'fleet.yaml': 'helm: {chart: a}\n' }, {}, 'old/fleet.yaml is deleted, so Fleet may'],
    ['a new Chart.yaml', {}, { 'Chart.yaml': CHART }, 'new/Chart.yaml is added, so Helm may'],
    ['a deleted Chart.yaml', { 'Chart.yaml': CHART }, {}, 'old/Chart.yaml is deleted, so Helm may'],
    ['the type of a chart', { 'Chart.yaml': CHART }, { 'Chart.yaml': `${CHART}type: library\n` }, 'new/Chart.yaml is changed, so Helm may'],
    [
      'a .helmignore',
      { 'Chart.yaml': CHART },
      { 'Chart.yaml': CHART, '.helmignore': 'web.yaml\n' },
      'new/.helmignore is added, so Helm may',
    ],
    ['a .sourceignore', { '.sourceignore': 'web.yaml\n' }, { '.sourceignore': 'api.yaml\n' }, 'new/.sourceignore is changed, so Flux may'],
    ['a .fleetignore', { '.fleetignore': 'web.yaml\n' }, {}, 'old/.fleetignore is deleted, so Fleet may'],
    ['the override of an Application', { '.argocd-source-shop.yaml': '{}' }, {}, 'old/.argocd-source-shop.yaml is deleted, so Argo CD may'],
    [
      'in a folder around the file',
      { 'a/b.yaml': '' },
      { 'a/b.yaml': '', 'a/.sourceignore': '*' },
      'new/a/.sourceignore is added, so Flux may',
    ],
  ])('%s', async (_, old, next, message) => {
    const text = `${message} apply other objects from its folder: only the objects in the files are compared.`;
    expect(await checkMarkers(old, next)).toMatchObject({ headline: expect.stringContaining('incomplete: '), found: [`warning ${text}`] });
    expect(await checkMarkers(old, next, '--require-planned')).toMatchObject({ exitCode: 1, found: [`error ${text}`] });
  });

  test.each<readonly [what: string, old: Files, next: Files]>([
    ['the same file', { '.helmignore': 'a\n', 'Chart.yaml': CHART }, { '.helmignore': 'a\n', 'Chart.yaml': CHART }],
    ['a pattern for no file', { 'Chart.yaml': CHART }, { 'Chart.yaml': CHART, '.helmignore': '# b\n*.swp\n', '.sourceignore': 'docs/\n' }],
    ['a .helmignore without a chart', {}, { '.helmignore': '*\n' }],
    ['another version of a chart', { 'Chart.yaml': CHART }, { 'Chart.yaml': `${CHART.replace('1.0.0', '1.0.1')}description: a\n` }],
    [
      'a kustomization under its other name',
      { 'kustomization.yaml': 'resources: [web.yaml]\n' },
      { 'kustomization.yml': 'resources: [web.yaml]\n' },
    ],
    ['a new folder', {}, { 'api/Chart.yaml': CHART, 'api/templates/api.yaml': WEB.replaceAll('web', 'api') }],
    ['a deleted folder', { 'api/Chart.yaml': CHART, 'api/templates/api.yaml': WEB.replaceAll('web', 'api') }, {}],
  ])('%s is no such change', async (_, old, next) => {
    expect((await checkMarkers(old, next, '--require-planned')).found).toEqual([]);
  });

  test.each<readonly [what: string, old: Files, next: Files, messages: readonly string[]]>([
    [
      'a kustomization whose file gets another name',
      { 'a/kustomization.yaml': 'resources: [api.yaml]\n', 'a/api.yaml': API },
      { 'a/api2.yaml': API },
      ['old/a/kustomization.yaml is deleted, so kustomize may'],
    ],
    [
      'a fleet.yaml whose file moves',
      { 'a/fleet.yaml': 'namespace: prod\n', 'a/api.yaml': API },
      { 'b/api.yaml': API },
      ['old/a/fleet.yaml is deleted, so Fleet may'],
    ],
    [
      'a .fleetignore whose file gets another name',
      { 'a/.fleetignore': 'api.yaml\n', 'a/api.yaml': API },
      { 'a/api2.yaml': API },
      ['old/a/.fleetignore is deleted, so Fleet may'],
    ],
    [
      'an override of Argo CD whose file gets another name',
      { 'a/.argocd-source.yaml': '{}\n', 'a/api.yaml': API },
      { 'a/api2.yaml': API },
      ['old/a/.argocd-source.yaml is deleted, so Argo CD may'],
    ],
    [
      'a new Chart.yaml whose file gets another name',
      { 'a/api.yaml': API },
      { 'a/templates/api.yaml': API, 'a/Chart.yaml': CHART },
      ['new/a/Chart.yaml is added, so Helm may'],
    ],
    [
      'but not a kustomization that moves with its file',
      { 'a/kustomization.yaml': 'resources: [api.yaml]\n', 'a/api.yaml': API },
      { 'b/kustomization.yaml': 'resources: [api.yaml]\n', 'b/api.yaml': API },
      [],
    ],
    [
      'and not a chart and an ignore file that move with their file',
      { 'a/Chart.yaml': CHART, 'a/.fleetignore': 'docs/\n', 'a/templates/api.yaml': API },
      { 'b/Chart.yaml': CHART, 'b/.fleetignore': 'docs/\n', 'b/templates/api.yaml': API },
      [],
    ],
  ])('%s', async (_, old, next, messages) => {
    const found = messages.map(
      (message) => `warning ${message} apply other objects from its folder: only the objects in the files are compared.`,
    );
    expect((await checkMarkers(old, next)).found).toEqual(found);
  });

  test('not between a revision and the checkout either', async () => {
    const { exitCode, stdout } = await rolloutkit('check --from git:HEAD deploy --require-planned', {
      files: {
        'deploy/web.yaml': WEB,
        'deploy/Chart.yaml': CHART,
        'deploy/.helmignore': 'a\n',
        'deploy/.sourceignore': '*\n',
        'deploy/.fleetignore': 'c\n',
      },
      prepare: (folder) => {
        const git = (...args: string[]) =>
          execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
        git('init', '--quiet');
        git('add', '.');
        git('commit', '--quiet', '--message', 'a');
        writeFileSync(join(folder, 'deploy/.helmignore'), 'web.yaml\n');
        rmSync(join(folder, 'deploy/.sourceignore'));
      },
    });
    expect([exitCode, stdout.split('\n').filter((line) => line.includes('apply other objects'))]).toEqual([
      1,
      [
        '  deploy/.helmignore is changed, so Helm may apply other objects from its folder: only the objects in the files are compared.',
        '  git:HEAD:deploy/.sourceignore is deleted, so Flux may apply other objects from its folder: only the objects in the files are compared.',
      ],
    ]);
  });
});
