import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { toFieldPath } from '../../core/manifest/field-path';
import { describeObject, getFieldsAt, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findRejectedPods } from '../../workloads/leader-worker-set/templates';
import { isLlmServiceStopped, listLlmComponents } from './components';
import type { LlmComponent } from './components';
import { checkLlmSchedulerRestarts } from './rules/llm-scheduler-restarts';
import { validateLlmPods } from './validate-pods';
import { validateLlmService } from './validation';
import { getCopiedMetadata, isRestartingScheduler } from './versions';

/** Returns all fields that affect the pods of a component. Strategy, replicas and scaling do not. */
function collectPodInputs(object: Manifest, { name, spec }: LlmComponent): Fields {
  const { model, storageInitializer, baseRefs, tracing, labels: shared, annotations: sharedAnnotations } = getFieldsAt(object, 'spec');
  if (name === 'scheduler') {
    const { replicas: _, ...scheduler } = spec;
    return { scheduler };
  }
  const { template, worker, parallelism, labels, annotations } = spec;
  // The pods of a prefill have the labels and annotations of the main workload too.
  const metadata = { labels: [shared, labels], annotations: [sharedAnnotations, annotations] };
  return { model, storageInitializer, baseRefs, tracing, template, worker, parallelism, ...metadata };
}

/** Annotations of a service that KServe copies to the pods of groups only. */
const GROUP_ANNOTATIONS = 'leaderworkerset.sigs.k8s.io';

/**
 * Reports whether KServe copies a new label or annotation of the service to its pods, or another value of one. A removed one stays there,
 * since KServe treats what it no longer writes as equal.
 */
function hasNewCopiedMetadata(old: Manifest, next: Manifest, { name, groupSize }: LlmComponent, version: string): boolean {
  if (name === 'scheduler') return false;
  const { annotations, labels } = getCopiedMetadata(version);
  const copied = { annotations: groupSize === undefined ? annotations : [...annotations, GROUP_ANNOTATIONS], labels };
  return (['annotations', 'labels'] as const).some((field) => {
    const [before, after] = [old, next].map((object) => getFieldsAt(object, 'metadata', field)) as [Fields, Fields];
    return Object.keys(after).some((key) => copied[field].some((prefix) => key.startsWith(prefix)) && after[key] !== before[key]);
  });
}

function computeComponentEffect(
  component: LlmComponent,
  before: LlmComponent,
  old: Manifest,
  { object: next, context }: ObjectInContext,
): SystemEffect {
  const replicas = { old: countPods(before), next: countPods(component) };
  const rolls =
    // The role is a label of the pods.
    component.name !== before.name ||
    !isDeepEqual(collectPodInputs(old, before), collectPodInputs(next, component)) ||
    hasNewCopiedMetadata(old, next, component, context.versions.kserve);
  const scales = before.replicas !== component.replicas;
  const start = component.groupSize === undefined ? {} : { start: { before: before.replicas } };
  const isStuck = findRejectedPods(validateLlmPods(component, context.versions.kubernetes)) === 'leaders';
  if (isStuck && (rolls || scales)) {
    const unchanged = { ...replicas, next: replicas.old };
    return { component: component.name, effect: 'held', heldUntil: 'its pods are no longer refused', replicas: unchanged };
  }
  const effect = rolls ? (scales ? 'roll-and-scale' : 'roll') : scales ? 'scale' : 'none';
  return { component: component.name, effect, replicas, ...(rolls && start) };
}

/** Reports whether the scheduler reads a new certificate without a restart. */
function reloadsCertificate({ template }: LlmComponent): boolean {
  const main = getListAt(template, 'containers').find((container) => getValueAt(container, 'name') === 'main');
  return getListAt(main, 'args').includes('--enable-cert-reload');
}

/**
 * Returns the effect on the scheduler of a service that starts pods. KServe 0.17 restarts it, because the certificate of the service gets their
 * addresses. Source: KServe 0.17.0, llmisvc/scheduler.go (`expectedSchedulerDeployment`), workload_tls_self_signed.go.
 */
function restartScheduler(effect: SystemEffect, components: readonly LlmComponent[], version: string): SystemEffect {
  const scheduler = components.find(({ name }) => name === 'scheduler');
  const isRestarted = isRestartingScheduler(version) && scheduler && !reloadsCertificate(scheduler);
  if (effect.component !== 'scheduler' || !isRestarted || (effect.effect !== 'none' && effect.effect !== 'settings')) return effect;
  return { ...effect, effect: 'roll', findings: checkLlmSchedulerRestarts(version) };
}

function countPods({ replicas, groupSize = 1 }: LlmComponent): number {
  return replicas * groupSize;
}

/** Returns the effect of an annotation that stops a service, so that KServe deletes its workloads, or starts it again. */
function computeStopEffects(before: readonly LlmComponent[], after: readonly LlmComponent[]): SystemEffect[] {
  const podsOf = (components: readonly LlmComponent[], name: string) =>
    components.filter((component) => component.name === name).reduce((sum, component) => sum + countPods(component), 0);
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.map((component): SystemEffect => {
    const replicas = { old: podsOf(before, component), next: podsOf(after, component) };
    return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  });
}

/**
 * Returns the Deployment of the main workload if a prefill that comes or goes gives its pods another role, which is in its selector. KServe
 * cannot update it, and its reconcile fails there: after the workloads of groups, and before the prefill in a Deployment and the scheduler.
 *
 * Source: KServe 0.20, llmisvc/workload.go, `reconcileWorkload`, workload_single_node.go, `expectedSingleNodeMainDeployment`, and
 * lifecycle_crud.go, `Update`.
 */
function findStuckDeployment([before]: readonly LlmComponent[], [after]: readonly LlmComponent[], service: Manifest): string | undefined {
  const isStuck = before!.name !== after!.name && before!.objectName === after!.objectName && after!.groupSize === undefined;
  return isStuck
    ? describeObject({ ...service, apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...service.metadata, name: after!.objectName } })
    : undefined;
}

/** Returns the effects on a service whose main Deployment KServe cannot update. It writes only a prefill of groups. */
function computeStuckEffects(deployment: string, before: readonly LlmComponent[], after: readonly LlmComponent[]): SystemEffect[] {
  const [old, next] = [before, after].map((components) => components.find(({ name }) => name === 'prefill'));
  if (old?.groupSize === undefined && next?.groupSize === undefined) {
    const message = `KServe cannot update ${deployment}: a prefill that is added or removed changes the label llm-d.ai/role in its selector, which is immutable, and KServe changes no workload of the service until that Deployment is deleted`;
    return [{ effect: 'refused', refusal: { path: toFieldPath`spec.prefill`, message } }];
  }
  const pods = countPods(before[0]!);
  return [
    { component: after[0]!.name, effect: 'held', heldUntil: `${deployment} is deleted`, replicas: { old: pods, next: pods } },
    { component: 'prefill', effect: 'scale', replicas: { old: old ? countPods(old) : 0, next: next ? countPods(next) : 0 } },
  ];
}

/**
 * Returns the effects on workloads that the service no longer has, which KServe deletes. A workload that becomes one of groups, or is one no
 * longer, is deleted under its own name.
 */
function computeRemovedEffects(before: readonly LlmComponent[], after: readonly LlmComponent[]): SystemEffect[] {
  const kept = new Set(after.map(({ objectName }) => objectName));
  const names = new Set(after.map(({ name }) => name));
  return before
    .filter(({ objectName }) => !kept.has(objectName))
    .map((component) => ({
      component: names.has(component.name) ? component.objectName : component.name,
      effect: 'scale',
      replicas: { old: countPods(component), next: 0 },
    }));
}

/**
 * Computes the effect of a change on each workload of a service.
 *
 * Removing a strategy changes nothing, not even the strategy in use: KServe compares only the fields that it writes and treats omitted
 * fields as equal. The old strategy stays until something else changes.
 * Source: kserve pkg/controller/v1alpha2/llmisvc/workload_single_node.go, `semanticDeploymentIsEqual`.
 */
export function computeLlmEffects(old: ObjectInContext, next: ObjectInContext): SystemEffect[] {
  const components = listLlmComponents(next.object);
  const error = validateLlmService(next.object, components, next.context.versions.kserve).find(({ severity }) => severity === 'error');
  if (error) return [{ effect: 'refused', refusal: { path: error.path, message: error.message } }];
  const before = listLlmComponents(old.object);
  const [wasStopped, isStopped] = [isLlmServiceStopped(old.object), isLlmServiceStopped(next.object)];
  if (wasStopped || isStopped) return computeStopEffects(wasStopped ? [] : before, isStopped ? [] : components);
  const stuck = findStuckDeployment(before, components, next.object);
  if (stuck !== undefined) return computeStuckEffects(stuck, before, components);
  // With a prefill, the main workload is called decode, but its LeaderWorkerSet is the same.
  const findPrevious = (component: LlmComponent) => before.find(({ objectName }) => objectName === component.objectName);
  const effects = components.map((component): SystemEffect => {
    const previous = findPrevious(component);
    if (previous) return computeComponentEffect(component, previous, old.object, next);
    return { component: component.name, effect: 'scale', replicas: { old: 0, next: component.replicas * (component.groupSize ?? 1) } };
  });
  const startsPods = effects.some(
    ({ component, effect, replicas }) =>
      component !== 'scheduler' &&
      (effect === 'roll' || effect === 'roll-and-scale' || (effect === 'scale' && replicas!.next > replicas!.old)),
  );
  const removed = computeRemovedEffects(before, components);
  if (!startsPods) return [...effects, ...removed];
  return [...effects.map((effect) => restartScheduler(effect, components, next.context.versions.kserve)), ...removed];
}
