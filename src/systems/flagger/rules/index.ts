import type { AnyRule } from '../../../core/finding';
import { flaggerPrimaryServes } from './primary-serves';
import { flaggerReplicasInManifest } from './replicas-in-manifest';

/** The rules about targets of Canaries. */
export const FLAGGER_RULES: readonly AnyRule[] = [flaggerPrimaryServes, flaggerReplicasInManifest];
