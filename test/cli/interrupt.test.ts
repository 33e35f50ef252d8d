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
    ['SIGINT', 'all processes', 60, 2],
    ['SIGTERM', 'all processes', 60, 2],
    ['SIGHUP', 'all processes', 60, 2],
    ['SIGTERM', 'rolloutkit alone', 2, 143],
    ['SIGINT', 'rolloutkit alone', 2, 130],
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
        const [exitCode] = await ended;
        expect({ exitCode, left: readdirSync(temporary.path) }).toEqual({ exitCode: expected, left: ['started'] });
      } finally {
        for (const folder of [bin, temporary, repository]) folder.remove();
      }
    },
    30_000,
  );
});
