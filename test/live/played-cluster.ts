import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Setting } from '../cli/command-line';
import type { RecordedAnswer } from './recordings';

const PLAYER = path.resolve(__dirname, 'kubectl-player.js');

/** A resource type of a played API server. */
export interface PlayedType {
  readonly plural: string;
  readonly shortName?: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/** An event that a played watch prints. */
export interface PlayedEvent {
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR';
  readonly object: object;
}

/** What a played kubectl answers. */
export interface PlayedCluster {
  /** Recorded answers to the same commands. @default - those of the objects */
  readonly answers?: readonly RecordedAnswer[];
  /** Current context. @default - none is set */
  readonly currentContext?: string;
  /** Namespace of the context. @default - the context names none */
  readonly namespace?: string;
  readonly serverVersion?: string;
  readonly types?: readonly PlayedType[];
  readonly objects?: readonly object[];
  /** Types that the user may not read; `*` as the namespace means all namespaces together. */
  readonly forbidden?: readonly { readonly resource: string; readonly namespace?: string }[];
  readonly isUnreachable?: boolean;
  readonly watches?: readonly PlayedEvent[];
  /** Whether watches stay open after their events. */
  readonly keepsWatching?: boolean;
  /** Text that each watch prints instead of events. @default - none */
  readonly watchText?: string;
  /** Signal that ends each watch at once. @default - none */
  readonly killedBy?: 'SIGKILL';
}

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

/** Builds the setting of a command line that finds the played kubectl as `kubectl`. */
export function playCluster(cluster: PlayedCluster, setting: Setting = {}): Setting {
  const recording = { serverVersion: 'v1.34.4', types: PLAYED_TYPES, objects: [], ...cluster };
  const env: Record<string, string> = { ...setting.env };
  return {
    ...setting,
    files: { ...setting.files, '.cluster/recording.json': JSON.stringify(recording) },
    env,
    prepare: (folder) => {
      const bin = path.join(folder, '.cluster/bin');
      mkdirSync(bin);
      copyFileSync(PLAYER, path.join(bin, 'kubectl'));
      chmodSync(path.join(bin, 'kubectl'), 0o755);
      env.PATH = [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
      env.KUBECTL_RECORDING = path.join(folder, '.cluster/recording.json');
      env.KUBECTL_LOG = path.join(folder, '.cluster/log');
      setting.prepare?.(folder);
    },
  };
}
