import type { RolloutSystem } from '../cluster/context';
import type { Manifest } from '../core/manifest';
import type { FileKind } from '../input/read';
import { argoCdSystem } from '../systems/argo-cd/system';
import { argoRolloutsSystem } from '../systems/argo-rollouts/system';
import { bawSystem } from '../systems/operator-resource/system';
import { fleetSystem } from '../systems/fleet/system';
import { kserveSystem } from '../systems/kserve/system';
import { llmSystem } from '../systems/llminferenceservice/system';
import { disaggregatedSystem } from '../systems/disaggregatedset/system';
import { lwsSystem } from '../systems/leaderworkerset/system';
import { kuberaySystem } from '../systems/kuberay/system';
import { kubernetesSystem } from '../workloads/system';

/** Supported systems. The first one that recognises an object plans it. */
export const SYSTEMS: readonly RolloutSystem[] = [
  kubernetesSystem,
  kserveSystem,
  llmSystem,
  kuberaySystem,
  fleetSystem,
  lwsSystem,
  disaggregatedSystem,
  argoRolloutsSystem,
  argoCdSystem,
  bawSystem,
];

/** Kinds of files that are objects because of their names. */
export const FILE_KINDS: readonly FileKind[] = SYSTEMS.flatMap(({ fileKind }) => fileKind ?? []);

/** Returns the system that plans an object; undefined if the object is not a rollout. */
export function systemOf(object: Manifest): RolloutSystem | undefined {
  return SYSTEMS.find((system) => system.recognises(object));
}
