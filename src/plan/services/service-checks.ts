import { getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Finding } from '../../core/finding';
import { nodePoolsOf } from '../../cluster/capacity/input-nodes';
import { memoizePerRun } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS, JOB_KINDS, POD_KINDS } from '../../cluster/context-kinds';
import { isTemplateSelected } from '../../cluster/services/service-plan';
import { selectorOf } from '../../cluster/services/endpoints';
import { listJobs } from '../../cluster/services/jobs';
import { hasNoPodsOfItsOwn } from '../../cluster/services/kinds-without-pods';
import { mayBeSelected, toSearchableObject } from '../../cluster/services/open-labels';
import { checkLocalPolicyDrops } from '../../cluster/services/rules/local-policy-drops';
import { checkPublishesNotReady } from '../../cluster/services/rules/publishes-not-ready';
import { checkServicePortUnresolved } from '../../cluster/services/rules/service-port-unresolved';
import { checkServiceSelectsJob } from '../../cluster/services/rules/service-selects-job';
import { reportServiceSelectsNothing } from '../../cluster/services/rules/service-selects-nothing';
import type { TemplateOwner } from '../../cluster/services/rules/service-selects-nothing';
import type { ServiceMember } from '../../cluster/services/service-members';

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

/** Objects that may have pods, by namespace. */
const getNamespaceObjects = memoizePerRun((context) => {
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
  return byNamespace;
});

function checkSelectsNothing(service: Manifest, selector: Fields, context: PlanContext): Finding[] {
  const { owners, unknown } = getNamespaceObjects(context).get(namespaceOf(service) ?? '') ?? { owners: [], unknown: [] };
  if (owners.some(({ template }) => isTemplateSelected(template, service) || mayBeSelected(template, selector, false))) return [];
  const values = Object.values(selector).map((value) => String(value).toLowerCase());
  if (unknown.some((text) => values.some((value) => text.includes(value)))) return [];
  return reportServiceSelectsNothing(service, owners, (object, path) => context.locate(object, path));
}

function findNamespace(service: Manifest, context: PlanContext): Manifest | undefined {
  return context.all(CONTEXT_KINDS.namespace).find((namespace) => nameOf(namespace) === namespaceOf(service));
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
export function checkService(service: Manifest, { members, mayHaveOthers, isReported }: KnownPods, context: PlanContext): Finding[] {
  const selector = selectorOf(service);
  if (selector === undefined) return [];
  const locate = (object: object, path: string) => context.locate(object, path);
  const selected = { members, mayHaveOthers, namespace: findNamespace(service, context), input: context.input };
  return [
    ...checkPublishesNotReady(service, locate),
    ...checkLocalPolicyDrops(service, members, countNodes(context), locate),
    ...checkServiceSelectsJob(service, members, listJobs(context), locate),
    ...(isReported ? [] : checkServicePortUnresolved(service, selected, locate)),
    ...(isReported || mayHaveOthers || members.length > 0 ? [] : checkSelectsNothing(service, selector, context)),
  ];
}
