import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { COMMAND_MODULES } from '../../src/cli/lazy-commands';
import { buildServerOptions } from '../../src/cli/commands/mcp';
import { Roots } from '../../src/mcp/roots';
import type { Io } from '../../src/cli/output/io';
import { buildProgram } from '../../src/cli/program';
import { run as runCommandLine } from '../../src/cli/run';
import { createServer } from '../../src/mcp/server';
import { limitReads } from '../../src/input/read-limited';
import { rolloutkit } from '../cli/command-line';
import { folderWith } from '../folder';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;

/** The files around the root, which is the folder `repo`. */
const FILES = {
  'repo/web.yaml': WEB,
  'repo/new.yaml': WEB.replace('web:1', 'web:2'),
  'repo/open/rolloutkit.yaml': 'capacity: ../../secret.yaml\n',
  'repo/open/web.yaml': WEB,
  'repo/linked/web.yaml': WEB,
  'repo/settings.txt': '',
  'repo/app/inner/web.yaml': WEB,
  'other/inner/web.yaml': WEB.replace('name: web }', 'name: secret }'),
  'kustomization.yaml': 'resources: [secret-name.yaml]\npatches: [{path: repo/new.yaml}]\n',
  'secret.yaml': WEB.replace('name: web }', 'name: secret }'),
  'web.yaml': WEB.replace('name: web }', 'name: outside }'),
  'rolloutkit.yaml': 'versions: { kubernetes: "1.31" }\n',
};

/** Calls the tools of a server that may read the folder `repo`, with the SDK's client. */
async function withClient<T>(
  work: (client: Client, folder: string) => Promise<T>,
  options = {},
  beforeRead: (folder: string) => void = () => undefined,
): Promise<T> {
  const folder = folderWith(FILES);
  symlinkSync(path.join(folder.path, 'secret.yaml'), path.join(folder.path, 'repo/link.yaml'));
  symlinkSync('.', path.join(folder.path, 'repo/here'));
  symlinkSync('here/../web.yaml', path.join(folder.path, 'repo/through.yaml'));
  symlinkSync('../../rolloutkit.yaml', path.join(folder.path, 'repo/linked/rolloutkit.yaml'));
  const silent = { write: () => undefined };
  const io = { stdout: silent, stderr: silent, stdin: [], cwd: folder.path, env: {} };
  const load = () => COMMAND_MODULES;
  const run = (argv: readonly string[], each: Io) => runCommandLine(argv, each, load);
  const program = buildProgram({ io, load, run, setResult: () => undefined }, 'mcp');
  const built = buildServerOptions(['repo'], options, { io, program, run });
  limitReads(built.roots.folders);
  const server = createServer({
    ...built,
    run: (command) => {
      beforeRead(folder.path);
      return built.run(command);
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  try {
    await Promise.all([server.connect(one), client.connect(other)]);
    return await work(client, folder.path);
  } finally {
    await client.close();
    limitReads(undefined);
    folder.remove();
  }
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** Calls a tool, and returns its text. An error begins with `error: `. */
function call(name: string, input: Record<string, unknown>, options = {}, beforeRead?: (folder: string) => void): Promise<string> {
  return withClient(
    async (client) => {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      return `${result.isError === true ? 'error: ' : ''}${textOf(result)}`;
    },
    options,
    beforeRead,
  );
}

describe('the tools of rolloutkit mcp', () => {
  test('are the commands that only read', async () => {
    const { tools } = await withClient((client) => client.listTools());

    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['plan', true],
      ['check', true],
      ['explain', true],
      ['advise', true],
      ['rules', true],
    ]);
  });

  test('describe the format of each value, and no standard input', async () => {
    const { tools } = await withClient((client) => client.listTools());
    const properties = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.properties as Record<string, object>]));

    expect(properties['plan']).toMatchObject({
      paths: { description: 'files, folders (every .yaml, .yml and .json below)' },
      versions: { description: expect.stringMatching(/^PRODUCT=VERSION,\.\.\.: versions to plan for: kubernetes/) },
      from: { description: 'OLD: plan the change from OLD: a file, a folder, git:REVISION[:PATH], or cluster[:CONTEXT]' },
      prune: { description: 'delete objects that are in OLD but not in the new manifests' },
    });
    expect(properties['advise']).toMatchObject({
      available: { description: 'N|P%: fewest pods (or groups of pods) available at any time: 6, or 75% of the replicas' },
      resource: { description: 'KIND/[NAMESPACE/]NAME: advise only on this resource' },
    });
    expect(JSON.stringify(tools)).not.toMatch(/repeatable|standard input/);
  });

  test('take the options of their commands, without those that write files or run programs', async () => {
    const { tools } = await withClient((client) => client.listTools());
    const { inputSchema } = tools.find(({ name }) => name === 'plan')!;

    expect(inputSchema).toMatchObject({
      type: 'object',
      required: ['paths'],
      additionalProperties: false,
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        from: { type: 'array' },
        startupSeconds: { type: 'string' },
        prune: { type: 'boolean' },
      },
    });
    expect(Object.keys(inputSchema.properties ?? {})).not.toEqual(expect.arrayContaining(['output']));
    expect(Object.keys(inputSchema.properties ?? {})).not.toEqual(expect.arrayContaining(['render']));
  });

  test('return the JSON of their commands', async () => {
    const { stdout } = await rolloutkit('plan --from web.yaml --format json --versions kubernetes=1.33 new.yaml', {
      files: { 'web.yaml': WEB, 'new.yaml': FILES['repo/new.yaml'] },
    });

    expect(await call('plan', { paths: ['new.yaml'], from: ['web.yaml'], versions: ['kubernetes=1.33'] })).toBe(stdout);
  });

  test('return the findings of a check that fails', async () => {
    const text = await call('check', { paths: ['web.yaml'], failOn: 'info' });

    expect(JSON.parse(text)).toMatchObject({ summary: { errors: 0 } });
  });

  test('explain a rule', async () => {
    expect(await call('rules', { code: 'kubernetes/outage' })).toContain('kubernetes/outage');
  });

  test('say what is wrong with their arguments', async () => {
    expect(await call('plan', {})).toBe('error: plan needs paths');
    expect(await call('plan', { paths: ['web.yaml'], apply: true })).toBe('error: apply takes a string');
    expect(await call('plan', { paths: ['web.yaml'], output: 'plan.json' })).toMatch(
      /^error: plan has no argument output; it takes paths, /,
    );
    expect(await call('plan', { paths: ['missing.yaml'] })).toMatch(/^error: rolloutkit: .*missing\.yaml/);
    expect(await call('apply', {})).toBe('error: there is no tool apply');
  });

  test('show no name of the input as it is that a terminal interprets', async () => {
    const name = 'a\u202e##vso[task.x]\u001b[31m';
    const said = await call('check', { paths: [`../${name}`] });
    expect(said).toContain('a\\u202e\\u0023#vso[task.x]\\u001b[31m');
    expect(/\p{Cc}|\u202e|##vso/u.test(said)).toBe(false);
  });

  test('read no argument as an option', async () => {
    expect(await call('plan', { paths: ['--output=plan.json'] })).toMatch(/^error: rolloutkit: .*--output=plan\.json/);
  });
});

describe('the roots limit what can be read', () => {
  test.each([
    ['a path above', { paths: ['../secret.yaml'] }],
    ['an absolute path', { paths: ['/etc/passwd'] }],
    ['a pipe or another file without a folder', { paths: ['/proc/self/ns/net'] }],
    ['a file without a folder, of an option', { paths: ['web.yaml'], from: ['/proc/self/ns/net'] }],
    ['a symbolic link that leads out', { paths: ['link.yaml'] }],
    ['a symbolic link that leads out through another one', { paths: ['through.yaml'] }],
    ['a file of an option', { paths: ['web.yaml'], capacity: '../secret.yaml' }],
    ['a file of an option for each of several values', { paths: ['web.yaml'], from: ['web.yaml', '../secret.yaml'] }],
    ['a file that a configuration names', { paths: ['open/web.yaml'] }],
    ['a configuration that is a link', { paths: ['linked/web.yaml'] }],
    ['a file whose name begins like a revision', { paths: ['web.yaml'], capacity: 'git:x/../../secret.yaml' }],
    ['a path that begins like a revision', { paths: ['git:x/../../secret.yaml'], config: 'settings.txt' }],
    ['a path of a revision', { paths: ['web.yaml'], from: ['git:HEAD:../secret.yaml'] }],
  ])('%s is refused', async (_, input) => {
    expect(await call('plan', input)).toMatch(
      /^error: \S+ is not below \S+\/repo; name a path there, or start the server with another root$/,
    );
  });

  test('a link that leads out is not followed in a folder', async () => {
    const plan = JSON.parse(await call('plan', { paths: ['.'] })) as { rollouts: { resource: { name: string } }[] };

    expect(new Set(plan.rollouts.map(({ resource }) => resource.name))).toEqual(new Set(['web']));
  });

  test('a link of a revision that leads out is not followed', async () => {
    const text = await withClient(async (client, folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: folder,
          stdio: 'ignore',
        });
      unlinkSync(path.join(folder, 'repo/link.yaml'));
      symlinkSync('../secret.yaml', path.join(folder, 'repo/link.yaml'));
      symlinkSync('..', path.join(folder, 'repo/above'));
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'links');
      for (const link of ['link.yaml', 'above']) unlinkSync(path.join(folder, 'repo', link));
      const results = [];
      for (const from of ['git:HEAD:link.yaml', 'git:HEAD:above/secret.yaml']) {
        results.push(
          textOf(
            (await client.callTool({ name: 'plan', arguments: { paths: ['web.yaml'], from: [from], prune: true } })) as CallToolResult,
          ),
        );
      }
      return results.join('\n');
    });
    expect(text).not.toContain('"secret"');
    expect(text).toContain('the revision has nothing at above/secret.yaml');
  });

  test('a folder of a revision beside them is not read, although it is a link into them now', async () => {
    const results = await withClient(async (client, folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: folder,
          stdio: 'ignore',
        });
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'secret');
      renameSync(path.join(folder, 'other'), path.join(folder, 'moved'));
      symlinkSync('repo/app', path.join(folder, 'other'));
      const plan = async (paths: readonly string[], from: string) =>
        textOf((await client.callTool({ name: 'plan', arguments: { paths, from: [from], prune: true } })) as CallToolResult);
      return [await plan(['app'], 'git:HEAD:../other'), await plan(['../other'], 'git:HEAD'), await plan(['app'], 'git:HEAD:app')];
    });
    expect(results.slice(0, 2).map((text) => text.split('\n').at(-1))).toEqual([
      'rolloutkit: git:HEAD:../other: ../other is not below the folders that the server was started for; name a path there',
      'rolloutkit: git:HEAD: ../other is not below the folders that the server was started for; name a path there',
    ]);
    expect(JSON.parse(results[2]!)).toMatchObject({ change: { summary: { none: 1 } } });
  });

  test('the tree of another folder is no revision', async () => {
    const [inside, outside] = await withClient(async (client, folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: folder,
          encoding: 'utf8',
        }).trim();
      mkdirSync(path.join(folder, 'other/repo'));
      writeFileSync(path.join(folder, 'other/repo/web.yaml'), WEB.replace('web:1', 'secret:1'));
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'trees');
      const plan = async (revision: string) =>
        textOf(
          (await client.callTool({
            name: 'plan',
            arguments: { paths: ['web.yaml'], from: [`git:${revision}`] },
          })) as CallToolResult,
        );
      return [await plan(git('rev-parse', 'HEAD')), await plan(git('rev-parse', 'HEAD:other'))];
    });
    expect(JSON.parse(inside)).toMatchObject({ change: { summary: { none: 1 } } });
    expect(outside).toContain('git fails with');
    expect(outside).not.toContain('secret');
  });

  test.each([
    ['a file', 'web.yaml', { paths: ['web.yaml'] }],
    ['a folder', 'app', { paths: ['app'] }],
    ['a folder above a file', 'app', { paths: ['app/inner/web.yaml'] }],
    ['the file of an option', 'new.yaml', { paths: ['web.yaml'], from: ['new.yaml'] }],
    ['a file with a capacity', 'new.yaml', { paths: ['web.yaml'], capacity: 'new.yaml' }],
    ['a folder with CRDs', 'app', { paths: ['web.yaml'], crds: ['app'] }],
  ])('%s that becomes a link out of them after its path was checked is not read', async (_, name, input) => {
    const text = await call('plan', input, {}, (folder) => {
      renameSync(path.join(folder, 'repo', name), path.join(folder, 'moved'));
      symlinkSync(path.join(folder, name === 'app' ? 'other' : 'secret.yaml'), path.join(folder, 'repo', name));
    });
    expect(text).toMatch(/^error: rolloutkit: .*is not below the folders that the server was started for/);
    expect(text).not.toContain('secret');
  });

  test('a kustomization above them is not read', async () => {
    const plan = await call('plan', { paths: ['new.yaml'] });
    expect(JSON.parse(plan)).toMatchObject({ summary: { rollouts: 1 } });
    expect(plan).not.toContain('kustomization');
    expect(plan).not.toContain('../');
  });

  test('neither is one of a revision', async () => {
    const plan = await withClient(async (client, folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: folder,
          stdio: 'ignore',
        });
      writeFileSync(path.join(folder, 'kustomization.yaml'), 'resources: [repo/web.yaml]\ncommonAnnotations: {a: secret}\n');
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'annotation');
      return textOf((await client.callTool({ name: 'plan', arguments: { paths: ['web.yaml'], from: ['git:HEAD'] } })) as CallToolResult);
    });
    expect(JSON.parse(plan)).toMatchObject({ change: { summary: { none: 1 } } });
    expect(plan).not.toContain('secret');
  });

  test('nor one of a revision in which the root is a file', async () => {
    const plan = await withClient(async (client, folder) => {
      const git = (input: string, ...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
          cwd: folder,
          input,
          encoding: 'utf8',
        }).trim();
      git('', 'init', '-q');
      const store = (text: string) => git(text, 'hash-object', '-w', '--stdin');
      const entries = [
        `100644 blob ${store('resources: [repo]\ncommonAnnotations: { a: from-above }\n')}\tkustomization.yaml`,
        `100644 blob ${store(WEB)}\trepo`,
      ];
      const commit = git('', 'commit-tree', '-m', 'file', git(`${entries.join('\n')}\n`, 'mktree'));
      const result = await client.callTool({ name: 'plan', arguments: { paths: ['.'], from: [`git:${commit}`] } });
      return textOf(result as CallToolResult);
    });
    expect(JSON.parse(plan)).toMatchObject({ change: { summary: { none: 1, metadata: 0 } } });
    expect(plan).not.toContain('from-above');
  });

  test('arguments without end are refused', async () => {
    expect(await call('plan', { paths: Array.from({ length: 1_001 }, () => 'web.yaml') })).toBe(
      'error: paths has more than 1000 values; name a folder',
    );
    expect(await call('plan', { paths: ['x'.repeat(1_000_000)] })).toBe(
      'error: paths has a value of more than 10000 characters; name a file',
    );
    expect((await call('plan', { paths: ['web.yaml'], ['x'.repeat(1_000_000)]: 1 })).length).toBeLessThan(1_000);
    expect((await call('x'.repeat(1_000_000), {})).length).toBeLessThan(1_000);
  });

  test('a configuration that is found sets nothing aside if every file must be planned, and is named', async () => {
    const evil = 'repo/configured/evil.yaml';
    const write = (folder: string) => {
      mkdirSync(path.join(folder, 'repo/configured'));
      writeFileSync(path.join(folder, 'repo/configured/rolloutkit.yaml'), 'exclude: [evil.yaml]\nrules: { guardrails/refused: off }\n');
      writeFileSync(path.join(folder, evil), WEB);
      writeFileSync(path.join(folder, 'repo/policy.yaml'), 'requireReadinessProbe: true\n');
    };
    const check = (input: Record<string, unknown>) =>
      withClient(async (client, folder) => {
        write(folder);
        const { content } = (await client.callTool({ name: 'check', arguments: { paths: ['configured'], ...input } })) as CallToolResult;
        const [plan, printed] = content.map((each) => (each.type === 'text' ? each.text : ''));
        const { summary, findings } = JSON.parse(plan!) as { summary: { rollouts: number }; findings: { code: string }[] };
        return [
          summary.rollouts,
          findings.map(({ code }) => code).filter((code) => !code.startsWith('kubernetes/')),
          printed?.replaceAll(`${folder}/repo/`, ''),
        ];
      });
    const config = 'configured/rolloutkit.yaml';

    expect(await check({})).toEqual([0, ['input/not-read', 'input/empty'], `rolloutkit: uses the configuration ${config}`]);
    for (const strict of [{ requirePlanned: true }, { policy: 'policy.yaml' }]) {
      const refused = 'policy' in strict ? ['guardrails/refused'] : [];
      const note = `, without its exclude; write --config ${config} if you trust it`;
      expect(await check(strict)).toEqual([1, refused, `rolloutkit: uses the configuration ${config}${note}`]);
      expect(await check({ ...strict, config })).toEqual([0, ['input/empty'], `rolloutkit: uses the configuration ${config}`]);
    }
  });

  test('a configuration that is a link into .git is refused, as on the command line', async () => {
    const text = await withClient(async (client, folder) => {
      mkdirSync(path.join(folder, 'repo/own/.git'), { recursive: true });
      writeFileSync(path.join(folder, 'repo/own/.git/config'), 'token: 1\n');
      symlinkSync('.git/config', path.join(folder, 'repo/own/rolloutkit.yaml'));
      const result = (await client.callTool({ name: 'plan', arguments: { paths: ['own'] } })) as CallToolResult;
      return textOf(result).replace(`${folder}/`, '');
    });
    expect(text).toBe('repo/own/rolloutkit.yaml is a link into .git; set config to another file');
  });

  test('a configuration above them is not read', async () => {
    expect(JSON.parse(await call('plan', { paths: ['web.yaml'] }))).toMatchObject({ versions: { kubernetes: '1.36' } });
  });

  test('standard input carries messages', async () => {
    expect(await call('plan', { paths: ['-'] })).toBe(
      'error: - is not available: standard input carries the messages of the agent; name a file',
    );
  });

  test('a file whose name begins like a cluster is refused with --allow-cluster too', async () => {
    const input = { paths: ['web.yaml'], capacity: 'cluster:x/../../secret.yaml' };

    expect(await call('plan', input, { allowCluster: true })).toMatch(/^error: cluster:\S+ is not below /);
  });

  test('nothing above them is looked for: no configuration, and no folder that an Application names', async () => {
    const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: a }
spec: { source: { repoURL: a, path: thing } }
`;
    const answer = (exists: boolean) =>
      call('check', { paths: ['apps'], requirePlanned: true }, {}, (folder) => {
        for (const name of ['.git', 'repo/apps/thing', ...(exists ? ['thing'] : [])])
          mkdirSync(path.join(folder, name), { recursive: true });
        writeFileSync(path.join(folder, 'repo/apps/a.yaml'), application);
        writeFileSync(path.join(folder, 'repo/apps/thing/web.yaml'), WEB);
      });
    const found = await answer(false);
    expect(found).toContain('"errors": 0');
    expect(found).not.toContain('1.31');
    expect(await answer(true)).toBe(found);
  });

  test('what a command says is printed at once, such as a command of kubectl before it runs', async () => {
    const folder = folderWith(FILES);
    const printed: string[] = [];
    const silent = { write: () => undefined };
    const io = { stdout: silent, stderr: { write: (text: string) => printed.push(text) }, stdin: [], cwd: folder.path, env: {} };
    const run = (_: readonly string[], { stderr }: Io) => {
      stderr.write('rolloutkit: runs kubectl version\n');
      expect(printed).toEqual(['rolloutkit: runs kubectl version\n']);
      return Promise.resolve(0);
    };
    const program = buildProgram({ io, load: () => COMMAND_MODULES, run, setResult: () => undefined }, 'mcp');
    const built = buildServerOptions(['repo'], { allowCluster: true }, { io, program, run });

    expect(await built.run({ argv: ['check'], hasFoundConfiguration: false })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'rolloutkit: runs kubectl version\n',
    });
    folder.remove();
  });

  test('a cluster needs --allow-cluster', async () => {
    const input = { paths: ['web.yaml'], from: ['cluster'] };

    expect(await call('plan', input)).toBe(
      'error: cluster is not available: start the server with --allow-cluster to let agents read a cluster',
    );
    expect(await call('plan', input, { allowCluster: true })).toMatch(/kubectl/);
  });
});

test.each([
  ['', 'a root is empty, perhaps because a shell variable is not set; name a folder'],
  ['web.yaml', 'the root web.yaml is not a folder; name one'],
  ['none', 'the root none does not exist; name a folder'],
  ['\ufffd', 'the path of the root \ufffd is not UTF-8, so it may be that of another folder'],
])('the root %j is refused, since it would be another folder than the one that is meant', (root, message) => {
  const folder = folderWith({ 'web.yaml': WEB, '\ufffd/web.yaml': WEB });
  expect(() => new Roots([root], folder.path)).toThrow(message);
  folder.remove();
});

test('a root in which .. follows a link is refused, because it is another folder for other programs', async () => {
  const files = { 'deploy/web.yaml': WEB, 'evil/sub/a': '', 'evil/deploy/web.yaml': WEB };
  const prepare = (folder: string) => symlinkSync('evil/sub', path.join(folder, 'lk'));
  expect(await rolloutkit('mcp lk/../deploy', { files, prepare })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'rolloutkit: the root lk/../deploy cannot be used: ".." follows the symbolic link lk, so it leads elsewhere for other programs; name another path to it\n',
  });
});

test('no tool runs a program of the repository that the server begins in, or of one that it reads, also through a link', async () => {
  const git = Object.fromEntries(['begin', 'one', 'other'].map((name) => [`${name}/.git/HEAD`, '']));
  const folder = folderWith({
    ...git,
    'one/apps/web.yaml': WEB,
    'other/tools/kubectl': '',
    'bin/git': '',
    'links/other': '',
    'later/other': '',
  });
  symlinkSync('../other/tools/kubectl', path.join(folder.path, 'links/kubectl'));
  // Another branch of the repository may have the program.
  symlinkSync('../other/tools/git', path.join(folder.path, 'later/git'));
  const PATH = ['begin/bin', 'one/bin', 'other/bin', 'links', 'later', 'bin'].map((name) => path.join(folder.path, name)).join(':');
  const silent = { write: () => undefined };
  const io = { stdout: silent, stderr: silent, stdin: [], cwd: path.join(folder.path, 'begin'), env: { PATH, HOME: '/home/me' } };
  const seen: Io[] = [];
  const run = (_: readonly string[], each: Io) => Promise.resolve(seen.push(each) && 0);
  const program = buildProgram({ io, load: () => COMMAND_MODULES, run, setResult: () => undefined }, 'mcp');

  const server = buildServerOptions(['../one/apps', '../other'], {}, { io, program, run });
  await server.run({ argv: ['plan', '.'], hasFoundConfiguration: false });

  expect(seen.map(({ env }) => env)).toEqual([{ PATH: path.join(folder.path, 'bin'), HOME: '/home/me' }]);
  // Relative paths in variables, such as KUBECONFIG, begin where the server does.
  expect(seen.map(({ cwd, kubectlCwd }) => [cwd, kubectlCwd])).toEqual([[realpathSync(path.join(folder.path, 'one/apps')), io.cwd]]);
  folder.remove();
});
