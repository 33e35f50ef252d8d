import type { Alias, ComponentResourceOptions } from '@pulumi/pulumi';

/**
 * The type of each component, `<package>:<module>:<Type>`. It is part of the URN of the component and of every child:
 * a changed token replaces them all, unless the one before it is listed in `FORMER_TYPE_TOKENS`.
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

/** A component by the name of its class. */
export type RolloutComponentKind = keyof typeof TYPE_TOKENS;

/** Tokens that a component had in earlier releases; a stack made with one of them is taken over without a replacement. */
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

/** The user's options, with the component's former types as further aliases. JavaScript may give null for none. */
export function withFormerTypes(opts: ComponentResourceOptions | null, formerTypes: readonly string[]): ComponentResourceOptions {
  const former = formerTypes.map((type): Alias => ({ type }));
  return { ...opts, aliases: [...(opts?.aliases ?? []), ...former] };
}
