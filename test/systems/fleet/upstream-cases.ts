import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import type { BundleRef, BundleTarget, ClusterCriteria, RolloutStrategy } from '../../../src/systems/fleet/types';
import { upstreamTables } from '../../upstream/recording';

type Mode = 'FirstMatch' | 'AllMatches';
type Labels = Readonly<Record<string, string>>;
/** First and last target, counted from 1, and maxUnavailable. */
type Range = readonly [number, number, number];

/** A target with the values of its options, which distinguish options in a test. */
export type ValuedTarget = BundleTarget & { readonly replicas?: string; readonly values?: Labels };

/** Rows of Fleet's own test tables, with inputs and expected results. */
interface Rows {
  readonly limits: { readonly count: number; readonly values: readonly (IntOrPercent | null)[]; readonly limit: number };
  readonly limitOfTargets: { readonly targets: number; readonly maxUnavailable: IntOrPercent; readonly limit: number };
  readonly unavailableOne: {
    readonly deployment: { readonly id: string; readonly appliedId: string; readonly ready: boolean } | null;
    readonly unavailable: boolean;
  };
  readonly upToDate: {
    readonly wanted: string;
    readonly deployment: { readonly stagedId: string; readonly id: string; readonly appliedId: string } | null;
    readonly upToDate: boolean;
  };
  readonly unavailablePartition: { readonly maxUnavailable: number; readonly targets: string; readonly unavailable: boolean };
  readonly unavailableTargets: { readonly targets: string; readonly unavailable: number };
  readonly automaticPartitions: { readonly clusters: number; readonly rollout: RolloutStrategy; readonly partitions: readonly Range[] };
  readonly writtenPartitions: {
    readonly targets: readonly {
      readonly from: number;
      readonly to: number;
      readonly name?: string;
      readonly group?: string;
      readonly labels?: Labels;
    }[];
    readonly rollout: RolloutStrategy;
    readonly partitions: readonly Range[];
  };
  readonly createdAtOnce: { readonly maxNew: number | null; readonly targets: number; readonly created: number };
  readonly stagedAtOnce: { readonly targets: number; readonly maxNew: number | null; readonly staged: number };
  readonly criteria: {
    readonly criteria: ClusterCriteria;
    readonly cluster: { readonly name: string; readonly group?: string; readonly displayName?: string };
    readonly matches: boolean;
  };
  readonly customizations: {
    readonly mode: Mode;
    readonly customizations: readonly { readonly name: string; readonly labels: Labels; readonly doNotDeploy?: boolean }[];
    readonly clusterLabels: Labels;
    readonly applied: readonly string[];
  };
  readonly customizationAt: {
    readonly position: number;
    readonly customizations: number;
    readonly restrictions: number;
    readonly isCustomization: boolean;
  };
  readonly deployedTo: {
    readonly mode: Mode;
    readonly customizations: readonly ValuedTarget[] | null;
    readonly targets: readonly ValuedTarget[];
    readonly deployed: Readonly<Record<string, string | Labels | null>>;
  };
  /** Dependencies, including ones with invalid states, which the type does not allow. */
  readonly acceptedStates: { readonly dependency: BundleRef; readonly valid: boolean };
}

/** Fleet's own test tables. */
export const FLEET_TABLES = upstreamTables<Rows>('fleet-tables');
