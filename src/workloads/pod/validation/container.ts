import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import { appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { validateVariables, validateVariableSources } from './environment';
import { validateDevices, validateMounts } from './mounts';
import { validateHooks, validateInitHooks } from './probes';
import type { HookLimits } from './probes';
import {
  validateEnum,
  reportDuplicate,
  validateFormat,
  isNonEmpty,
  isNonNil,
  listItems,
  validateMaxLength,
  asMap,
  reportMissing,
  validateRequiredFormat,
  validateRange,
  reportInvalid,
  validateField,
  validateRequired,
  decodeString,
} from './field-errors';
import type { ListItem } from './field-errors';
import { validateResources } from './resources';
import { validateContainerSecurity } from './security';
import type { PodBehaviour } from './versions';
import type { VolumeSources } from './volumes';

/* Validation of containers. Source: k/k pkg/apis/core/validation/validation.go, `validateContainers`, `validateInitContainers`, `validateContainerCommon`. */

/** The fields of a pod that the validation of its containers needs. */
export interface ContainerContext {
  readonly behaviour: PodBehaviour;
  readonly volumes: VolumeSources;
  /** The names of the pod's resourceClaims. */
  readonly claimNames: readonly string[];
  /** Whether the pod shares the users of its node. */
  readonly hostUsers: boolean;
  /** The `restartPolicy` of the pod. */
  readonly restartPolicy: string | undefined;
  readonly hooks: HookLimits;
}

const MAX_PORT = 65_535;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: unknown, location: LazyFieldPath): readonly Finding[] {
  const names = new Set<string>();
  return collectFromEach(listItems(ports, location), ({ value, location: portLocation }) => {
    const name = decodeString(value.name);
    const isTaken = name !== undefined && names.has(name);
    const nameErrors = name ? validateFormat(name, 'port-name', appendLazily(portLocation, 'name')) : [];
    if (name && nameErrors.length === 0) names.add(name);
    const { containerPort, hostPort } = value;
    return joinLists(
      nameErrors,
      name && isTaken ? [reportDuplicate(name, appendLazily(portLocation, 'name'))] : [],
      containerPort === 0 || !isNonNil(containerPort)
        ? [reportMissing(appendLazily(portLocation, 'containerPort'))]
        : validateRange(containerPort, 1, MAX_PORT, appendLazily(portLocation, 'containerPort')),
      hostPort === 0 ? [] : validateRange(hostPort, 1, MAX_PORT, appendLazily(portLocation, 'hostPort')),
      validateEnum(value.protocol, PROTOCOLS, appendLazily(portLocation, 'protocol')),
    );
  });
}

const RESIZABLE_RESOURCES = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

function validateResizePolicy(policies: unknown, restartPolicy: string | undefined, location: LazyFieldPath): readonly Finding[] {
  const names = new Set<string>();
  return collectFromEach(listItems(policies, location), ({ value, location: policyLocation }) => {
    const name = decodeString(value.resourceName);
    const isTaken = name !== undefined && names.has(name);
    if (name !== undefined) names.add(name);
    const policy = appendLazily(policyLocation, 'restartPolicy');
    return joinLists(
      isTaken ? [reportDuplicate(name, appendLazily(policyLocation, 'resourceName'))] : [],
      validateEnum(name, RESIZABLE_RESOURCES, appendLazily(policyLocation, 'resourceName'), true),
      validateEnum(value.restartPolicy, RESIZE_POLICIES, policy, true),
      restartPolicy === 'Never' && value.restartPolicy === 'RestartContainer'
        ? [reportInvalid('restartPolicy', value.restartPolicy, policy)]
        : [],
    );
  });
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

function validateCommonFields(container: Fields, context: ContainerContext, location: LazyFieldPath): readonly Finding[] {
  const { behaviour, volumes } = context;
  return joinLists(
    validateRequiredFormat(container.name, 'dns-label', appendLazily(location, 'name')),
    validateRequired(container.image, appendLazily(location, 'image')),
    validateField(container, 'terminationMessagePolicy', location, (value, at) => validateEnum(value, MESSAGE_POLICIES, at)),
    validateField(container, 'ports', location, validatePorts),
    validateField(container, 'env', location, (value, at) => validateVariables(value, behaviour.variableNames, volumes, at)),
    validateField(container, 'envFrom', location, (value, at) => validateVariableSources(value, behaviour.variableNames, at)),
    validateMounts(container, volumes, location),
    validateDevices(container, volumes, location),
    validateField(container, 'imagePullPolicy', location, (value, at) => validateEnum(value, PULL_POLICIES, at)),
    validateField(container, 'resources', location, (value, at) => validateResources(value, context.claimNames, at)),
    validateField(container, 'resizePolicy', location, (value, at) => validateResizePolicy(value, context.restartPolicy, at)),
    validateField(container, 'securityContext', location, (value, at) => validateContainerSecurity(value, context.hostUsers, at)),
  );
}

/** Reports two ports of the containers that use the same port of the node. */
function validateHostPorts(containers: readonly ListItem[]): readonly Finding[] {
  const taken = new Set<string>();
  return collectFromEach(containers, (container) =>
    collectFromEach(listItems(container.value.ports, appendLazily(container.location, 'ports')), (port) => {
      const { hostPort, protocol, hostIP } = port.value;
      if (typeof hostPort !== 'number' || hostPort === 0) return [];
      const key = JSON.stringify([protocol ?? 'TCP', hostIP ?? '', hostPort]);
      if (taken.has(key)) return [reportDuplicate(hostPort, appendLazily(port.location, 'hostPort'))];
      taken.add(key);
      return [];
    }),
  );
}

const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const EXIT_OPERATORS = ['In', 'NotIn'];
const MAX_RESTART_RULES = 20;
const MAX_EXIT_CODES = 255;

function validateRestartRule(rule: Fields, location: LazyFieldPath): readonly Finding[] {
  const exitCodes = asMap(rule.exitCodes);
  const codesLocation = appendLazily(location, 'exitCodes');
  const values = exitCodes?.values;
  return joinLists(
    validateEnum(rule.action, ['Restart'], appendLazily(location, 'action'), true),
    exitCodes || isNonNil(rule.exitCodes) ? [] : [reportMissing(codesLocation)],
    exitCodes ? validateEnum(exitCodes.operator, EXIT_OPERATORS, appendLazily(codesLocation, 'operator'), true) : [],
    Array.isArray(values) ? validateMaxLength(values.length, MAX_EXIT_CODES, 'item', appendLazily(codesLocation, 'values')) : [],
  );
}

function validateRestart({ restartPolicy, restartPolicyRules }: Fields, location: LazyFieldPath): readonly Finding[] {
  const rules = listItems(restartPolicyRules, appendLazily(location, 'restartPolicyRules'));
  return joinLists(
    !isNonNil(restartPolicy) && rules.length > 0 ? [reportMissing(appendLazily(location, 'restartPolicy'))] : [],
    isNonNil(restartPolicy) ? validateEnum(restartPolicy, RESTART_POLICIES, appendLazily(location, 'restartPolicy'), true) : [],
    validateMaxLength(rules.length, MAX_RESTART_RULES, 'item', appendLazily(location, 'restartPolicyRules')),
    collectFromEach(rules, (item) => validateRestartRule(item.value, item.location)),
  );
}

function validateContainerRestart(container: Fields, { behaviour }: ContainerContext, location: LazyFieldPath): readonly Finding[] {
  if (behaviour.restartRules === 'kept') return validateRestart(container, location);
  const { restartPolicy } = container;
  const isRejected = behaviour.restartRules === 'refused' && isNonNil(restartPolicy);
  return isRejected ? [reportInvalid('notForContainer', restartPolicy, appendLazily(location, 'restartPolicy'))] : [];
}

function validateInitContainerRestart(container: Fields, { behaviour }: ContainerContext, location: LazyFieldPath): readonly Finding[] {
  const { restartPolicy, restartPolicyRules } = container;
  if (!isNonNil(restartPolicy) || behaviour.restartRules === 'dropped') return [];
  if (behaviour.restartRules === 'refused') return validateEnum(restartPolicy, ['Always'], appendLazily(location, 'restartPolicy'), true);
  if (restartPolicy !== 'Always') return validateRestart(container, location);
  return isNonEmpty(restartPolicyRules)
    ? [reportInvalid('rulesWithAlways', restartPolicyRules, appendLazily(location, 'restartPolicyRules'))]
    : [];
}

/** Validates the regular containers, which run as long as the pod. */
export function validateContainers(containers: readonly ListItem[], context: ContainerContext): readonly Finding[] {
  const names = new Set<string>();
  return joinLists(
    collectFromEach(containers, ({ value, location }) => {
      const name = decodeString(value.name);
      const isTaken = name !== undefined && names.has(name);
      if (name !== undefined) names.add(name);
      return joinLists(
        validateCommonFields(value, context, location),
        isTaken ? [reportDuplicate(name, appendLazily(location, 'name'))] : [],
        validateHooks(value, context.hooks, location),
        validateContainerRestart(value, context, location),
      );
    }),
    validateHostPorts(containers),
  );
}

/** Validates the init containers: sidecars with restartPolicy Always, and containers that run to completion. */
export function validateInitContainers(
  containers: readonly ListItem[],
  regular: readonly ListItem[],
  context: ContainerContext,
): readonly Finding[] {
  if (containers.length === 0) return [];
  const names = new Set(regular.map(({ value }) => decodeString(value.name)));
  return collectFromEach(containers, (container) => {
    const { value, location } = container;
    const name = decodeString(value.name);
    const isTaken = name !== undefined && names.has(name);
    if (name) names.add(name);
    return joinLists(
      validateCommonFields(value, context, location),
      validateInitContainerRestart(value, context, location),
      isTaken ? [reportDuplicate(name, appendLazily(location, 'name'))] : [],
      validateHostPorts([container]),
      value.restartPolicy === 'Always' ? validateHooks(value, context.hooks, location) : validateInitHooks(value, location),
      !context.behaviour.resizesInitContainers && isNonEmpty(value.resizePolicy)
        ? [reportInvalid('notForInit', value.resizePolicy, appendLazily(location, 'resizePolicy'))]
        : [],
    );
  });
}
