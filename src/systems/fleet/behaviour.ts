import { getValueAtVersion } from '../../core/versions';

/** What differs between the versions of Fleet, as far as a rollout can tell. */
export interface FleetBehaviour {
  /** Whole numbers are held to 0 … count and percentages to count (v0.13, rancher/fleet #3780). */
  readonly clampsLimits: boolean;
  /** A cluster that is in no ClusterGroup can be in a manual partition (v0.13, #3780). */
  readonly partitionsUngrouped: boolean;
  /**
   * `clusterName` also compares the label `management.cattle.io/cluster-display-name` (v0.15, #4495; later patches of v0.13 and v0.14 too).
   */
  readonly matchesDisplayName: boolean;
}

/** The first version that behaves so. Fields that came with a version stand with it in `schemas.ts`. */
const INTRODUCED_IN: Readonly<Record<keyof FleetBehaviour, string>> = {
  clampsLimits: '0.13',
  partitionsUngrouped: '0.13',
  matchesDisplayName: '0.15',
};

function hasBehaviour(behaviour: keyof FleetBehaviour, version: string): boolean {
  return getValueAtVersion<boolean>(
    [
      ['0', false],
      [INTRODUCED_IN[behaviour], true],
    ],
    version,
  );
}

/** How the Fleet of a version behaves. */
export function fleetBehaviourOf(version: string): FleetBehaviour {
  return {
    clampsLimits: hasBehaviour('clampsLimits', version),
    partitionsUngrouped: hasBehaviour('partitionsUngrouped', version),
    matchesDisplayName: hasBehaviour('matchesDisplayName', version),
  };
}
