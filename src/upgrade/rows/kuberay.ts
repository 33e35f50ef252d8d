import { getFieldsAt, getListAt, getValueAt, groupOf, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { compareVersions } from '../../core/values/versions';
import type { UpgradeRow } from '../upgrade-row';

/*
 * Differences between versions of KubeRay. The operator creates pods itself and never compares them, so no upgrade restarts a pod.
 * Source: ray-project/kuberay v1.5.1, v1.6.2 and v1.7.0, controllers/ray/raycluster_controller.go, rayservice_controller.go and
 * common/pod.go. 1.5.1 and 1.6.2 were run (`oracle/kuberay/operator_upgrades.go`).
 */

const RAY_KINDS: ReadonlySet<string> = new Set(['RayCluster', 'RayService']);

/** Returns the spec of the cluster of a RayCluster or RayService. */
function clusterSpecOf(object: Manifest): unknown {
  if (groupOf(object) !== 'ray.io' || !RAY_KINDS.has(object.kind)) return undefined;
  return object.kind === 'RayCluster' ? object.spec : getFieldsAt(object, 'spec').rayClusterConfig;
}

/** A group of pods of a cluster: the head, or the workers of one group. */
interface RayGroup {
  readonly isHead: boolean;
  /** Whether its readiness probe also asks the proxy of Ray Serve, with a command. */
  readonly servesTraffic: boolean;
  readonly params: Fields;
  /** Container of Ray: the first one. */
  readonly container: unknown;
}

function listGroups(object: Manifest): readonly RayGroup[] {
  const { headGroupSpec, workerGroupSpecs } = getFieldsAt({ spec: clusterSpecOf(object) }, 'spec');
  const toGroup = (spec: unknown, isHead: boolean): RayGroup => ({
    isHead,
    servesTraffic: !isHead && object.kind === 'RayService',
    params: getFieldsAt(spec, 'rayStartParams'),
    container: getListAt(spec, 'template', 'spec', 'containers')[0],
  });
  const workers = Array.isArray(workerGroupSpecs) ? workerGroupSpecs : [];
  return [...(isFields(headGroupSpec) ? [toGroup(headGroupSpec, true)] : []), ...workers.map((spec) => toGroup(spec, false))];
}

/** Creates the matcher of a row about clusters with a group that satisfies a condition. */
function matchGroups(isMatched: (group: RayGroup, object: Manifest) => boolean): UpgradeRow['match'] {
  return (object) => (listGroups(object).some((group) => isMatched(group, object)) ? [{}] : []);
}

/**
 * Reports whether the pods of a cluster have one endpoint for their health, since Ray 2.53.
 *
 * Source: KubeRay v1.6.2, common/pod.go, `supportsUnifiedHealthCheck`; k8s.io/apimachinery/pkg/util/version, `ParseGeneric`.
 */
function hasHealthEndpoint(object: Manifest): boolean {
  const version = getValueAt(clusterSpecOf(object), 'rayVersion');
  const known = typeof version === 'string' ? /^\s*v?([0-9]+\.[0-9]+)/.exec(version)?.[1] : undefined;
  return known !== undefined && compareVersions(known, '2.53') >= 0;
}

const lacksProbe = ({ container }: RayGroup, probe: string) => !isFields(getValueAt(container, probe));

const httpProbes: UpgradeRow = {
  id: 'http-probes',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 probes pods of Ray 2.53 and later over HTTP at the port of the dashboard agent, no longer with commands. Pods that are created from now on have these probes, next to older pods of the same cluster.',
  match: matchGroups(
    (group, object) =>
      hasHealthEndpoint(object) && (lacksProbe(group, 'livenessProbe') || (lacksProbe(group, 'readinessProbe') && !group.servesTraffic)),
  ),
};

const AGENT_PORT = ['dashboard-agent-listen-port', '52365'] as const;
const DASHBOARD_PORT = ['dashboard-port', '8265'] as const;

/** Reports whether the commands of a group's probes ask other ports than before 1.6. */
function hasOtherPorts(group: RayGroup): boolean {
  const ports = group.isHead ? [AGENT_PORT, DASHBOARD_PORT] : [AGENT_PORT];
  return ports.some(([param, standard]) => {
    const port = group.params[param];
    return typeof port === 'string' && /^[0-9]+$/.test(port) && port !== standard;
  });
}

const probePorts: UpgradeRow = {
  id: 'probe-ports',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 probes pods at the ports that rayStartParams set for the dashboard and its agent, no longer at the default ports. Pods that are created from now on have these probes.',
  match: matchGroups(
    (group, object) =>
      hasOtherPorts(group) &&
      (hasHealthEndpoint(object)
        ? group.servesTraffic && lacksProbe(group, 'readinessProbe')
        : lacksProbe(group, 'livenessProbe') || lacksProbe(group, 'readinessProbe')),
  ),
};

const sharedMemory: UpgradeRow = {
  id: 'plasma-directory',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 leaves out the volume for shared memory where rayStartParams set plasma-directory. Pods that are created from now on lack it.',
  match: matchGroups(
    ({ params, container }) =>
      params['plasma-directory'] !== undefined &&
      !getListAt(container, 'volumeMounts').some((mount) => getValueAt(mount, 'mountPath') === '/dev/shm'),
  ),
};

const namespaceVariable: UpgradeRow = {
  id: 'namespace-variable',
  since: '1.6',
  effect: 'new-pods',
  message:
    'KubeRay 1.6 sets the variable RAY_CLUSTER_NAMESPACE in the Ray container of every pod, and labels workers with the indices of their replica and host. Pods that are created from now on have them.',
  match: matchGroups(() => true),
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
export const KUBERAY_ROWS: readonly UpgradeRow[] = [namespaceVariable, httpProbes, probePorts, sharedMemory, rewrittenCluster];
