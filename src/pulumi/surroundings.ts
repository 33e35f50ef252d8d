import type { Manifest } from '../core/manifest/manifest';
import { getFieldsAt, getListAt, getValueAt } from '../core/manifest/manifest';
import { LIST } from '../core/values/schema';
import { hasOutputPlaceholder } from './opaque-outputs';
import type { PropsShape } from '../props/validate-props';

/** Argument of components whose goals and plans depend on other objects. */
export interface SurroundingsArgs {
  /**
   * Other objects of the cluster for the plan and for goals, such as quotas, disruption budgets and autoscalers. They are not registered.
   *
   * @default - none
   */
  readonly surroundings?: readonly Manifest[];
}

/** Adds the surroundings to the expected props of a component. */
export function withSurroundings(shape: PropsShape): PropsShape {
  return { ...shape, props: { ...shape.props, surroundings: LIST } };
}

/** Error for surroundings in several namespaces if that of the component is unknown. */
export const AMBIGUOUS_SURROUNDINGS =
  'surroundings are in several namespaces, and that of the component is not known at preview, so it is unknown which of them limit its pods: ' +
  'write the plain value of metadata.namespace, or pass the surroundings of one namespace';

/**
 * Returns props whose surroundings are in the namespace of the component if that is only known later: a quota in another namespace would have no
 * effect. Undefined if it is not clear which ones are.
 */
export function locateSurroundings<T>(props: T): T | undefined {
  const surroundings = getListAt(props, 'surroundings');
  const owners = [props, ...getListAt(props, 'workloads')].map((owner) => getValueAt(owner, 'metadata', 'namespace'));
  const pending = new Set(owners.filter((namespace) => typeof namespace === 'string' && hasOutputPlaceholder(namespace)));
  const isElsewhere = (namespace: unknown) =>
    typeof namespace === 'string' && !hasOutputPlaceholder(namespace) && !owners.includes(namespace);
  const given = new Set(surroundings.map((object) => getValueAt(object, 'metadata', 'namespace')).filter(isElsewhere));
  if (pending.size === 0 || given.size === 0) return props;
  if (pending.size > 1 || given.size > 1) return undefined;
  const [namespace] = pending;
  const located = surroundings.map((object) => {
    if (!isElsewhere(getValueAt(object, 'metadata', 'namespace'))) return object;
    return { ...getFieldsAt(object), metadata: { ...getFieldsAt(object, 'metadata'), namespace } };
  });
  return { ...props, surroundings: located };
}
