import type { IntOrPercent } from '../../core/int-or-percent';
import { IntentError } from '../../core/intent-error';
import { isFields } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import type { GoalIntent } from '../../workloads/deployment/intent';
import { llmBehaviourOf } from './versions';

/** The apiVersion and kind of the generated object. */
export const LLM_INFERENCE_SERVICE = { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'LLMInferenceService' } as const;

/**
 * The limits by which the pods of one workload are replaced, supported after KServe 0.20. A workload on several nodes is replaced in
 * groups.
 */
export interface LlmRollout {
  /** Pods or groups beyond the replicas, rounded up. @default - 25% of pods, 0 groups */
  readonly maxSurge?: IntOrPercent;
  /**
   * Pods or groups that may be unavailable, rounded down. The webhook resolves the value at one replica, so there a percentage below 100%
   * is 0. @default - 25% of pods, 1 group
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** A workload of an LLMInferenceService, with fields as in KServe. */
export interface LlmWorkloadProps {
  /** The number of pods, or of groups if there are workers. @default - the default of KServe: 1 */
  readonly replicas?: number;
  /** The autoscaling configuration, instead of replicas. @default - none */
  readonly scaling?: Fields;
  /** Data, tensor and pipeline parallelism. With workers they determine the size of a group. @default - none */
  readonly parallelism?: Fields;
  /** The pod. @default - from a preset */
  readonly template?: Fields;
  /** The worker pods of a group. With workers, the workload runs on several nodes. @default - none */
  readonly worker?: Fields;
  /** The labels of the pods. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The annotations of the pods. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The limits by which the pods are replaced. Refused up to KServe 0.20, which has no such field. @default - the default of KServe */
  readonly rollout?: LlmRollout | GoalIntent;
}

/** Properties of an `LLMInferenceServiceRollout`. */
export interface LLMInferenceServiceRolloutProps extends LlmWorkloadProps {
  /** The metadata. @default - the adapter's id or name as the name */
  readonly metadata?: ObjectMeta;
  /** The version of KServe to write for. `next` is the version after 0.20, which is not released yet. @default 0.17 */
  readonly kserve?: string;
  /** The model, as in KServe. */
  readonly model: Fields;
  /** A separate workload for prompts. The main workload then decodes. @default - none */
  readonly prefill?: LlmWorkloadProps;
  /** The route, gateway and scheduler. @default - none */
  readonly router?: Fields;
  /** The presets that the service is based on. @default - KServe's own */
  readonly baseRefs?: readonly {
    /** The name of an LLMInferenceServiceConfig in the namespace of the service or of KServe. */
    readonly name: string;
  }[];
}

/** The version that `next` maps to until it is released. */
const NEXT_VERSION = '0.21';

/** Returns the KServe version that a service is planned for. */
export function resolveLlmVersion({ kserve }: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): string | undefined {
  return kserve === 'next' ? NEXT_VERSION : kserve;
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function buildWorkloadFields({ rollout, ...fields }: LlmWorkloadProps, prop: string, version: string): Fields {
  if (rollout === undefined) return dropUndefined(fields);
  if (!isFields(rollout) || 'mode' in rollout || 'type' in rollout || 'goal' in rollout) {
    throw new IntentError(`${prop} is ${describeValue(rollout)}: write only maxSurge and maxUnavailable, there is no other type`);
  }
  if (!llmBehaviourOf(version).hasStrategy) {
    throw new IntentError(
      `${prop} is set, but KServe ${version} has no field for it: a Deployment rolls with maxSurge and maxUnavailable 25%, a LeaderWorkerSet one ` +
        "group at a time, whatever the platform's rollout defaults are; delete it, or write kserve: 'next'",
    );
  }
  return dropUndefined({ ...fields, rolloutStrategy: rollout });
}

/**
 * Builds the LLMInferenceService from its props.
 *
 * @param version - of KServe
 * @throws IntentError if the version has no field for a rollout, or the rollout has a mode or type
 */
export function buildLlmInferenceService(name: string, props: LLMInferenceServiceRolloutProps, version: string): Manifest {
  const { metadata, kserve: _, model, prefill, router, baseRefs, ...workload } = props;
  return {
    ...LLM_INFERENCE_SERVICE,
    metadata: { name, ...metadata },
    spec: dropUndefined({
      model,
      ...buildWorkloadFields(workload, 'rollout', version),
      prefill: prefill && buildWorkloadFields(prefill, 'prefill.rollout', version),
      router,
      baseRefs,
    }),
  };
}
