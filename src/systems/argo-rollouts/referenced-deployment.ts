import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import { memoizePerPlan } from '../../cluster/context/context';
import type { ObjectInContext, PlanContext, SystemEffect, TemplateEquality } from '../../cluster/context/context';
import { listContainersAt } from '../../cluster/rollout/located-template';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import type { Workload } from '../../cluster/rollout/workload';
import { isDeepEqual } from '../../core/collections/deep-equal';
import type { Finding } from '../../core/findings/finding';
import { toFieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { buildPodWorkload } from '../../workloads/build-pod-workload';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { validateObjectOfKind } from '../../workloads/plan-workload';
import { resolveDesiredReplicas } from '../../workloads/replicas';
import { checkOwnsDeployment } from './rules/owns-deployment';
import { checkWorkloadRefScaleDown } from './rules/workload-ref-scale-down';

/*
 * Deployments that a Rollout references. Source: Argo Rollouts v1.9.1, rollout/sync.go (`persistRolloutStatus`), rollout/replicaset.go
 * (`reconcileNewReplicaSet`), utils/defaults: replicas that are not set are 1.
 */

function keyOf(namespace: string | undefined, name: unknown): string {
  return JSON.stringify([namespace ?? '', name]);
}

function scaleDownOf(rollout: Manifest): string {
  const scaleDown = getValueAt(rollout, 'spec', 'workloadRef', 'scaleDown');
  return scaleDown === 'onsuccess' || scaleDown === 'progressively' ? scaleDown : 'never';
}

/** The only version that a controller reads. An object of another one runs no pods. */
const SERVED_VERSION = 'argoproj.io/v1alpha1';

const getRolloutsByDeployment = memoizePerPlan((context) => {
  const byDeployment = new Map<string, Manifest>();
  for (const rollout of context.all({ group: 'argoproj.io', kind: 'Rollout' })) {
    const { apiVersion, kind, name } = getFieldsAt(rollout, 'spec', 'workloadRef');
    if (
      rollout.apiVersion !== SERVED_VERSION ||
      typeof apiVersion !== 'string' ||
      groupOf({ apiVersion }) !== 'apps' ||
      kind !== 'Deployment'
    )
      continue;
    byDeployment.set(keyOf(namespaceOf(rollout), name), rollout);
  }
  return byDeployment;
});

/** Returns the Rollout that references a Deployment. */
function findReferencingRollout(object: Manifest, context: PlanContext): Manifest | undefined {
  if (object.kind !== 'Deployment' || groupOf(object) !== 'apps') return undefined;
  const byDeployment = getRolloutsByDeployment(context);
  return byDeployment.size === 0 ? undefined : byDeployment.get(keyOf(namespaceOf(object), nameOf(object)));
}

/** Returns the Rollout that runs the pods of a Deployment and scales it to 0. */
export function findOwningRollout(object: Manifest, context: PlanContext): Manifest | undefined {
  const rollout = findReferencingRollout(object, context);
  return rollout && scaleDownOf(rollout) !== 'never' ? rollout : undefined;
}

/** Reports whether a Rollout runs pods of the template of a Deployment, also if it does not scale the Deployment down. */
export function isRunByRollout(object: Manifest, context: PlanContext): boolean {
  const rollout = findReferencingRollout(object, context);
  return rollout !== undefined && getFieldsAt(rollout, 'spec').replicas !== 0;
}

const POD_PATH = toFieldPath`spec.template.spec`;

/** Builds the pods of a Deployment that has none, for the rules about its template. */
function buildTemplatePods(object: Manifest, context: PlanContext): Workload {
  const template = getFieldsAt(object, 'spec', 'template');
  return buildPodWorkload(
    DEPLOYMENT,
    {
      effective: DEPLOYMENT.resolveStrategy(object, context.versions),
      workload: {
        name: nameOf(object),
        namespace: namespaceOf(object),
        template,
        podPath: POD_PATH,
        strategyPath: DEPLOYMENT.strategyPath,
      },
      count: { steady: 0 },
      writtenPods: () => ({
        containers: listContainersAt(template.spec, POD_PATH),
        metadata: [{ value: template.metadata, path: toFieldPath`spec.template.metadata` }],
      }),
    },
    context,
  );
}

/** Plans a Deployment whose pods a Rollout runs: it has none. */
export function planReferencedDeployment(object: Manifest, rollout: Manifest, context: PlanContext): SystemRollout {
  const validation = validateObjectOfKind(DEPLOYMENT, object, context.versions);
  const isRefused = validation.some(({ severity }) => severity === 'error');
  return {
    system: 'argo-rollouts',
    resource: toResourceRef(object, nameOf(object), namespaceOf(object)),
    ...(!isRefused && { pods: { kind: 'workload' as const, workload: buildTemplatePods(object, context) } }),
    strategy: null,
    provenance: [],
    simulation: null,
    keepsPodsUntilReplaced: true,
    findings: [...validation, ...checkOwnsDeployment(nameOf(rollout))],
  };
}

/** Computes the effect of a change of a Deployment whose pods a Rollout runs. A Rollout that is new takes them over. */
export function computeReferencedDeploymentEffect(
  old: ObjectInContext,
  next: ObjectInContext,
  _isSameTemplate: TemplateEquality,
): SystemEffect {
  const before = findOwningRollout(old.object, old.context) ? 0 : resolveDesiredReplicas(DEPLOYMENT, old.object, old.context);
  const rollout = findOwningRollout(next.object, next.context)!;
  if (before > 0) return { effect: 'scale', replicas: { old: before, next: 0 }, causedBy: [rollout] };
  const isSame = isDeepEqual(getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec'));
  return { effect: isSame ? 'none' : 'settings', replicas: { old: 0, next: 0 } };
}

/** Reports whether a Rollout may still run its first version: in a plan without a change, or if the apply creates it. */
function mayRunFirstVersion(rollout: Manifest, { changedPods }: PlanContext): boolean {
  return changedPods === undefined || changedPods(rollout)?.running?.length === 0;
}

/** Checks what a Rollout does to the Deployment that it references. */
export function checkReferencedDeployment(rollout: Manifest, context: PlanContext): Finding[] {
  const { name } = getFieldsAt(rollout, 'spec', 'workloadRef');
  const deployment = context
    .all({ group: 'apps', kind: 'Deployment' })
    .find((object) => nameOf(object) === name && namespaceOf(object) === namespaceOf(rollout));
  if (!deployment || findReferencingRollout(deployment, context) !== rollout) return [];
  const { replicas } = getFieldsAt(rollout, 'spec');
  const autoscaler = autoscalerOf(rollout, context);
  return checkWorkloadRefScaleDown({
    deployment: nameOf(deployment),
    pods: resolveDesiredReplicas(DEPLOYMENT, deployment, context),
    replicas: isInt32(replicas) ? replicas : 1,
    scaleDown: scaleDownOf(rollout),
    isFirstVersion: mayRunFirstVersion(rollout, context),
    ...(autoscaler && { autoscaler: { by: autoscaler.by, minimum: autoscaler.minimum } }),
  });
}
