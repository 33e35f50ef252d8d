import { serviceWithoutEndpoints } from '../../cluster/services/rules/service-without-endpoints';
import type { PlanChange } from '../../core/behaviour';
import { groupOf } from '../../core/manifest';
import type { PlanDocument } from '../../core/plan-document';
import type { ResourceRef } from '../../core/rollout';
import { getLeastInUse } from '../../core/service-plan';
import type { ServicePlan } from '../../core/service-plan';
import { toSafeText } from '../../core/value-text';

/** Name of the only compared field of a Service. */
const FIELD = 'leastReadyEndpoints';

function keyOf({ resource }: Pick<ServicePlan, 'resource'>): string {
  const { kind, namespace, name } = resource;
  return JSON.stringify([groupOf(resource), kind, namespace, name]);
}

function mapByKey({ services = [] }: Pick<PlanDocument, 'services'>): ReadonlyMap<string, ServicePlan> {
  return new Map(services.map((service) => [keyOf(service), service]));
}

/** Returns what a change does to a Service that neither side shows: it loses endpoints that both sides have. Undefined if it keeps some. */
function findLoss(changed: ServicePlan, before: ServicePlan | undefined, after: ServicePlan | undefined): PlanChange | undefined {
  const { readyEndpoints, resource, mayAlsoSelect } = changed;
  // A workload that is scaled to 0, or that its strategy takes down, has no endpoints on its own side either.
  if (mayAlsoSelect || readyEndpoints.before === 0 || getLeastInUse(readyEndpoints) > 0 || after?.readyEndpoints.least === 0)
    return undefined;
  const old = before?.readyEndpoints.least ?? readyEndpoints.before;
  if (old === 0) return undefined;
  const reason = 'The change leaves the Service without ready endpoints, although the rollouts keep pods available.';
  return { resource, field: FIELD, old, new: 0, risk: 'riskier', reason };
}

/** Compares the fewest ready endpoints of a Service during a full rollout. A Service that is scaled is no risk. */
function compareLeast(before: ServicePlan | undefined, after: ServicePlan): PlanChange | undefined {
  const [old, next] = [before?.readyEndpoints, after.readyEndpoints];
  if (!old || old.least === next.least) return undefined;
  const { resource } = after;
  if (old.before !== next.before) return { resource, field: FIELD, old: old.least, new: next.least, risk: 'neutral' };
  const isRiskier = next.least < old.least;
  const reason = 'The fewer endpoints are ready at the worst moment, the less capacity is left to serve.';
  return { resource, field: FIELD, old: old.least, new: next.least, risk: isRiskier ? 'riskier' : 'safer', reason };
}

/** Services and findings of the plan of a change. */
export type ChangedServices = Pick<PlanDocument, 'services'> & Partial<Pick<PlanDocument, 'findings'>>;

/** Returns the Service that a finding names: `Service shop/api`. */
function parseService(label: string): ResourceRef {
  const [name, namespace] = label.split(' ').at(-1)!.split('/').toReversed() as [string, string?];
  return { apiVersion: 'v1', kind: 'Service', ...(namespace !== undefined && { namespace }), name };
}

/** Lists the losses of Services whose endpoints are not counted, because the nodes of their pods are not known. */
function listUncountedLosses({ services = [], findings = [] }: ChangedServices): PlanChange[] {
  const counted = new Set(services.filter(({ mayAlsoSelect }) => mayAlsoSelect === undefined).map(keyOf));
  return findings
    .filter((finding) => serviceWithoutEndpoints.matches(finding) && finding.messageId !== 'pending' && finding.messageId !== 'scaled')
    .map(({ data, message }) => ({ resource: parseService(toSafeText(data.service)), message }))
    .filter(({ resource }) => !counted.has(keyOf({ resource })))
    .map(({ resource, message }) => ({ resource, field: FIELD, old: null, new: 0, risk: 'riskier', reason: message }));
}

/**
 * Compares the ready endpoints of the Services of two plans.
 *
 * @param changed - Services and findings of the plan of the change from one to the other, if the manifests of both are known
 */
export function diffServices(
  oldPlan: Pick<PlanDocument, 'services'>,
  newPlan: Pick<PlanDocument, 'services'>,
  changed: ChangedServices = {},
): PlanChange[] {
  const [old, next, during] = [mapByKey(oldPlan), mapByKey(newPlan), mapByKey(changed)];
  const differences = [...new Set([...next.keys(), ...during.keys()])].flatMap((key) => {
    const [service, after] = [during.get(key), next.get(key)];
    const difference = (service && findLoss(service, old.get(key), after)) ?? (after && compareLeast(old.get(key), after));
    return difference ? [difference] : [];
  });
  return [...differences, ...listUncountedLosses(changed)];
}
