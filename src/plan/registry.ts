import { INPUT_CATALOGUE } from '../core/catalogue';
import type { FindingCatalogue } from '../core/finding';
import type { RolloutSystem } from '../cluster/context';
import { bawSystem } from '../systems/operator-resource/system';
import { fleetSystem } from '../systems/fleet/system';
import { kserveSystem } from '../systems/kserve/system';
import { kuberaySystem } from '../systems/kuberay/system';
import { kubernetesSystem } from '../workloads/system';

/** The systems that plans are made for; the first that recognises an object plans it. */
export const SYSTEMS: readonly RolloutSystem[] = [kubernetesSystem, kserveSystem, kuberaySystem, fleetSystem, bawSystem];

/** Every code that a plan may hold, with its rule. */
export const FINDING_RULES: FindingCatalogue = Object.assign({}, INPUT_CATALOGUE, ...SYSTEMS.map((system) => system.catalogue));
