import { inputFinding } from '../core/catalogue';
import type { Finding } from '../core/finding';
import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanContext } from '../cluster/context';

/** Kinds that plans look at beside the rollouts, by group; of ConfigMaps KServe's alone. */
const CONTEXT_KINDS: ReadonlySet<string> = new Set([
  '/ResourceQuota',
  '/PersistentVolumeClaim',
  'policy/PodDisruptionBudget',
  'autoscaling/HorizontalPodAutoscaler',
  'gateway.networking.k8s.io/Gateway',
  'gateway.networking.k8s.io/HTTPRoute',
  'fleet.cattle.io/Cluster',
  'fleet.cattle.io/ClusterGroup',
  'fleet.cattle.io/GitRepo',
]);

function isContext(object: Manifest): boolean {
  const kind = `${groupOf(object)}/${object.kind}`;
  return CONTEXT_KINDS.has(kind) || (kind === '/ConfigMap' && nameOf(object) === 'inferenceservice-config');
}

function describeObject(object: Manifest): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}

function duplicateFinding(object: Manifest, first: Manifest, context: PlanContext): Finding {
  const place = context.locate(first, 'metadata.name');
  const where = place ? ` at ${place.file}:${place.line}` : ' before it';
  return inputFinding('input/duplicate-resource', {
    path: 'metadata.name',
    message: `${describeObject(object)} stands in the input twice; the first is${where}, and a cluster holds one object of that name.`,
    help: 'Delete one of the two, or give it a name or namespace of its own.',
    source: context.locate(object, 'metadata.name'),
  });
}

/**
 * One finding for every object that has the group, kind, namespace and name of an earlier one, rollouts and context objects alone.
 *
 * Objects without a name are left out: the API server makes them one from `generateName`.
 */
export function duplicateFindings(context: PlanContext, isRollout: (object: Manifest) => boolean): Finding[] {
  const firsts = new Map<string, Manifest>();
  const findings: Finding[] = [];
  for (const object of context.objects) {
    const name = nameOf(object);
    if (name === '' || !(isContext(object) || isRollout(object))) continue;
    const key = JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
    const first = firsts.get(key);
    if (first) findings.push(duplicateFinding(object, first, context));
    else firsts.set(key, object);
  }
  return findings;
}
