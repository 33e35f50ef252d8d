import type { EnforcementLevel, PolicyResource, StackValidationPolicy } from '@pulumi/policy';
import { escapeForTerminal } from '../core/text/escape-output';
import { nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { toResourceRef } from '../core/document/rollout';
import { planManifests } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { formatResourceLabel } from '../render/findings/text-findings';
import { groupByCluster, isKubernetesResource, listEvaluatedObjects, isResourceOfPlan, toStackObjects } from './stack-objects';

/** A resource that the other policies do not evaluate, and why. */
interface UnevaluatedResource {
  readonly urn: string;
  readonly message: string;
}

/** Returns the policy that names the workloads of a stack which the other policies do not evaluate. */
export function createCoveragePolicy(enforcementLevel: EnforcementLevel, options: PlanOptions): StackValidationPolicy {
  return {
    name: 'rolloutkit-not-evaluated',
    description: 'Workloads that the other policies do not evaluate.',
    enforcementLevel,
    validateStack: ({ resources }, reportViolation) => {
      const unevaluated = [
        ...findWithoutObjects(resources),
        ...groupByCluster(resources).flatMap((group) => [...findUnplanned(group, options), ...findPatches(group, options)]),
      ];
      for (const { message, urn } of unevaluated) reportViolation(escapeForTerminal(message), urn);
    },
  };
}

/** Components of the Kubernetes provider, whose objects are resources of the stack. A Helm release is none: Helm applies its objects. */
const COMPONENT_TYPE = /:(?:Chart|ConfigFile|ConfigGroup|Directory)$/;

/** Returns the resources that are no objects, and have none: a Helm release, or a component or an object that is not known at preview. */
function findWithoutObjects(resources: readonly PolicyResource[]): UnevaluatedResource[] {
  const parents = new Set(resources.filter(isKubernetesResource).map(({ parent }) => parent?.urn));
  const hasObjects = ({ type, urn }: PolicyResource) => COMPONENT_TYPE.test(type) && parents.has(urn);
  const others = resources.filter((one) => isKubernetesResource(one) && toStackObjects(one).length === 0 && !hasObjects(one));
  return others.map(({ type, name, urn }) => ({ urn, message: `${type} ${name} is not evaluated: ${explainWithoutObjects(type)}` }));
}

function explainWithoutObjects(type: string): string {
  return type === 'kubernetes:helm.sh/v3:Release'
    ? 'Helm applies its objects, which are no resources of the stack. Use kubernetes:helm.sh/v4:Chart, whose objects are.'
    : 'no object of it is known.';
}

/** Returns the workloads of one cluster that no system plans. */
function findUnplanned(resources: readonly PolicyResource[], options: PlanOptions): UnevaluatedResource[] {
  const evaluated = listEvaluatedObjects(resources);
  const { notPlanned, rollouts } = planManifests(
    evaluated.map(({ object }) => object),
    options,
  );
  return notPlanned.flatMap(({ apiVersion, kind, reason }) =>
    evaluated
      .filter(({ object }) => object.apiVersion === apiVersion && object.kind === kind)
      .filter(({ object }) => !rollouts.some(({ resource }) => isResourceOfPlan(object, resource)))
      .map(({ urn, object }) => ({ urn, message: `${formatObject(object)} is not planned: ${reason}.` })),
  );
}

/** Returns the patches of workloads: the rest of such an object is not in the stack. */
function findPatches(resources: readonly PolicyResource[], options: PlanOptions): UnevaluatedResource[] {
  return resources.flatMap(toStackObjects).flatMap(({ isPatch, urn, object }) => {
    if (!isPatch || !isWorkload(object, options)) return [];
    return [{ urn, message: `${formatObject(object)} is not evaluated: a ${object.kind}Patch has only a part of the object.` }];
  });
}

/** Reports whether an object rolls out pods, or controls that. */
function isWorkload(object: Manifest, options: PlanOptions): boolean {
  const { rollouts, notPlanned } = planManifests([object], options);
  return rollouts.length + notPlanned.length > 0;
}

function formatObject(object: Manifest): string {
  return formatResourceLabel(toResourceRef(object, nameOf(object), namespaceOf(object)));
}
