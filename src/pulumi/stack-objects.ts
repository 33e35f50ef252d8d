import type { PolicyResource } from '@pulumi/policy';
import { groupBy } from '../core/collections/group-by';
import { groupOf, isManifest, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { isContextObject } from '../cluster/kinds/context-kinds';
import { toResourceRef } from '../core/document/rollout';
import type { ResourceRef } from '../core/document/rollout';
import { isPatchType, isUnknownValueError, pickResolvedValues, withResourceName } from './resolved-values';

/** An object of a stack, and the URN of its resource. */
export interface StackObject {
  readonly urn: string;
  readonly object: Manifest;
  /** Whether the resource writes only a part of an object that something else applies. */
  readonly isPatch: boolean;
  /** Fields that Pulumi does not update. */
  readonly ignored: readonly string[];
}

/** Properties of a provider that select its cluster. */
const CLUSTER_PROPS = ['kubeconfig', 'context', 'cluster'] as const;

/** Returns a text that is the same for providers of the same cluster. A provider whose cluster is not known at preview has one of its own. */
function getClusterKey({ provider }: PolicyResource): string {
  const { props = {}, urn } = provider ?? {};
  try {
    return JSON.stringify(CLUSTER_PROPS.map((name): unknown => (props as Readonly<Record<string, unknown>>)[name]));
  } catch (failure) {
    if (!isUnknownValueError(failure)) throw failure;
    return urn!;
  }
}

/** Groups the resources of a stack by the cluster of their provider: a quota or a budget of one cluster says nothing about another one. */
export function groupByCluster(resources: readonly PolicyResource[]): readonly (readonly PolicyResource[])[] {
  return [...groupBy(resources, getClusterKey).values()];
}

/** Reports whether a resource is one of the Kubernetes provider: an object, or a component that creates objects. */
export function isKubernetesResource({ type }: PolicyResource): boolean {
  return type.startsWith('kubernetes:');
}

/** Returns the object of a resource; none for a component, and for a resource whose kind is not known at preview. */
export function toStackObjects(resource: PolicyResource): StackObject[] {
  const { type, name, props, urn, opts } = resource;
  if (!isKubernetesResource(resource)) return [];
  const object = withResourceName(pickResolvedValues(props), name);
  return isManifest(object) ? [{ urn, object, isPatch: isPatchType(type, object), ignored: opts?.ignoreChanges ?? [] }] : [];
}

/** Reports whether an object is a ConfigMap of a system, such as that of KServe. Plans read it key by key, so a patch of it is enough. */
function isSystemConfig(object: Manifest): boolean {
  return object.kind === 'ConfigMap' && groupOf(object) === '' && isContextObject(object);
}

/** Returns the objects of one cluster that policies evaluate. A patch is a part of an object, so it is none of them, except that of a system's ConfigMap which the stack does not create. */
export function listEvaluatedObjects(resources: readonly PolicyResource[]): readonly StackObject[] {
  const all = resources.flatMap(toStackObjects);
  const complete = all.filter(({ isPatch }) => !isPatch);
  const isCreated = (patch: Manifest) =>
    complete.some(({ object }) => isResourceOfPlan(object, toResourceRef(patch, nameOf(patch), namespaceOf(patch))));
  return all.filter(({ isPatch, object }) => !isPatch || (isSystemConfig(object) && !isCreated(object)));
}

/** Groups the objects of a stack that policies evaluate by their cluster. */
export function groupObjectsByCluster(resources: readonly PolicyResource[]): readonly (readonly StackObject[])[] {
  return groupByCluster(resources).map(listEvaluatedObjects);
}

/** Reports whether an object is the resource of a plan. */
export function isResourceOfPlan(object: Manifest, resource: ResourceRef): boolean {
  const isSameKind = object.apiVersion === resource.apiVersion && object.kind === resource.kind;
  return isSameKind && nameOf(object) === resource.name && namespaceOf(object) === resource.namespace;
}
