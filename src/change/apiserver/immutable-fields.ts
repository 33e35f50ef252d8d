import { isDeepEqual } from '../../core/collections/deep-equal';
import { getOwnValue, getValueAt } from '../../core/manifest/manifest';
import { toGoJson } from './go-json';
import type { ApplyRejection, StoredObject } from './types';

/* Kinds with immutable fields and nothing else to validate. Source: k/k pkg/apis/{scheduling,node,storage,networking}/validation/validation.go at 1.34, and apiextensions-apiserver, `validateCustomResourceDefinitionSpecUpdate`. */

/** A field that never changes. */
interface ImmutableField {
  readonly path: readonly string[];
  /** The value that the server fills in. @default - none */
  readonly default?: unknown;
  /** @default - the message with the value */
  readonly message?: string;
  /** The only value that the field may not get, neither by an update nor in a new object. @default - it may get none */
  readonly forbidden?: unknown;
}

function forbidUpdates(name: string, fallback?: unknown): ImmutableField {
  return { path: [name], message: `Forbidden: updates to ${name} are forbidden.`, ...(fallback !== undefined && { default: fallback }) };
}

/** Message of the server about a field that is described in each schema instead. */
const PRESERVES_UNKNOWN =
  'Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

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
  'apiextensions.k8s.io/v1/CustomResourceDefinition': [
    { path: ['spec', 'scope'] },
    { path: ['spec', 'names', 'kind'] },
    { path: ['spec', 'group'] },
    { path: ['spec', 'names', 'plural'] },
    { path: ['spec', 'preserveUnknownFields'], default: false, message: PRESERVES_UNKNOWN, forbidden: true },
  ],
};

function fieldsOf({ apiVersion, kind }: StoredObject): readonly ImmutableField[] {
  return getOwnValue(IMMUTABLE_FIELDS, `${apiVersion}/${kind}`) ?? [];
}

/** Returns why the server refuses a new object: a value that only an older object may have. */
export function checkForbiddenValues(object: StoredObject): ApplyRejection | undefined {
  const found = fieldsOf(object).find(({ path, forbidden }) => forbidden !== undefined && getValueAt(object, ...path) === forbidden);
  return found && { path: found.path.join('.'), message: found.message! };
}

/** Returns the changes of immutable fields, for which the server refuses an update. Returns none for other kinds. */
export function checkImmutableFields(before: StoredObject, after: StoredObject): readonly (ApplyRejection | undefined)[] {
  return fieldsOf(after).map(({ path, default: fallback, message, forbidden }) => {
    const [was, is] = [before, after].map((object) => getValueAt(object, ...path) ?? fallback);
    if (isDeepEqual(was, is) || (forbidden !== undefined && is !== forbidden)) return undefined;
    return { path: path.join('.'), message: message ?? `Invalid value: ${toGoJson(is ?? '')}: field is immutable` };
  });
}
