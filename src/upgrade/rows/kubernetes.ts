import { groupOf } from '../../core/manifest/manifest';
import type { UpgradeRow } from '../upgrade-row';
import { matchSets } from './lws';

/*
 * Differences between versions of Kubernetes that replace pods of objects that do not change. What else differs, such as limits that a
 * version drops or refuses, shows in the plans of both versions.
 * Source: kubernetes/kubernetes#134773, and #135017 with its backport #135087.
 */

const statefulSetRevisions: UpgradeRow = {
  id: 'statefulset-revisions',
  since: '1.34',
  until: '1.34.2',
  effect: 'roll',
  message:
    'Kubernetes 1.34.0 and 1.34.1 compare the revisions of a StatefulSet byte by byte, and no longer write the creationTimestamp: null that 1.33 wrote. Every StatefulSet that an earlier version rolled out gets a new revision, also those of LeaderWorkerSets. 1.34.2 compares what the bytes mean.',
  match: (object) => {
    const fields = [{ path: 'spec.template.metadata.creationTimestamp', old: null }];
    return object.kind === 'StatefulSet' && groupOf(object) === 'apps' ? [{ fields }] : matchSets(object, fields);
  },
};

/** Differences between versions of Kubernetes. */
export const KUBERNETES_ROWS: readonly UpgradeRow[] = [statefulSetRevisions];
