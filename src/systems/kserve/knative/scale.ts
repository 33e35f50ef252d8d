import { isInt32 } from '../../../core/int-or-percent';
import { parseGoDuration } from '../../../core/go-duration';
import { getValueAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { KNATIVE_CLASS_ANNOTATION, KNATIVE_HPA_CLASS } from '../mode';
import type { KserveService } from '../service';
import type { KnativeConfig } from './config';
import { isReadyAtOnePod, hasMinScaleAsInitialScale } from './versions';

/** The scaling and traffic settings of a Revision. */
export interface RevisionScale {
  /** `min-scale`: the minimum number of pods of every Revision that gets requests. */
  readonly minScale: number;
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

/** Parses an initial scale. KServe drops a value that is not a whole number, and 0 if config-autoscaler does not allow it. */
function parseInitialScale(written: unknown, { allowsZeroInitialScale }: KnativeConfig): number | undefined {
  if (typeof written !== 'string' || !/^[0-9]{1,9}$/.test(written)) return undefined;
  const scale = Number(written);
  return scale === 0 && !allowsZeroInitialScale ? undefined : scale;
}

/** The versions that affect a scale. */
export interface ScaleVersions {
  readonly kserve: string;
  readonly knative: string;
}

/**
 * Resolves the settings that Knative scales a component by.
 *
 * minReplicas is written as min-scale, 1 if omitted. The initial scale comes from an annotation, otherwise from config-autoscaler. A
 * Revision is ready with max(min-scale, initial-scale) ready pods. If nothing scales to zero, each Revision keeps a pod permanently.
 *
 * Source: KServe, reconcilers/knative/ksvc_reconciler.go, `createKnativeService`; Knative 1.21, pkg/reconciler/autoscaling/kpa/kpa.go,
 * `activeThreshold`.
 */
export function resolveRevisionScale(
  service: KserveService,
  component: Fields,
  versions: ScaleVersions,
  config: KnativeConfig,
): RevisionScale {
  const readAnnotation = (name: string) => getValueAt(component, 'annotations', name) ?? service.annotations[name];
  const usesHpa = readAnnotation(KNATIVE_CLASS_ANNOTATION) === KNATIVE_HPA_CLASS;
  const minReplicas = isInt32(component.minReplicas) ? Math.max(0, component.minReplicas) : 1;
  const keepsOne = usesHpa || !config.scalesToZero;
  const minScale = keepsOne ? Math.max(1, minReplicas) : minReplicas;
  const initialScale =
    parseInitialScale(readAnnotation(INITIAL_SCALE_ANNOTATION), config) ??
    (hasMinScaleAsInitialScale(versions.kserve) ? Math.max(1, minScale) : config.initialScale);
  const { canaryTrafficPercent } = component;
  return {
    minScale,
    initialScale,
    requiredReadyPods: isReadyAtOnePod(versions.knative) ? 1 : Math.max(minScale, initialScale),
    leftoverPods: keepsOne ? 1 : 0,
    trafficPercent: isInt32(canaryTrafficPercent) ? canaryTrafficPercent : 100,
    rolloutSeconds: parseSeconds(readAnnotation(ROLLOUT_DURATION_ANNOTATION)) ?? config.rolloutSeconds,
    progressDeadline: parseSeconds(readAnnotation(PROGRESS_DEADLINE_ANNOTATION)) ?? config.progressDeadline,
    graceSeconds: config.graceSeconds,
  };
}
