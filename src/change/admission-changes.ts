import { isFields, getListAt, getValueAt, groupOf, nameOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/** Lists of rules of an admission object, by its kind. */
const RULES_OF: ReadonlyMap<string, (object: Manifest) => readonly unknown[]> = new Map([
  ['ValidatingWebhookConfiguration', listWebhookRules],
  ['MutatingWebhookConfiguration', listWebhookRules],
  ['ValidatingAdmissionPolicy', listPolicyRules],
  ['MutatingAdmissionPolicy', listPolicyRules],
]);

/** Kinds that put a policy into effect. */
const BINDING_OF: ReadonlyMap<string, string> = new Map([
  ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
]);

function listWebhookRules(object: Manifest): readonly unknown[] {
  return getListAt(object, 'webhooks').flatMap((webhook) => getListAt(webhook, 'rules'));
}

function listPolicyRules(object: Manifest): readonly unknown[] {
  return getListAt(object, 'spec', 'matchConstraints', 'resourceRules');
}

/** Returns the name of a kind in paths of the API: `deployments`, `policies`. */
function toResourceName(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('s')) return `${name}es`;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** A kind of objects, as rules of admission name it. */
interface RequestedResource {
  readonly group: string;
  readonly resource: string;
}

/** What controllers create for the workloads in view. */
const CREATED: readonly RequestedResource[] = [
  { group: '', resource: 'pods' },
  { group: 'apps', resource: 'replicasets' },
  { group: 'apps', resource: 'statefulsets' },
  { group: 'batch', resource: 'jobs' },
];

/** Reports whether a rule may match a write of a resource or of one of its subresources, such as its scale. */
function matchesRule(rule: unknown, { group, resource }: RequestedResource): boolean {
  const [groups, names, operations] = ['apiGroups', 'resources', 'operations'].map((field) => getListAt(rule, field).map(String));
  const bases = names!.map((name) => name.split('/')[0]!);
  const isWrite = operations!.some((operation) => operation !== 'CONNECT');
  return isWrite && [group, '*'].some((name) => groups!.includes(name)) && [resource, '*'].some((name) => bases.includes(name));
}

/** Reports whether a binding may make its policy refuse or change a request, and not only warn or audit. */
function mayDeny(binding: Manifest): boolean {
  const actions = getValueAt(binding, 'spec', 'validationActions');
  return !Array.isArray(actions) || actions.includes('Deny');
}

function isOf(object: Manifest, kind: string): boolean {
  return object.kind === kind && groupOf(object) === ADMISSION_GROUP;
}

/**
 * Lists the admission webhooks and the policies in effect that an apply adds or changes and that match the pods or the workloads in view: they
 * may refuse or change each of them, and what they decide is not planned. Their selectors and conditions are not read.
 *
 * @param written objects that the apply creates or changes
 * @param all all objects after the apply
 * @param runsPods reports whether pods run for an object
 */
export function listAdmissionChanges(
  written: readonly Manifest[],
  all: readonly Manifest[],
  runsPods: (object: Manifest) => boolean,
): Manifest[] {
  const candidates = written.filter((object) => groupOf(object) === ADMISSION_GROUP);
  if (candidates.length === 0) return [];
  const resources = all.filter(runsPods).map((object) => ({ group: groupOf(object), resource: toResourceName(object.kind) }));
  const byName = new Map([...CREATED, ...resources].map((each) => [`${each.group}/${each.resource}`, each]));
  const requested = [...byName.values()];
  const matches = (object: Manifest) =>
    RULES_OF.get(object.kind)?.(object).some((rule) => isFields(rule) && requested.some((one) => matchesRule(rule, one))) === true;
  const isBound = (policy: Manifest, binding: string) =>
    all.some((one) => isOf(one, binding) && getValueAt(one, 'spec', 'policyName') === nameOf(policy) && mayDeny(one));
  return candidates.filter((object) => {
    const binding = BINDING_OF.get(object.kind);
    if (binding !== undefined) return matches(object) && isBound(object, binding);
    if (RULES_OF.has(object.kind)) return matches(object);
    const kind = [...BINDING_OF.keys()].find((policy) => BINDING_OF.get(policy) === object.kind);
    if (kind === undefined || !mayDeny(object)) return false;
    const policy = all.find((one) => isOf(one, kind) && nameOf(one) === getValueAt(object, 'spec', 'policyName'));
    return policy === undefined || matches(policy);
  });
}
