import { formatUnknownCapacity } from '../../src/core/document/advice';
import type { RolloutTrial } from '../../src/cluster/rollout/rollout-trial';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { withUnreadTrial } from '../../src/live/unread-capacity';
import type { SnapshotHeader } from '../../src/live/snapshot-file';

const HEADER: SnapshotHeader = {
  context: 'prod',
  defaultNamespace: 'shop',
  clusterScopedKinds: [],
  namespaces: ['shop'],
  detectedVersions: {},
  unread: [{ resource: 'resourcequotas', kind: 'ResourceQuota', namespace: 'shop' }],
  unasked: ['team-101'],
};

/** Returns why advice about a rollout in a namespace does not know whether the pods fit. */
function reasonIn(namespace: string): string | undefined {
  const rollout = { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace } } as PlannedRollout;
  const { trial } = withUnreadTrial({ rollout, object: {} as never, trial: () => ({}) as RolloutTrial }, HEADER);
  return formatUnknownCapacity(trial!()!);
}

test('advise says of a namespace beyond the maximum that it is not read, not that the user may not read it', () => {
  expect(reasonIn('team-101')).toBe('It is not known whether the pods fit, because the objects of namespace team-101 are not read.');
  expect(reasonIn('shop')).toBe('It is not known whether the pods fit, because the user may not read resourcequotas in shop.');
  expect(reasonIn('other')).toBeUndefined();
});
