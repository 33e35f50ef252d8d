import { getFieldsAt, getValueAt, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { compareVersions } from '../../core/versions';
import type { UpgradeRow } from '../upgrade-row';

/*
 * Differences between versions of KubeRay. The operator creates pods itself and never compares them, so no upgrade restarts a pod.
 * Source: ray-project/kuberay v1.5.1, v1.6.2 and v1.7.0, controllers/ray/raycluster_controller.go, rayservice_controller.go and
 * common/pod.go.
 */

const RAY_KINDS: ReadonlySet<string> = new Set(['RayCluster', 'RayService']);

/** Returns the spec of the cluster of a RayCluster or RayService. */
function clusterSpecOf(object: Manifest): unknown {
  if (groupOf(object) !== 'ray.io' || !RAY_KINDS.has(object.kind)) return undefined;
  return object.kind === 'RayCluster' ? object.spec : getFieldsAt(object, 'spec').rayClusterConfig;
}

/** Returns the version of Ray, `2.53.0`; undefined if it cannot be read. */
function rayVersionOf(object: Manifest): string | undefined {
  const version = getValueAt(clusterSpecOf(object), 'rayVersion');
  return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
}

const httpProbes: UpgradeRow = {
  id: 'http-probes',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 probes pods of Ray 2.53 and later over HTTP at the port of the dashboard agent, no longer with commands. Pods that are created from now on have these probes, next to older pods of the same cluster.',
  match: (object) => {
    const version = rayVersionOf(object);
    return version !== undefined && compareVersions(version, '2.53') >= 0 ? [{}] : [];
  },
};

const sharedMemory: UpgradeRow = {
  id: 'plasma-directory',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 leaves out the volume for shared memory where rayStartParams set plasma-directory. Pods that are created from now on lack it.',
  match: (object) => (JSON.stringify(clusterSpecOf(object) ?? null).includes('"plasma-directory"') ? [{}] : []),
};

const rewrittenCluster: UpgradeRow = {
  id: 'rewritten-cluster',
  effect: 'settings',
  message: ({ to }) =>
    `KubeRay ${to} writes the whole spec of a RayService into its active RayCluster again, because the annotation ray.io/kuberay-version names another version. Running pods stay; edits of replicas and appended groups that were ignored until then take effect.`,
  match: (object) =>
    object.kind === 'RayService' && groupOf(object) === 'ray.io'
      ? [{ fields: [{ path: 'metadata.annotations[ray.io/kuberay-version]' }] }]
      : [],
};

/** Differences between versions of KubeRay. */
export const KUBERAY_ROWS: readonly UpgradeRow[] = [httpProbes, sharedMemory, rewrittenCluster];
