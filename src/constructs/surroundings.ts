import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Manifest } from '../core/manifest';

/** Kinds of objects that limit pods, or that scale them. */
const SURROUNDING_KINDS: ReadonlySet<string> = new Set([
  'HorizontalPodAutoscaler',
  'LimitRange',
  'PodDisruptionBudget',
  'ResourceQuota',
  'ScaledObject',
]);

/** Lists the objects of a construct's chart that limit or scale pods. Objects that are created later are not among them. */
export function listSurroundings(construct: IConstruct): readonly Manifest[] {
  return Chart.of(construct)
    .node.findAll()
    .filter((child) => ApiObject.isApiObject(child))
    .filter(({ kind }) => SURROUNDING_KINDS.has(kind))
    .map((object) => object.toJson() as Manifest);
}
