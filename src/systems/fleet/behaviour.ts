import { valueSince } from '../../core/versions';

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

const SINCE_0_13 = [
  ['0', false],
  ['0.13', true],
] as const;

const SINCE_0_15 = [
  ['0', false],
  ['0.15', true],
] as const;

/** How the Fleet of a version behaves. */
export function fleetBehaviour(version: string): FleetBehaviour {
  return {
    clampsLimits: valueSince<boolean>(SINCE_0_13, version),
    partitionsUngrouped: valueSince<boolean>(SINCE_0_13, version),
    matchesDisplayName: valueSince<boolean>(SINCE_0_15, version),
  };
}
