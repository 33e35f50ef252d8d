import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { folderWith } from '../folder';
import { WEB } from './manifests';

/** `npm test` builds before jest runs. */
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

beforeAll(() => {
  if (!existsSync(MAIN)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: path.resolve(__dirname, '../..') });
});

describe('an interrupt while a program renders a revision removes the temporary folder', () => {
  test.each([
    // The program that renders is interrupted too, so the command could not run.
    ['SIGINT', 'all processes', 60, [2, null]],
    ['SIGTERM', 'all processes', 60, [2, null]],
    ['SIGHUP', 'all processes', 60, [2, null]],
    ['SIGTERM', 'rolloutkit alone', 2, [null, 'SIGTERM']],
    ['SIGINT', 'rolloutkit alone', 2, [null, 'SIGINT']],
  ] as const)(
    '%s to %s',
    async (signal, receiver, seconds, expected) => {
      const bin = folderWith({});
      const temporary = folderWith({});
      const repository = folderWith({ 'prod/web.yaml': WEB, 'prod/kustomization.yaml': 'resources: [web.yaml]\n' });
      try {
        writeFileSync(
          path.join(bin.path, 'kustomize'),
          // One process until the end: a signal to all processes can miss a process that a shell is about to start.
          `#!/bin/sh\ncat prod/web.yaml\n: > "${temporary.path}/started"\nexec sleep ${seconds}\n`,
        );
        chmodSync(path.join(bin.path, 'kustomize'), 0o755);
        const git = (...args: readonly string[]) =>
          execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
            cwd: repository.path,
          });
        git('init', '-q');
        git('add', '-A');
        git('commit', '-q', '-m', 'first');
        const env = { ...process.env, PATH: `${bin.path}:${process.env['PATH']}`, TMPDIR: temporary.path };
        // A group of its own: a terminal signals all processes of the group.
        const child = spawn(process.execPath, [MAIN, 'plan', '--from', 'git:HEAD', '--render', 'prod'], {
          cwd: repository.path,
          env,
          detached: true,
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        while (!readdirSync(temporary.path).includes('started')) await setTimeout(20);
        expect(readdirSync(temporary.path)).toHaveLength(2);
        process.kill(receiver === 'all processes' ? -child.pid! : child.pid!, signal);
        expect({ end: await ended, left: readdirSync(temporary.path) }).toEqual({ end: expected, left: ['started'] });
      } finally {
        for (const folder of [bin, temporary, repository]) folder.remove();
      }
    },
    30_000,
  );
});

/** A kubectl that answers what every run asks, and leaves its process id in a folder for each command that does not end. */
const KUBECTL = `#!/bin/sh
case "$*" in
  "config current-context") echo prod ;;
  *"config view"*) printf shop ;;
  *) : > "$STARTED/$$"; exec sleep 60 ;;
esac
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program of Node.js with this kubectl, interrupts it once some commands run, and returns how it ended and which commands still run. */
async function interrupt(args: readonly string[], commands: number, signal?: NodeJS.Signals) {
  const bin = folderWith({});
  const started = folderWith({});
  const checkout = folderWith({ 'web.yaml': WEB });
  try {
    writeFileSync(path.join(bin.path, 'kubectl'), KUBECTL);
    chmodSync(path.join(bin.path, 'kubectl'), 0o755);
    const env = { ...process.env, PATH: `${bin.path}:${process.env['PATH']}`, STARTED: started.path };
    execFileSync(process.execPath, [MAIN, 'plan', 'web.yaml', '--format', 'json', '--output', 'plan.json'], { cwd: checkout.path, env });
    const child = spawn(process.execPath, args, { cwd: checkout.path, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const listPids = () => readdirSync(started.path).map(Number);
    while (listPids().length < commands) await setTimeout(20);
    if (signal) child.kill(signal);
    const end: unknown = await ended;
    const pids = listPids();
    for (let looks = 0; looks < 100 && pids.some(isRunning); looks++) await setTimeout(20);
    return { end, commands: pids.length, running: pids.filter(isRunning).length };
  } finally {
    for (const folder of [bin, started, checkout]) folder.remove();
  }
}

describe('no kubectl runs any more after the end of', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('verify by %s', async (signal) => {
    const watches = 4;
    expect(await interrupt([MAIN, 'verify', 'plan.json'], watches, signal)).toEqual({ end: [null, signal], commands: watches, running: 0 });
  });

  test('a command that reads a cluster', async () => {
    const { end, running } = await interrupt([MAIN, 'check', '--from', 'cluster', 'web.yaml'], 1, 'SIGTERM');
    expect({ end, running }).toEqual({ end: [null, 'SIGTERM'], running: 0 });
  });

  test('a process that exits', async () => {
    const script = `
const { readdirSync } = require('node:fs');
const { Kubectl } = require(process.argv[1]);
const [bin] = process.env.PATH.split(':');
const kubectl = new Kubectl({ program: bin + '/kubectl', cwd: '.', env: process.env, log: () => undefined, limit: { seconds: 60 } });
kubectl.start('get', ['pods', '--watch'], () => undefined);
setInterval(() => readdirSync(process.env.STARTED).length > 0 && process.exit(3), 20);
`;
    const live = path.resolve(__dirname, '../../lib/live/kubectl.js');
    expect(await interrupt(['--eval', script, live], 1)).toEqual({ end: [3, null], commands: 1, running: 0 });
  });
});
