import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OriginFiles } from '../../src/input/rendered-origin';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';

const web = (limits: string, replicas = 4) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: ${limits}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}}}]}
`;
const OUTAGE = web('{maxSurge: 0, maxUnavailable: 100%}');
const REFUSED = web('{maxSurge: 0, maxUnavailable: 0}');

/** Runs a check with programs that print a file of the working folder, as kustomize and helm print what they render. */
async function annotationsOf(files: Readonly<Record<string, string>>, args: string, setting: Setting = {}): Promise<string[]> {
  const bin = folderWith({});
  for (const program of ['kustomize', 'helm']) {
    writeFileSync(path.join(bin.path, program), '#!/bin/sh\nwhile IFS= read -r line; do printf "%s\\n" "$line"; done < rendered\n');
    chmodSync(path.join(bin.path, program), 0o755);
  }
  const { stdout } = await rolloutkit(`check --render ${args}`, { files, env: { PATH: bin.path }, ...setting });
  bin.remove();
  return stdout.split('\n');
}

/** Returns the position and the code of each annotation. */
async function positionsOf(files: Readonly<Record<string, string>>, folder = 'prod', setting: Setting = {}): Promise<string[]> {
  const lines = await annotationsOf(files, `--format github ${folder}`, setting);
  return lines.flatMap((line) => {
    const match = /^::\w+ file=([^,]*),line=(\d+).*title=(\S+) /.exec(line);
    return match ? [`${match[1]}:${match[2]} ${match[3]}`] : [];
  });
}

describe('an annotation about a rendered object is at the file of the repository that decides the field', () => {
  test('a file of the base', async () => {
    const files = {
      'base/web.yaml': OUTAGE,
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'prod/kustomization.yaml': 'namePrefix: prod-\nresources: [../base]\n',
      rendered: OUTAGE.replace('{name: web}', '{name: prod-web}'),
    };
    expect(await positionsOf(files)).toEqual(['base/web.yaml:7 kubernetes/outage']);
  });

  test.each([
    [
      'a patch',
      'patches: [{path: limits.yaml}]',
      'kind: Deployment\nmetadata: {name: web}\nspec:\n  strategy:\n    rollingUpdate: {maxSurge: 0, maxUnavailable: 0}\n',
      'prod/limits.yaml:5',
    ],
    [
      'a JSON patch',
      'patches: [{path: limits.yaml, target: {kind: Deployment}}]',
      '- {op: add, path: /spec/x, value: 1}\n- op: replace\n  path: /spec/strategy/rollingUpdate\n  value: {maxSurge: 0, maxUnavailable: 0}\n',
      'prod/limits.yaml:3',
    ],
    [
      'an inline patch',
      'patches:\n  - target: {kind: Deployment}\n    patch: "[{op: replace, path: /spec/strategy, value: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}]"',
      '',
      'prod/kustomization.yaml:4',
    ],
  ])('%s of the overlay', async (_, patches, limits, position) => {
    const files = {
      'base/web.yaml': web('{maxSurge: 1, maxUnavailable: 0}'),
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'prod/kustomization.yaml': `resources: [../base]\n${patches}\n`,
      'prod/limits.yaml': limits,
      rendered: REFUSED,
    };
    expect(await positionsOf(files)).toEqual([`${position} kubernetes/invalid-strategy`]);
  });

  // A list with a field that only Go takes for the same one is empty to the program, which then reads none of its files.
  test.each([
    ['a patch', 'patches: [{path: ../../outside/web.yaml}]\npatcheſ: []\n'],
    ['a resource', 'resources: [../../outside/web.yaml]\nresourceſ: []\n'],
    ['a base', 'resources: [../../outside]\nresourceſ: []\n'],
    ['a link', 'resources: [link.txt]\nresourceſ: []\n'],
    ['a link out of the PATH', 'resources: [near.txt]\nresourceſ: []\n'],
  ])('the kustomization, if %s is outside of what may be read', async (_, kustomization) => {
    const files = {
      'outside/web.yaml': OUTAGE,
      'outside/kustomization.yaml': 'resources: [web.yaml]\n',
      'repository/.git/HEAD': '',
      'repository/prod/kustomization.yaml': kustomization,
      'repository/rendered': OUTAGE,
    };
    const prepare = (folder: string) => {
      symlinkSync('../../outside/web.yaml', path.join(folder, 'repository/prod/link.txt'));
      symlinkSync('../rendered', path.join(folder, 'repository/prod/near.txt'));
    };
    expect(await positionsOf(files, 'prod', { cwd: 'repository', prepare })).toEqual(['prod/kustomization.yaml:1 kubernetes/outage']);
  });

  test('the template of a chart, at the line of the field', async () => {
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/web.yaml': OUTAGE.replace('strategy: {rollingUpdate: ', 'strategy:\n    rollingUpdate: {').replace(
        'maxUnavailable: 100%}}',
        'maxUnavailable: {{ .Values.limit }}}',
      ),
      rendered: `---\n# Source: web/templates/web.yaml\n${OUTAGE}`,
    };
    expect(await positionsOf(files, 'chart')).toEqual(['chart/templates/web.yaml:8 kubernetes/outage']);
  });

  test('the chart, if a comment names a file that is not in it', async () => {
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'other/web.yaml': OUTAGE,
      rendered: `---\n# Source: web/../other/web.yaml\n${OUTAGE}`,
    };
    expect(await positionsOf(files, 'chart')).toEqual(['chart/Chart.yaml:1 kubernetes/outage']);
  });

  test('the kustomization, if no file contains the object, as that of a generator', async () => {
    const files = { 'prod/kustomization.yaml': 'resources: [https://example.com/web]\n', rendered: OUTAGE };
    expect(await positionsOf(files)).toEqual(['prod/kustomization.yaml:1 kubernetes/outage']);
  });

  test('GitLab and JUnit have the same position, and text and JSON have both', async () => {
    const files = { 'prod/web.yaml': OUTAGE, 'prod/kustomization.yaml': 'resources: [web.yaml]\n', rendered: OUTAGE };
    const [issue] = JSON.parse((await annotationsOf(files, '--format gitlab prod')).join('\n'));
    expect(issue.location).toEqual({ path: 'prod/web.yaml', lines: { begin: 7 } });
    expect((await annotationsOf(files, '--format junit prod')).join('\n')).toContain('classname="prod/web.yaml:7"');
    expect((await annotationsOf(files, 'prod')).join('\n')).toContain('prod/web.yaml:7:43 (kustomize build prod:7:43)  spec.strategy');
    const { findings } = JSON.parse((await annotationsOf(files, '--format json prod')).join('\n'));
    expect(findings[0].source).toEqual({
      file: 'kustomize build prod',
      line: 7,
      column: 43,
      origin: { file: 'prod/web.yaml', line: 7, column: 43 },
    });
  });
});

test('the files of a folder are read for 5 seconds at most', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  const files = new OriginFiles({ id: '/shop', name: 'shop', isNamedInput: true, hasMarkerFile: true }, () => '/shop');
  const late = [0, 5_000, 5_001].map((time) => {
    now.mockReturnValue(time);
    return files.isLate();
  });
  now.mockRestore();
  expect(late).toEqual([false, false, true]);
});
