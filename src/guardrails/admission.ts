import type { Manifest } from '../core/manifest/manifest';
import { GUARDED_KINDS } from './effective-limits';
import type { GuardedKind } from './effective-limits';
import type { GuardrailPolicy } from './policy';
import { GPU } from './violation';

/** Names of the generated objects. */
export interface AdmissionNames {
  /** Name of the ValidatingAdmissionPolicy, its binding and the ConfigMap with its parameters. */
  readonly name: string;
  /** Namespace of the ConfigMap. */
  readonly namespace: string;
}

/** Resource of each kind, by which the expressions distinguish kinds. */
const RESOURCES: Readonly<Record<GuardedKind, string>> = {
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
};
const BUDGETS = 'poddisruptionbudgets';

function buildKindTest(kind: GuardedKind): string {
  return `variables.resource == '${RESOURCES[kind]}'`;
}

/** Builds an expression for the number in a percentage: `25` for `25%`. */
function buildPercentExpression(value: string): string {
  return `int(string(${value}).replace('%', ''))`;
}

/** Builds an expression for a parameter that is a number, or a percentage of the replicas that is rounded up. */
function buildAmountExpression(key: string): string {
  const value = `params.data['${key}']`;
  return `${value}.endsWith('%') ? (${buildPercentExpression(value)} * variables.replicas + 99) / 100 : int(${value})`;
}

const ROLLING_UPDATE = 'variables.strategy.rollingUpdate';

/** Builds an expression for a limit of a rolling update, which is a number or a percentage of the replicas, as a number of pods. */
function buildLimitExpression(field: string, rounding: string): string {
  const value = `${ROLLING_UPDATE}.${field}`;
  return `type(${value}) == int ? int(${value}) : (${buildPercentExpression(value)} * variables.replicas${rounding}) / 100`;
}

/** Builds an expression for the list of GPUs that some containers request. The list starts with a 0, so that it is never empty. */
function buildGpusExpression(containers: string): string {
  return (
    `([0] + ${containers}.filter(c, has(c.resources) && has(c.resources.limits) && '${GPU}' in c.resources.limits)` +
    `.map(c, quantity(string(c.resources.limits['${GPU}'])).asInteger()))`
  );
}

const IS_SIDECAR = "has(c.restartPolicy) && c.restartPolicy == 'Always'";

const SURGE_EXPRESSION = `variables.isRolling && ${buildKindTest('Deployment')} ? (${buildLimitExpression('maxSurge', ' + 99')}) : (variables.isRolling && ${buildKindTest('DaemonSet')} && type(${ROLLING_UPDATE}.maxSurge) == int ? int(${ROLLING_UPDATE}.maxSurge) : 0)`;
const CONFIGURED_UNAVAILABLE_EXPRESSION =
  `!variables.isRolling ? (${buildKindTest('Deployment')} ? variables.replicas : 0) : ` +
  `(${buildKindTest('Deployment')} ? (${buildLimitExpression('maxUnavailable', '')}) : ` +
  `(${buildKindTest('StatefulSet')} && has(${ROLLING_UPDATE}.maxUnavailable) ? (${buildLimitExpression('maxUnavailable', '')}) : 1))`;
/** Builds an expression for a DaemonSet's limit if it is a percentage; 0 otherwise. */
const buildShareExpression = (field: string) =>
  `variables.isRolling && ${buildKindTest('DaemonSet')} && type(${ROLLING_UPDATE}.${field}) != int ? ${buildPercentExpression(`${ROLLING_UPDATE}.${field}`)} : 0`;

/** Variables that the expressions below share. The server evaluates each one only when it is used. By then, objects have their defaults. */
const VARIABLES = [
  ['resource', 'request.resource.resource'],
  ['isWorkload', `variables.resource != '${BUDGETS}'`],
  ['replicas', 'has(object.spec.replicas) ? object.spec.replicas : 1'],
  ['strategy', `${buildKindTest('Deployment')} ? object.spec.strategy : object.spec.updateStrategy`],
  ['isRolling', "variables.strategy.type == 'RollingUpdate'"],
  ['surge', SURGE_EXPRESSION],
  ['written', CONFIGURED_UNAVAILABLE_EXPRESSION],
  ['unavailable', 'variables.isRolling && variables.surge == 0 && variables.written == 0 ? 1 : variables.written'],
  ['available', 'variables.replicas > variables.unavailable ? variables.replicas - variables.unavailable : 0'],
  ['asked', `!('available' in params.data) ? 0 : (${buildAmountExpression('available')})`],
  ['most', `${buildKindTest('Deployment')} ? variables.replicas : (variables.replicas > 0 ? variables.replicas - 1 : 0)`],
  ['floor', 'variables.asked < variables.most ? variables.asked : variables.most'],
  ['shareDown', buildShareExpression('maxUnavailable')],
  [
    'isShareDown',
    `variables.shareDown > 0 && 'available' in params.data && params.data['available'].endsWith('%') && variables.shareDown > 100 - ${buildPercentExpression("params.data['available']")}`,
  ],
  ['shareUp', buildShareExpression('maxSurge')],
  [
    'pods',
    `${buildKindTest('DaemonSet')} ? (params.data['extraPods'].endsWith('%') ? variables.surge : int(params.data['extraPods'])) : (${buildAmountExpression('extraPods')})`,
  ],
  [
    'isShareUp',
    `variables.shareUp > 0 && params.data['extraPods'].endsWith('%') && variables.shareUp > ${buildPercentExpression("params.data['extraPods']")}`,
  ],
  ['inits', 'has(object.spec.template.spec.initContainers) ? object.spec.template.spec.initContainers : []'],
  ['ownGpus', `${buildGpusExpression('object.spec.template.spec.containers')}.sum()`],
  ['initGpus', `${buildGpusExpression(`variables.inits.filter(c, !(${IS_SIDECAR}))`)}.max()`],
  ['sidecarGpus', `${buildGpusExpression(`variables.inits.filter(c, ${IS_SIDECAR})`)}.sum()`],
  [
    'gpus',
    'variables.surge == 0 ? 0 : variables.surge * ((variables.ownGpus > variables.initGpus ? variables.ownGpus : variables.initGpus) + variables.sidecarGpus)',
  ],
] as const;

const VALIDATIONS = [
  {
    expression:
      "!variables.isWorkload || !('strategies' in params.data) || variables.strategy.type in params.data['strategies'].split(',')",
    messageExpression:
      "'the strategy ' + variables.strategy.type + ' is none that the guardrails allow: ' + params.data['strategies'].split(',').join(', ')",
  },
  {
    expression: `!variables.isWorkload || ${buildKindTest('DaemonSet')} || variables.available >= variables.floor`,
    messageExpression:
      "'the available pods of a rollout go down to ' + string(variables.available) + ' of ' + string(variables.replicas) + ', and the guardrails ask for ' + string(variables.floor)",
  },
  {
    expression: '!variables.isWorkload || !variables.isShareDown',
    messageExpression: `'a rollout takes down ' + string(${ROLLING_UPDATE}.maxUnavailable) + ' of the pods, and the guardrails ask for ' + params.data['available'] + ' available'`,
  },
  {
    expression: "!variables.isWorkload || !('extraPods' in params.data) || (variables.surge <= variables.pods && !variables.isShareUp)",
    messageExpression: `'the extra pods of a rollout come to ' + (variables.isShareUp ? string(${ROLLING_UPDATE}.maxSurge) : string(variables.surge)) + ', and the guardrails allow ' + (variables.isShareUp ? params.data['extraPods'] : string(variables.pods))`,
  },
  {
    expression: "!variables.isWorkload || !('extraGpus' in params.data) || variables.gpus <= int(params.data['extraGpus'])",
    messageExpression: `'the extra pods of a rollout ask for ' + string(variables.gpus) + ' of ${GPU}, and the guardrails allow ' + params.data['extraGpus']`,
  },
  {
    expression:
      "!variables.isWorkload || !('readinessProbe' in params.data) || object.spec.template.spec.containers.exists(c, has(c.readinessProbe))",
    message: 'no container has a readinessProbe, and the guardrails ask for one',
  },
  {
    expression: `variables.isWorkload || !('eviction' in params.data) || !has(object.spec.maxUnavailable) || (type(object.spec.maxUnavailable) == int ? int(object.spec.maxUnavailable) : ${buildPercentExpression('object.spec.maxUnavailable')}) > 0`,
    messageExpression:
      "'maxUnavailable ' + string(object.spec.maxUnavailable) + ' lets no pod be evicted, and the guardrails ask that one can be'",
  },
  {
    expression: `variables.isWorkload || !('eviction' in params.data) || !has(object.spec.minAvailable) || type(object.spec.minAvailable) == int || ${buildPercentExpression('object.spec.minAvailable')} < 100`,
    messageExpression:
      "'minAvailable ' + string(object.spec.minAvailable) + ' lets no pod be evicted, and the guardrails ask that one can be'",
  },
] as const;

function buildParameters({
  neverBelow,
  atMost,
  strategies,
  requireReadinessProbe,
  requireEviction,
}: GuardrailPolicy): Record<string, string> {
  return {
    policy: 'rolloutkit',
    ...(neverBelow && { available: String(neverBelow.available) }),
    ...(atMost?.extraPods !== undefined && { extraPods: String(atMost.extraPods) }),
    ...(atMost?.extraGpus !== undefined && { extraGpus: String(atMost.extraGpus) }),
    ...(strategies && { strategies: strategies.join(',') }),
    ...(requireReadinessProbe === true && { readinessProbe: 'required' }),
    ...(requireEviction === true && { eviction: 'required' }),
  };
}

const NAMESPACE_LABEL = 'kubernetes.io/metadata.name';

/** Builds the rules of a policy or a binding that match the guarded kinds. */
function buildResourceRules(kinds: readonly GuardedKind[]): readonly object[] {
  const operations = ['CREATE', 'UPDATE'];
  const resources = GUARDED_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => RESOURCES[kind]);
  return [
    { apiGroups: ['apps'], apiVersions: ['v1'], operations, resources },
    { apiGroups: ['policy'], apiVersions: ['v1'], operations, resources: [BUDGETS] },
  ];
}

function buildMatchResources({ match, exceptions = [] }: GuardrailPolicy): object | undefined {
  const exemptNamespaces = exceptions.flatMap(({ namespaces }) => namespaces);
  const terms = [
    ...(match?.namespaces ? [{ key: NAMESPACE_LABEL, operator: 'In', values: match.namespaces }] : []),
    ...(exemptNamespaces.length > 0 ? [{ key: NAMESPACE_LABEL, operator: 'NotIn', values: exemptNamespaces }] : []),
  ];
  if (terms.length === 0 && !match?.labels && !match?.kinds) return undefined;
  return {
    ...(terms.length > 0 && { namespaceSelector: { matchExpressions: terms } }),
    ...(match?.labels && { objectSelector: { matchLabels: match.labels } }),
    ...(match?.kinds && { resourceRules: buildResourceRules(match.kinds) }),
  };
}

/**
 * Builds the objects with which the cluster enforces the guardrails: a ValidatingAdmissionPolicy, its binding, and the ConfigMap with its
 * parameters.
 * The expressions are the same for every policy. The policy itself is in the parameters and the binding.
 *
 * Source: admissionregistration.k8s.io/v1, in every cluster from Kubernetes 1.30.
 */
export function buildAdmissionManifests(policy: GuardrailPolicy, { name, namespace }: AdmissionNames): Manifest[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const matching = buildMatchResources(policy);
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: buildResourceRules(GUARDED_KINDS) },
        variables: VARIABLES.map(([variable, expression]) => ({ name: variable, expression })),
        validations: VALIDATIONS.map((validation) => ({ ...validation, reason: 'Invalid' })),
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: buildParameters(policy) },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        paramRef: { name, namespace, parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
        ...(matching && { matchResources: matching }),
      },
    },
  ];
}
