import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Manifest } from '../core/manifest/manifest';

/** Kinds of objects that limit pods, or that scale them. */
const SURROUNDING_KINDS: ReadonlySet<string> = new Set([
  'HorizontalPodAutoscaler',
  'LimitRange',
  'PodDisruptionBudget',
  'ResourceQuota',
  'ScaledObject',
]);

/** Kinds of objects whose room all pods share. */
const SHARED_KINDS: ReadonlySet<string> = new Set(['Node', 'ResourceQuota']);

/**
 * Lists the objects of a construct's chart that limit or scale pods. If a quota or nodes are among them, all other objects are listed too, because
 * their pods take from the same room. Objects that are created later are not among them.
 */
export function listSurroundings(construct: IConstruct): readonly Manifest[] {
  const objects = Chart.of(construct)
    .node.findAll()
    .filter((child) => ApiObject.isApiObject(child));
  const isShared = objects.some(({ kind }) => SHARED_KINDS.has(kind));
  const own = new Set(construct.node.findAll());
  return objects
    .filter((object) => SURROUNDING_KINDS.has(object.kind) || (isShared && !own.has(object)))
    .map((object) => object.toJson() as Manifest);
}
