import type { PlanContext } from '../../cluster/context/context';
import type { Manifest } from '../../core/manifest/manifest';
import { systemOf } from '../../plan/registry';
import { callOrElse } from '../../plan/isolate-objects';

/** Returns the object from which another one gets its pod template: the runtime of a service. Undefined if there is none, or if the system fails on it. */
export function findTemplateHolder(object: Manifest, context: PlanContext, system = systemOf(object, context)): Manifest | undefined {
  return callOrElse(
    () => system?.templateHolder?.(object, context),
    () => undefined,
  );
}
