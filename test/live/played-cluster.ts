import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { Setting } from '../cli/command-line';
import { answerAsKubectl } from './kubectl-player';
import type { PlayedAnswer, PlayedCluster, PlayedRecording, PlayedType } from './kubectl-player';

/**
 * A kubectl that passes its arguments to this process, and prints its answer: exit code and length of standard error in the first line, then both
 * outputs. A program of Node.js would start so slowly that these tests took minutes.
 */
const KUBECTL = `#!/bin/bash
export LC_ALL=C
exec 3<>"/dev/tcp/127.0.0.1/$KUBECTL_PORT"
printf '%s\\n' "$KUBECTL_CLUSTER" "$@" '' >&3
read -r status errors <&3
[ "$status" = killed ] && kill -KILL $$
if [ "$errors" -gt 0 ]; then
  IFS= read -r -N "$errors" text <&3
  printf '%s' "$text" >&2
fi
[ "$status" = 0 ] && exec cat <&3
cat <&3
exit "$status"
`;

const clusters = new Map<string, PlayedRecording>();
const commands = new Map<string, string[]>();
const sockets = new Set<Socket>();

function sendAnswer(socket: Socket, { stdout = '', stderr = '', status = 0, isOpen = false, isKilled = false }: PlayedAnswer): void {
  socket.write(`${isKilled ? 'killed' : status} ${Buffer.byteLength(stderr)}\n${stderr}${stdout}`);
  if (!isOpen) socket.end();
}

const server = createServer((socket) => {
  let text = '';
  sockets.add(socket);
  // A kubectl that is killed ends the connection.
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n\n')) return;
    const [cluster, ...args] = text.slice(0, -2).split('\n');
    commands.get(cluster!)!.push(args.join(' '));
    sendAnswer(socket, answerAsKubectl(clusters.get(cluster!)!, args));
  });
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const type = (plural: string, group: string, version: string, kind: string, isNamespaced = true): PlayedType => ({
  plural,
  group,
  version,
  kind,
  isNamespaced,
});

/** The types that a played server has unless a test says otherwise. */
export const PLAYED_TYPES: readonly PlayedType[] = [
  type('configmaps', '', 'v1', 'ConfigMap'),
  type('namespaces', '', 'v1', 'Namespace', false),
  type('nodes', '', 'v1', 'Node', false),
  { ...type('pods', '', 'v1', 'Pod'), shortName: 'po' },
  type('resourcequotas', '', 'v1', 'ResourceQuota'),
  type('secrets', '', 'v1', 'Secret'),
  type('services', '', 'v1', 'Service'),
  { ...type('deployments', 'apps', 'v1', 'Deployment'), shortName: 'deploy' },
  type('replicasets', 'apps', 'v1', 'ReplicaSet'),
];

/** Lists the commands that the played kubectl of a folder got, in their order. */
export function listPlayedCommands(folder: string): readonly string[] {
  return commands.get(folder) ?? [];
}

/** Builds the setting of a command line that finds the played kubectl as `kubectl`. */
export function playCluster(cluster: PlayedCluster, setting: Setting = {}): Setting {
  const recording: PlayedRecording = { serverVersion: 'v1.34.4', types: PLAYED_TYPES, objects: [], ...cluster };
  const env: Record<string, string> = { ...setting.env };
  return {
    ...setting,
    env,
    prepare: (folder) => {
      const bin = path.join(folder, '.cluster/bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(path.join(bin, 'kubectl'), KUBECTL);
      chmodSync(path.join(bin, 'kubectl'), 0o755);
      clusters.set(folder, recording);
      commands.set(folder, []);
      env.PATH = [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
      env.KUBECTL_CLUSTER = folder;
      env.KUBECTL_PORT = String((server.address() as AddressInfo).port);
      setting.prepare?.(folder);
    },
  };
}
