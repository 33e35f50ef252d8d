import { isDeepEqual } from '../../core/collections/deep-equal';
import { getOwnValue, getValueAt } from '../../core/manifest/manifest';
import { toGoJson } from './go-json';
import type { ApplyRejection, StoredObject } from './types';

/* Kinds with immutable fields and nothing else to validate. Source: k/k pkg/apis/{scheduling,node,storage,networking}/validation/validation.go at 1.34. */

/** A field that never changes. */
interface ImmutableField {
  readonly path: readonly string[];
  /** The value that the server fills in. @default - none */
  readonly default?: unknown;
  /** @default - the message with the value */
  readonly message?: string;
}

function forbidUpdates(name: string, fallback?: unknown): ImmutableField {
  return { path: [name], message: `Forbidden: updates to ${name} are forbidden.`, ...(fallback !== undefined && { default: fallback }) };
}

const IMMUTABLE_FIELDS: Readonly<Record<string, readonly ImmutableField[]>> = {
  'scheduling.k8s.io/v1/PriorityClass': [
    { path: ['value'], default: 0, message: 'Forbidden: may not be changed in an update.' },
    { path: ['preemptionPolicy'], default: 'PreemptLowerPriority' },
  ],
  'node.k8s.io/v1/RuntimeClass': [{ path: ['handler'] }],
  'storage.k8s.io/v1/StorageClass': [
    forbidUpdates('parameters', {}),
    forbidUpdates('provisioner'),
    forbidUpdates('reclaimPolicy', 'Delete'),
    { path: ['volumeBindingMode'], default: 'Immediate' },
  ],
  'networking.k8s.io/v1/IngressClass': [{ path: ['spec', 'controller'] }],
};

/** Returns the changes of immutable fields, for which the server refuses an update. Returns none for other kinds. */
export function checkImmutableFields(before: StoredObject, after: StoredObject): readonly (ApplyRejection | undefined)[] {
  const fields = getOwnValue(IMMUTABLE_FIELDS, `${after.apiVersion}/${after.kind}`) ?? [];
  return fields.map(({ path, default: fallback, message }) => {
    const [was, is] = [before, after].map((object) => getValueAt(object, ...path) ?? fallback);
    if (isDeepEqual(was, is)) return undefined;
    return { path: path.join('.'), message: message ?? `Invalid value: ${toGoJson(is ?? '')}: field is immutable` };
  });
}
