import * as k8s from '@pulumi/kubernetes';
import type { apps, core } from '@pulumi/kubernetes/types/input';
import type { CustomResourceOptions, Resource } from '@pulumi/pulumi';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

type ResourceRegistrar = (name: string, manifest: Manifest, opts: CustomResourceOptions) => Resource;

/**
 * Kinds of Kubernetes itself and their typed classes: registered as CustomResource a ConfigMap would be of type `kubernetes:v1:ConfigMap`
 * and not `kubernetes:core/v1:ConfigMap`, and every policy and transform that goes by types would miss it.
 */
const BUILT_IN_REGISTRARS: Readonly<Record<string, ResourceRegistrar>> = {
  'v1 ConfigMap': (name, manifest, opts) => new k8s.core.v1.ConfigMap(name, manifest as core.v1.ConfigMap, opts),
  'apps/v1 Deployment': (name, manifest, opts) => new k8s.apps.v1.Deployment(name, manifest as unknown as apps.v1.Deployment, opts),
  'apps/v1 StatefulSet': (name, manifest, opts) => new k8s.apps.v1.StatefulSet(name, manifest as unknown as apps.v1.StatefulSet, opts),
};

/**
 * Kinds whose status never says Ready as a whole, by group: Pulumi would wait for it in vain where it awaits custom resources.
 *
 * Gateway API: GatewayClass has Accepted, Gateway Accepted and Programmed, HTTPRoute conditions for each parent. Fleet:
 * a ClusterGroup counts its clusters. A LeaderWorkerSet has Available and Progressing, an ApplicationSet ResourcesUpToDate,
 * and of a DisaggregatedSet no status is written (0.9).
 */
const KINDS_WITHOUT_READINESS: Readonly<Record<string, readonly string[]>> = {
  'gateway.networking.k8s.io': ['GatewayClass', 'Gateway', 'HTTPRoute'],
  'fleet.cattle.io': ['ClusterGroup'],
  'argoproj.io': ['ApplicationSet'],
  'leaderworkerset.x-k8s.io': ['LeaderWorkerSet'],
  'disaggregatedset.x-k8s.io': ['DisaggregatedSet'],
};

/** The annotation by which Pulumi does not wait for an object. */
const SKIP_AWAIT_ANNOTATION = 'pulumi.com/skipAwait';

/** The object as Pulumi gets it: with the annotation not to wait, where there is nothing to wait for. */
function skipFutileAwait(manifest: Manifest): Manifest {
  return KINDS_WITHOUT_READINESS[groupOf(manifest)]?.includes(manifest.kind) ? addSkipAwait(manifest) : manifest;
}

/** The object with the annotation not to wait for it, unless the user has said otherwise. */
export function addSkipAwait(manifest: Manifest): Manifest {
  const annotations = { [SKIP_AWAIT_ANNOTATION]: 'true', ...manifest.metadata?.annotations };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** Registers one object: of its typed class where it is one of Kubernetes' own kinds, as CustomResource otherwise. */
export function registerObject(name: string, manifest: Manifest, opts: CustomResourceOptions): Resource {
  const register = BUILT_IN_REGISTRARS[`${manifest.apiVersion} ${manifest.kind}`];
  const object = skipFutileAwait(manifest);
  if (register) return register(name, object, opts);
  return new k8s.apiextensions.CustomResource(name, object, opts);
}
