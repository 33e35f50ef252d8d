import { getValueAtVersion } from '../../core/values/versions';

/** Behaviour that differs between Fleet versions and affects a rollout. */
export interface FleetBehaviour {
  /** Whether integers are clamped to 0 … count and percentages to count (v0.13, rancher/fleet #3780). */
  readonly clampsLimits: boolean;
  /** Whether a cluster without a ClusterGroup can be in a manual partition (v0.13, #3780). */
  readonly partitionsUngrouped: boolean;
  /**
   * Whether `clusterName` also matches the label `management.cattle.io/cluster-display-name` (v0.15, #4495; later patches of v0.13 and
   * v0.14 too).
   */
  readonly matchesDisplayName: boolean;
}

/** First version with each behaviour. `schemas.ts` lists the fields that were added in a version. */
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

/** Returns the behaviour of a Fleet version. */
export function fleetBehaviourOf(version: string): FleetBehaviour {
  return {
    clampsLimits: hasBehaviour('clampsLimits', version),
    partitionsUngrouped: hasBehaviour('partitionsUngrouped', version),
    matchesDisplayName: hasBehaviour('matchesDisplayName', version),
  };
}
