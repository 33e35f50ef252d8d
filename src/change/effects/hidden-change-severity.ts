import { kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Severity } from '../../core/findings/finding';
import { isContextObject } from '../../cluster/kinds/context-kinds';
import { workloadKindOf } from '../../workloads/kinds';
import { SYSTEMS } from '../../plan/registry';

/** Kinds of claims. What they claim may be lost with them. */
const CLAIMS: ReadonlySet<string> = new Set(['/PersistentVolumeClaim', 'resource.k8s.io/ResourceClaim']);

/** Returns the severity of an object whose change is not planned because of a new annotation: that of what a rollout of it may do. */
export function determineHiddenSeverity(object: Manifest): Severity {
  if (mayRollOut(object) || CLAIMS.has(kindKeyOf(object))) return 'error';
  return isContextObject(object) ? 'warning' : 'info';
}

/** Reports whether an object has pods that a rollout replaces. */
export function mayRollOut(object: Manifest): boolean {
  return workloadKindOf(object) !== undefined || SYSTEMS.some((system) => system.recognises(object));
}
