import { joinedRules } from '../core/finding';
import type { AnyRule } from '../core/finding';
import type { SystemName } from '../core/rollout';
import { INPUT_RULES } from '../core/rules';
import type { RolloutSystem } from '../cluster/context';
import type { Manifest } from '../core/manifest';
import type { FileKind } from '../input/read';
import { GUARDRAIL_RULES } from '../guardrails/rules';
import { CRD_RULES } from '../crds/rules';
import { CLUSTER_RULES } from '../cluster/rules';
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

/** Every rule of which a plan may hold findings: those of the input, of what surrounds pods, and of each system. */
export const RULES: readonly AnyRule[] = joinedRules([
  ...INPUT_RULES,
  ...CRD_RULES,
  ...GUARDRAIL_RULES,
  ...CLUSTER_RULES,
  ...SYSTEMS.flatMap(({ rules }) => rules),
]);

/** The rules that a system has of its own, beside what it says under the codes of others. */
export function rulesOf(name: SystemName): readonly AnyRule[] {
  return SYSTEMS.filter((system) => system.name === name).flatMap(({ rules }) => rules.filter(({ isPart }) => !isPart));
}

/** The system that an object is a rollout of; undefined for any other object. */
export function systemOf(object: Manifest): RolloutSystem | undefined {
  return SYSTEMS.find((system) => system.recognises(object));
}
