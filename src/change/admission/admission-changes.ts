import { isLive } from '../../appliers/live-object';
import {
  getFieldsAt,
  getListAt,
  getOwnValue,
  getValueAt,
  groupOf,
  isFields,
  nameOf,
  namespaceOf,
  kindKeyOf,
} from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { groupNamespaces, isExcluded, mayMatchLabels, mayMatchRequest } from './admission-match';
import type { NamespacesInView } from './admission-match';
import { listAdmissionRequests } from './admission-request';
import type { AdmissionRequest, PodRunner } from './admission-request';

const ADMISSION_GROUP = 'admissionregistration.k8s.io';

/** Version of the API in which bindings are read. */
export const ADMISSION_VERSION = `${ADMISSION_GROUP}/v1`;

/** Kinds that put a policy into effect, by its kind. */
const BINDING_OF: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'ValidatingAdmissionPolicyBinding',
  MutatingAdmissionPolicy: 'MutatingAdmissionPolicyBinding',
};

const POLICY_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BINDING_OF).map(([policy, binding]) => [binding, policy]),
);

const WEBHOOK_KINDS: ReadonlySet<string> = new Set(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']);

/** Why an object of admission that changes counts. */
export type AdmissionReason = 'decides' | 'unbound';

/** An object of admission that an apply creates, changes or deletes. */
export interface WrittenObject {
  /** @default - it is new */
  readonly old?: Manifest | undefined;
  /** @default - it is deleted */
  readonly next?: Manifest | undefined;
  /** Whether only its labels or annotations differ. @default - it differs otherwise */
  readonly isMetadataOnly?: boolean;
}

/** One side of a change, with its objects of admission. */
interface View {
  readonly objects: readonly Manifest[];
  readonly namespaces: NamespacesInView;
  readonly requests: readonly AdmissionRequest[];
}

/** One side of the change of an object. */
interface Side extends View {
  /** Reports whether all bindings of a policy are in view. */
  readonly hasAllBindings: (kind: string) => boolean;
}

/** Reports whether a binding may make its policy refuse or change a request, and not only warn or audit. */
function mayDeny(binding: Manifest): boolean {
  const actions = getValueAt(binding, 'spec', 'validationActions');
  return !Array.isArray(actions) || actions.includes('Deny');
}

function isOfAdmission(object: Manifest): boolean {
  return groupOf(object) === ADMISSION_GROUP;
}

function isOf(object: Manifest, kind: string): boolean {
  return object.kind === kind && isOfAdmission(object);
}

function mayMatchWebhook(object: Manifest, { requests, namespaces }: Side): boolean {
  return getListAt(object, 'webhooks')
    .filter(isFields)
    .some((webhook) => requests.some((request) => mayMatchRequest(getListAt(webhook, 'rules'), webhook, request, namespaces)));
}

/** Reports whether the resources that a policy or a binding names, with its selectors, may match a request. A binding that names none matches all. */
function mayMatchResources(resources: unknown, request: AdmissionRequest, namespaces: NamespacesInView): boolean {
  if (!isFields(resources)) return true;
  const rules = getListAt(resources, 'resourceRules');
  const any = [{ apiGroups: ['*'], operations: ['*'], resources: ['*/*'] }];
  return (
    mayMatchRequest(rules.length > 0 ? rules : any, resources, request, namespaces) &&
    !isExcluded(getListAt(resources, 'excludeResourceRules'), request)
  );
}

/** Reports whether a policy may decide about a request, with one of its bindings if there are any. */
function mayMatchPolicy(policy: Manifest, bindings: readonly Manifest[], { requests, namespaces }: Side): boolean {
  const matchConstraints = getFieldsAt(policy, 'spec', 'matchConstraints');
  const [rules, excluded] = ['resourceRules', 'excludeResourceRules'].map((field) => getListAt(matchConstraints, field));
  return requests.some(
    (request) =>
      mayMatchRequest(rules!, matchConstraints, request, namespaces) &&
      !isExcluded(excluded!, request) &&
      (bindings.length === 0 || bindings.some((one) => mayMatchResources(getValueAt(one, 'spec', 'matchResources'), request, namespaces))),
  );
}

/** Lists the bindings in view that put a policy into effect; none if the object is no policy. */
function listBindings(policy: Manifest, { objects }: View): readonly Manifest[] {
  const bindingKind = getOwnValue(BINDING_OF, policy.kind);
  if (bindingKind === undefined) return [];
  return objects.filter((one) => isOf(one, bindingKind) && getValueAt(one, 'spec', 'policyName') === nameOf(policy));
}

/** Returns why an object of admission may decide about what is in view of one side; undefined if it does not. */
function explainDecision(object: Manifest, side: Side): AdmissionReason | undefined {
  const { objects, hasAllBindings } = side;
  if (WEBHOOK_KINDS.has(object.kind)) return mayMatchWebhook(object, side) ? 'decides' : undefined;
  const bindingKind = getOwnValue(BINDING_OF, object.kind);
  if (bindingKind !== undefined) {
    const bindings = listBindings(object, side);
    if (bindings.length === 0) return !hasAllBindings(bindingKind) && mayMatchPolicy(object, [], side) ? 'unbound' : undefined;
    const denying = bindings.filter(mayDeny);
    return denying.length > 0 && mayMatchPolicy(object, denying, side) ? 'decides' : undefined;
  }
  const policyKind = getOwnValue(POLICY_OF, object.kind);
  if (policyKind === undefined || !mayDeny(object)) return undefined;
  const policy = objects.find((one) => isOf(one, policyKind) && nameOf(one) === getValueAt(object, 'spec', 'policyName'));
  const { requests, namespaces } = side;
  const isMatch = policy
    ? mayMatchPolicy(policy, [object], side)
    : requests.some((request) => mayMatchResources(getValueAt(object, 'spec', 'matchResources'), request, namespaces));
  return isMatch ? 'decides' : undefined;
}

/** Reports whether a webhook that decides about what is in view calls a Service. Without the Service it fails, and refuses what it would decide. */
function isCalledByWebhook(service: Manifest, side: Side): boolean {
  if (kindKeyOf(service) !== '/Service') return false;
  const isCalled = (webhook: unknown) => {
    const { name, namespace } = getFieldsAt(webhook, 'clientConfig', 'service');
    const isIgnored = getValueAt(webhook, 'failurePolicy') === 'Ignore';
    return !isIgnored && name === nameOf(service) && namespace === (namespaceOf(service) ?? namespace);
  };
  return side.objects.some((object) => {
    if (!isOfAdmission(object) || !WEBHOOK_KINDS.has(object.kind)) return false;
    const webhooks = getListAt(object, 'webhooks').filter(isCalled);
    return webhooks.length > 0 && mayMatchWebhook({ ...object, webhooks }, side);
  });
}

/** What decides which of the changed objects of admission count. */
export interface AdmissionView {
  /** All objects before the apply. */
  readonly old: readonly Manifest[];
  /** All objects after the apply. */
  readonly next: readonly Manifest[];
  /** Objects in view that run pods. */
  readonly runners: () => readonly PodRunner[];
  /** Reports whether all bindings of a kind are in view. */
  readonly hasAllBindings: (kind: string) => boolean;
}

/** Returns the kind of the parameters that a policy reads; undefined if the object is no such policy. */
function parameterKindOf(policy: Manifest): string | undefined {
  if (!isOfAdmission(policy) || getOwnValue(BINDING_OF, policy.kind) === undefined) return undefined;
  const { apiVersion, kind } = getFieldsAt(policy, 'spec', 'paramKind');
  return typeof apiVersion === 'string' && typeof kind === 'string' ? kindKeyOf({ apiVersion, kind }) : undefined;
}

/** Reports whether a policy that reads an object as its parameters decides about what is in view: through one of its bindings, if any is in view. */
function isDecidingParameter(parameter: Manifest, side: Side): boolean {
  const policies = side.objects.filter((object) => parameterKindOf(object) === kindKeyOf(parameter));
  return policies.some((policy) => {
    const bindings = listBindings(policy, side);
    const isRead = bindings.length === 0 || bindings.some((one) => mayReadParameter(getFieldsAt(one, 'spec', 'paramRef'), parameter));
    return isRead && explainDecision(policy, side) !== undefined;
  });
}

/** Reports whether a binding may read an object. Without a namespace it reads that of the request. */
function mayReadParameter({ name, namespace, selector }: Fields, parameter: Manifest): boolean {
  const own = namespaceOf(parameter);
  if (typeof namespace === 'string' && own !== undefined && namespace !== own) return false;
  if (typeof name === 'string') return name === nameOf(parameter);
  return mayMatchLabels(selector, getFieldsAt(parameter, 'metadata', 'labels'), () => false);
}

function isNamespace(object: Manifest): boolean {
  return kindKeyOf(object) === '/Namespace';
}

/**
 * Reports whether other labels of a Namespace make an unchanged object of admission decide about what is in view of the Namespace, or make one that mutates
 * no longer do so.
 */
function isSelectedOtherwise(namespace: Manifest, before: Side, after: Side, unchanged: readonly Manifest[]): boolean {
  const requests = after.requests.filter((request) => request.namespace === undefined || request.namespace === nameOf(namespace));
  return unchanged.some((object) => {
    const [was, is] = [before, after].map(({ namespaces }) => explainDecision(object, { ...after, namespaces, requests }) !== undefined);
    return object.kind.startsWith('Mutating') ? was !== is : !was && is;
  });
}

/** Reports whether what is no object of admission decides with one: as its parameters, as the Service that it calls, or as the Namespace that it selects. */
function decidesWithAdmission(
  { old, next, isMetadataOnly }: WrittenObject,
  before: Side,
  after: Side,
  unchanged: readonly Manifest[],
): boolean {
  if (isNamespace((next ?? old)!))
    return next !== undefined && before.namespaces.has(nameOf(next)) && isSelectedOtherwise(next, before, after, unchanged);
  const was = old !== undefined && isDecidingParameter(old, before);
  const is = next !== undefined && isDecidingParameter(next, after);
  if (isMetadataOnly) return was !== is;
  return was || is || (old !== undefined && next === undefined && isCalledByWebhook(old, after));
}

/** Lists the Namespaces that only NEW has although they exist, since OLD has objects in them. Their labels are taken for new. */
function listImpliedNamespaces(written: readonly WrittenObject[], objects: readonly Manifest[]): readonly Manifest[] {
  const added = written.flatMap(({ old, next }) => (old === undefined && next && isNamespace(next) ? [next] : []));
  if (added.length === 0) return [];
  const known = groupNamespaces(objects);
  const used = new Set(objects.map(namespaceOf));
  const isImplied = (name: string) => used.has(name) && !known.has(name);
  return added
    .filter((namespace) => isImplied(nameOf(namespace)))
    .map((namespace) => ({ ...namespace, metadata: { name: nameOf(namespace) } }));
}

/**
 * Lists the admission webhooks, policies and parameters of policies that an apply creates, changes or deletes and that may refuse or change pods
 * and workloads in view, with the Services that they call and the Namespaces that they select: what they decide is not planned. One that validates and is deleted only permits more, so it does not count. One that mutates counts before and
 * after: without it, new pods contain something else.
 *
 * Conditions count as true. Labels that other webhooks add are not known.
 *
 * Source: Kubernetes 1.36 apiserver pkg/admission/plugin/webhook/predicates, and pkg/admission/plugin/policy/matching.
 */
export function listAdmissionChanges(
  written: readonly WrittenObject[],
  { old, next, runners, hasAllBindings }: AdmissionView,
): { readonly object: Manifest; readonly reason: AdmissionReason }[] {
  const [admissionBefore, admissionAfter] = [old.filter(isOfAdmission), next.filter(isOfAdmission)];
  const parameterKinds = new Set([...admissionBefore, ...admissionAfter].flatMap((object) => parameterKindOf(object) ?? []));
  const hasWebhooks = admissionAfter.some(({ kind }) => WEBHOOK_KINDS.has(kind));
  const candidates = written.filter((each) => {
    const object = (each.next ?? each.old)!;
    if (isOfAdmission(object)) return !each.isMetadataOnly;
    if (isNamespace(object)) return admissionAfter.length > 0;
    return parameterKinds.has(kindKeyOf(object)) || (hasWebhooks && !each.next && kindKeyOf(object) === '/Service');
  });
  if (candidates.length === 0) return [];
  const changed = new Set(candidates.map((each) => each.next));
  const unchanged = admissionAfter.filter((object) => !changed.has(object));
  const requests = listAdmissionRequests(runners());
  const namespacesBefore = groupNamespaces([...old, ...listImpliedNamespaces(written, old)]);
  const before: View = { objects: admissionBefore, namespaces: namespacesBefore, requests };
  const after: View = { objects: admissionAfter, namespaces: groupNamespaces(next), requests };
  return candidates.flatMap((each) => {
    const object = (each.next ?? each.old)!;
    const mutates = object.kind.startsWith('Mutating');
    // A snapshot with the policy was read for it, with its bindings.
    const isRead = each.old !== undefined && isLive(each.old);
    const side = { hasAllBindings: (kind: string) => isRead && hasAllBindings(kind) };
    if (!isOfAdmission(object)) {
      const isDeciding = decidesWithAdmission(each, { ...before, ...side }, { ...after, ...side }, unchanged);
      return isDeciding ? [{ object, reason: 'decides' as const }] : [];
    }
    const reason =
      (each.next && explainDecision(each.next, { ...after, ...side })) ??
      (each.old && mutates ? explainDecision(each.old, { ...before, ...side }) : undefined);
    return reason === undefined ? [] : [{ object, reason }];
  });
}
