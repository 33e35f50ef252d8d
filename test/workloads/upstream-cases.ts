import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IntOrPercent } from '../../src/core/int-or-percent';

/** Rows of Kubernetes' own test tables: inputs and what is expected of them. */
export interface UpstreamTables {
  readonly TestResolveFenceposts: readonly FencepostRow[];
  readonly 'ResolveFenceposts comment examples': readonly FencepostRow[];
  readonly TestNewRSNewReplicas: readonly {
    replicas: number;
    maxSurge: number;
    newReplicas: number;
    allReplicas: number[];
    expect: number;
  }[];
  readonly TestMinAvailable: readonly { replicas: number; maxUnavailable: IntOrPercent; expect: number }[];
  readonly 'reconcileNewReplicaSet (maxUnavailable 0)': readonly {
    replicas: number;
    maxSurge: number;
    old: number;
    new: number;
    scaled: boolean;
    expectNew?: number;
  }[];
  readonly 'reconcileOldReplicaSets (maxSurge 0)': readonly {
    replicas: number;
    maxUnavailable: number;
    old: number;
    new: number;
    readyOld: number;
    readyNew: number;
    scaled: boolean;
    expectOld?: number;
  }[];
  readonly cleanupUnhealthyReplicas: readonly { oldReplicas: number; readyOld: number; max: number; expectRemoved: number }[];
  readonly 'scaleDownOldReplicaSetsForRollingUpdate (maxSurge 0)': readonly {
    replicas: number;
    maxUnavailable: number;
    ready: number;
    old: number;
    expectOld: number;
  }[];
  readonly 'first fix point': readonly {
    replicas: number;
    maxSurge: IntOrPercent;
    maxUnavailable: IntOrPercent;
    expect: { new: number; old: number; total: number } | { created: number; deleted: number };
  }[];
  readonly 'KEP-5882 proportional scaling': readonly {
    replicas: number;
    maxSurge: number;
    sets: { name: string; replicas: number; maxReplicasAnnotation: number }[];
    expect: Record<string, number>;
  }[];
  readonly 'StatefulSet maxUnavailable (one pass; gate on)': readonly {
    podManagementPolicy: 'OrderedReady' | 'Parallel';
    replicas: number;
    partition: number;
    maxUnavailable: number;
    unready: number[];
    terminating: number[];
    expectRemaining: number[];
  }[];
}

/** `error` is expected of strings that are no percentage. */
export interface FencepostRow {
  readonly maxSurge: IntOrPercent | null;
  readonly maxUnavailable: IntOrPercent | null;
  readonly desired: number;
  readonly expect: { surge: number; unavailable: number } | 'error';
}

const FILE = path.resolve(__dirname, '../../../../shared/facts/kubernetes-upstream-cases.json');
const isThere = existsSync(FILE);
const tables = isThere ? (JSON.parse(readFileSync(FILE, 'utf8')) as UpstreamTables) : undefined;

/** A table of Kubernetes; call it inside of a test of `describeUpstream`. */
export function upstreamRows<T extends keyof UpstreamTables>(table: T): UpstreamTables[T] {
  const rows = tables?.[table];
  if (!rows) throw new Error(`Kubernetes has no table "${table}" in ${FILE}`);
  return rows;
}

/** `describe`, or, where Kubernetes' tables are not there, a group that is skipped and says what is missing. */
export function describeUpstream(name: string, body: () => void): void {
  const group = isThere ? describe : describe.skip;
  group(isThere ? name : `${name} (needs ../shared/facts/kubernetes-upstream-cases.json)`, body);
}
