import { getFieldsAt, getListAt, getValueAt, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isIntOrPercent, scaleRoundedDown, scaleRoundedUp } from '../../core/values/int-or-percent';
import { listLlmComponents } from '../../systems/llminferenceservice/components';
import type { RowMatch, UpgradeRow } from '../upgrade-row';

/*
 * Differences between versions of LeaderWorkerSet.
 * Source: kubernetes-sigs/lws v0.7.0 to v0.10.0, pkg/controllers/leaderworkerset_controller.go and pod_controller.go, pkg/utils/revision
 * and pkg/utils/accelerators. 0.7.0, 0.8.0 and 0.9.0 were run (`oracle/lws/upgrades.go`).
 */

function isSet(object: Manifest): boolean {
  return object.kind === 'LeaderWorkerSet' && groupOf(object) === 'leaderworkerset.x-k8s.io';
}

/** Returns the rollouts of an object that are LeaderWorkerSets: of itself, of a DisaggregatedSet, or of an LLMInferenceService. */
export function matchSets(object: Manifest, fields: NonNullable<RowMatch['fields']>): readonly RowMatch[] {
  if (isSet(object) || (object.kind === 'DisaggregatedSet' && groupOf(object) === 'disaggregatedset.x-k8s.io')) return [{ fields }];
  if (object.kind !== 'LLMInferenceService' || groupOf(object) !== 'serving.kserve.io') return [];
  return listLlmComponents(object)
    .filter(({ groupSize }) => groupSize !== undefined)
    .map(({ name }) => ({ component: name, fields }));
}

const revisionBytes: UpgradeRow = {
  id: 'revision-bytes',
  since: '0.8',
  until: '0.9',
  effect: 'roll',
  message:
    'LeaderWorkerSet 0.8 compares revisions byte by byte, and writes a template without the creationTimestamp: null that earlier versions wrote. Every set gets a new revision, and all of its groups are recreated. 0.9 compares what the bytes mean.',
  match: (object) => matchSets(object, [{ path: 'spec.leaderWorkerTemplate.workerTemplate.metadata.creationTimestamp', old: null }]),
};

const leaderLimit: UpgradeRow = {
  id: 'leader-limit',
  since: '0.9',
  effect: 'settings',
  message:
    'LeaderWorkerSet 0.9 writes the sum of maxUnavailable and maxSurge, as a number, as the maxUnavailable of the StatefulSet of the leaders. No pod is replaced; the next rollout uses it.',
  match: (object) => {
    if (!isSet(object)) return [];
    const { replicas = 1 } = getFieldsAt(object, 'spec');
    const { maxSurge = 0, maxUnavailable = 1 } = getFieldsAt(object, 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration');
    if (typeof replicas !== 'number' || !isIntOrPercent(maxSurge) || !isIntOrPercent(maxUnavailable)) return [];
    const next = Math.max(1, Math.min(scaleRoundedUp(maxSurge, replicas), replicas) + scaleRoundedDown(maxUnavailable, replicas));
    return next === maxUnavailable
      ? []
      : [{ fields: [{ path: 'spec.updateStrategy.rollingUpdate.maxUnavailable', old: maxUnavailable, new: next }] }];
  },
};

const TPU = 'google.com/tpu';
/** Variables with which a pod has its own addresses of the workers. */
const OWN_ADDRESSES: ReadonlySet<unknown> = new Set(['TPU_WORKER_HOSTNAMES', 'TPU_WORKER_ID']);

/** Reports whether the webhook adds the addresses of TPU workers to the pods of a template. */
function getsTpuAddresses(template: unknown): boolean {
  const containers = [...getListAt(template, 'spec', 'containers'), ...getListAt(template, 'spec', 'initContainers')];
  const requesting = containers.find((container) =>
    ['limits', 'requests'].some((amounts) => getValueAt(container, 'resources', amounts, TPU) !== undefined),
  );
  return requesting !== undefined && !getListAt(requesting, 'env').some((variable) => OWN_ADDRESSES.has(getValueAt(variable, 'name')));
}

const tpuAddresses: UpgradeRow = {
  id: 'tpu-addresses',
  since: '0.8',
  effect: 'new-pods',
  message:
    "LeaderWorkerSet 0.8's webhook also sets TPU_PROCESS_ADDRESSES and TPU_PROCESS_PORT in pods with TPUs. Groups that are created from now on have them.",
  match: (object) => {
    if (!isSet(object)) return [];
    const { leaderTemplate, workerTemplate, size = 1 } = getFieldsAt(object, 'spec', 'leaderWorkerTemplate');
    const templates = [leaderTemplate ?? workerTemplate, ...(size === 1 ? [] : [workerTemplate])];
    return templates.some(getsTpuAddresses) ? [{}] : [];
  },
};

const subGroupType: UpgradeRow = {
  id: 'subgroup-type',
  since: '0.10',
  effect: 'new-pods',
  message:
    'LeaderWorkerSet 0.10 also writes the subgroup type as an annotation of the workers. The StatefulSet of the workers is never updated, so groups that are created from now on have it.',
  match: (object) =>
    isSet(object) && getValueAt(object, 'spec', 'leaderWorkerTemplate', 'subGroupPolicy', 'subGroupPolicyType') !== undefined ? [{}] : [],
};

const copiedMetadata: UpgradeRow = {
  id: 'copied-metadata',
  since: '0.10',
  effect: 'settings',
  message: 'LeaderWorkerSet 0.10 copies the labels and annotations of a set to its StatefulSets. No pod is replaced.',
  match: (object) => {
    if (!isSet(object)) return [];
    const copied = [getFieldsAt(object, 'metadata', 'labels'), getFieldsAt(object, 'metadata', 'annotations')];
    return copied.some((map) => Object.keys(map).length > 0) ? [{ fields: [{ path: 'metadata.labels' }] }] : [];
  },
};

/** Differences between versions of LeaderWorkerSet. */
export const LWS_ROWS: readonly UpgradeRow[] = [revisionBytes, leaderLimit, copiedMetadata, tpuAddresses, subGroupType];
