import { groupOf, isFields, getValueAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findControllingOwner } from './ownership';
import { CONTEXT_KINDS, POD_KINDS, formatKindKey } from './context-kinds';

const NO_SYSTEM = 'rolloutkit does not support it';
const NOT_REPLACED = 'no controller replaces its pods when it changes';
const OWN_CLUSTER = 'like a bare Pod it is not rolled out: KubeRay does not replace pods of a running cluster';
const RUNS_ONCE = 'it runs on its own cluster until it ends, and nothing is rolled out';
const HOLDS_OBJECTS = 'plan the objects that `oc process` prints instead';
const APPLIES_TEXTS = 'its controller applies the objects in it, which are not planned';
const APPLIES_OTHERS = 'what it applies is defined elsewhere: render that and plan it';

/**
 * Kinds that roll out pods or control rollouts and that no system plans, by group, each with the reason. Any other kind with a pod template
 * counts as well. Jobs and CronJobs do not, because they run their pods once and roll nothing out.
 */
const UNPLANNED_KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { Pod: `a bare Pod: ${NOT_REPLACED}`, ReplicationController: NOT_REPLACED, DeploymentConfig: NO_SYSTEM, Template: HOLDS_OBJECTS },
  apps: { ReplicaSet: NOT_REPLACED },
  'ray.io': { RayCluster: OWN_CLUSTER, RayJob: RUNS_ONCE, RayCronJob: RUNS_ONCE },
  'serving.knative.dev': { Configuration: NO_SYSTEM, Revision: NO_SYSTEM },
  'serving.kserve.io': { LLMInferenceServiceConfig: NO_SYSTEM, InferenceGraph: NO_SYSTEM },
  'serving.kubeflow.org': { InferenceService: 'KServe moved from this group to serving.kserve.io' },
  'argoproj.io': { Application: APPLIES_OTHERS, ApplicationSet: APPLIES_OTHERS, ConfigManagementPlugin: APPLIES_OTHERS },
  'fleet.cattle.io': {
    BundleNamespaceMapping: 'it lets Bundles target clusters of other namespaces, which plans do not model',
    Schedule: 'it decides when clusters are updated, which plans do not model',
  },
  'kustomize.toolkit.fluxcd.io': { Kustomization: APPLIES_OTHERS },
  'helm.toolkit.fluxcd.io': { HelmRelease: APPLIES_OTHERS },
  'apps.open-cluster-management.io': { Subscription: APPLIES_OTHERS, HelmRelease: APPLIES_OTHERS },
  'cluster.x-k8s.io': { MachineDeployment: 'it replaces the machines that the pods run on, and rolloutkit does not support it' },
  'kubevirt.io': { VirtualMachine: NO_SYSTEM },
  'apps.kruise.io': {
    CloneSet: NO_SYSTEM,
    StatefulSet: NO_SYSTEM,
    DaemonSet: NO_SYSTEM,
    SidecarSet: NO_SYSTEM,
    UnitedDeployment: NO_SYSTEM,
  },
  'rollouts.kruise.io': {
    Rollout: 'OpenKruise replaces the pods in its own steps, which rolloutkit does not support',
    BatchRelease: NO_SYSTEM,
  },
  'apps.openshift.io': { DeploymentConfig: NO_SYSTEM },
  'template.openshift.io': { Template: HOLDS_OBJECTS },
  'autoscaling.k8s.io': { VerticalPodAutoscaler: 'it evicts pods to resize them, and rolloutkit does not support it' },
  'work.open-cluster-management.io': { ManifestWork: NO_SYSTEM, ManifestWorkReplicaSet: NO_SYSTEM },
  'addon.open-cluster-management.io': { ClusterManagementAddOn: NO_SYSTEM },
  'fluxcd.controlplane.io': { ResourceSet: APPLIES_TEXTS },
  'addons.cluster.x-k8s.io': { ClusterResourceSet: APPLIES_TEXTS },
  'kappctrl.k14s.io': { App: APPLIES_TEXTS },
  'kubernetes.crossplane.io': { Object: APPLIES_TEXTS },
  'kubernetes.m.crossplane.io': { Object: APPLIES_TEXTS, ClusterObject: APPLIES_TEXTS },
  'project.cattle.io': { App: APPLIES_OTHERS },
  'placement.kubernetes-fleet.io': {
    ClusterResourcePlacement: NO_SYSTEM,
    ResourcePlacement: NO_SYSTEM,
    ClusterStagedUpdateRun: NO_SYSTEM,
    StagedUpdateRun: NO_SYSTEM,
  },
  'machinelearning.seldon.io': { SeldonDeployment: NO_SYSTEM },
  'mlops.seldon.io': { Model: NO_SYSTEM, Server: NO_SYSTEM },
  'nvidia.com': { DynamoGraphDeployment: NO_SYSTEM, DynamoComponentDeployment: NO_SYSTEM },
  'agents.x-k8s.io': { Sandbox: NO_SYSTEM },
  'extensions.agents.x-k8s.io': { SandboxWarmPool: NO_SYSTEM },
};

const PROVIDER_SETTINGS = ['ProviderConfig', 'ClusterProviderConfig', 'ProviderConfigUsage', 'ClusterProviderConfigUsage'];

/** Groups of tools that apply objects which the input does not contain, such as those of a chart, each with the kinds that make them apply none. Any other kind counts. */
const APPLYING_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'addons.cluster.x-k8s.io': [],
  'apps.projectsveltos.io': [],
  'catalog.cattle.io': ['ClusterRepo', 'Operation', 'UIPlugin'],
  'config.projectsveltos.io': ['ClusterConfiguration', 'ClusterReport', 'ResourceSummary'],
  'configmanagement.gke.io': [],
  'configsync.gke.io': [],
  'core.oam.dev': [],
  'fluxcd.controlplane.io': ['FluxReport'],
  'gitops.kluctl.io': [],
  'helm.cattle.io': [],
  'helm.crossplane.io': PROVIDER_SETTINGS,
  'helm.fluxcd.io': [],
  'helm.m.crossplane.io': PROVIDER_SETTINGS,
  'k3s.cattle.io': ['ETCDSnapshotFile'],
  'kappctrl.k14s.io': [],
  'kubernetes.crossplane.io': PROVIDER_SETTINGS,
  'kubernetes.m.crossplane.io': PROVIDER_SETTINGS,
  'lib.projectsveltos.io': ['Classifier', 'ClusterHealthCheck', 'EventSource', 'HealthCheck', 'RoleRequest', 'SveltosCluster'],
  'olm.operatorframework.io': ['ClusterCatalog'],
  'operators.coreos.com': ['OLMConfig', 'Operator', 'OperatorCondition', 'OperatorGroup'],
  'packaging.carvel.dev': [],
  'pkg.crossplane.io': ['ImageConfig', 'Lock'],
  'standard.oam.dev': [],
  'templates.kluctl.io': ['GitProjector', 'GithubComment', 'GitlabComment', 'ListGithubPullRequests', 'ListGitlabMergeRequests'],
};

/** Kinds of operators that create workloads and that no system supports, by group. */
const OPERATOR_WORKLOAD_KINDS: Readonly<Record<string, readonly string[]>> = {
  'acid.zalan.do': ['postgresql'],
  'agent.k8s.elastic.co': ['Agent'],
  'apm.k8s.elastic.co': ['ApmServer'],
  'apps.emqx.io': ['EMQX'],
  'argoproj.io': ['ArgoCD', 'EventBus', 'EventSource', 'RolloutManager', 'Sensor'],
  'beat.k8s.elastic.co': ['Beat'],
  'camel.apache.org': ['Integration'],
  'cassandra.datastax.com': ['CassandraDatacenter'],
  'ceph.rook.io': ['CephCluster', 'CephFilesystem', 'CephObjectStore'],
  'clickhouse.altinity.com': ['ClickHouseInstallation'],
  'core.humio.com': ['HumioCluster'],
  'databases.spotahome.com': ['RedisFailover'],
  'dragonflydb.io': ['Dragonfly'],
  'elasticsearch.k8s.elastic.co': ['Elasticsearch'],
  'flink.apache.org': ['FlinkDeployment'],
  'fluentbit.fluent.io': ['FluentBit'],
  'fluentd.fluent.io': ['Fluentd'],
  'grafana.integreatly.org': ['Grafana'],
  'install.istio.io': ['IstioOperator'],
  'jaegertracing.io': ['Jaeger'],
  'k8s.keycloak.org': ['Keycloak'],
  'k8s.mariadb.com': ['MariaDB', 'MaxScale'],
  'kafka.banzaicloud.io': ['KafkaCluster'],
  'kafka.strimzi.io': ['Kafka', 'KafkaBridge', 'KafkaConnect', 'KafkaMirrorMaker', 'KafkaMirrorMaker2', 'KafkaNodePool'],
  'kiali.io': ['Kiali'],
  'kibana.k8s.elastic.co': ['Kibana'],
  'logging.banzaicloud.io': ['Logging'],
  'logstash.k8s.elastic.co': ['Logstash'],
  'loki.grafana.com': ['LokiStack'],
  'maistra.io': ['ServiceMeshControlPlane'],
  'mariadb.mmontes.io': ['MariaDB'],
  'maps.k8s.elastic.co': ['ElasticMapsServer'],
  'minio.min.io': ['Tenant'],
  'monitoring.coreos.com': ['Prometheus', 'PrometheusAgent', 'Alertmanager', 'ThanosRuler'],
  'mongodbcommunity.mongodb.com': ['MongoDBCommunity'],
  'numaflow.numaproj.io': ['InterStepBufferService', 'MonoVertex', 'Pipeline'],
  'openfaas.com': ['Function'],
  'opensearch.opster.io': ['OpenSearchCluster'],
  'opentelemetry.io': ['OpenTelemetryCollector', 'TargetAllocator'],
  'operator.knative.dev': ['KnativeEventing', 'KnativeServing'],
  'operator.victoriametrics.com': ['VLogs', 'VMAgent', 'VMAlert', 'VMAlertmanager', 'VMAuth', 'VMCluster', 'VMSingle'],
  'platform.confluent.io': ['Connect', 'ControlCenter', 'Kafka', 'KsqlDB', 'SchemaRegistry', 'Zookeeper'],
  'postgres-operator.crunchydata.com': ['PostgresCluster'],
  'postgresql.cnpg.io': ['Cluster', 'Pooler'],
  'projectcontour.io': ['ContourDeployment'],
  'psmdb.percona.com': ['PerconaServerMongoDB'],
  'pxc.percona.com': ['PerconaXtraDBCluster'],
  'rabbitmq.com': ['RabbitmqCluster'],
  'redis.redis.opstreelabs.in': ['Redis', 'RedisCluster', 'RedisReplication', 'RedisSentinel'],
  'sailoperator.io': ['Istio', 'IstioCNI', 'ZTunnel'],
  'solr.apache.org': ['SolrCloud'],
  'spark.apache.org': ['SparkCluster'],
  'tempo.grafana.com': ['TempoMonolithic', 'TempoStack'],
};

/** Groups whose kinds run pods once. */
const RUN_ONCE_GROUPS: ReadonlySet<string> = new Set(['batch']);

const KNOWN_KIND_KEYS: ReadonlySet<string> = new Set([...Object.values(CONTEXT_KINDS), ...Object.values(POD_KINDS)].map(formatKindKey));

function hasPodTemplate(object: Manifest): boolean {
  const podSpec = getValueAt(object, 'spec', 'template', 'spec');
  return isFields(podSpec) && Array.isArray(podSpec.containers);
}

/** Reports whether a VerticalPodAutoscaler only recommends requests and evicts no pods. */
function onlyRecommends(object: Manifest): boolean {
  return object.kind === CONTEXT_KINDS.verticalPodAutoscaler.kind && getValueAt(object, 'spec', 'updatePolicy', 'updateMode') === 'Off';
}

/** Kinds that output of kubectl contains, often without their owners. */
const CONTROLLED_KINDS: ReadonlySet<string> = new Set(['/Pod', 'apps/ReplicaSet']);

const OWNER_NOT_IN_VIEW = 'the object that controls it is not in the input';

/**
 * Returns why an object that no system recognises is not planned. Returns undefined if it rolls out no pods, or if another object controls
 * it and counts for it.
 *
 * @param isOwnerCounted - reports whether the owner of the object is planned or counted. @default - every owner is
 */
export function explainNotPlanned(object: Manifest, isOwnerCounted: (owner: Fields) => boolean = () => true): string | undefined {
  const owner = findControllingOwner(object);
  if (owner !== undefined && isOwnerCounted(owner)) return undefined;
  const group = groupOf(object);
  // A manifest may have a uid too, so a uid is no reason to leave an object out.
  if (owner !== undefined && CONTROLLED_KINDS.has(`${group}/${object.kind}`)) return OWNER_NOT_IN_VIEW;
  const kinds = getOwnValue(UNPLANNED_KINDS, group);
  const reason = kinds && getOwnValue(kinds, object.kind);
  if (reason !== undefined) return onlyRecommends(object) ? undefined : reason;
  if (getOwnValue(APPLYING_GROUPS, group)?.includes(object.kind) === false) return APPLIES_OTHERS;
  if (getOwnValue(OPERATOR_WORKLOAD_KINDS, group)?.includes(object.kind)) return NO_SYSTEM;
  if (RUN_ONCE_GROUPS.has(group) || KNOWN_KIND_KEYS.has(formatKindKey({ group, kind: object.kind }))) return undefined;
  return hasPodTemplate(object) ? NO_SYSTEM : undefined;
}
