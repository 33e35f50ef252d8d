import type { Alias, ComponentResourceOptions } from '@pulumi/pulumi';

/**
 * Type of each component, `<package>:<module>:<Type>`. It is part of the URN of the component and of every child.
 * A changed token replaces them all, unless the previous one is listed in `FORMER_TYPE_TOKENS`.
 */
export const TYPE_TOKENS = {
  InferenceServiceRollout: 'rolloutkit:kserve:InferenceServiceRollout',
  KServePlatformConfig: 'rolloutkit:kserve:KServePlatformConfig',
  IncrementalRayService: 'rolloutkit:kuberay:IncrementalRayService',
  FleetBundle: 'rolloutkit:fleet:FleetBundle',
  DaemonSetPolicy: 'rolloutkit:kubernetes:DaemonSetPolicy',
  DeploymentPolicy: 'rolloutkit:kubernetes:DeploymentPolicy',
  ApplicationSetRollout: 'rolloutkit:argocd:ApplicationSetRollout',
  DisaggregatedSetRollout: 'rolloutkit:lws:DisaggregatedSetRollout',
  LeaderWorkerSetRollout: 'rolloutkit:lws:LeaderWorkerSetRollout',
  LLMInferenceServiceRollout: 'rolloutkit:kserve:LLMInferenceServiceRollout',
  OperatorRollingUpdate: 'rolloutkit:baw:OperatorRollingUpdate',
} as const;

/** Class name of a component. */
export type RolloutComponentKind = keyof typeof TYPE_TOKENS;

/** Tokens of earlier releases. A stack with one of them is updated without a replacement. */
export const FORMER_TYPE_TOKENS: Readonly<Record<RolloutComponentKind, readonly string[]>> = {
  InferenceServiceRollout: [],
  KServePlatformConfig: [],
  IncrementalRayService: [],
  FleetBundle: [],
  DaemonSetPolicy: [],
  DeploymentPolicy: [],
  ApplicationSetRollout: [],
  DisaggregatedSetRollout: [],
  LeaderWorkerSetRollout: [],
  LLMInferenceServiceRollout: [],
  OperatorRollingUpdate: [],
};

/** Adds the former types of a component to the aliases of the user's options, which may be null in JavaScript. */
export function withFormerTypes(opts: ComponentResourceOptions | null, formerTypes: readonly string[]): ComponentResourceOptions {
  const former = formerTypes.map((type): Alias => ({ type }));
  return { ...opts, aliases: [...(opts?.aliases ?? []), ...former] };
}
