import { INPUT_CATALOGUE } from '../core/catalogue';
import type { AnyRule, FindingCatalogue } from '../core/finding';
import { INPUT_RULES } from '../core/rules';
import type { RolloutSystem } from '../cluster/context';
import type { FileKind } from '../input/read';
import { CLUSTER_RULES } from '../cluster/rules';
import { bawSystem } from '../systems/operator-resource/system';
import { fleetSystem } from '../systems/fleet/system';
import { kserveSystem } from '../systems/kserve/system';
import { kuberaySystem } from '../systems/kuberay/system';
import { kubernetesSystem } from '../workloads/system';

/** The systems that plans are made for; the first that recognises an object plans it. */
export const SYSTEMS: readonly RolloutSystem[] = [kubernetesSystem, kserveSystem, kuberaySystem, fleetSystem, bawSystem];

/** The files that are objects by their names, for whoever reads files to plan them. */
export const FILE_KINDS: readonly FileKind[] = SYSTEMS.flatMap(({ fileKind }) => fileKind ?? []);

export const RULES: readonly AnyRule[] = [...INPUT_RULES, ...CLUSTER_RULES, ...SYSTEMS.flatMap(({ rules = [] }) => rules)];

/** Every code that a plan may hold, with its rule. */
export const FINDING_RULES: FindingCatalogue = {
  ...Object.assign({}, INPUT_CATALOGUE, ...SYSTEMS.map(({ catalogue }) => catalogue)),
  ...Object.fromEntries(RULES.map((known) => [known.code, known])),
};
