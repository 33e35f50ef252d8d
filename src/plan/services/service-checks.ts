import { getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { capFindingsPerRule } from '../../core/findings/finding-limits';
import type { Finding } from '../../core/findings/finding';
import { groupBy } from '../../core/collections/group-by';
import { buildLabelIndex } from '../../cluster/context/label-index';
import { nodePoolsOf } from '../../cluster/capacity/input-nodes';
import { memoizePerPlan, memoizePerRun } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS, JOB_KINDS, POD_KINDS } from '../../cluster/kinds/context-kinds';
import { isTemplateSelected } from '../../cluster/services/service-plan';
import { labelsOf, selectorOf } from '../../cluster/services/endpoints';
import { listJobs } from '../../cluster/services/jobs';
import { hasNoPodsOfItsOwn } from '../../cluster/services/kinds-without-pods';
import { isOpenLabel, mayBeSelected, toSearchableObject } from '../../cluster/services/open-labels';
import { checkLocalPolicyDrops } from '../../cluster/services/rules/local-policy-drops';
import { checkPublishesNotReady } from '../../cluster/services/rules/publishes-not-ready';
import { checkServicePortUnresolved } from '../../cluster/services/rules/service-port-unresolved';
import { checkServiceSelectsJob } from '../../cluster/services/rules/service-selects-job';
import { reportServiceSelectsNothing } from '../../cluster/services/rules/service-selects-nothing';
import type { TemplateOwner } from '../../cluster/services/rules/service-selects-nothing';
import type { ServiceMember } from '../../cluster/services/service-members';
import { toSafeText } from '../../core/text/value-text';

/** Returns the pod template of an object, or a Pod itself. */
function templateOf(object: Manifest): Fields | undefined {
  if (object.kind === POD_KINDS.pod.kind && groupOf(object) === '') return object;
  const isCronJob = object.kind === JOB_KINDS.cronJob.kind;
  const template = isCronJob ? getValueAt(object, 'spec', 'jobTemplate', 'spec', 'template') : getValueAt(object, 'spec', 'template');
  return isFields(template) && isFields(template.spec) ? template : undefined;
}

/** What may have pods in a namespace. */
interface NamespaceObjects {
  readonly owners: TemplateOwner[];
  /** Values of objects whose controllers are not known, in lower case. */
  readonly unknown: string[];
}

/** Most owners of pods that a Service is compared with to find a misspelt label. */
const MAX_COMPARED_OWNERS = 1_000;

/** The objects of a namespace that have pods. */
class NamespaceOwners {
  /** Returns those that have one of the labels of a selector. */
  readonly findByLabel: (selector: unknown) => readonly TemplateOwner[];
  private readonly byName: ReadonlyMap<string, readonly TemplateOwner[]>;
  private readonly positions: ReadonlyMap<TemplateOwner, number>;

  constructor(readonly all: readonly TemplateOwner[]) {
    this.findByLabel = buildLabelIndex(all, ({ template }) => labelsOf(template));
    this.byName = groupBy(all, ({ object }) => nameOf(object));
    this.positions = new Map(all.map((owner, index) => [owner, index]));
  }

  /**
   * Returns those whose pods may differ from a selector in one label, in input order: they have one of any two of its labels. Those beyond the
   * maximum are left out.
   */
  findSimilar(selector: Fields, name: string): readonly TemplateOwner[] {
    const lists = Object.entries(selector)
      .map(([key, value]) => this.findByLabel({ matchLabels: { [key]: value } }))
      .toSorted((a, b) => a.length - b.length);
    const similar = lists.length === 1 ? this.all : lists.slice(0, 2).flat();
    const few = similar.length > MAX_COMPARED_OWNERS ? similar.slice(0, MAX_COMPARED_OWNERS) : similar;
    const positionOf = (owner: TemplateOwner) => this.positions.get(owner)!;
    return [...new Set([...few, ...(this.byName.get(name) ?? [])])].toSorted((a, b) => positionOf(a) - positionOf(b));
  }
}

/** What may have pods in a namespace, prepared for many Services. */
interface SearchedObjects {
  readonly owners: NamespaceOwners;
  readonly unknown: readonly string[];
}

/** Objects that may have pods, by namespace. */
const getNamespaceObjects = memoizePerRun((context): ReadonlyMap<string, SearchedObjects> => {
  const byNamespace = new Map<string, NamespaceObjects>();
  for (const object of context.input) {
    const template = templateOf(object);
    const isKnown = hasNoPodsOfItsOwn(object);
    if (!template && isKnown) continue;
    const namespace = namespaceOf(object) ?? '';
    const objects = byNamespace.get(namespace) ?? { owners: [], unknown: [] };
    byNamespace.set(namespace, objects);
    if (template) objects.owners.push({ object, template });
    else objects.unknown.push(toSearchableObject(object).text);
  }
  return new Map([...byNamespace].map(([namespace, { owners, unknown }]) => [namespace, { owners: new NamespaceOwners(owners), unknown }]));
});

const NO_OBJECTS: SearchedObjects = { owners: new NamespaceOwners([]), unknown: [] };

function checkSelectsNothing(service: Manifest, selector: Fields, context: PlanContext): Finding[] {
  const { owners, unknown } = getNamespaceObjects(context).get(namespaceOf(service) ?? '') ?? NO_OBJECTS;
  // A controller may add the other labels.
  const matchLabels = Object.fromEntries(Object.entries(selector).filter(([key]) => !isOpenLabel(key)));
  const candidates = owners.findByLabel({ matchLabels });
  if (candidates.some(({ template }) => isTemplateSelected(template, service) || mayBeSelected(template, selector, false))) return [];
  const values = Object.values(selector).map((value) => toSafeText(value).toLowerCase());
  if (unknown.some((text) => values.some((value) => text.includes(value)))) return [];
  if (owners.all.length === 0) return [];
  return reportServiceSelectsNothing(service, owners.findSimilar(selector, nameOf(service)), (object, path) =>
    context.locate(object, path),
  );
}

/** Namespaces by name. If a name is there twice, the first counts. */
const getNamespaces = memoizePerPlan(
  (context) =>
    new Map(
      context
        .all(CONTEXT_KINDS.namespace)
        .map((namespace) => [nameOf(namespace), namespace] as const)
        .toReversed(),
    ),
);

function findNamespace(service: Manifest, context: PlanContext): Manifest | undefined {
  return getNamespaces(context).get(namespaceOf(service) ?? '');
}

function countNodes(context: PlanContext): number {
  return nodePoolsOf(context).reduce((sum, { count }) => sum + count, 0);
}

/** What is known of the pods of a Service. */
export interface KnownPods {
  /** Pods that it selects, after an apply. */
  readonly members: readonly ServiceMember[];
  /** Whether it may select further pods. */
  readonly mayHaveOthers: boolean;
  /** Whether another finding says already that it loses its endpoints. */
  readonly isReported: boolean;
}

/** Checks a Service with the pods that it selects, whether or not a change is planned. */
export function checkService(
  service: Manifest,
  { members, mayHaveOthers, isReported }: KnownPods,
  context: PlanContext,
): readonly Finding[] {
  const selector = selectorOf(service);
  if (selector === undefined) return [];
  const locate = (object: object, path: string) => context.locate(object, path);
  const selected = { members, mayHaveOthers, namespace: findNamespace(service, context), input: context.input };
  const findings = capFindingsPerRule([
    ...checkPublishesNotReady(service, locate),
    ...checkLocalPolicyDrops(service, members, countNodes(context), locate),
    ...checkServiceSelectsJob(service, members, listJobs(context), locate),
    ...(isReported ? [] : checkServicePortUnresolved(service, selected, locate)),
    ...(isReported || mayHaveOthers || members.length > 0 ? [] : checkSelectsNothing(service, selector, context)),
  ]);
  const source = context.locate(service, ROOT_PATH);
  return findings.map((finding) => (finding.source || !source ? finding : { ...finding, source }));
}
