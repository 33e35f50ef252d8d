import type { PodSet } from '../../rollout/pod-set';
import { listAffinityTerms, listSetTerms, toPodShape } from '../nodes/pod-shape';
import type { AffinityTerm, PodShape, SetShape } from '../nodes/pod-shape';
import { ShapeIndex, TermIndex } from './label-index';
import type { Surroundings } from './surroundings';

const mayConcern = (term: AffinityTerm, shape: PodShape) => term.matches(shape) || term.mayMatch(shape);

function indexUnlocatedPods({ unlocated }: Surroundings) {
  // The pods of a rollout are old ones first and new ones later.
  const shapes = unlocated.flatMap(({ podSet, asOld }): SetShape[] =>
    [...new Set([podSet, asOld ?? podSet])].map((each) => ({ podSet, shape: toPodShape(each) })),
  );
  return { shapes: new ShapeIndex(shapes, ({ shape }) => shape), terms: new TermIndex(shapes.flatMap(listSetTerms)) };
}

/**
 * Reports whether required anti-affinity keeps new pods of some sets apart from pods of others on unknown nodes, whichever of the two has it. The
 * scheduler reads it in both directions, and where these pods are decides which nodes are left.
 *
 * Source: k/k pkg/scheduler/framework/plugins/interpodaffinity/filtering.go `satisfyExistingPodsAntiAffinity`; Kubernetes 1.34
 */
export function isKeptApartFromUnlocated(podSets: readonly PodSet[], surroundings: Surroundings): boolean {
  if (surroundings.unlocated.every(({ podSet }) => podSets.includes(podSet))) return false;
  const { shapes, terms } = surroundings.cache.derive(surroundings, indexUnlocatedPods);
  const isOther = (podSet: PodSet) => !podSets.includes(podSet);
  return podSets.some((own) => {
    const shape = toPodShape(own);
    return (
      terms.find(shape).some(({ podSet, term }) => isOther(podSet) && mayConcern(term, shape)) ||
      listAffinityTerms(shape, 'podAntiAffinity').some((term) =>
        shapes.findSelectable(term, shape.namespace).some((other) => isOther(other.podSet) && mayConcern(term, other.shape)),
      )
    );
  });
}
