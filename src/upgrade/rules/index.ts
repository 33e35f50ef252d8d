import type { AnyRule } from '../../core/findings/finding';
import { autoSelect } from './auto-select';
import { nameChanges } from './name-changes';
import { newDeploymentId } from './new-deployment-id';
import { newPodsDiffer } from './new-pods-differ';
import { rollsEverything } from './rolls-everything';

/** The rules about the upgrade of an operator. */
export const UPGRADE_RULES: readonly AnyRule[] = [rollsEverything, newPodsDiffer, nameChanges, autoSelect, newDeploymentId];
