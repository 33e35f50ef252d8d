import { fieldsAt, listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { modelOf } from './service';
import type { Service } from './service';

/**
 * The spec of the serving runtime that the model names, if the input holds it: the one of the namespace, else the cluster's.
 * Empty otherwise: which runtime KServe picks by itself only the cluster knows. Source: KServe, utils/utils.go, `GetServingRuntime`.
 */
export function runtimeOf({ object, predictor }: Service, context: Pick<PlanContext, 'all'>): Fields {
  const name = modelOf(predictor)?.runtime;
  if (typeof name !== 'string') return {};
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(object));
  const runtime = [...own, ...context.all(CONTEXT_KINDS.clusterServingRuntime)].find((candidate) => nameOf(candidate) === name);
  return fieldsAt(runtime, 'spec');
}

/** A container of a runtime's pods by its name. */
export function runtimeContainerOf(pods: Fields, name: string): unknown {
  return listAt(pods, 'containers').find((container) => valueAt(container, 'name') === name);
}

/** Does the runtime start its nodes with multiprocessing instead of Ray? */
export function usesMultiprocessing(runtime: Fields): boolean {
  return fieldsAt(runtime, 'annotations')['multinode/executor-backend'] === 'mp';
}
