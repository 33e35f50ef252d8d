import type { InContext, SystemEffect } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { refusedPods } from '../../workloads/leader-worker-set/templates';
import { componentsOf } from './components';
import type { LlmComponent } from './components';
import { judgedPods } from './judged-pods';
import { llmFindings } from './validation';

/** All of the input that decides the pods of a component. A strategy, replicas and their scaling decide none. */
function podInputs(object: Manifest, { name, spec }: LlmComponent): Fields {
  const { model, storageInitializer, baseRefs, tracing } = fieldsAt(object, 'spec');
  if (name === 'scheduler') {
    const { replicas: _, ...scheduler } = spec;
    return { scheduler };
  }
  const { template, worker, parallelism, labels, annotations } = spec;
  return { model, storageInitializer, baseRefs, tracing, template, worker, parallelism, labels, annotations };
}

function effectOf(component: LlmComponent, before: LlmComponent, old: Manifest, { object: next, context }: InContext): SystemEffect {
  const pods = (one: LlmComponent) => one.replicas * (one.groupSize ?? 1);
  const replicas = { old: pods(before), next: pods(component) };
  const rolls = !deepEqual(podInputs(old, before), podInputs(next, component));
  const scales = before.replicas !== component.replicas;
  const start = component.groupSize === undefined ? {} : { start: { before: before.replicas } };
  const isStuck = refusedPods(judgedPods(component, context.versions.kubernetes)) === 'leaders';
  if (isStuck && (rolls || scales)) {
    const stays = { ...replicas, next: replicas.old };
    return { component: component.name, effect: 'held', heldUntil: 'its pods are no longer refused', replicas: stays };
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
export function llmEffects(old: InContext, next: InContext): SystemEffect[] {
  const components = componentsOf(next.object);
  const refused = llmFindings(next.object, components, next.context.versions.kserve).find(({ severity }) => severity === 'error');
  if (refused) return [{ effect: 'refused', refusal: { path: refused.path, message: refused.message } }];
  const before = componentsOf(old.object);
  // A workload beside a prefill is called decode: its Deployment is the same.
  const known = (one: LlmComponent) => before.find(({ objectName }) => objectName === one.objectName);
  return components.map((component) => {
    const was = known(component);
    if (was) return effectOf(component, was, old.object, next);
    return { component: component.name, effect: 'scale', replicas: { old: 0, next: component.replicas * (component.groupSize ?? 1) } };
  });
}
