import type { Applier } from './applier';
import { HELM_3, HELM_4 } from './helm';
import { HELM_MARKS, mergeToolMarks } from './tool-marks';

/** The program that runs Helm inside, which is the field manager: Fleet names no other one. Source: package/Dockerfile.agent. */
const MANAGER = 'fleetagent';

const FLEET_TOOL = {
  tool: 'fleet',
  title: 'Fleet',
  mode: 'fleet',
  marks: mergeToolMarks(HELM_MARKS, { labels: ['objectset.rio.cattle.io/'], annotations: ['objectset.rio.cattle.io/'] }),
} satisfies Partial<Applier>;

/**
 * Fleet since 0.15: Helm 4, which applies new releases server-side and fails on conflicts. `helm.force` is a PUT.
 * Source: internal/helmdeployer/install.go of Fleet 0.16.1.
 */
export const FLEET: Applier = {
  ...HELM_4,
  ...FLEET_TOOL,
  serverSide: {
    manager: MANAGER,
    forcesConflicts: false,
    takesOver: ({ name, operation, subresource }) => name === MANAGER && operation === 'Update' && subresource === undefined,
  },
};

/** Fleet for a release that it last applied client-side: before 0.15, with `helm.takeOwnership` or `helm.force`, or after a correction of drift. */
export const FLEET_CLIENT_SIDE: Applier = { ...HELM_3, ...FLEET_TOOL };
