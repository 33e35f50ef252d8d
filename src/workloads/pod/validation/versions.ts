import { BoundedMemo } from '../../../core/memoize';
import { getValueAtVersion } from '../../../core/versions';
import type { FormatName } from './formats';

/** What validation of pods depends on the version for. Source: k/k pkg/features/kube_features.go. */
export interface PodBehaviour {
  /** How names of variables are written. */
  readonly variableNames: FormatName;
  /** How search domains are written. */
  readonly searchDomains: FormatName;
  /**
   * May any container say when it restarts (ContainerRestartRules)? Without that, only an init container may, and Always alone:
   * what else is said was refused first, and then dropped.
   */
  readonly restartRules: 'refused' | 'dropped' | 'kept';
  /** May an init container have a resizePolicy (InPlacePodVerticalScaling)? */
  readonly resizesInitContainers: boolean;
  /** May a hook sleep for 0 seconds (PodLifecycleSleepActionAllowZero)? */
  readonly mayNotSleep: boolean;
  /** What seLinuxChangePolicy may say (SELinuxMount). */
  readonly seLinuxPolicies: readonly string[];
  /** Are matchLabelKeys of a spread constraint merged into its selector (MatchLabelKeysInPodTopologySpreadSelectorMerge)? */
  readonly mergesSpreadKeys: boolean;
}

const VARIABLE_NAMES = [
  ['0', 'variable-name-before-1.32'],
  ['1.32', 'variable-name'],
] as const;

const SEARCH_DOMAINS = [
  ['0', 'dns-subdomain'],
  ['1.33', 'search-domain'],
] as const;

const SE_LINUX_POLICIES = [
  ['0', ['Recursive']],
  ['1.37', ['MountOption', 'Recursive']],
] as const;

const RESTART_RULES = [
  ['0', 'refused'],
  ['1.34', 'dropped'],
  ['1.35', 'kept'],
] as const;

function enableSince(since: string): readonly (readonly [string, boolean])[] {
  return [
    ['0', false],
    [since, true],
  ];
}

function buildPodBehaviour(version: string): PodBehaviour {
  return {
    variableNames: getValueAtVersion<FormatName>(VARIABLE_NAMES, version),
    searchDomains: getValueAtVersion<FormatName>(SEARCH_DOMAINS, version),
    restartRules: getValueAtVersion<PodBehaviour['restartRules']>(RESTART_RULES, version),
    resizesInitContainers: getValueAtVersion(enableSince('1.33'), version),
    seLinuxPolicies: getValueAtVersion<readonly string[]>(SE_LINUX_POLICIES, version),
    mayNotSleep: getValueAtVersion(enableSince('1.33'), version),
    mergesSpreadKeys: getValueAtVersion(enableSince('1.34'), version),
  };
}

const BEHAVIOURS = new BoundedMemo<PodBehaviour>();

export function getPodBehaviour(version: string): PodBehaviour {
  return BEHAVIOURS.getOrCompute(version, buildPodBehaviour);
}
