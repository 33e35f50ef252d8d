import { getFieldsAt, getListAt, nameOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';

const listRuntimeClasses = memoizePerPlan(
  (context): ReadonlyMap<unknown, Manifest> =>
    new Map(context.all(CONTEXT_KINDS.runtimeClass).map((runtimeClass) => [nameOf(runtimeClass), runtimeClass])),
);

/** Returns the RuntimeClass of a pod. Returns undefined if it has none, or if the class is not in the input. */
export function findRuntimeClass({ runtimeClassName }: Fields, context: PlanContext): Manifest | undefined {
  return typeof runtimeClassName === 'string' ? listRuntimeClasses(context).get(runtimeClassName) : undefined;
}

/**
 * Returns a pod spec with the overhead, the node selector and the tolerations of its RuntimeClass. A class with an overhead of 250 millicores
 * adds them to what each of its pods requests.
 *
 * Source: k/k plugin/pkg/admission/runtimeclass/admission.go, `setOverhead` and `setScheduling`.
 */
export function applyRuntimeClass(podSpec: Fields, context: PlanContext): Fields {
  const runtimeClass = findRuntimeClass(podSpec, context);
  if (!runtimeClass) return podSpec;
  const { podFixed } = getFieldsAt(runtimeClass, 'overhead');
  const { nodeSelector } = getFieldsAt(runtimeClass, 'scheduling');
  const tolerations = getListAt(runtimeClass, 'scheduling', 'tolerations');
  return {
    ...podSpec,
    ...(podFixed !== undefined && { overhead: podFixed }),
    ...(nodeSelector !== undefined && {
      nodeSelector: { ...getFieldsAt({ nodeSelector }, 'nodeSelector'), ...getFieldsAt(podSpec, 'nodeSelector') },
    }),
    ...(tolerations.length > 0 && { tolerations: [...getListAt(podSpec, 'tolerations'), ...tolerations] }),
  };
}
