import * as k8s from '@pulumi/kubernetes';
import type { apps, core } from '@pulumi/kubernetes/types/input';
import { log, runtime, RunError } from '@pulumi/pulumi';
import type { CustomResourceOptions, ProviderResource, Resource } from '@pulumi/pulumi';
import { annotationOf, formatReference, groupOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { findCallSite } from '../props/call-site';
import { explainEndlessWait, SKIP_AWAIT_ANNOTATION } from './await-rules';
import { memoizePerProgram } from './program-context';

type ResourceRegistrar = (name: string, manifest: Manifest, opts: CustomResourceOptions) => Resource;

/**
 * Built-in kinds and their typed classes. As a CustomResource, a ConfigMap would have the type `kubernetes:v1:ConfigMap` instead of
 * `kubernetes:core/v1:ConfigMap`, and policies and transforms that match types would miss it.
 */
const BUILT_IN_REGISTRARS: Readonly<Record<string, ResourceRegistrar>> = {
  'v1 ConfigMap': (name, manifest, opts) => new k8s.core.v1.ConfigMap(name, manifest as core.v1.ConfigMap, opts),
  'apps/v1 Deployment': (name, manifest, opts) => new k8s.apps.v1.Deployment(name, manifest as unknown as apps.v1.Deployment, opts),
  'apps/v1 StatefulSet': (name, manifest, opts) => new k8s.apps.v1.StatefulSet(name, manifest as unknown as apps.v1.StatefulSet, opts),
};

/**
 * Kinds without a Ready condition, by group. Pulumi would wait for it forever when it awaits custom resources.
 *
 * Gateway API: GatewayClass has Accepted, Gateway has Accepted and Programmed, HTTPRoute has conditions for each parent. Fleet:
 * a ClusterGroup counts its clusters. A LeaderWorkerSet has Available and Progressing, an ApplicationSet has ResourcesUpToDate,
 * and the status of a DisaggregatedSet is never written (0.9).
 */
const KINDS_WITHOUT_READINESS: Readonly<Record<string, readonly string[]>> = {
  'gateway.networking.k8s.io': ['GatewayClass', 'Gateway', 'HTTPRoute'],
  'fleet.cattle.io': ['ClusterGroup'],
  'argoproj.io': ['ApplicationSet'],
  'leaderworkerset.x-k8s.io': ['LeaderWorkerSet'],
  'disaggregatedset.x-k8s.io': ['DisaggregatedSet'],
};

/** Adds the annotation not to wait if the kind has no Ready condition, or the wait for an update never ends. */
function skipFutileAwait(manifest: Manifest): Manifest {
  const isFutile = KINDS_WITHOUT_READINESS[groupOf(manifest)]?.includes(manifest.kind) || explainEndlessWait(manifest) !== undefined;
  return isFutile ? addSkipAwait(manifest) : manifest;
}

/** Logs at preview that Pulumi does not wait for a workload whose update would never end. */
function logSkippedAwait(manifest: Manifest, resource: Resource): void {
  const reason = explainEndlessWait(manifest);
  if (reason === undefined || annotationOf(manifest, SKIP_AWAIT_ANNOTATION) !== 'true' || !runtime.isDryRun()) return;
  void log.info(`Pulumi does not wait for its pods (${SKIP_AWAIT_ANNOTATION}), because ${reason}`, resource);
}

/** Adds the annotation not to wait for an object, unless the user has set it. */
export function addSkipAwait(manifest: Manifest): Manifest {
  const annotations = { [SKIP_AWAIT_ANNOTATION]: 'true', ...manifest.metadata?.annotations };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** An object that a component registered. */
interface RegisteredObject {
  readonly provider: ProviderResource | undefined;
  /** Type, name and call site of the component. */
  readonly owner: string;
}

/** Objects that components registered. */
const registeredObjects = memoizePerProgram(() => new Map<string, RegisteredObject[]>());

/**
 * Requires that no other component of the program registers the same object in the same cluster: the second create would fail.
 *
 * @throws RunError with both components
 */
function requireUniqueObject({ apiVersion, kind, metadata }: Manifest, { parent }: CustomResourceOptions, owner: string): void {
  const { name, namespace } = metadata ?? {};
  // A value of an Output is not known here.
  if (typeof name !== 'string' || (namespace !== undefined && typeof namespace !== 'string')) return;
  const objects = registeredObjects();
  const provider = parent?.getProvider('kubernetes::');
  const key = JSON.stringify([groupOf({ apiVersion }), kind, namespace, name]);
  const others = objects.get(key) ?? [];
  const other = others.find((each) => each.provider === provider);
  if (other) {
    throw new RunError(
      `${owner} is refused:\n  ${formatReference({ kind, namespace, name })} is also created by ${other.owner}, but a cluster has only one object with that name. Give one of the two ` +
        'another name or namespace, or pass a provider of another cluster',
    );
  }
  objects.set(key, [...others, { provider, owner }]);
}

/** Names the component that registers an object: `FleetBundle "shop" (created at main.ts:12:1)`. */
function describeOwner({ parent }: CustomResourceOptions, name: string): string {
  const location = findCallSite();
  return `${parent?.constructor.name ?? 'resource'} "${name}"${location === undefined ? '' : ` (created at ${location})`}`;
}

/** Registers one object: with its typed class if it is a built-in kind, otherwise as a CustomResource. */
export function registerObject(name: string, manifest: Manifest, opts: CustomResourceOptions): Resource {
  const register = BUILT_IN_REGISTRARS[`${manifest.apiVersion} ${manifest.kind}`];
  requireUniqueObject(manifest, opts, describeOwner(opts, name));
  const object = skipFutileAwait(manifest);
  const resource = register ? register(name, object, opts) : new k8s.apiextensions.CustomResource(name, object, opts);
  logSkippedAwait(object, resource);
  return resource;
}
