import type { AnyRule } from '../../../core/findings/finding';
import { flaggerNeverPromoted } from './never-promoted';
import { flaggerPrimaryServes } from './primary-serves';
import { flaggerReplicasInManifest } from './replicas-in-manifest';
import { flaggerSelectorLabel } from './selector-label';

/** The rules about targets of Canaries. */
export const FLAGGER_RULES: readonly AnyRule[] = [
  flaggerPrimaryServes,
  flaggerNeverPromoted,
  flaggerReplicasInManifest,
  flaggerSelectorLabel,
];
