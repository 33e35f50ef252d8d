import { isLlmServiceStopped } from '../components';
import type { PlanContext } from '../../../cluster/context/context';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, getListAt, getValueAt, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { joinWords } from '../../../core/text/text-format';
import { llmBehaviourOf } from '../versions';
import { renderLlmService } from './examples';
import { toSafeText } from '../../../core/text/value-text';

interface HalfData {
  /** Field that is written. */
  readonly written: 'group' | 'weight';
  /** Field that it needs. */
  readonly missing: 'group' | 'weight';
}

interface ShareData {
  readonly group: string;
  /** Percentage of the requests of the group, rounded. */
  readonly percent: number;
  readonly weight: number;
  /** Sum of the weights of all members in the input. */
  readonly total: number;
  /** Number of these members that are not stopped. */
  readonly members: number;
}

interface DivergentData {
  readonly group: string;
  /** Names of the members with other models. */
  readonly others: readonly string[];
}

/** Reports the share of an LLMInferenceService in a group of routes, and groups that the webhook refuses. */
export const llmRouteGroup = defineRule({
  code: 'kserve/llm-route-group',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires: 'An LLMInferenceService has a group or a weight of its route (since KServe 0.20).',
  why:
    'The services of one group share the requests by their weights: each of their HTTPRoutes lists all members. The path `/namespace/name` of a service stays its own. ' +
    'Only members whose router and pods are ready count, and only those that serve the same model names: `spec.model.name`, or the name of the service. The webhook refuses a group without a weight, a weight without a group, and a group with an Ingress. ' +
    'Source: KServe 0.20.0, llmisvc/router_group.go.',
  fix: 'Write both fields or neither, and no Ingress. Give all members of a group the same `spec.model.name`.',
  example: `# rolloutkit plan --versions kserve=0.20 chat.yaml\n${renderLlmService('  router: { route: { group: chat } }\n')}`,
  fixedExample: `# rolloutkit plan --versions kserve=0.20 chat.yaml\n${renderLlmService('  router: { route: { group: chat, weight: 10 } }\n')}`,
  messages: {
    half: defineMessage<HalfData>({
      text: ({ written, missing }) => `router.route has a ${written} and no ${missing}: the webhook refuses one without the other.`,
      help: ({ written, missing }) => `Write ${missing} too, or delete ${written}.`,
      sample: { written: 'group', missing: 'weight' },
    }),
    ingress: defineMessage<{ readonly group: string }>({
      text: ({ group }) => `The webhook refuses route group "${group}" with an Ingress: only HTTPRoutes have weights.`,
      help: () => 'Delete router.ingress, or the group and the weight.',
      sample: { group: 'chat' },
    }),
    share: defineMessage<ShareData>({
      text: ({ group, percent, weight, total, members }) =>
        `The service gets ${percent}% of the requests of route group "${group}" (weight ${weight} of ${total}) if ${members === 1 ? 'the running member' : `all ${members} running members`} in the input ${members === 1 ? 'is' : 'are'} ready.`,
      help: () => 'Nothing needs to be done. A member that is not ready leaves its share to the others.',
      sample: { group: 'chat', percent: 10, weight: 10, total: 100, members: 2 },
    }),
    divergent: defineMessage<DivergentData>({
      text: ({ group, others }) =>
        `The service shares no requests of route group "${group}" with ${joinWords(others)}: ${others.length === 1 ? 'it serves' : 'they serve'} other model names.`,
      help: () => 'Write the same spec.model.name and the same adapters in all members of the group.',
      sample: { group: 'chat', others: ['chat-v2'] },
      variants: [{ group: 'chat', others: ['chat-v2', 'chat-v3'] }],
    }),
  },
});

function routeOf(object: Manifest): { readonly group: unknown; readonly weight: unknown } {
  const { group, weight } = getFieldsAt(object, 'spec', 'router', 'route');
  return { group, weight };
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns the weight of a member of a group: 0 if it is stopped. */
function weightOf(object: Manifest): number {
  const { weight } = routeOf(object);
  return typeof weight === 'number' && weight > 0 && !isLlmServiceStopped(object) ? weight : 0;
}

/** Reports the fields of a group that the webhook refuses. */
export function checkLlmRouteGroup(object: Manifest, version: string): Finding[] {
  const { group, weight } = routeOf(object);
  if (!llmBehaviourOf(version).hasRouteGroup || (isUnset(group) && isUnset(weight))) return [];
  if (isUnset(group) !== isUnset(weight)) {
    const data: HalfData = isUnset(group) ? { written: 'weight', missing: 'group' } : { written: 'group', missing: 'weight' };
    return [llmRouteGroup.createFinding('half', { path: toFieldPath`spec.router.route.${data.written}`, data })];
  }
  if (isUnset(getValueAt(object, 'spec', 'router', 'ingress'))) return [];
  return [llmRouteGroup.createFinding('ingress', { path: toFieldPath`spec.router.ingress`, data: { group: toSafeText(group) } })];
}

/**
 * Returns the names of the models that a service serves, as one text; undefined if a configuration of `baseRefs` may set them.
 *
 * Source: KServe 0.20.0, llmisvc/router_group.go, `resolvedModelNames`.
 */
function modelNamesOf(object: Manifest): string | undefined {
  const model = getFieldsAt(object, 'spec', 'model');
  if (getListAt(object, 'spec', 'baseRefs').length > 0) return undefined;
  const adapters = getListAt(model, 'lora', 'adapters').map((adapter) => getValueAt(adapter, 'name'));
  const names = [model.name ?? nameOf(object), ...adapters].filter((name) => typeof name === 'string');
  return JSON.stringify([...new Set(names)].toSorted());
}

/** Reports the share of a service among the members of its group in the input that serve the same models. */
export function reportLlmRouteShare(object: Manifest, context: PlanContext): Finding[] {
  const { group } = routeOf(object);
  if (!llmBehaviourOf(context.versions.kserve).hasRouteGroup || typeof group !== 'string') return [];
  const all = context
    .all({ group: 'serving.kserve.io', kind: 'LLMInferenceService' })
    .filter((other) => namespaceOf(other) === namespaceOf(object) && routeOf(other).group === group);
  const path = toFieldPath`spec.router.route.weight`;
  const own = modelNamesOf(object);
  if (own === undefined || all.some((other) => modelNamesOf(other) === undefined)) return [];
  const members = all.filter((other) => modelNamesOf(other) === own);
  const others = [...new Set(all.filter((other) => !members.includes(other)).map(nameOf))];
  const divergent =
    others.length === 0 ? [] : [llmRouteGroup.createFinding('divergent', { path, severity: 'warning', data: { group, others } })];
  const names = new Set(members.filter((member) => weightOf(member) > 0).map(nameOf));
  const total = members.reduce((sum, member) => sum + weightOf(member), 0);
  const weight = weightOf(object);
  if (members.length < 2 || total === 0) return divergent;
  const data = { group, percent: Math.round((100 * weight) / total), weight, total, members: names.size };
  return [...divergent, llmRouteGroup.createFinding('share', { path, severity: 'info', data })];
}
