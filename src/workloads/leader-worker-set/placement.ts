import { annotationOf, isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';

const EXCLUSIVE_TOPOLOGY = 'leaderworkerset.sigs.k8s.io/exclusive-topology';
/** The annotation by which each subgroup has the nodes of one topology for itself. */
export const SUBGROUP_EXCLUSIVE_TOPOLOGY = 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology';

/** The label of nodes whose values separate the groups of a set, or their subgroups. */
export interface GroupPlacement {
  readonly groups: string | undefined;
  readonly subgroups: string | undefined;
}

/**
 * Reads the annotations of an object that the controller writes into the template of the leaders.
 *
 * Source: lws 0.9.0 pkg/controllers/leaderworkerset_controller.go, `constructLeaderStatefulSetApplyConfiguration`.
 *
 * @param template - the leaderWorkerTemplate of the set
 */
export function readGroupPlacement(object: Fields, template: Fields): GroupPlacement {
  const hasSubGroups = isFields(template.subGroupPolicy);
  return {
    groups: annotationOf(object, EXCLUSIVE_TOPOLOGY) || undefined,
    subgroups: (hasSubGroups && annotationOf(object, SUBGROUP_EXCLUSIVE_TOPOLOGY)) || undefined,
  };
}

/**
 * Lists the constraints that the webhook adds to the pods of a set: each group has the nodes of one topology for itself.
 *
 * Source: lws 0.9.0 pkg/webhooks/pod_webhook.go, `SetExclusiveAffinities`.
 */
export function listPlacementConstraints(object: Fields, template: Fields): readonly string[] {
  const { groups, subgroups } = readGroupPlacement(object, template);
  return [...(groups === undefined ? [] : ['exclusive-topology']), ...(subgroups === undefined ? [] : ['subgroup-exclusive-topology'])];
}
