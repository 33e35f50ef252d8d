import type { ChangedObject, ObjectInContext, PlanContext, SystemEffect } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { describeObject, getFieldsAt, getListAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { resolveRuntime } from './runtime';
import { reportLostRuntime } from './rules/no-runtime';
import { readKserveService } from './service';

const RUNTIME_KINDS: ReadonlySet<string> = new Set([CONTEXT_KINDS.servingRuntime.kind, CONTEXT_KINDS.clusterServingRuntime.kind]);

function isRuntime(object: Manifest): boolean {
  return groupOf(object) === CONTEXT_KINDS.servingRuntime.group && RUNTIME_KINDS.has(object.kind);
}

/** Reports whether a service of the input uses a runtime, so that the effect on the service shows what the runtime changes. */
function isUsed({ object: runtime, context }: ObjectInContext, isService: (object: Manifest) => boolean): boolean {
  return context.objects
    .filter(isService)
    .some((service) => resolveRuntime(readKserveService(service, context.versions.kserve), service.status, context) === runtime);
}

/**
 * Computes the effect of an edit of a ServingRuntime or ClusterServingRuntime that no InferenceService of the input uses: KServe reconciles
 * every service whose status names it, so pods that the plan does not see may be replaced. Fields that only decide which services select it do so
 * too: KServe selects a runtime again at each reconcile of a service that names none.
 *
 * Source: KServe v0.17.0, controller.go, `servingRuntimeFunc` and the predicates of runtimes. Before 0.16 the services follow at their next
 * reconcile.
 */
export function computeRuntimeEffect(
  old: ObjectInContext,
  next: ObjectInContext,
  isService: (object: Manifest) => boolean,
): SystemEffect | undefined {
  if (!isRuntime(next.object) || isDeepEqual(getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec'))) return undefined;
  return isUsed(old, isService) || isUsed(next, isService) ? undefined : { effect: 'unknown' };
}

/**
 * Reports whether services that are not in view may select a runtime that is new or deleted, or whose selection differs, or get another one of
 * its name. KServe selects one again at each reconcile.
 */
export function maySelectServices({ old, next }: ChangedObject, isService: (object: Manifest) => boolean): boolean {
  const { object, context } = (next ?? old)!;
  const isInReach = (service: Manifest) =>
    object.kind === CONTEXT_KINDS.clusterServingRuntime.kind || namespaceOf(service) === namespaceOf(object);
  if (!isRuntime(object) || context.objects.some((service) => isService(service) && isInReach(service))) return false;
  if (old && next && isDeepEqual(old.object.spec, next.object.spec)) return false;
  return [old?.object, next?.object].some(isSelectable) || hasNamesake(object, context);
}

function isSelectable(runtime: Manifest | undefined): boolean {
  return getListAt(runtime, 'spec', 'supportedModelFormats').some((format) => getValueAt(format, 'autoSelect') === true);
}

/** Reports whether services that name a runtime get another one of its name without it. */
function hasNamesake(runtime: Manifest, context: PlanContext): boolean {
  return (
    runtime.kind === CONTEXT_KINDS.servingRuntime.kind &&
    context.all(CONTEXT_KINDS.clusterServingRuntime).some((other) => nameOf(other) === nameOf(runtime))
  );
}

/** Returns the unknown effect on a service without a runtime in view. If the runtime is still there, KServe can no longer select it. */
export function computeLostRuntimeEffect(runtime: Manifest, { object, context }: ObjectInContext): SystemEffect {
  const isLost = (one: Manifest) => describeObject(one) === describeObject(runtime);
  const current = [...context.all(CONTEXT_KINDS.servingRuntime), ...context.all(CONTEXT_KINDS.clusterServingRuntime)].find(isLost);
  if (!current) return { effect: 'unknown', causedBy: [runtime] };
  const findings = [reportLostRuntime(readKserveService(object, context.versions.kserve), current)];
  return { component: 'predictor', effect: 'unknown', causedBy: [current], findings };
}
