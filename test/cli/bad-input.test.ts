import { readdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, FindingData } from '../../src/core/findings/finding';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { collectFindings } from '../../src/core/document/plan-document';
import type { DocumentProblem } from '../../src/core/findings/input-problem';
import { expectValidPlan } from '../plan-schema';
import { folderWith } from '../folder';
import { readOptionFile } from '../../src/cli/options/option-file';
import { describeOverBudget } from '../../src/core/findings/input-problem';
import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';

/** Plans bad.yaml together with a well-formed web.yaml. */
async function planWithWeb(bad: string | Uint8Array): Promise<{ plan: PlanDocument; exitCodes: number[] }> {
  const files = { 'bad.yaml': bad, 'web.yaml': WEB };
  const planned = await rolloutkit('plan . --format json', { files });
  const checked = await rolloutkit('check .', { files });
  expect([planned.stderr, checked.stderr]).toEqual(['', '']);
  return { plan: expectValidPlan(JSON.parse(planned.stdout) as PlanDocument), exitCodes: [planned.exitCode, checked.exitCode] };
}

interface Shown {
  readonly code: string;
  /** File and line. */
  readonly place: string;
  readonly path: string;
  readonly messageId: string;
  readonly data: FindingData;
}

function shown({ code, path, messageId, data, source }: Finding): Shown {
  return { code, place: source ? `${source.file}:${source.line}` : '', path, messageId, data };
}

const MAX_SURGE = 'spec.strategy.rollingUpdate.maxSurge';

/** The finding about a document of bad.yaml that begins at line 1 and cannot be read. */
function unreadable(line: number, problem: DocumentProblem): Shown {
  return { code: 'input/unreadable', place: `./bad.yaml:${line}`, path: '', messageId: 'document', data: { startLine: 1, problem } };
}

describe('bad input is one clear finding, and the rest is planned', () => {
  test.each<[string, string | Uint8Array, Shown]>([
    [
      'a number in quotes',
      QUOTED,
      {
        code: 'kubernetes/quoted-integer',
        place: './bad.yaml:9',
        path: MAX_SURGE,
        messageId: 'numberOrPercent',
        data: { field: 'maxSurge', value: '1' },
      },
    ],
    [
      'surge and unavailable both 0',
      withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}', 'both'),
      {
        code: 'kubernetes/invalid-strategy',
        place: './bad.yaml:9',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        messageId: 'bothZero',
        data: {
          maxSurge: 0,
          maxUnavailable: 0,
          names: { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
        },
      },
    ],
    [
      'a fraction',
      withStrategy('{rollingUpdate: {maxSurge: 1.5}}', 'fraction'),
      {
        code: 'kubernetes/invalid-strategy',
        place: './bad.yaml:9',
        path: MAX_SURGE,
        messageId: 'fraction',
        data: { field: 'maxSurge', value: 1.5, expected: 'a whole number or a percentage such as "25%"' },
      },
    ],
    [
      'an infinity',
      withStrategy('{rollingUpdate: {maxSurge: .inf}}', 'infinity'),
      {
        code: 'kubernetes/invalid-strategy',
        place: './bad.yaml:9',
        path: MAX_SURGE,
        messageId: 'fraction',
        data: { field: 'maxSurge', value: { described: 'Infinity' }, expected: 'a whole number or a percentage such as "25%"' },
      },
    ],
    [
      'a spec of null',
      WEB.replace(/spec:[\s\S]*/, 'spec: null\n').replace('name: web', 'name: none'),
      {
        code: 'input/wrong-type',
        place: './bad.yaml:6',
        path: 'spec',
        messageId: 'field',
        data: { field: 'spec', value: null, expectedType: 'a map' },
      },
    ],
    [
      'a number as name',
      WEB.replace('name: web\n', 'name: 2024\n'),
      {
        code: 'input/wrong-type',
        place: './bad.yaml:4',
        path: 'metadata.name',
        messageId: 'field',
        data: { field: 'name', value: 2024, expectedType: 'a string' },
      },
    ],
    [
      'a torn document',
      `${WEB.slice(0, WEB.indexOf('maxSurge: 3'))}maxSurge: [3\n`,
      unreadable(11, { kind: 'syntax', fault: 'list-open' }),
    ],
    [
      'more than 100 aliases',
      `a: &a 1\nb: [${Array(101).fill('*a').join(', ')}]\n`,
      unreadable(2, { kind: 'too-many-aliases', aliases: 100 }),
    ],
    ['100,000 levels', '['.repeat(100_000), unreadable(1, { kind: 'too-deep', levels: 1_000 })],
    [
      'a binary file',
      Uint8Array.from([0, 1, 2, 0xff]),
      {
        code: 'input/unreadable',
        place: './bad.yaml:1',
        path: '',
        messageId: 'file',
        data: { file: './bad.yaml', problem: { kind: 'not-utf8' } },
      },
    ],
  ])('%s', async (_, bad, finding) => {
    const { plan, exitCodes } = await planWithWeb(bad);
    expect(exitCodes).toEqual([0, 1]);
    expect(plan.rollouts.at(-1)).toMatchObject({
      resource: { name: 'web', namespace: 'shop' },
      simulation: { iterations: 2 },
      findings: [],
    });
    expect(collectFindings(plan).map(shown)).toEqual([finding]);
  });

  test('a rollout that is refused is in the plan, without strategy and simulation', async () => {
    const { plan } = await planWithWeb(QUOTED);
    expect(plan.rollouts[0]).toMatchObject({ resource: { name: 'quoted' }, strategy: null, simulation: null });
  });
});

describe('a command that cannot run is exit code 2 with one line on standard error and nothing on standard output', () => {
  const files = {
    'web.yaml': WEB,
    'torn.yaml': 'kind: [\n',
    'clusters.json': '{"clusters": [{"name": 1}]}',
    'config.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n',
    'empty.yaml': '',
    'deep.json': `{"clusters": [{"name": "a", "labels": ${'['.repeat(2_000)}${']'.repeat(2_000)}}]}`,
    'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {mode: dark}\n',
  };

  test.each([
    ['', 'no command is given; write one of plan, check, explain, diff, fix, advise, snapshot, verify, upgrade, mcp, rules, completion'],
    [
      'apply web.yaml',
      'there is no command "apply"; write one of plan, check, explain, diff, fix, advise, snapshot, verify, upgrade, mcp, rules, completion',
    ],
    [
      'help apply',
      'there is no command "apply"; write one of plan, check, explain, diff, fix, advise, snapshot, verify, upgrade, mcp, rules, completion',
    ],
    ['plan', 'no PATH is given; name a file, a folder, or - for standard input'],
    ['completion', 'no SHELL is given; see rolloutkit completion --help'],
    ['upgrade', 'no OPERATOR=FROM..TO is given; see rolloutkit upgrade --help'],
    ['verify', 'no PLAN is given; see rolloutkit verify --help'],
    ['plan --colour web.yaml', "unknown option '--colour'; see rolloutkit plan --help"],
    ['plan --formt json web.yaml', "unknown option '--formt' (Did you mean --format?); see rolloutkit plan --help"],
    ['plan web.yaml --version', "unknown option '--version' (Did you mean --versions?); see rolloutkit plan --help"],
    ['check web.yaml --version kserve=0.17', "unknown option '--version' (Did you mean --versions?); see rolloutkit check --help"],
    ['plan web.yaml --format pdf', '--format pdf is not supported; write one of text, json, markdown, svg, html'],
    ['check web.yaml --format markdown', '--format markdown is not supported; write one of text, json, sarif, junit, github, gitlab'],
    ['plan none.yaml', 'cannot read none.yaml: no such file or folder; name a file, a folder, or - for standard input'],
    ['plan web.yaml none.yaml', 'cannot read none.yaml: no such file or folder; name a file, a folder, or - for standard input'],
    ['plan - -', '- is given twice, but standard input can be read only once; write it once'],
    ['plan web.yaml --versions kubernetes', '--versions takes product=version, not "kubernetes"; write kubernetes=1.36,kserve=0.17'],
    ['plan web.yaml --versions kubernetes=new', '--versions: "new" is not a version of Kubernetes: write it as 1.36 or 1.36.2'],
    [
      'plan web.yaml --versions istio=1.20',
      '--versions: "istio" is not a product with a version: write one of kubernetes, kserve, knative, kuberay, fleet, lws, argo-rollouts, argo-cd',
    ],
    [
      'plan web.yaml --startup-seconds soon',
      '--startup-seconds takes a number of seconds from 0 to 2147483647, or a file that verify --write-startup wrote, not "soon"',
    ],
    [
      'plan web.yaml --startup-seconds -1',
      '--startup-seconds takes a number of seconds from 0 to 2147483647, or a file that verify --write-startup wrote, not "-1"',
    ],
    ['plan web.yaml --clusters none.yaml', 'cannot read none.yaml, given with --clusters: no such file or folder'],
    [
      'plan web.yaml --clusters torn.yaml',
      'torn.yaml:1, given with --clusters: The document that begins at line 1 cannot be read: a "," or "]" is missing from the list.',
    ],
    [
      'plan web.yaml --clusters deep.json',
      'deep.json:1, given with --clusters: The document that begins at line 1 cannot be read: it is nested more than 1000 levels deep.',
    ],
    ['plan web.yaml --clusters clusters.json', 'clusters.json, clusters[0]: name is 1, but must be a string'],
    [
      'plan web.yaml --clusters web.yaml',
      'web.yaml is a Deployment of apps/v1; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}',
    ],
    [
      'plan web.yaml --clusters empty.yaml',
      'empty.yaml, given with --clusters, contains no inventory; write Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}',
    ],
    [
      'plan web.yaml --budget bytes=1',
      '--budget takes file-megabytes, total-megabytes, alias-megabytes, output-megabytes or seconds and a whole number of at least 1, not "bytes=1"; write --budget seconds=600',
    ],
    [
      'plan web.yaml --budget file-megabytes=501',
      '--budget file-megabytes=501: a file has at most 500 MB; write --budget file-megabytes=500',
    ],
    ['plan web.yaml --kserve-config none.yaml', 'cannot read none.yaml, given with --kserve-config: no such file or folder'],
    [
      'plan web.yaml --kserve-config config.yaml',
      'config.yaml, given with --kserve-config, contains Secret x; it must contain only the ConfigMap inferenceservice-config, or the JSON of its deploy key',
    ],
    [
      'plan web.yaml --kserve-config empty.yaml',
      'empty.yaml, given with --kserve-config, contains no map; it must contain only the ConfigMap inferenceservice-config, or the JSON of its deploy key',
    ],
    [
      'plan web.yaml --kserve-config settings.yaml',
      'settings.yaml, given with --kserve-config, contains ConfigMap settings; it must contain only the ConfigMap inferenceservice-config, or the JSON of its deploy key',
    ],
    ['plan web.yaml --kserve-config .', 'cannot read ., given with --kserve-config: it is a folder'],
    [
      'plan web.yaml --output web.yaml/plan.txt',
      'cannot write web.yaml/plan.txt: a part of the path is not a folder; name a file in a writable folder',
    ],
  ])('rolloutkit %s', async (args, message) => {
    expect(await rolloutkit(args, { files })).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${message}\n` });
  });

  test.each([
    [['plan', ''], 'a PATH is empty, perhaps because a shell variable is not set; name a file, a folder, or - for standard input'],
    [['verify', ''], 'the PLAN is empty, perhaps because a shell variable is not set; name the output of rolloutkit plan --format json'],
  ])('an empty name: %j', async (args, message) => {
    expect(await rolloutkit(args, { files })).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${message}\n` });
  });

  test.each([
    [['plan', 'web.yaml', '--clusters', ''], '--clusters'],
    [['plan', 'web.yaml', '--output='], '--output'],
    [['plan', 'web.yaml', '--from', ' '], '--from'],
    [['plan', 'web.yaml', '--never-ready', ''], '--never-ready'],
    [['plan', 'web.yaml', '--not-ready-now', ' , '], '--not-ready-now'],
    [['plan', 'web.yaml', '--versions='], '--versions'],
    [['plan', 'web.yaml', '--budget', ','], '--budget'],
    [['check', 'web.yaml', '--exclude', ''], '--exclude'],
    [['verify', 'plan.json', '--context='], '--context'],
    [['snapshot', '--output', 'x.json', '--namespace', ''], '--namespace'],
  ])('an option without a value: %j', async (args, option) => {
    const message = `${option} is empty, perhaps because a shell variable is not set; write a value, or omit the option`;
    expect(await rolloutkit(args, { files })).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${message}\n` });
  });

  test.each([
    ['check web.yaml --fail-on error --fail-on warning', '--fail-on error', '--fail-on warning'],
    ['check web.yaml --config a.yaml --no-config', '--config a.yaml', '--no-config'],
    ['check web.yaml --no-config --config=a.yaml', '--no-config', '--config a.yaml'],
    ['plan web.yaml --output a.json --format json --output b.json', '--output a.json', '--output b.json'],
    ['plan web.yaml --format json --format text', '--format json', '--format text'],
    ['check web.yaml --policy a.yaml --policy b.yaml', '--policy a.yaml', '--policy b.yaml'],
    ['snapshot --output x.json --context a --context b', '--context a', '--context b'],
    ['plan web.yaml --versions kubernetes=1.34,kubernetes=1.35', 'kubernetes=1.34', 'kubernetes=1.35'],
    ['plan web.yaml --versions kubernetes=1.34 --versions kubernetes=1.35', 'kubernetes=1.34', 'kubernetes=1.35'],
    ['plan web.yaml --budget seconds=5 --budget seconds=6', 'seconds=5', 'seconds=6'],
  ])('two values of one option: %s', async (args, first, second) => {
    const message = `${first} and ${second} contradict each other; write only one of them`;
    expect(await rolloutkit(args, { files })).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${message}\n` });
  });

  test('a file of an option that is longer than a text of Node.js is refused, and no help advises to raise the budget that far', () => {
    const folder = folderWith({ 'plan.json': '' });
    truncateSync(join(folder.path, 'plan.json'), 500_000_001);
    expect(() => readOptionFile('plan.json', folder.path, 'given with --plan')).toThrow(
      'plan.json, given with --plan, is larger than 500 MB; name a smaller file',
    );
    folder.remove();
    expect([100, 300, 500].map((limit) => describeOverBudget('file-megabytes', limit).help)).toEqual([
      'Raise the budget with --budget file-megabytes=200, if you trust this input.',
      'Raise the budget with --budget file-megabytes=500, if you trust this input.',
      'Split the file: one has at most 500 megabytes.',
    ]);
  });

  test('a file of an option is refused if .. follows a link in its path, because another file is there for other programs', () => {
    const folder = folderWith({ 'a.yaml': '', 'other/b/c.yaml': '' });
    symlinkSync('other/b', join(folder.path, 'link'));
    expect(() => readOptionFile('link/../a.yaml', folder.path, 'given with --capacity')).toThrow(
      'cannot read link/../a.yaml, given with --capacity: ".." follows the symbolic link link, so it leads elsewhere for other programs',
    );
    folder.remove();
  });

  test('an option may repeat its value', async () => {
    const { exitCode, stderr } = await rolloutkit('check web.yaml --fail-on error --fail-on error --no-config --no-config', { files });
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  test('control characters are escaped in the line', async () => {
    expect((await rolloutkit(['plan', '\u001b[31m'])).stderr).toContain('cannot read \\u001b[31m:');
  });

  test('and no partial file is written', async () => {
    expect(
      await rolloutkit('plan none.yaml --output plan.txt', { inspect: (folder) => expect(readdirSync(folder)).toEqual([]) }),
    ).toMatchObject({ exitCode: 2 });
  });
});

test.each([
  [500, 0, 'no rollouts on Kubernetes 1.36 (assumed): no findings'],
  [501, 1, 'cannot be read: it is more than 500 folders below the PATH.'],
])('a file below %d folders is exit code %d', async (folders, code, printed) => {
  const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';
  const { exitCode, stdout } = await rolloutkit('check in', { files: { [`in/${'a/'.repeat(folders)}a.yaml`]: settings } });
  expect([exitCode, stdout]).toEqual([code, expect.stringContaining(printed)]);
});
