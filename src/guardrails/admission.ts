import type { Manifest } from '../core/manifest';
import type { GuardrailPolicy } from './policy';
import { GPU } from './verdict';

/** Where the parameters lie. */
export interface AdmissionNames {
  /** Of the ValidatingAdmissionPolicy, its binding and the ConfigMap with its parameters. */
  readonly name: string;
  /** Of the ConfigMap. */
  readonly namespace: string;
}

/** A share of the replicas, rounded up, or a number; of a parameter. */
function amountExpression(key: string): string {
  const value = `params.data['${key}']`;
  return `${value}.endsWith('%') ? (int(${value}.replace('%', '')) * variables.replicas + 99) / 100 : int(${value})`;
}

/** A limit of a rolling update, which is a number or a percentage. */
function limitExpression(field: string, rounding: string): string {
  const value = `object.spec.strategy.rollingUpdate.${field}`;
  return `type(${value}) == int ? int(${value}) : (int(string(${value}).replace('%', '')) * variables.replicas${rounding}) / 100`;
}

const GPUS =
  `object.spec.template.spec.containers.filter(c, has(c.resources) && has(c.resources.limits) && '${GPU}' in c.resources.limits)` +
  `.map(c, quantity(string(c.resources.limits['${GPU}'])).asInteger()).sum()`;

/** What the expressions below share. Objects have their defaults by then. */
const VARIABLES = [
  ['replicas', 'has(object.spec.replicas) ? object.spec.replicas : 1'],
  ['type', 'object.spec.strategy.type'],
  ['surge', `variables.type != 'RollingUpdate' ? 0 : (${limitExpression('maxSurge', ' + 99')})`],
  ['written', `variables.type != 'RollingUpdate' ? variables.replicas : (${limitExpression('maxUnavailable', '')})`],
  ['unavailable', "variables.type == 'RollingUpdate' && variables.surge == 0 && variables.written == 0 ? 1 : variables.written"],
  ['available', 'variables.replicas > variables.unavailable ? variables.replicas - variables.unavailable : 0'],
  ['asked', `!('available' in params.data) ? 0 : (${amountExpression('available')})`],
  ['floor', 'variables.asked < variables.replicas ? variables.asked : variables.replicas'],
  ['pods', `!('extraPods' in params.data) ? variables.surge : (${amountExpression('extraPods')})`],
  ['gpus', `variables.surge == 0 ? 0 : variables.surge * ${GPUS}`],
] as const;

const VALIDATIONS = [
  {
    expression: "!('strategies' in params.data) || variables.type in params.data['strategies'].split(',')",
    messageExpression:
      "'the strategy ' + variables.type + ' is none that the guardrails allow: ' + params.data['strategies'].split(',').join(', ')",
  },
  {
    expression: 'variables.available >= variables.floor',
    messageExpression:
      "'the available pods of a rollout go down to ' + string(variables.available) + ' of ' + string(variables.replicas) + ', and the guardrails ask for ' + string(variables.floor)",
  },
  {
    expression: 'variables.surge <= variables.pods',
    messageExpression:
      "'the extra pods of a rollout come to ' + string(variables.surge) + ', and the guardrails allow ' + string(variables.pods)",
  },
  {
    expression: "!('extraGpus' in params.data) || variables.gpus <= int(params.data['extraGpus'])",
    messageExpression: `'the extra pods of a rollout ask for ' + string(variables.gpus) + ' of ${GPU}, and the guardrails allow ' + params.data['extraGpus']`,
  },
  {
    expression: "!('readinessProbe' in params.data) || object.spec.template.spec.containers.exists(c, has(c.readinessProbe))",
    message: 'no container has a readinessProbe, and the guardrails ask for one',
  },
] as const;

function parametersOf({ neverBelow, atMost, strategies, requireReadinessProbe }: GuardrailPolicy): Record<string, string> {
  return {
    policy: 'rolloutkit',
    ...(neverBelow && { available: String(neverBelow.available) }),
    ...(atMost?.extraPods !== undefined && { extraPods: String(atMost.extraPods) }),
    ...(atMost?.extraGpus !== undefined && { extraGpus: String(atMost.extraGpus) }),
    ...(strategies && { strategies: strategies.join(',') }),
    ...(requireReadinessProbe === true && { readinessProbe: 'required' }),
  };
}

const NAMESPACE_LABEL = 'kubernetes.io/metadata.name';

function matchResources({ match, exceptions = [] }: GuardrailPolicy): object | undefined {
  const excepted = exceptions.flatMap(({ namespaces }) => namespaces);
  const terms = [
    ...(match?.namespaces ? [{ key: NAMESPACE_LABEL, operator: 'In', values: match.namespaces }] : []),
    ...(excepted.length > 0 ? [{ key: NAMESPACE_LABEL, operator: 'NotIn', values: excepted }] : []),
  ];
  if (terms.length === 0 && !match?.labels) return undefined;
  return {
    ...(terms.length > 0 && { namespaceSelector: { matchExpressions: terms } }),
    ...(match?.labels && { objectSelector: { matchLabels: match.labels } }),
  };
}

/**
 * The guardrails as the cluster enforces them: a ValidatingAdmissionPolicy, its binding, and the ConfigMap with its parameters.
 * The expressions are the same for every policy, which is in the parameters and the binding.
 *
 * Source: admissionregistration.k8s.io/v1, in every cluster from Kubernetes 1.30.
 */
export function admissionManifests(policy: GuardrailPolicy, { name, namespace }: AdmissionNames): Manifest[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const matching = matchResources(policy);
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] }],
        },
        variables: VARIABLES.map(([variable, expression]) => ({ name: variable, expression })),
        validations: VALIDATIONS.map((validation) => ({ ...validation, reason: 'Invalid' })),
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: parametersOf(policy) },
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
