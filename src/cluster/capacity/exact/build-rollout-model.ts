import { selectAffinity, selectDomains, selectSpread } from './model-domains';
import { NodeChoice } from './node-choice';
import type { ModelInputs } from './rollout-constraints';
import type { ModelAntiAffinity, RolloutModel } from './rollout-model';

/** A model, and the constraints that the input does not decide. They are left out of the model. */
export interface BuiltModel {
  readonly model: RolloutModel;
  readonly undecided: readonly string[];
  /** Indexes of the nodes of the model in the inventory. */
  readonly nodeIndexes: readonly number[];
}

/** Builds a model from the nodes that decide anything: those with old pods, and those that accept a new one. */
class ModelBuilder extends NodeChoice {
  build(): BuiltModel {
    const { sizes, newPodsAdmitted, located, keptOld, deletedInOrder, inventory, createsBeforeDeletion } = this.inputs;
    this.collectAntiAffinity();
    this.collectExclusiveClaims();
    const spreads = this.collectSpreads();
    const affinity = this.collectAffinity();
    const chosen = this.chooseNodes(spreads, affinity);
    const indexes = chosen.map(({ index }) => index);
    const exclusiveForOld = this.exclusiveForOld
      .filter(({ isPerNode }) => !isPerNode)
      .map((topology) => selectDomains(topology, indexes).constraint);
    const positions = new Map(indexes.map((index, position) => [index, position]));
    const model: RolloutModel = {
      ...sizes,
      nodes: chosen.map(({ newPodsBesideOld, signature }) => ({ newPodsBesideOld, signature })),
      ...(located && { oldByNode: chosen.map((node) => node.old) }),
      ...(keptOld && { keptOld }),
      ...(!located && deletedInOrder && { deletesInUnknownOrder: true }),
      ...(located && deletedInOrder && { deletionOrder: located.map((pod) => positions.get(inventory.indexOf(pod.nodeName!)!)!) }),
      oldLimitByNode: chosen.map(({ oldLimit }) => oldLimit),
      ...(chosen.some(({ rejectsOldNow }) => rejectsOldNow) && { rejectsOldNow: chosen.map((node) => node.rejectsOldNow) }),
      spreads: spreads.map((spread) => selectSpread(spread, indexes)),
      antiAffinities: this.antiAffinities
        .filter(({ topology }) => !topology.isPerNode)
        .map(({ topology, avoidsOld, avoidsNew }): ModelAntiAffinity => ({
          ...selectDomains(topology, indexes).constraint,
          avoidsOld,
          avoidsNew,
        })),
      ...(affinity && { affinity: selectAffinity(affinity, indexes) }),
      ...(exclusiveForOld.length > 0 && { exclusiveForOld }),
      ...(this.eligibleByPod && { nodesByPod: this.eligibleByPod.map((eligible) => indexes.map((index) => eligible.has(index))) }),
      ...(createsBeforeDeletion && { createsBeforeDeletion }),
      newPodsAdmitted,
    };
    return { model, undecided: [...this.undecided], nodeIndexes: indexes };
  }
}

/** Builds the model of a rollout from its pods and nodes. */
export function buildRolloutModel(inputs: ModelInputs): BuiltModel {
  return new ModelBuilder(inputs).build();
}
