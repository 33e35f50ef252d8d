import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import type { Manifest } from '../core/manifest/manifest';
import type { FileKind } from '../input/add-file';
import type { ReadOptions } from '../input/read';
import { argoCdSystem } from '../systems/argo-cd/system';
import { argoRolloutsSystem } from '../systems/argo-rollouts/system';
import { createMappedSystem } from '../systems/operator-resource/mapped-system';
import { bawSystem } from '../systems/operator-resource/system';
import { flaggerSystem } from '../systems/flagger/system';
import { fleetSystem } from '../systems/fleet/system';
import { knativeServiceSystem } from '../systems/knative-service/system';
import { kserveSystem } from '../systems/kserve/system';
import { llmSystem } from '../systems/llminferenceservice/system';
import { disaggregatedSystem } from '../systems/disaggregatedset/system';
import { lwsSystem } from '../systems/leaderworkerset/system';
import { kuberaySystem } from '../systems/kuberay/system';
import { kubernetesSystem } from '../workloads/system';
import { isContextObject } from '../cluster/kinds/context-kinds';
import { explainNotPlanned } from '../cluster/kinds/unplanned-kinds';
import { findSystem } from './claim-objects';

/** Systems whose controllers were analysed. */
const ANALYSED_SYSTEMS: readonly RolloutSystem[] = [
  kubernetesSystem,
  kserveSystem,
  llmSystem,
  kuberaySystem,
  fleetSystem,
  lwsSystem,
  disaggregatedSystem,
  argoRolloutsSystem,
  argoCdSystem,
  flaggerSystem,
  knativeServiceSystem,
];

/** Supported systems. The first one that claims an object plans it, else the first one that recognizes it (`claim-objects.ts`). */
export const SYSTEMS: readonly RolloutSystem[] = [
  ...ANALYSED_SYSTEMS,
  bawSystem,
  createMappedSystem((object) => ANALYSED_SYSTEMS.some((system) => system.recognises(object))),
];

/** Kinds of files that are objects because of their names. */
const FILE_KINDS: readonly FileKind[] = SYSTEMS.flatMap(({ fileKind }) => fileKind ?? []);

/**
 * Reports whether an object is in a plan: as a rollout, as one that is not planned, or as a part of the context of rollouts.
 * Its owner does not matter, since any manifest can name one.
 */
function isPlannedObject(object: Manifest): boolean {
  return (
    SYSTEMS.some((system) => system.recognises(object)) || isContextObject(object) || explainNotPlanned(object, () => false) !== undefined
  );
}

/** How files are read for a plan. */
export const PLAN_READING: Pick<ReadOptions, 'kinds' | 'isPlannedObject'> = { kinds: FILE_KINDS, isPlannedObject };

/** Returns the system that plans an object in its context; undefined if the object is not a rollout. */
export function systemOf(object: Manifest, context: PlanContext): RolloutSystem | undefined {
  return findSystem(object, context, SYSTEMS);
}

/** Returns the system that plans an object and knows its kind; undefined for any other object. */
export function knownSystemOf(object: Manifest, context: PlanContext): RolloutSystem | undefined {
  const system = systemOf(object, context);
  return system?.isGuess?.(object) ? undefined : system;
}
