import { parseGoDuration } from '../../core/values/go-duration';
import type { KnativeConfig } from './config';
import { isReadyAtOnePod } from './versions';

/** The scaling and traffic settings of a Revision. */
export interface RevisionScale {
  /** `min-scale`: the minimum number of pods of every Revision that gets requests. */
  readonly minScale: number;
  /** `min-scale` of the old Revision. @default - `minScale` */
  readonly oldMinScale?: number;
  /** `initial-scale`: the number of pods that the Deployment starts with. */
  readonly initialScale: number;
  /** The number of ready pods at which the Revision is ready. */
  readonly requiredReadyPods: number;
  /** The number of pods that the old Revision keeps although it gets no more requests. */
  readonly leftoverPods: 0 | 1;
  /** The percentage of requests that the new Revision gets once it is ready. */
  readonly trafficPercent: number;
  /** The seconds over which requests move; 0 if they move at once. */
  readonly rolloutSeconds: number;
  /** The seconds after which a Revision without a ready pod counts as failed. */
  readonly progressDeadline: number;
  /** The seconds for which an old Revision without requests keeps its pods. */
  readonly graceSeconds: number;
}

/** The annotation that names the class of the autoscaler. */
export const KNATIVE_CLASS_ANNOTATION = 'autoscaling.knative.dev/class';
export const KNATIVE_HPA_CLASS = 'hpa.autoscaling.knative.dev';
const INITIAL_SCALE_ANNOTATION = 'autoscaling.knative.dev/initial-scale';
const ROLLOUT_DURATION_ANNOTATION = 'serving.knative.dev/rollout-duration';
const PROGRESS_DEADLINE_ANNOTATION = 'serving.knative.dev/progress-deadline';

const NANOS_PER_SECOND = 1_000_000_000n;

/**
 * Parses a Go duration of whole seconds: `10m30s` is 630, `1.5m` is 90. Returns undefined for any other value, which Knative's webhook
 * refuses.
 */
function parseSeconds(text: unknown): number | undefined {
  const nanos = typeof text === 'string' ? parseGoDuration(text) : undefined;
  if (nanos === undefined || nanos < 0n || nanos % NANOS_PER_SECOND !== 0n) return undefined;
  return Number(nanos / NANOS_PER_SECOND);
}

/** Parses an initial scale. A value that is not a whole number is dropped, and 0 if config-autoscaler does not allow it. */
function parseInitialScale(written: unknown, { allowsZeroInitialScale }: KnativeConfig): number | undefined {
  if (typeof written !== 'string' || !/^[0-9]{1,9}$/.test(written)) return undefined;
  const scale = Number(written);
  return scale === 0 && !allowsZeroInitialScale ? undefined : scale;
}

/** What decides how a Revision is scaled. */
export interface ScaleInput {
  /** Returns an annotation of the Revision or of its Service. */
  readonly readAnnotation: (name: string) => unknown;
  /** The minimum number of pods. Without an own minimum it is that of config-autoscaler. */
  readonly minScale: number;
  /** Whether the Revision starts with its minimum number of pods, unless an annotation says otherwise. @default false */
  readonly startsAtMinScale?: boolean;
  readonly trafficPercent: number;
}

/**
 * Resolves how a Revision is scaled.
 *
 * The initial scale comes from an annotation, otherwise from config-autoscaler. A Revision is ready with max(min-scale, initial-scale) ready
 * pods. If nothing scales to zero, each Revision keeps a pod permanently.
 *
 * Source: Knative 1.21, pkg/reconciler/autoscaling/kpa/kpa.go, `activeThreshold`.
 *
 * @param version - of Knative
 */
export function resolveScale(
  { readAnnotation, minScale: given, startsAtMinScale = false, trafficPercent }: ScaleInput,
  version: string,
  config: KnativeConfig,
): RevisionScale {
  const usesHpa = readAnnotation(KNATIVE_CLASS_ANNOTATION) === KNATIVE_HPA_CLASS;
  const keepsOne = usesHpa || !config.scalesToZero;
  const minScale = keepsOne ? Math.max(1, given) : given;
  const initialScale =
    parseInitialScale(readAnnotation(INITIAL_SCALE_ANNOTATION), config) ?? (startsAtMinScale ? Math.max(1, minScale) : config.initialScale);
  return {
    minScale,
    initialScale,
    requiredReadyPods: isReadyAtOnePod(version) ? 1 : Math.max(minScale, initialScale),
    leftoverPods: keepsOne ? 1 : 0,
    trafficPercent,
    rolloutSeconds: parseSeconds(readAnnotation(ROLLOUT_DURATION_ANNOTATION)) ?? config.rolloutSeconds,
    progressDeadline: parseSeconds(readAnnotation(PROGRESS_DEADLINE_ANNOTATION)) ?? config.progressDeadline,
    graceSeconds: config.graceSeconds,
  };
}
