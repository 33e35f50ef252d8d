import type { ApplyEffect } from '../core/document/change';
import { annotationOf, getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';

/*
 * What Pulumi's Kubernetes provider waits for after it has written a workload. Source: pulumi-kubernetes 4.32.0 provider/pkg/await/
 * deployment.go, statefulset.go, daemonset.go.
 */

/** Annotation that makes Pulumi not wait for an object. */
export const SKIP_AWAIT_ANNOTATION = 'pulumi.com/skipAwait';
const TIMEOUT_ANNOTATION = 'pulumi.com/timeoutSeconds';

/** How long the provider waits for a workload, unless `customTimeouts` of the resource says otherwise. */
const DEFAULT_TIMEOUT = '10 minutes';

const AWAITED_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];
const AWAITED_EFFECTS: readonly ApplyEffect[] = ['roll', 'roll-and-scale', 'scale', 'create', 'held'];

/**
 * Returns why the wait for an updated workload never ends, as a clause: `partition 2 keeps pods on the old revision`. Undefined if it ends.
 *
 * The provider waits until the current revision of a StatefulSet is the updated one, and until each pod of a DaemonSet is updated.
 * A StatefulSet with `OnDelete` is not waited for once it exists.
 */
export function explainEndlessWait({ apiVersion, kind, ...object }: Manifest): string | undefined {
  if (apiVersion !== 'apps/v1') return undefined;
  const type = getValueAt(object, 'spec', 'updateStrategy', 'type');
  if (kind === 'DaemonSet' && type === 'OnDelete') return 'OnDelete keeps pods on the old revision until someone deletes them';
  const partition = getValueAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  if (kind !== 'StatefulSet' || type === 'OnDelete' || typeof partition !== 'number' || partition <= 0) return undefined;
  // Without pods, the controller makes the updated revision the current one.
  if (getValueAt(object, 'spec', 'replicas') === 0) return undefined;
  return `partition ${partition} keeps pods on the old revision`;
}

/** Reports whether some pods of a workload have another revision once it has changed. A scale starts no revision. */
function hasOldRevision(effect: ApplyEffect, old: Manifest): boolean {
  return effect !== 'scale' || getValueAt(old, 'status', 'currentRevision') !== getValueAt(old, 'status', 'updateRevision');
}

/** Describes what Pulumi waits for after a change of a workload, and how long. Undefined if it waits for nothing. */
export function describeWait(next: Manifest, effect: ApplyEffect, old?: Manifest): string | undefined {
  if (next.apiVersion !== 'apps/v1' || !AWAITED_KINDS.includes(next.kind) || !AWAITED_EFFECTS.includes(effect)) return undefined;
  const endless = old && hasOldRevision(effect, old) ? explainEndlessWait(next) : undefined;
  // A workload can be held for several reasons. Only those that hold pods on the old revision are described.
  if (effect === 'held' && endless === undefined) return undefined;
  if (annotationOf(next, SKIP_AWAIT_ANNOTATION) === 'true') return `Pulumi does not wait for its pods (${SKIP_AWAIT_ANNOTATION})`;
  const seconds = annotationOf(next, TIMEOUT_ANNOTATION);
  const time = seconds === undefined ? `${DEFAULT_TIMEOUT} (or customTimeouts)` : `${seconds} s`;
  if (endless === undefined) return `Pulumi waits until its pods are updated and ready, at most ${time}`;
  return `Pulumi waits ${time} and then fails the update, because ${endless}: set the annotation ${SKIP_AWAIT_ANNOTATION}: "true"`;
}
