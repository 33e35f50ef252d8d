import type { Applier } from './applier';
import { HELM_4 } from './helm';

/**
 * Fleet since 0.15: Helm 4, which applies new releases server-side and fails on conflicts. `helm.force` is a PUT.
 * Source: internal/helmdeployer/install.go of Fleet 0.16.1.
 */
export const FLEET: Applier = { ...HELM_4, tool: 'fleet', title: 'Fleet', mode: 'fleet' };
