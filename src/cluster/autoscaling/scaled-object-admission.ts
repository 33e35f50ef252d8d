import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getListAt, getValueAt, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { CONTEXT_KINDS } from '../kinds/context-kinds';

/*
 * What KEDA's admission webhook refuses in a ScaledObject. The webhook is part of a default installation, and an object that exists is not asked
 * about again until it changes. Source: KEDA v2.20.2 apis/keda/v1alpha1/scaledobject_webhook.go, scaledobject_types.go.
 */

/** A field of a ScaledObject that KEDA refuses. */
export interface ScaledObjectRefusal {
  readonly messageId: 'fallback-number' | 'fallback-trigger' | 'fallback-formula' | 'range' | 'idle' | 'zero';
  readonly path: FieldPath;
  /** The error of the webhook. */
  readonly message: string;
}

/** Maximum replicas without `maxReplicaCount`. */
const DEFAULT_MAXIMUM = 100;

/** Triggers whose metrics the kubelet provides. KEDA neither falls back nor scales to 0 for them. */
const RESOURCE_TRIGGERS: ReadonlySet<unknown> = new Set(['cpu', 'memory']);

function readCount(object: Manifest, ...path: readonly string[]): number | undefined {
  const value = getValueAt(object, 'spec', ...path);
  return isInt32(value) ? value : undefined;
}

function hasOnlyResourceTriggers(object: Manifest): boolean {
  return getListAt(object, 'spec', 'triggers').every((trigger) => RESOURCE_TRIGGERS.has(getValueAt(trigger, 'type')));
}

function usesModifiers(object: Manifest): boolean {
  return Object.keys(getFieldsAt(object, 'spec', 'advanced', 'scalingModifiers')).length > 0;
}

function findFallbackRefusal(object: Manifest): ScaledObjectRefusal | undefined {
  const fallback = getValueAt(object, 'spec', 'fallback');
  if (fallback === undefined || fallback === null) return undefined;
  const path = toFieldPath`spec.fallback`;
  const [threshold, replicas] = [readCount(object, 'fallback', 'failureThreshold') ?? 0, readCount(object, 'fallback', 'replicas') ?? 0];
  if (threshold < 0 || replicas < 0) {
    const message = `FailureThreshold=${threshold} & Replicas=${replicas} must both be greater than or equal to 0`;
    return { messageId: 'fallback-number', path, message };
  }
  if (!usesModifiers(object) && hasOnlyResourceTriggers(object)) {
    const message = 'at least one trigger (that is not cpu or memory) has to have the `AverageValue` type for the fallback to be enabled';
    return { messageId: 'fallback-trigger', path, message };
  }
  const hasFormula = Boolean(getValueAt(object, 'spec', 'advanced', 'scalingModifiers', 'formula'));
  if (getValueAt(fallback, 'behavior') !== 'scalingModifiers' || hasFormula) return undefined;
  const message = 'scalingModifiers fallback behavior requires scalingModifiers.formula to be defined';
  return { messageId: 'fallback-formula', path, message };
}

function findRangeRefusal(object: Manifest): ScaledObjectRefusal | undefined {
  const written = readCount(object, 'minReplicaCount');
  const minimum = written === undefined ? 0 : Math.max(1, written);
  const maximum = readCount(object, 'maxReplicaCount') ?? DEFAULT_MAXIMUM;
  // A negative maximum has a finding of its own.
  if (maximum < 0) return undefined;
  if (minimum > maximum) {
    const message = `MinReplicaCount=${minimum} must be less than MaxReplicaCount=${maximum}`;
    return { messageId: 'range', path: toFieldPath`spec.maxReplicaCount`, message };
  }
  const idle = readCount(object, 'idleReplicaCount');
  if (idle === undefined || idle < minimum) return undefined;
  const message = `IdleReplicaCount=${idle} must be less than MinReplicaCount=${minimum}`;
  return { messageId: 'idle', path: toFieldPath`spec.idleReplicaCount`, message };
}

/** Returns the refusal of a minimum of 0 that only cpu and memory triggers could reach. KEDA looks only at Deployments and StatefulSets. */
function findZeroRefusal(object: Manifest): ScaledObjectRefusal | undefined {
  const { apiVersion, kind } = getFieldsAt(object, 'spec', 'scaleTargetRef');
  const targetKind = kind || 'Deployment';
  if ((apiVersion || 'apps/v1') !== 'apps/v1' || (targetKind !== 'Deployment' && targetKind !== 'StatefulSet')) return undefined;
  const hasTriggers = getListAt(object, 'spec', 'triggers').length > 0;
  if (!hasTriggers || !hasOnlyResourceTriggers(object) || (readCount(object, 'minReplicaCount') ?? 0) !== 0) return undefined;
  const message = "scaledobject has only cpu/memory triggers AND minReplica is 0 (scale to zero doesn't work in this case)";
  return { messageId: 'zero', path: toFieldPath`spec.triggers`, message };
}

/** Returns the first thing that KEDA's webhook refuses. Undefined if it accepts the object, or if the object is no ScaledObject. */
export function findScaledObjectRefusal(object: Manifest): ScaledObjectRefusal | undefined {
  const { group, kind } = CONTEXT_KINDS.scaledObject;
  if (object.kind !== kind || groupOf(object) !== group) return undefined;
  return findFallbackRefusal(object) ?? findRangeRefusal(object) ?? findZeroRefusal(object);
}
