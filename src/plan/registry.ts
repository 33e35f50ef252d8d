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

/** The systems that plans are made for; the first that recognises an object plans it. */
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

/** The files that are objects by their names, for whoever reads files to plan them. */
export const FILE_KINDS: readonly FileKind[] = SYSTEMS.flatMap(({ fileKind }) => fileKind ?? []);

/** The system that an object is a rollout of; undefined for any other object. */
export function systemOf(object: Manifest): RolloutSystem | undefined {
  return SYSTEMS.find((system) => system.recognises(object));
}
