import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { variableFindings, variablesFromFindings } from './environment';
import { deviceFindings, mountFindings } from './mounts';
import { hookFindings, initHookFindings } from './probes';
import type { HookLimits } from './probes';
import {
  choiceFindings,
  duplicate,
  formatFindings,
  isFilled,
  isGiven,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  nameFindings,
  rangeFindings,
  refused,
  requiredFindings,
  textOf,
} from './refusal';
import type { Item } from './refusal';
import { resourceFindings } from './resources';
import { containerSecurityFindings } from './security';
import type { PodBehaviour } from './versions';
import type { VolumeSources } from './volumes';

/* What the server refuses in containers. Source: k/k pkg/apis/core/validation/validation.go, `validateContainers`, `validateInitContainers`, `validateContainerCommon`. */

/** What containers have in common with their pod. */
export interface ContainerContext {
  readonly behaviour: PodBehaviour;
  readonly volumes: VolumeSources;
  /** Names of the pod's resourceClaims. */
  readonly claimNames: readonly string[];
  /** Does the pod share the users of its node? */
  readonly hostUsers: boolean;
  /** `restartPolicy` of the pod. */
  readonly restartPolicy: string | undefined;
  readonly hooks: HookLimits;
}

const MAX_PORT = 65_535;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function portFindings(ports: unknown, place: Place): readonly Finding[] {
  if (!isGiven(ports)) return [];
  const names = new Set<string>();
  return ofEach(itemsOf(ports, place), ({ value, place: portPlace }) => {
    const name = textOf(value.name);
    const isTaken = name !== undefined && names.has(name);
    const named = name ? formatFindings(name, 'port-name', inside(portPlace, 'name')) : [];
    if (name && named.length === 0) names.add(name);
    const { containerPort, hostPort } = value;
    return together(
      named,
      name && isTaken ? [duplicate(name, inside(portPlace, 'name'))] : [],
      containerPort === 0 || !isGiven(containerPort)
        ? [missing(inside(portPlace, 'containerPort'))]
        : rangeFindings(containerPort, 1, MAX_PORT, inside(portPlace, 'containerPort')),
      hostPort === 0 ? [] : rangeFindings(hostPort, 1, MAX_PORT, inside(portPlace, 'hostPort')),
      choiceFindings(value.protocol, PROTOCOLS, inside(portPlace, 'protocol')),
    );
  });
}

const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

function resizeFindings(policies: unknown, restartPolicy: string | undefined, place: Place): readonly Finding[] {
  if (!isGiven(policies)) return [];
  const names = new Set<string>();
  return ofEach(itemsOf(policies, place), ({ value, place: policyPlace }) => {
    const name = textOf(value.resourceName);
    const isTaken = name !== undefined && names.has(name);
    if (name !== undefined) names.add(name);
    const policy = inside(policyPlace, 'restartPolicy');
    return together(
      isTaken ? [duplicate(name, inside(policyPlace, 'resourceName'))] : [],
      choiceFindings(name, RESIZED, inside(policyPlace, 'resourceName'), true),
      choiceFindings(value.restartPolicy, RESIZE_POLICIES, policy, true),
      restartPolicy === 'Never' && value.restartPolicy === 'RestartContainer'
        ? [refused('restartPolicy', value.restartPolicy, policy)]
        : [],
    );
  });
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

function commonFindings(container: Fields, context: ContainerContext, place: Place): readonly Finding[] {
  const { behaviour, volumes } = context;
  return together(
    nameFindings(container.name, 'dns-label', inside(place, 'name')),
    requiredFindings(container.image, inside(place, 'image')),
    choiceFindings(container.terminationMessagePolicy, MESSAGE_POLICIES, inside(place, 'terminationMessagePolicy')),
    portFindings(container.ports, inside(place, 'ports')),
    variableFindings(container.env, behaviour.variableNames, volumes, inside(place, 'env')),
    variablesFromFindings(container.envFrom, behaviour.variableNames, inside(place, 'envFrom')),
    mountFindings(container, volumes, place),
    deviceFindings(container, volumes, place),
    choiceFindings(container.imagePullPolicy, PULL_POLICIES, inside(place, 'imagePullPolicy')),
    resourceFindings(container.resources, context.claimNames, inside(place, 'resources')),
    resizeFindings(container.resizePolicy, context.restartPolicy, inside(place, 'resizePolicy')),
    containerSecurityFindings(container.securityContext, context.hostUsers, inside(place, 'securityContext')),
  );
}

/** Two ports of a list of containers on one port of the node. */
function hostPortFindings(containers: readonly Item[]): readonly Finding[] {
  const taken = new Set<string>();
  return ofEach(containers, (container) =>
    ofEach(itemsOf(container.value.ports, inside(container.place, 'ports')), (port) => {
      const { hostPort, protocol, hostIP } = port.value;
      if (typeof hostPort !== 'number' || hostPort === 0) return [];
      const key = JSON.stringify([protocol ?? 'TCP', hostIP ?? '', hostPort]);
      if (taken.has(key)) return [duplicate(hostPort, inside(port.place, 'hostPort'))];
      taken.add(key);
      return [];
    }),
  );
}

const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const EXIT_OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

function restartRuleFindings(rule: Fields, place: Place): readonly Finding[] {
  const exitCodes = mapOf(rule.exitCodes);
  const codesPlace = inside(place, 'exitCodes');
  const values = exitCodes?.values;
  return together(
    choiceFindings(rule.action, ['Restart'], inside(place, 'action'), true),
    exitCodes || isGiven(rule.exitCodes) ? [] : [missing(codesPlace)],
    exitCodes ? choiceFindings(exitCodes.operator, EXIT_OPERATORS, inside(codesPlace, 'operator'), true) : [],
    Array.isArray(values) ? lengthFindings(values.length, MAX_EXIT_CODES, 'item', inside(codesPlace, 'values')) : [],
  );
}

function restartFindings({ restartPolicy, restartPolicyRules }: Fields, place: Place): readonly Finding[] {
  const rules = itemsOf(restartPolicyRules, inside(place, 'restartPolicyRules'));
  return together(
    !isGiven(restartPolicy) && rules.length > 0 ? [missing(inside(place, 'restartPolicy'))] : [],
    isGiven(restartPolicy) ? choiceFindings(restartPolicy, RESTART_POLICIES, inside(place, 'restartPolicy'), true) : [],
    lengthFindings(rules.length, MAX_RULES, 'item', inside(place, 'restartPolicyRules')),
    ofEach(rules, (item) => restartRuleFindings(item.value, item.place)),
  );
}

function ownRestartFindings(container: Fields, { behaviour }: ContainerContext, place: Place): readonly Finding[] {
  if (behaviour.restartRules === 'kept') return restartFindings(container, place);
  const { restartPolicy } = container;
  const isRefused = behaviour.restartRules === 'refused' && isGiven(restartPolicy);
  return isRefused ? [refused('notForContainer', restartPolicy, inside(place, 'restartPolicy'))] : [];
}

function initRestartFindings(container: Fields, { behaviour }: ContainerContext, place: Place): readonly Finding[] {
  const { restartPolicy, restartPolicyRules } = container;
  if (!isGiven(restartPolicy) || behaviour.restartRules === 'dropped') return [];
  if (behaviour.restartRules === 'refused') return choiceFindings(restartPolicy, ['Always'], inside(place, 'restartPolicy'), true);
  if (restartPolicy !== 'Always') return restartFindings(container, place);
  return isFilled(restartPolicyRules) ? [refused('rulesWithAlways', restartPolicyRules, inside(place, 'restartPolicyRules'))] : [];
}

/** The containers that run as long as the pod. */
export function containerFindings(containers: readonly Item[], context: ContainerContext): readonly Finding[] {
  const names = new Set<string>();
  return together(
    ofEach(containers, ({ value, place }) => {
      const name = textOf(value.name);
      const isTaken = name !== undefined && names.has(name);
      if (name !== undefined) names.add(name);
      return together(
        commonFindings(value, context, place),
        isTaken ? [duplicate(name, inside(place, 'name'))] : [],
        hookFindings(value, context.hooks, place),
        ownRestartFindings(value, context, place),
      );
    }),
    hostPortFindings(containers),
  );
}

/** The containers before them: sidecars with restartPolicy Always, and those that end. */
export function initContainerFindings(
  containers: readonly Item[],
  regular: readonly Item[],
  context: ContainerContext,
): readonly Finding[] {
  if (containers.length === 0) return [];
  const names = new Set(regular.map(({ value }) => textOf(value.name)));
  return ofEach(containers, (container) => {
    const { value, place } = container;
    const name = textOf(value.name);
    const isTaken = name !== undefined && names.has(name);
    if (name) names.add(name);
    return together(
      commonFindings(value, context, place),
      initRestartFindings(value, context, place),
      isTaken ? [duplicate(name, inside(place, 'name'))] : [],
      hostPortFindings([container]),
      value.restartPolicy === 'Always' ? hookFindings(value, context.hooks, place) : initHookFindings(value, place),
      !context.behaviour.resizesInitContainers && isFilled(value.resizePolicy)
        ? [refused('notForInit', value.resizePolicy, inside(place, 'resizePolicy'))]
        : [],
    );
  });
}
