import type { IntOrPercent } from '../../core/int-or-percent';
import { IntentError } from '../../core/intent-error';
import { isFields } from '../../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import { llmBehaviourOf } from './versions';

/** What is written. */
export const LLM_INFERENCE_SERVICE = { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'LLMInferenceService' } as const;

/** How the pods of one workload may be replaced, from the version after 0.20 on; of several nodes, in groups. */
export interface LlmRollout {
  /** Pods or groups beyond the replicas: rounded up. @default - 25% of pods, 0 groups */
  readonly maxSurge?: IntOrPercent;
  /** Pods or groups that may be unavailable: rounded down; a percentage below 100% is 0 to the webhook, which looks at one replica. @default - 25% of pods, 1 group */
  readonly maxUnavailable?: IntOrPercent;
}

/** One workload of an LLMInferenceService; fields as KServe has them. */
export interface LlmWorkloadProps {
  /** Pods, or groups of them where there are workers. @default - as KServe has it: 1 */
  readonly replicas?: number;
  /** What scales it instead of replicas. @default - nothing */
  readonly scaling?: Fields;
  /** Data, tensor and pipeline parallelism: with workers, the size of a group. @default - none */
  readonly parallelism?: Fields;
  /** Its pod. @default - a preset's */
  readonly template?: Fields;
  /** The other pods of a group, which makes it one of several nodes. @default - none */
  readonly worker?: Fields;
  /** Labels of its pods. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of its pods. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** How its pods may be replaced; refused up to KServe 0.20, which has no such field. @default - as KServe does without one */
  readonly rollout?: LlmRollout;
}

/** Properties of an `LLMInferenceServiceRollout`. */
export interface LLMInferenceServiceRolloutProps extends LlmWorkloadProps {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** The version of KServe that it is for; `next` is the one after 0.20, in no release yet. @default 0.17 */
  readonly kserve?: string;
  /** The model, as KServe has it. */
  readonly model: Fields;
  /** A workload for prompts alone; the other one then decodes. @default - none */
  readonly prefill?: LlmWorkloadProps;
  /** Route, gateway and scheduler. @default - none */
  readonly router?: Fields;
  /** Presets that it is built on. @default - KServe's own */
  readonly baseRefs?: readonly {
    /** Of an LLMInferenceServiceConfig in its namespace or in that of KServe. */
    readonly name: string;
  }[];
}

/** What `next` stands for until it is released. */
const NEXT_VERSION = '0.21';

/** The version that a service is planned for. */
export function resolveLlmVersion({ kserve }: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): string | undefined {
  return kserve === 'next' ? NEXT_VERSION : kserve;
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function buildWorkloadFields({ rollout, ...fields }: LlmWorkloadProps, prop: string, version: string): Fields {
  if (rollout === undefined) return dropUndefined(fields);
  if (!isFields(rollout) || 'mode' in rollout || 'type' in rollout) {
    throw new IntentError(`${prop} is ${describeValue(rollout)}: write maxSurge and maxUnavailable alone, for there is no other type`);
  }
  if (!llmBehaviourOf(version).hasStrategy) {
    throw new IntentError(
      `${prop} is given, and KServe ${version} has no field for it: a Deployment rolls with 25% more and 25% fewer pods, a LeaderWorkerSet one ` +
        "group at a time, whatever the platform's rollout defaults say; leave it out, or write kserve: 'next'",
    );
  }
  return dropUndefined({ ...fields, rolloutStrategy: rollout });
}

/**
 * The LLMInferenceService of some props.
 *
 * @param version of KServe
 * @throws IntentError for a rollout that the version has no field for, or that is of another type
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
