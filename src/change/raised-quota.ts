import type { PlanContext } from '../cluster/context';
import { admittedPods } from '../cluster/room/admission';
import { isCounted, quotaUse } from '../cluster/room/quota';
import { fieldsAt, groupOf, nameOf, namespaceOf, valueAt, ownValue } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { nanosOf } from '../core/quantity';
import type { Compared } from './compared';
import { conditionOf, count } from './workload-start';

/** A quota of which an apply allows more. */
interface RaisedQuota {
  readonly before: Manifest;
  readonly after: Manifest;
  /** Of what: `requests.cpu`. */
  readonly resources: readonly string[];
}

/** The quotas that an apply raises, by their namespace. */
export type RaisedQuotas = ReadonlyMap<string, readonly RaisedQuota[]>;

function hardOf(quota: Manifest): Fields {
  return fieldsAt(quota, 'spec', 'hard');
}

/** Resources of which the quota allows more, or all there is. */
function raisedResources(before: Manifest, after: Manifest): string[] {
  return Object.entries(hardOf(before)).flatMap(([resource, quantity]) => {
    const [was, is] = [nanosOf(quantity), nanosOf(ownValue(hardOf(after), resource))];
    return was !== undefined && (is === undefined || is > was) ? [resource] : [];
  });
}

export function raisedQuotas(changed: readonly Compared[]): RaisedQuotas {
  const byNamespace = new Map<string, RaisedQuota[]>();
  for (const { old, result: after } of changed) {
    if (after.kind !== 'ResourceQuota' || groupOf(after) !== '' || !old) continue;
    const resources = raisedResources(old.given, after);
    if (resources.length === 0) continue;
    const namespace = namespaceOf(after) ?? '';
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), { before: old.given, after, resources }]);
  }
  return byNamespace;
}

/** Had the quota no room for one pod more, by its status? */
function wasFull({ before, resources }: RaisedQuota, podSpec: Fields): boolean {
  if (!isCounted(before, podSpec)) return false;
  return resources.some((resource) => {
    const [hard, used] = [hardOf(before), fieldsAt(before, 'status', 'used')].map((amounts) => nanosOf(ownValue(amounts, resource)));
    const use = quotaUse(podSpec, resource);
    return hard !== undefined && used !== undefined && use > 0n && hard - used < use;
  });
}

/** Does the workload say itself that the quota refused its pods? */
function isBlamed({ before }: RaisedQuota, workload: Manifest): boolean {
  const { status, message } = conditionOf(workload, 'ReplicaFailure');
  return status === 'True' && typeof message === 'string' && message.includes(`exceeded quota: ${nameOf(before)},`);
}

/** Pods of a live workload that wait for a quota. */
export interface WaitingPods {
  /** Pods that exist. */
  readonly there: number;
  /** The quotas that kept the others from coming, and that the apply raises. */
  readonly causedBy: readonly Manifest[];
}

/**
 * The pods that a live workload lacks because a quota refused them which the apply raises: its controller tries again, and they come.
 * Undefined where it has all, or nothing shows that it was the quota.
 *
 * @param wanted - pods that it is to have
 */
export function podsFreedByQuota(workload: Manifest, wanted: number, raised: RaisedQuotas, context: PlanContext): WaitingPods | undefined {
  const namespace = namespaceOf(workload) ?? '';
  const quotas = raised.get(namespace);
  const there = count(valueAt(workload, 'status', 'replicas'));
  // A controller has seen the object once it says of which generation its status is.
  const isSeen = valueAt(workload, 'status', 'observedGeneration') !== undefined;
  if (!quotas || !isSeen || there === undefined || there >= wanted) return undefined;
  const template = fieldsAt(workload, 'spec', 'template');
  const admitted = admittedPods({ namespace, replicas: wanted, template }, context);
  const podSpec = fieldsAt(admitted.template, 'spec');
  const causedBy = quotas.filter((quota) => isBlamed(quota, workload) || wasFull(quota, podSpec)).map(({ after }) => after);
  return causedBy.length > 0 ? { there, causedBy } : undefined;
}
