import { isDeepStrictEqual } from 'node:util';
import { invalidStrategy } from '../../src/cluster/rules/invalid-strategy';
import { quotedInteger } from '../../src/cluster/rules/quoted-integer';
import { toFieldPath } from '../../src/core/manifest/field-path';
import type { Finding } from '../../src/core/findings/finding';
import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { validateDeploymentStrategy } from '../../src/workloads/deployment/validation';
import { resolveFenceposts } from '../../src/workloads/deployment/strategy';
import { simulateDeployment } from '../../src/workloads/deployment/simulate';
import {
  cleanupUnhealthyReplicas,
  newReplicaSetSize,
  reconcileNewReplicaSet,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSets,
  scaleProportionally,
} from './deployment/controller';
import type { Limits } from './deployment/controller';
import { podsToDelete } from './statefulset/controller';
import { KUBERNETES_TABLES } from './upstream-cases';
import type { LimitsRow } from './upstream-cases';

/** Resolves limits like the controller: unavailable is at most the replicas. */
function limitsOf(replicas: number, maxSurge: number, maxUnavailable: number): Limits {
  const { surge, unavailable } = resolveFenceposts({ maxSurge, maxUnavailable }, replicas);
  return { replicas, surge, unavailable: Math.min(unavailable, replicas) };
}

function set(replicas: number, available = replicas) {
  return { replicas, available };
}

function wave(replicas: number, maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas).waves[0]!;
}

/** Returns the rows of a table whose result differs from the one that upstream expects. */
function differences<Row>(rows: readonly Row[], outcome: (row: Row) => unknown, expected: (row: Row) => unknown) {
  return rows
    .map((row) => ({ row, outcome: outcome(row), expected: expected(row) }))
    .filter((compared) => !isDeepStrictEqual(compared.outcome, compared.expected));
}

function limitsOfRow({ replicas, maxSurge, maxUnavailable }: LimitsRow): LimitsRow {
  const findings = validateDeploymentStrategy({ rollingUpdate: { maxSurge, maxUnavailable } }, { path: toFieldPath`spec.strategy` });
  const row = { replicas, maxSurge, maxUnavailable };
  const isMalformed = (finding: Finding) => invalidStrategy.matches(finding, 'notPercent') || quotedInteger.matches(finding);
  if (findings.some(isMalformed)) return { ...row, refused: true };
  const limits = { maxSurge: maxSurge ?? undefined, maxUnavailable: maxUnavailable ?? undefined };
  const { surge, unavailable } = resolveFenceposts(limits, replicas);
  return { ...row, surge, unavailable };
}

function asItIs<Row>(row: Row): Row {
  return row;
}

describe("Kubernetes' own tables of the Deployment controller", () => {
  test('limits: percentages, missing limits, two zeros, refused strings', () => {
    expect(differences(KUBERNETES_TABLES.limits.cases, limitsOfRow, asItIs)).toEqual([]);
  });

  test('limits of one and two replicas, as in the comment at ResolveFenceposts', () => {
    expect(differences(KUBERNETES_TABLES.smallLimits.cases, limitsOfRow, asItIs)).toEqual([]);
  });

  test('the new ReplicaSet grows up to the surge', () => {
    const wrong = differences(
      KUBERNETES_TABLES.newSize.cases,
      ({ replicas, maxSurge, sizes, size }) =>
        newReplicaSetSize(
          { replicas, surge: maxSurge },
          sizes.map((each) => set(each)),
          size,
        ),
      (row) => row.becomes,
    );
    expect(wrong).toEqual([]);
  });

  test('at least the replicas less maxUnavailable are available, never fewer than 0, and 0 with Recreate', () => {
    const wrong = differences(
      KUBERNETES_TABLES.leastAvailable.cases,
      (row) =>
        simulateDeployment(
          'type' in row
            ? { type: row.type }
            : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: row.maxUnavailable } },
          row.replicas,
        ).minAvailable,
      (row) => row.available,
    );
    expect(wrong).toEqual([]);
  });

  test('the size of the new ReplicaSet after one pass, with maxUnavailable 0', () => {
    const wrong = differences(
      KUBERNETES_TABLES.newGrows.cases,
      ({ replicas, maxSurge, ...row }) =>
        reconcileNewReplicaSet({ replicas, surge: maxSurge, unavailable: 0 }, set(row.new), [set(row.old)]).replicas,
      (row) => row.becomes,
    );
    expect(wrong).toEqual([]);
  });

  test('the size of the old ReplicaSet after one pass, with maxSurge 0', () => {
    const wrong = differences(
      KUBERNETES_TABLES.oldShrinks.cases,
      (row) => {
        const limits = limitsOf(row.replicas, 0, row.maxUnavailable);
        return reconcileOldReplicaSets(limits, set(row.new, row.readyNew), [set(row.old, row.readyOld)])[0]!.replicas;
      },
      (row) => row.becomes,
    );
    expect(wrong).toEqual([]);
  });

  test('unready old pods are deleted first', () => {
    const wrong = differences(
      KUBERNETES_TABLES.unreadyGoFirst.cases,
      (row) => row.old - cleanupUnhealthyReplicas([set(row.old, row.readyOld)], row.atMost)[0]!.replicas,
      (row) => row.removed,
    );
    expect(wrong).toEqual([]);
  });

  test('ready old pods are deleted next, up to maxUnavailable', () => {
    const wrong = differences(
      KUBERNETES_TABLES.readyGoNext.cases,
      (row) => scaleDownOldReplicaSets(limitsOf(row.replicas, 0, row.maxUnavailable), set(0), [set(row.old, row.ready)])[0]!.replicas,
      (row) => row.becomes,
    );
    expect(wrong).toEqual([]);
  });

  test('KEP-5882: a change of replicas during a rollout is distributed by size', () => {
    const wrong = differences(
      KUBERNETES_TABLES.scaledMidway.cases,
      ({ replicas, maxSurge, sets }) => scaleProportionally(replicas, maxSurge, sets),
      (row) => row.become,
    );
    expect(wrong).toEqual([]);
  });

  test('the first wave matches the example in rolling.go and the one in k/k#95498', () => {
    const wrong = differences(
      KUBERNETES_TABLES.firstWave.cases,
      (row) => {
        const { newReplicas, oldReplicas, total } = wave(row.replicas, row.maxSurge, row.maxUnavailable);
        const seen = { new: newReplicas, old: oldReplicas, total, created: newReplicas, deleted: row.replicas - oldReplicas };
        return Object.fromEntries(Object.entries(seen).filter(([count]) => count in row.seen));
      },
      (row) => row.seen,
    );
    expect(wrong).toEqual([]);
  });
});

describe("Kubernetes' own table of the StatefulSet controller", () => {
  test('k/k#137666: one pass with maxUnavailable, with some pods down or terminating', () => {
    const wrong = differences(
      KUBERNETES_TABLES.podsLeft.cases,
      ({ policy, replicas, partition, maxUnavailable, unready, terminating }) => {
        const pods = Array.from({ length: replicas }, (_, index) => ({
          index,
          isUpdated: false,
          isAvailable: !unready.includes(index),
          isTerminating: terminating.includes(index),
        }));
        const deleted = podsToDelete({ replicas, partition, maxUnavailable, policy, gate: true }, pods);
        return pods.map((pod) => pod.index).filter((index) => !deleted.includes(index));
      },
      (row) => row.left,
    );
    expect(wrong).toEqual([]);
  });
});

test('the tests above run every row of every table: 66 rows', () => {
  expect(Object.fromEntries(Object.entries(KUBERNETES_TABLES).map(([table, { cases }]) => [table, cases.length]))).toEqual({
    limits: 7,
    smallLimits: 6,
    newSize: 2,
    leastAvailable: 8,
    newGrows: 5,
    oldShrinks: 5,
    unreadyGoFirst: 4,
    readyGoNext: 5,
    firstWave: 2,
    scaledMidway: 2,
    podsLeft: 20,
  });
});
