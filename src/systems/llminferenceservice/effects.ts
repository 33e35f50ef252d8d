import type { ObjectInContext, SystemEffect } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { findRejectedPods } from '../../workloads/leader-worker-set/templates';
import { listLlmComponents } from './components';
import type { LlmComponent } from './components';
import { validateLlmPods } from './validate-pods';
import { validateLlmService } from './validation';

/** All of the input that decides the pods of a component. A strategy, replicas and their scaling decide none. */
function collectPodInputs(object: Manifest, { name, spec }: LlmComponent): Fields {
  const { model, storageInitializer, baseRefs, tracing } = getFieldsAt(object, 'spec');
  if (name === 'scheduler') {
    const { replicas: _, ...scheduler } = spec;
    return { scheduler };
  }
  const { template, worker, parallelism, labels, annotations } = spec;
  return { model, storageInitializer, baseRefs, tracing, template, worker, parallelism, labels, annotations };
}

function computeComponentEffect(
  component: LlmComponent,
  before: LlmComponent,
  old: Manifest,
  { object: next, context }: ObjectInContext,
): SystemEffect {
  const pods = (one: LlmComponent) => one.replicas * (one.groupSize ?? 1);
  const replicas = { old: pods(before), next: pods(component) };
  const rolls = !isDeepEqual(collectPodInputs(old, before), collectPodInputs(next, component));
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

/**
 * What a change of a service does to each of its workloads.
 *
 * A strategy that is taken away touches nothing, the strategy of what runs included: KServe compares with what it writes,
 * and takes what it leaves out for equal, so the old one stays until something else changes.
 * Source: kserve pkg/controller/v1alpha2/llmisvc/workload_single_node.go, `semanticDeploymentIsEqual`.
 */
export function computeLlmEffects(old: ObjectInContext, next: ObjectInContext): SystemEffect[] {
  const components = listLlmComponents(next.object);
  const error = validateLlmService(next.object, components, next.context.versions.kserve).find(({ severity }) => severity === 'error');
  if (error) return [{ effect: 'refused', refusal: { path: error.path, message: error.message } }];
  const before = listLlmComponents(old.object);
  // A workload beside a prefill is called decode: its Deployment is the same.
  const findPrevious = (one: LlmComponent) => before.find(({ objectName }) => objectName === one.objectName);
  return components.map((component) => {
    const previous = findPrevious(component);
    if (previous) return computeComponentEffect(component, previous, old.object, next);
    return { component: component.name, effect: 'scale', replicas: { old: 0, next: component.replicas * (component.groupSize ?? 1) } };
  });
}
