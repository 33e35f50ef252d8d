import type { Manifest } from '../core/manifest/manifest';
import { LIST } from '../core/values/schema';
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
