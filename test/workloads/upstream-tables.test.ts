import { isDeepStrictEqual } from 'node:util';
import type { IntOrPercent } from '../../src/core/int-or-percent';
import { deploymentStrategyFindings } from '../../src/workloads/validation';
import { resolveFenceposts } from '../../src/workloads/strategy';
import { simulateDeployment } from '../../src/workloads/simulate';
import {
  cleanupUnhealthyReplicas,
  newReplicaSetSize,
  reconcileNewReplicaSet,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSets,
  scaleProportionally,
} from './deployment-controller';
import type { Limits } from './deployment-controller';
import { podsToDelete } from './statefulset-controller';
import { describeUpstream, upstreamRows } from './upstream-cases';
import type { FencepostRow } from './upstream-cases';

/** Limits as the controller resolves them: unavailable at most the replicas. */
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

/** The rows of a table that come out otherwise than upstream expects. */
function differences<Row>(rows: readonly Row[], outcome: (row: Row) => unknown, expected: (row: Row) => unknown) {
  return rows
    .map((row) => ({ row, outcome: outcome(row), expected: expected(row) }))
    .filter((compared) => !isDeepStrictEqual(compared.outcome, compared.expected));
}

function fencepostsOf({ maxSurge, maxUnavailable, desired }: FencepostRow) {
  const findings = deploymentStrategyFindings({ rollingUpdate: { maxSurge, maxUnavailable } }, 'spec.strategy');
  if (findings.some((finding) => finding.message.includes('a valid percent string'))) return 'error';
  const limits = { maxSurge: maxSurge ?? undefined, maxUnavailable: maxUnavailable ?? undefined };
  const { surge, unavailable } = resolveFenceposts(limits, desired);
  return { surge, unavailable };
}

describeUpstream("Kubernetes' own tables of the Deployment controller", () => {
  test('TestResolveFenceposts: percentages, halves left out, the rescue of two zeros, refused strings', () => {
    expect(differences(upstreamRows('TestResolveFenceposts'), fencepostsOf, (row) => row.expect)).toEqual([]);
  });

  test('the examples in the comment of ResolveFenceposts', () => {
    expect(differences(upstreamRows('ResolveFenceposts comment examples'), fencepostsOf, (row) => row.expect)).toEqual([]);
  });

  test('TestNewRSNewReplicas: the new ReplicaSet grows as far as the surge allows', () => {
    const wrong = differences(
      upstreamRows('TestNewRSNewReplicas'),
      ({ replicas, maxSurge, allReplicas, newReplicas }) =>
        newReplicaSetSize(
          { replicas, surge: maxSurge },
          allReplicas.map((size) => set(size)),
          newReplicas,
        ),
      (row) => row.expect,
    );
    expect(wrong).toEqual([]);
  });

  test('TestMinAvailable: replicas less maxUnavailable, never below 0', () => {
    const wrong = differences(
      upstreamRows('TestMinAvailable'),
      ({ replicas, maxUnavailable }) =>
        simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable } }, replicas).minAvailable,
      (row) => row.expect,
    );
    expect(wrong).toEqual([]);
  });

  test('reconcileNewReplicaSet', () => {
    const wrong = differences(
      upstreamRows('reconcileNewReplicaSet (maxUnavailable 0)'),
      ({ replicas, maxSurge, ...row }) =>
        reconcileNewReplicaSet({ replicas, surge: maxSurge, unavailable: 0 }, set(row.new), [set(row.old)]).replicas,
      (row) => (row.scaled ? row.expectNew : row.new),
    );
    expect(wrong).toEqual([]);
  });

  test('reconcileOldReplicaSets', () => {
    const wrong = differences(
      upstreamRows('reconcileOldReplicaSets (maxSurge 0)'),
      (row) => {
        const limits = limitsOf(row.replicas, 0, row.maxUnavailable);
        return reconcileOldReplicaSets(limits, set(row.new, row.readyNew), [set(row.old, row.readyOld)])[0]!.replicas;
      },
      (row) => (row.scaled ? row.expectOld : row.old),
    );
    expect(wrong).toEqual([]);
  });

  test('cleanupUnhealthyReplicas', () => {
    const wrong = differences(
      upstreamRows('cleanupUnhealthyReplicas'),
      (row) => row.oldReplicas - cleanupUnhealthyReplicas([set(row.oldReplicas, row.readyOld)], row.max)[0]!.replicas,
      (row) => row.expectRemoved,
    );
    expect(wrong).toEqual([]);
  });

  test('scaleDownOldReplicaSetsForRollingUpdate', () => {
    const wrong = differences(
      upstreamRows('scaleDownOldReplicaSetsForRollingUpdate (maxSurge 0)'),
      (row) => scaleDownOldReplicaSets(limitsOf(row.replicas, 0, row.maxUnavailable), set(0), [set(row.old, row.ready)])[0]!.replicas,
      (row) => row.expectOld,
    );
    expect(wrong).toEqual([]);
  });

  test('KEP-5882: replicas changed in the middle of a rollout are spread by size', () => {
    const wrong = differences(
      upstreamRows('KEP-5882 proportional scaling'),
      ({ replicas, maxSurge, sets }) => {
        const active = sets.map((row) => ({ replicas: row.replicas, maxReplicas: row.maxReplicasAnnotation }));
        return scaleProportionally(replicas, maxSurge, active);
      },
      (row) => row.sets.map(({ name }) => row.expect[name]),
    );
    expect(wrong).toEqual([]);
  });

  test('the first wave: the example in rolling.go, and what was seen in k/k#95498', () => {
    const wrong = differences(
      upstreamRows('first fix point'),
      (row) => {
        const { newReplicas, oldReplicas, total } = wave(row.replicas, row.maxSurge, row.maxUnavailable);
        const seen = { new: newReplicas, old: oldReplicas, total, created: newReplicas, deleted: row.replicas - oldReplicas };
        return Object.fromEntries(Object.entries(seen).filter(([count]) => count in row.expect));
      },
      (row) => row.expect,
    );
    expect(wrong).toEqual([]);
  });
});

describeUpstream("Kubernetes' own table of the StatefulSet controller", () => {
  test('k/k#137666: one pass with maxUnavailable, some pods down or terminating already', () => {
    const wrong = differences(
      upstreamRows('StatefulSet maxUnavailable (one pass; gate on)'),
      ({ podManagementPolicy, replicas, partition, maxUnavailable, unready, terminating }) => {
        const pods = Array.from({ length: replicas }, (_, index) => ({
          index,
          isUpdated: false,
          isAvailable: !unready.includes(index),
          isTerminating: terminating.includes(index),
        }));
        const deleted = podsToDelete({ replicas, partition, maxUnavailable, policy: podManagementPolicy, gate: true }, pods);
        return pods.map((pod) => pod.index).filter((index) => !deleted.includes(index));
      },
      (row) => row.expectRemaining,
    );
    expect(wrong).toEqual([]);
  });
});
