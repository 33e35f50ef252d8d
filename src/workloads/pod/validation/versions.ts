import { BoundedMemo } from '../../../core/collections/memoize';
import { getValueAtVersion } from '../../../core/values/versions';
import type { FormatName } from './formats';

/** The validation behaviour of pods that depends on the version. Source: k/k pkg/features/kube_features.go. */
export interface PodBehaviour {
  /** The format of variable names. */
  readonly variableNames: FormatName;
  /** The format of search domains. */
  readonly searchDomains: FormatName;
  /**
   * How restart rules of containers are handled (ContainerRestartRules). Without the gate, only an init container may have a restartPolicy,
   * and only Always. Older versions refuse anything else, and newer ones drop it.
   */
  readonly restartRules: 'refused' | 'dropped' | 'kept';
  /** Whether an init container may have a resizePolicy (InPlacePodVerticalScaling). */
  readonly resizesInitContainers: boolean;
  /** Whether a hook may sleep for 0 seconds (PodLifecycleSleepActionAllowZero). */
  readonly allowsZeroSleep: boolean;
  /** The allowed values of seLinuxChangePolicy (SELinuxMount). */
  readonly seLinuxPolicies: readonly string[];
  /** Whether matchLabelKeys of a spread constraint are merged into its selector (MatchLabelKeysInPodTopologySpreadSelectorMerge). */
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
    allowsZeroSleep: getValueAtVersion(enableSince('1.33'), version),
    mergesSpreadKeys: getValueAtVersion(enableSince('1.34'), version),
  };
}

const BEHAVIOURS = new BoundedMemo<PodBehaviour>();

export function getPodBehaviour(version: string): PodBehaviour {
  return BEHAVIOURS.getOrCompute(version, buildPodBehaviour);
}
