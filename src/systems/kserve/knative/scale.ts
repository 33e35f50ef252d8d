import { isInt32 } from '../../../core/int-or-percent';
import { parseGoDuration } from '../../../core/go-duration';
import { getValueAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { KNATIVE_CLASS_ANNOTATION, KNATIVE_HPA_CLASS } from '../mode';
import type { KserveService } from '../service';
import type { KnativeConfig } from './config';
import { isReadyAtOnePod, hasMinScaleAsInitialScale } from './versions';

/** What a Revision is scaled by, and how its requests come to it. */
export interface RevisionScale {
  /** `min-scale`: pods at least, of every Revision that gets requests. */
  readonly minScale: number;
  /** `initial-scale`: pods with which the Deployment begins. */
  readonly initialScale: number;
  /** Ready pods at which the Revision is ready. */
  readonly requiredReadyPods: number;
  /** Pods that the old Revision keeps although nothing goes there any more. */
  readonly leftoverPods: 0 | 1;
  /** Percent of the requests that the new Revision gets, once it is ready. */
  readonly trafficPercent: number;
  /** Seconds over which the requests move; 0 where they move at once. */
  readonly rolloutSeconds: number;
  /** Seconds after which a Revision counts as failed none of whose pods is ready. */
  readonly progressDeadline: number;
  /** Seconds that an old Revision without requests keeps its pods. */
  readonly graceSeconds: number;
}

const INITIAL_SCALE_ANNOTATION = 'autoscaling.knative.dev/initial-scale';
const ROLLOUT_DURATION_ANNOTATION = 'serving.knative.dev/rollout-duration';
const PROGRESS_DEADLINE_ANNOTATION = 'serving.knative.dev/progress-deadline';

const NANOS_PER_SECOND = 1_000_000_000n;

/** A Go duration of whole seconds: `10m30s` is 630, `1.5m` is 90; undefined for anything else, which Knative's webhook refuses. */
function parseSeconds(text: unknown): number | undefined {
  const nanos = typeof text === 'string' ? parseGoDuration(text) : undefined;
  if (nanos === undefined || nanos < 0n || nanos % NANOS_PER_SECOND !== 0n) return undefined;
  return Number(nanos / NANOS_PER_SECOND);
}

/** KServe drops an initial scale that is no whole number, and 0 where config-autoscaler does not allow it. */
function parseInitialScale(written: unknown, { allowsZeroInitialScale }: KnativeConfig): number | undefined {
  if (typeof written !== 'string' || !/^[0-9]{1,9}$/.test(written)) return undefined;
  const scale = Number(written);
  return scale === 0 && !allowsZeroInitialScale ? undefined : scale;
}

/** Versions that decide a scale. */
export interface ScaleVersions {
  readonly kserve: string;
  readonly knative: string;
}

/**
 * What Knative scales a component by.
 *
 * minReplicas is written as min-scale, 1 where it is left out; the initial scale is an annotation's, else config-autoscaler's.
 * A Revision is ready with max(min-scale, initial-scale) ready pods. Where nothing scales to zero, each keeps a pod for good.
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
  const annotation = (name: string) => getValueAt(component, 'annotations', name) ?? service.annotations[name];
  const usesHpa = annotation(KNATIVE_CLASS_ANNOTATION) === KNATIVE_HPA_CLASS;
  const written = isInt32(component.minReplicas) ? Math.max(0, component.minReplicas) : 1;
  const keepsOne = usesHpa || !config.scalesToZero;
  const minScale = keepsOne ? Math.max(1, written) : written;
  const initialScale =
    parseInitialScale(annotation(INITIAL_SCALE_ANNOTATION), config) ??
    (hasMinScaleAsInitialScale(versions.kserve) ? Math.max(1, minScale) : config.initialScale);
  const { canaryTrafficPercent } = component;
  return {
    minScale,
    initialScale,
    requiredReadyPods: isReadyAtOnePod(versions.knative) ? 1 : Math.max(minScale, initialScale),
    leftoverPods: keepsOne ? 1 : 0,
    trafficPercent: isInt32(canaryTrafficPercent) ? canaryTrafficPercent : 100,
    rolloutSeconds: parseSeconds(annotation(ROLLOUT_DURATION_ANNOTATION)) ?? config.rolloutSeconds,
    progressDeadline: parseSeconds(annotation(PROGRESS_DEADLINE_ANNOTATION)) ?? config.progressDeadline,
    graceSeconds: config.graceSeconds,
  };
}
