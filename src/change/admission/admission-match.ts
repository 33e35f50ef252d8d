import { checkTime } from '../../core/budget/deadline';
import { matchesLabelSelector, matchLabelsOf } from '../../core/values/label-selector';
import { getFieldsAt, getListAt, groupOf, isFields, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { addToGroup } from '../../core/collections/group-by';
import type { AdmissionRequest } from './admission-request';
import { toSafeText } from '../../core/text/value-text';

/** Labels that controllers add to pods, ReplicaSets and Jobs, so that no template shows their values. */
const ADDED_LABEL =
  /^(?:pod-template-hash|pod-template-generation|controller-revision-hash|controller-uid|job-name|statefulset\.kubernetes\.io\/.*|apps\.kubernetes\.io\/.*|batch\.kubernetes\.io\/.*)$/;

/** Label that the API server writes to each Namespace. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Reports whether a selector can be read as the API server reads it, which refuses any other. */
function isReadable(selector: Fields): boolean {
  return getListAt(selector, 'matchExpressions').every((each) => isFields(each) && typeof each.key === 'string');
}

/** Reports whether a selector may match labels, some of them unknown. A missing selector matches everything. */
export function mayMatchLabels(selector: unknown, labels: Fields, isUnknownLabel: (key: string) => boolean): boolean {
  if (!isFields(selector) || !isReadable(selector)) return true;
  const isKnown = (key: unknown) => typeof key !== 'string' || !isUnknownLabel(key);
  const matchLabels = Object.fromEntries(Object.entries(matchLabelsOf(selector)).filter(([key]) => isKnown(key)));
  const matchExpressions = getListAt(selector, 'matchExpressions').filter((each) => isFields(each) && isKnown(each.key));
  return matchesLabelSelector({ matchLabels, matchExpressions }, labels);
}

/** The Namespaces in view by their names. A folder may have one of several clusters. */
export type NamespacesInView = ReadonlyMap<string, readonly Manifest[]>;

/** Groups the Namespaces among objects by name. */
export function groupNamespaces(objects: readonly Manifest[]): NamespacesInView {
  const byName = new Map<string, Manifest[]>();
  for (const object of objects) if (object.kind === 'Namespace' && groupOf(object) === '') addToGroup(byName, nameOf(object), object);
  return byName;
}

/** Reports whether a selector may match the Namespace of a request. Only its name is known if it is not in view. */
function mayMatchNamespace(selector: unknown, namespace: string | undefined, inView: NamespacesInView): boolean {
  if (namespace === undefined) return mayMatchLabels(selector, {}, () => true);
  const found = inView.get(namespace);
  if (!found) return mayMatchLabels(selector, { [NAME_LABEL]: namespace }, (key) => key !== NAME_LABEL);
  return found.some((object) =>
    mayMatchLabels(selector, { ...getFieldsAt(object, 'metadata', 'labels'), [NAME_LABEL]: namespace }, () => false),
  );
}

/** What a webhook, a policy or a binding requires of a request besides its resource. */
interface Selection {
  readonly namespaceSelector?: unknown;
  readonly objectSelector?: unknown;
}

/** Reports whether a rule names the resource and the operation of a request. */
function namesRequest(rule: Fields, { group, resource, subresource, operation }: AdmissionRequest): boolean {
  const [groups, resources, operations] = ['apiGroups', 'resources', 'operations'].map((field) => getListAt(rule, field));
  const isNamed = (name: unknown) => {
    const [base, further = ''] = toSafeText(name).split('/', 2) as [string, string?];
    return (base === '*' || resource === undefined || base === resource) && (further === '*' || further === subresource);
  };
  return (
    [group, '*'].some((name) => groups!.includes(name)) &&
    [operation, '*'].some((name) => operations!.includes(name)) &&
    resources!.some(isNamed)
  );
}

/** Reports whether the scope of a rule is that of a request. Pods, and workloads of Kubernetes, are in a Namespace. */
function isInScope({ scope }: Fields, { group, namespace }: AdmissionRequest): boolean {
  return scope !== 'Cluster' || (namespace === undefined && group.includes('.'));
}

/** Reports whether one of the rules matches a request. A rule of a policy may name objects. */
function matchesRules(rules: readonly unknown[], request: AdmissionRequest): boolean {
  return rules.filter(isFields).some((rule) => {
    const names = getListAt(rule, 'resourceNames');
    const isNamed = names.length === 0 || request.name === undefined || names.includes(request.name);
    return isNamed && isInScope(rule, request) && namesRequest(rule, request);
  });
}

/** Reports whether a selector may match the object of a request. Controllers add labels to what they create, whose name is not known. */
function mayMatchObject(selector: unknown, { labels, name }: AdmissionRequest): boolean {
  return mayMatchLabels(selector, labels ?? {}, (key) => labels === undefined || (name === undefined && ADDED_LABEL.test(key)));
}

/** Reports whether the API server may call for a request what has these rules and selectors. Conditions count as true. */
export function mayMatchRequest(
  rules: readonly unknown[],
  { namespaceSelector, objectSelector }: Selection,
  request: AdmissionRequest,
  namespaces: NamespacesInView,
): boolean {
  checkTime();
  return (
    matchesRules(rules, request) &&
    mayMatchObject(objectSelector, request) &&
    mayMatchNamespace(namespaceSelector, request.namespace, namespaces)
  );
}
