import { chmodSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { AdviceDocument } from '../../src/core/document/advice';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { createKubectl } from '../../src/cli/input/cluster-input';
import { rolloutkit } from '../cli/command-line';
import { folderWith } from '../folder';
import { listPlayedCommands, PLAYED_TYPES, playCluster } from './played-cluster';
import type { PlayedCluster } from './kubectl-player';
import { NEW_WEB, shopCluster } from './shop';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const FILES = { 'web.yaml': NEW_WEB };

/** Plans web.yaml, or other arguments, from a played cluster. */
function planFrom(cluster: PlayedCluster, args = 'plan --from cluster web.yaml', files: Readonly<Record<string, string>> = FILES) {
  return rolloutkit(args, playCluster(cluster, { files }));
}

async function planDocumentFrom(cluster: PlayedCluster, files?: Readonly<Record<string, string>>) {
  const { stdout } = await planFrom(cluster, 'plan --from cluster --format json .', files);
  return JSON.parse(stdout) as PlanDocument;
}

describe('a plan from a cluster', () => {
  test('starts from what runs there, with the version of the server, in the namespace of the context', async () => {
    const { exitCode, stdout } = await planFrom(shopCluster('0'));

    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '1 of 1 object differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod',
      '! roll   Deployment shop/web   4 of 4 available at the worst moment   image web:1 -> web:2 and 2 more',
      '',
      expect.stringMatching(/^1 rollout on Kubernetes 1\.33\.2: /),
      'from cluster prod, namespace shop; detected Kubernetes 1.33.2',
    ]);
  });

  test.each([
    ['plan web.yaml --from cluster --output', 'missing/plan.txt', 'no such file or folder'],
    ['check web.yaml --from cluster --write-baseline', 'missing/baseline.json', 'no such file or folder'],
    ['check web.yaml --from cluster --format sarif=', 'missing/log.sarif', 'no such file or folder'],
    ['snapshot --output', 'missing/snapshot.json', 'no such file or folder'],
    ['snapshot --output', '.cluster', 'it is a folder'],
    ['verify web.yaml --write-startup', 'missing/startup.json', 'no such file or folder'],
  ])('runs no kubectl if the output cannot be written: %s%s', async (args, file, reason) => {
    const command = args.endsWith('=') ? `${args}${file}` : `${args} ${file}`;
    expect(await planFrom(shopCluster(), command)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: cannot write ${file}: ${reason}; name a file in a writable folder\n`,
    });
  });

  test('prints the context, the namespaces and each command to standard error, before it runs', async () => {
    const { stderr } = await planFrom(shopCluster());

    expect(stderr.split('\n')).toEqual([
      'rolloutkit: runs kubectl config current-context',
      'rolloutkit: reads the cluster of context prod with kubectl, and changes nothing',
      'rolloutkit: runs kubectl --context=prod config view --minify --output=jsonpath={..namespace}',
      'rolloutkit: runs kubectl --context=prod version --output=json --request-timeout=15s',
      'rolloutkit: runs kubectl --context=prod api-resources --verbs=list --no-headers',
      'rolloutkit: reads 1 namespace: shop',
      ...[
        'deployments.apps --namespace=shop --chunk-size=500',
        'namespaces shop --ignore-not-found',
        'nodes --chunk-size=500',
        'pods --all-namespaces --chunk-size=500',
        'replicasets.apps --namespace=shop --chunk-size=500',
        'resourcequotas --namespace=shop --chunk-size=500',
        'services --namespace=shop --chunk-size=500',
      ].map((query) => `rolloutkit: runs kubectl --context=prod get ${query} --show-managed-fields --output=json`),
      'rolloutkit: detected Kubernetes 1.33.2 in context prod',
      '',
    ]);
  });

  test('counts pods of owners that are not planned: with 1 CPU less, the surge pod never fits', async () => {
    const [rollout] = (await planDocumentFrom(shopCluster('1'))).rollouts;

    expect(rollout!.capacity).toMatchObject({
      verdict: 'deadlocks',
      usedBy: ['1 pod of RayCluster train/rc'],
    });
  });

  test('fits if nothing else uses the node', async () => {
    const [rollout] = (await planDocumentFrom(shopCluster('0'))).rollouts;

    expect(rollout!.capacity!.verdict).toBe('fits');
  });

  test('names the cluster, its versions and what the user may not read', async () => {
    const { cluster } = await planDocumentFrom({ ...shopCluster(), forbidden: [{ resource: 'services' }] });

    expect(cluster).toEqual({
      context: 'prod',
      namespaces: ['shop'],
      detectedVersions: { kubernetes: '1.33.2' },
      unread: [{ resource: 'services', namespace: 'shop' }],
    });
  });

  test('treats objects that NEW does not name as surroundings: they are not gone', async () => {
    const { change } = await planDocumentFrom(shopCluster(), {
      'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n',
    });

    expect(change!.objects.map(({ resource, effect }) => [resource.kind, resource.namespace, effect])).toEqual([
      ['ConfigMap', 'shop', 'create'],
    ]);
    expect(change!.summary).toMatchObject({ create: 1, none: 0, kept: 0, delete: 0 });
  });

  test('refuses to prune, since a cluster has more than what was applied before', async () => {
    const { exitCode, stderr } = await planFrom(shopCluster(), 'plan --from cluster --prune web.yaml');

    expect([exitCode, stderr]).toEqual([
      2,
      'rolloutkit: --prune needs the objects that were applied before, and a cluster has more than those; name them with --from\n',
    ]);
  });

  test('reads another context, which its name follows', async () => {
    const { exitCode, stderr } = await planFrom(shopCluster(), 'plan --from cluster:staging web.yaml');

    expect([exitCode, stderr.split('\n').at(-2)]).toEqual([
      2,
      'rolloutkit: cannot read the cluster of context staging: context "staging" does not exist; check it with kubectl --context=staging version',
    ]);
  });

  test('compares behaviours only of what NEW names', async () => {
    const { exitCode, stdout } = await planFrom(shopCluster('0'), 'diff cluster web.yaml');

    expect(exitCode).toBe(0);
    expect(stdout).toContain('! roll   Deployment shop/web   image web:1 -> web:2');
    expect(stdout).not.toContain('removed');
  });

  test('reads a folder named cluster with ./cluster', async () => {
    const { exitCode, stdout } = await rolloutkit('plan --from ./cluster web.yaml', { files: { ...FILES, 'cluster/web.yaml': NEW_WEB } });

    expect([exitCode, stdout.split('\n', 1)[0]]).toEqual([0, 'nothing changes: the object is up to date; assumes Kubernetes 1.36']);
  });
});

describe('each command that takes --from cluster', () => {
  /** Returns what is printed before the first object is read, and whether anything was planned. */
  const firstLinesOf = async (cluster: PlayedCluster, args: string) => {
    const { exitCode, stderr } = await planFrom(cluster, args);
    return { exitCode, lines: stderr.split('\n').filter((line) => !line.includes(' get ')) };
  };
  const COMMANDS = [
    'plan --from cluster web.yaml',
    'check --from cluster web.yaml',
    'advise --from cluster web.yaml',
    'diff cluster web.yaml',
  ];

  /** The same cluster with a few types, since each read is a process of its own. */
  const smallCluster = (rayCpu: string, ...plurals: string[]): PlayedCluster => ({
    ...shopCluster(rayCpu),
    types: PLAYED_TYPES.filter(({ plural }) => plurals.includes(plural)),
  });

  test.each(COMMANDS)('%s shows the context, the namespaces and the version', async (args) => {
    expect(await firstLinesOf(smallCluster('0', 'deployments'), args)).toEqual({
      exitCode: 0,
      lines: [
        'rolloutkit: runs kubectl config current-context',
        'rolloutkit: reads the cluster of context prod with kubectl, and changes nothing',
        'rolloutkit: runs kubectl --context=prod config view --minify --output=jsonpath={..namespace}',
        'rolloutkit: runs kubectl --context=prod version --output=json --request-timeout=15s',
        'rolloutkit: runs kubectl --context=prod api-resources --verbs=list --no-headers',
        'rolloutkit: reads 1 namespace: shop',
        'rolloutkit: detected Kubernetes 1.33.2 in context prod',
        '',
      ],
    });
  });

  test.each(COMMANDS)('%s fails without a context', async (args) => {
    const { exitCode, lines } = await firstLinesOf({}, args);

    expect([exitCode, lines.at(-2)]).toEqual([
      2,
      'rolloutkit: kubectl has no current context; name one, as in --from cluster:CONTEXT or --context CONTEXT',
    ]);
  });

  test('advise counts the pods that run: with 1 CPU less, no surge fits', async () => {
    const adviseAt = async (rayCpu: string) => {
      const { stdout } = await planFrom(
        smallCluster(rayCpu, 'deployments', 'replicasets', 'pods', 'nodes'),
        'advise --from cluster --format json web.yaml',
      );
      const [rollout] = (JSON.parse(stdout) as AdviceDocument).rollouts;
      return [rollout!.current.verdict, rollout!.best?.extraPods];
    };

    expect(await adviseAt('0')).toEqual(['fits', undefined]);
    expect(await adviseAt('1')).toEqual(['deadlocks', 0]);
  });

  test('advise says what the user may not read, and sells no strategy as one that fits', async () => {
    const cluster = { ...smallCluster('0', 'deployments', 'resourcequotas'), forbidden: [{ resource: 'resourcequotas' }] };
    const { stdout, stderr } = await planFrom(cluster, 'advise --from cluster --available 1 --format json web.yaml');
    const [rollout] = (JSON.parse(stdout) as AdviceDocument).rollouts;

    expect(stderr).toContain(
      'rolloutkit: The user may not read resourcequotas in shop. The plan does not know whether quotas have enough left.',
    );
    expect(new Set([rollout!.current, ...rollout!.front].map(({ verdict, meets }) => `${verdict} ${meets}`))).toEqual(
      new Set(['may-not-fit false']),
    );
    expect(rollout!.assumed).toEqual({ startupSeconds: 60, unread: ['resourcequotas in shop'] });
    expect(rollout!.unmet).toEqual([
      {
        limit: 'capacity',
        wanted: 'fits',
        closest: 'may-not-fit',
        because: 'It is not known whether the pods fit, because the user may not read resourcequotas in shop.',
      },
    ]);
  });
});

describe('what the user may not read', () => {
  test('is listed with what the plan does not know', async () => {
    const { findings } = await planDocumentFrom({
      ...shopCluster(),
      forbidden: [{ resource: 'pods', namespace: '*' }, { resource: 'services' }],
    });

    expect(findings.map(({ message }) => message)).toContain(
      'The user may not read pods of all namespaces and services in shop. The plan does not know whether pods fit on the nodes and which Services lose endpoints.',
    );
  });

  test('never makes pods fit: without the pods of all namespaces, nodes do not count', async () => {
    const [rollout] = (await planDocumentFrom({ ...shopCluster('10'), forbidden: [{ resource: 'pods', namespace: '*' }] })).rollouts;

    expect(rollout!.capacity).toBeUndefined();
  });

  test('is named by the capacity: with quotas that cannot be read, pods may not fit', async () => {
    const [rollout] = (await planDocumentFrom({ ...shopCluster('0'), forbidden: [{ resource: 'resourcequotas' }] })).rollouts;

    expect(rollout!.capacity).toMatchObject({
      verdict: 'may-not-fit',
      because: ['resourcequotas in shop'],
      message: 'May not fit: what could be read has capacity for its peak of 5 pods, and the user may not read resourcequotas in shop.',
    });
  });

  test('has an unknown effect, not a create', async () => {
    const { change } = await planDocumentFrom({ ...shopCluster(), forbidden: [{ resource: 'deployments.apps' }] });

    expect(change!.objects.map(({ resource, effect }) => [resource.name, effect])).toEqual([['web', 'unknown']]);
  });
});

describe('a cluster that cannot be read', () => {
  const expectOneLine = async (cluster: PlayedCluster, expected: string) => {
    const { exitCode, stdout, stderr } = await planFrom(cluster);
    expect([exitCode, stdout, stderr.split('\n').filter((line) => !line.includes(': runs ') && !line.includes(': reads '))]).toEqual([
      2,
      '',
      [`rolloutkit: ${expected}`, ''],
    ]);
  };

  test('has no current context', async () => {
    await expectOneLine({}, 'kubectl has no current context; name one, as in --from cluster:CONTEXT or --context CONTEXT');
  });

  test('does not answer', async () => {
    await expectOneLine(
      { ...shopCluster(), isUnreachable: true },
      'cannot read the cluster of context prod: The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?; check it with kubectl --context=prod version',
    );
  });

  test.each([
    ['plan --from cluster web.yaml', 'install it, or name a file that rolloutkit snapshot wrote elsewhere'],
    ['snapshot --output snapshot.json web.yaml', 'install it'],
    ['verify plan.json', 'install it, or name events that were recorded elsewhere with --events'],
  ])('needs kubectl for %s, and says what else that command can read', async (args, advice) => {
    const plan = await rolloutkit('plan --format json web.yaml', { files: FILES });
    const files = { ...FILES, 'plan.json': plan.stdout };
    expect(await rolloutkit(args, { files, env: { PATH: '/nonexistent' } })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: kubectl is not installed; ${advice}\n`,
    });
  });
});

test.each([
  ['is not set', {}],
  ['is empty', { HOME: '' }],
])('kubectl has a home folder if HOME %s, because it would read .kube/config of the checkout', async (_, env) => {
  const programs = folderWith({ kubectl: '#!/bin/sh\n[ "$1" = config ] && echo prod && exit\necho "error: home is $HOME" >&2\nexit 1\n' });
  chmodSync(path.join(programs.path, 'kubectl'), 0o755);
  try {
    const { exitCode, stderr } = await rolloutkit('plan --from cluster web.yaml', { files: FILES, env: { PATH: programs.path, ...env } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`home is ${userInfo().homedir}`)]);
  } finally {
    programs.remove();
  }
});

describe('the commands', () => {
  test('only read, and name one type and namespace each', async () => {
    const commands: string[] = [];
    await rolloutkit(
      'plan --from cluster .',
      playCluster(shopCluster(), {
        files: { 'web.yaml': NEW_WEB, 'models.yaml': NEW_WEB.replace('name: web }', 'name: web, namespace: models }') },
        inspect: (folder) => commands.push(...listPlayedCommands(folder)),
      }),
    );

    const verbs = new Set(
      commands.map((command) =>
        command
          .replace(/^--context=\S+ /, '')
          .split(' ')
          .slice(0, 2)
          .join(' '),
      ),
    );
    expect([...verbs].filter((verb) => !verb.startsWith('get '))).toEqual([
      'config current-context',
      'config view',
      'version --output=json',
      'api-resources --verbs=list',
    ]);
    expect(
      commands
        .filter((command) => command.includes('get deployments'))
        .map((command) => /--namespace=\S+/.exec(command)![0])
        .toSorted(),
    ).toEqual(['--namespace=models', '--namespace=shop']);
    expect(new Set(commands).size).toBe(commands.length);
  });

  test('pass no name of a manifest as an option, so that no manifest chooses the server', async () => {
    const files = { 'web.yaml': NEW_WEB.replace('name: web }', 'name: web, namespace: "--server=http://example.com" }') };
    const { stderr } = await planFrom(shopCluster(), 'plan --from cluster web.yaml', files);

    const options = stderr.split('\n').flatMap((line) => (line.startsWith('rolloutkit: runs kubectl ') ? line.split(' ') : []));
    expect(options).toContain('--namespace=--server=http://example.com');
    expect(options.filter((option) => option.startsWith('--server'))).toEqual([]);
  });

  test('are none for a namespace that is too long for an argument', async () => {
    const files = { 'web.yaml': NEW_WEB.replace('name: web }', `name: web, namespace: ${'n'.repeat(140_000)} }`) };
    const { exitCode, stderr } = await planFrom(shopCluster(), 'plan --from cluster web.yaml', files);
    expect([exitCode, stderr.split('\n').at(-2)]).toEqual([2, 'rolloutkit: kubectl cannot be run: spawn E2BIG']);
  });

  test('are none for a namespace with a NUL character, which no command can name', async () => {
    const files = { 'web.yaml': NEW_WEB.replace('name: web }', 'name: web, namespace: "a\\0b" }') };
    const { exitCode, stderr } = await planFrom(shopCluster(), 'plan --from cluster web.yaml', files);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'rolloutkit: a name or namespace of the input contains a NUL character, so no command can name it; correct it',
    );
  });

  test('ask for nothing that the server does not have', async () => {
    const types = PLAYED_TYPES.filter(({ plural }) => plural !== 'resourcequotas');
    const { exitCode, stderr } = await planFrom({ ...shopCluster(), types });

    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('resourcequotas');
  });
});

test('kubectl runs in the folder of the user, where relative paths of its variables begin, and not in the one that an MCP server reads', async () => {
  const folder = folderWith({ 'bin/kubectl': '#!/bin/sh\npwd\n', 'checkout/web.yaml': NEW_WEB, 'user/config': '' });
  chmodSync(path.join(folder.path, 'bin/kubectl'), 0o755);
  const silent = { write: () => undefined };
  const env = { PATH: `${path.join(folder.path, 'bin')}:/usr/bin:/bin` };
  const io = {
    stdout: silent,
    stderr: silent,
    stdin: [],
    cwd: path.join(folder.path, 'checkout'),
    kubectlCwd: path.join(folder.path, 'user'),
    env,
  };

  const { stdout } = await createKubectl(io, { seconds: 10, reduce: 'name fewer files' }).run('version');

  expect(stdout.toString().trim()).toBe(realpathSync(io.kubectlCwd));
  folder.remove();
});
