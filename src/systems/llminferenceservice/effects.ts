import type { ObjectInContext, SystemEffect } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { findRejectedPods } from '../../workloads/leader-worker-set/templates';
import { listLlmComponents } from './components';
import type { LlmComponent } from './components';
import { validateLlmPods } from './validate-pods';
import { validateLlmService } from './validation';

/** Returns all fields that affect the pods of a component. Strategy, replicas and scaling do not. */
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
  const countPods = ({ replicas, groupSize = 1 }: LlmComponent) => replicas * groupSize;
  const replicas = { old: countPods(before), next: countPods(component) };
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
  // With a prefill, the main workload is called decode, but its Deployment is the same.
  const findPrevious = (component: LlmComponent) => before.find(({ objectName }) => objectName === component.objectName);
  return components.map((component) => {
    const previous = findPrevious(component);
    if (previous) return computeComponentEffect(component, previous, old.object, next);
    return { component: component.name, effect: 'scale', replicas: { old: 0, next: component.replicas * (component.groupSize ?? 1) } };
  });
}
