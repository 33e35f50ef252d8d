import { groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** Groups of the API server itself, and of objects that route requests. Their pods, if they have any, are those of their template. */
const CORE_GROUP = /^(?:|apps|batch|autoscaling|policy|extensions|(?:.+\.)?k8s\.io)$/;

/** Groups whose controllers create no pods that serve: certificates, secrets, routes, policies, sources of deployments. */
const GROUPS_WITHOUT_PODS: readonly RegExp[] = [
  /^(?:acme\.)?cert-manager\.io$/,
  /^(?:generators\.)?external-secrets\.io$/,
  /^(?:networking|security|telemetry|extensions)\.istio\.io$/,
  /^(?:source|image|notification)\.toolkit\.fluxcd\.io$/,
  /^(?:constraints|templates|config|mutations)\.gatekeeper\.sh$/,
  /^(?:.+\.)?(?:x-k8s\.io|cilium\.io|projectcalico\.org|kyverno\.io|linkerd\.io|karpenter\.sh)$/,
  /^(?:bitnami\.com|keda\.sh|traefik\.io|traefik\.containo\.us|gateway\.envoyproxy\.io|projectcontour\.io)$/,
];

/** Kinds without pods of groups that have other kinds with pods. */
const KINDS_WITHOUT_PODS: Readonly<Record<string, readonly string[]>> = {
  'argoproj.io': ['AnalysisTemplate', 'ClusterAnalysisTemplate', 'AppProject'],
  'monitoring.coreos.com': ['ServiceMonitor', 'PodMonitor', 'Probe', 'PrometheusRule', 'ScrapeConfig', 'AlertmanagerConfig'],
  'serving.kserve.io': ['ServingRuntime', 'ClusterServingRuntime', 'ClusterStorageContainer'],
};

/** Reports whether the controller of an object creates no pods, or only those of a template in the object. */
export function hasNoPodsOfItsOwn(object: Manifest): boolean {
  const group = groupOf(object);
  if (CORE_GROUP.test(group) || GROUPS_WITHOUT_PODS.some((pattern) => pattern.test(group))) return true;
  return Object.hasOwn(KINDS_WITHOUT_PODS, group) && KINDS_WITHOUT_PODS[group]!.includes(object.kind);
}
