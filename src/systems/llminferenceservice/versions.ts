import { getValueAtVersion } from '../../core/values/versions';

/** Behaviour for LLMInferenceServices that differs between KServe versions. */
export interface LlmBehaviour {
  /** Whether `rolloutStrategy` is supported, next to the template and in `prefill`. */
  readonly hasStrategy: boolean;
  /** Whether `router.route` has `group` and `weight`. Source: KServe 0.20.0, llmisvc/router_group.go. */
  readonly hasRouteGroup: boolean;
}

/**
 * Source: kserve/kserve pkg/controller/v1alpha2/llmisvc of 0.17.0 and 0.20.0, which have no such field. The field is in master since
 * 117261274 (#5916), after 0.20, and in no release yet: it is planned for as 0.21.
 */
const BEHAVIOURS: readonly (readonly [since: string, LlmBehaviour])[] = [
  ['0', { hasStrategy: false, hasRouteGroup: false }],
  ['0.20', { hasStrategy: false, hasRouteGroup: true }],
  ['0.21', { hasStrategy: true, hasRouteGroup: true }],
];

/** Returns the behaviour of a KServe version for LLMInferenceServices. */
export function llmBehaviourOf(version: string): LlmBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}

/** Whether new pods restart the scheduler. 0.18 was not read. Source: KServe 0.17.0, llmisvc/scheduler.go. */
const RESTARTS_SCHEDULER = [
  ['0', false],
  ['0.17', true],
  ['0.18', false],
] as const;

/** Reports whether KServe restarts the scheduler of a service that starts pods. */
export function isRestartingScheduler(kserveVersion: string): boolean {
  return getValueAtVersion(RESTARTS_SCHEDULER, kserveVersion);
}

/** The grace period and the preStop hook that the presets of a version set. */
export interface PresetTermination {
  readonly graceSeconds: number;
  readonly preStopSeconds: number;
}

/** Source: KServe 0.17.0 to 0.20.0, config/llmisvcconfig. */
const PRESET_TERMINATIONS: readonly (readonly [since: string, PresetTermination | undefined])[] = [
  ['0', undefined],
  ['0.19', { graceSeconds: 60, preStopSeconds: 15 }],
];

/** Returns how the presets of a version end requests; undefined if they set neither a grace period nor a hook. */
export function getPresetTermination(kserveVersion: string): PresetTermination | undefined {
  return getValueAtVersion(PRESET_TERMINATIONS, kserveVersion);
}

/** Beginnings of the names of annotations and labels that KServe copies from a service to its pods. */
interface CopiedMetadata {
  readonly annotations: readonly string[];
  readonly labels: readonly string[];
}

const KUEUE = 'kueue.x-k8s.io';
const NETWORKS = 'k8s.v1.cni.cncf.io';
const LOCAL_MODEL = 'internal.serving.kserve.io/localmodel';

/** Source: KServe 0.16.0, 0.17.0, 0.19.0 and 0.20.0, llmisvc/workload_single_node.go, `propagateDeploymentMetadata`. 0.18 was not read. */
const COPIED_METADATA: readonly (readonly [since: string, CopiedMetadata])[] = [
  ['0', { annotations: [NETWORKS, KUEUE], labels: [KUEUE] }],
  ['0.17', { annotations: [NETWORKS, KUEUE, 'prometheus.io'], labels: [KUEUE] }],
  ['0.19', { annotations: [NETWORKS, KUEUE, 'prometheus.io', LOCAL_MODEL], labels: [KUEUE, LOCAL_MODEL] }],
];

/** Returns which metadata of a service KServe copies to its pods. */
export function getCopiedMetadata(kserveVersion: string): CopiedMetadata {
  return getValueAtVersion(COPIED_METADATA, kserveVersion);
}
