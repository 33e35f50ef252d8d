import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

interface WrongKindData {
  readonly policy: string;
  /** The kind that the policy is for. */
  readonly expected: string;
  readonly kind: string;
  readonly name: string;
  readonly apiVersion: string;
  /** The policy for that kind, if there is one: `DeploymentPolicy.stateful`. */
  readonly suggestedPolicy?: string;
}

/** Reports a policy that is applied to an object of another kind. */
export const policyKind = extendRule(invalidStrategy, {
  wrongKind: defineMessage<WrongKindData>({
    text: ({ policy, expected: expectedKind, kind, name, apiVersion }) =>
      `A ${policy} policy is applied to the ${kind} "${name}" (${apiVersion}): it sets fields that only a ${expectedKind} of apps/v1 has.`,
    help: ({ suggestedPolicy, kind }) =>
      suggestedPolicy === undefined
        ? 'Apply DeploymentPolicy.stateless only to Deployments, DeploymentPolicy.stateful only to StatefulSets and DaemonSetPolicy.of only to DaemonSets.'
        : `Use ${suggestedPolicy} for a ${kind}.`,
    sample: {
      policy: 'stateless',
      expected: 'Deployment',
      kind: 'StatefulSet',
      name: 'db',
      apiVersion: 'apps/v1',
      suggestedPolicy: 'DeploymentPolicy.stateful',
    },
    variants: [{ policy: 'stateless', expected: 'Deployment', kind: 'Deployment', name: 'web', apiVersion: 'extensions/v1beta1' }],
  }),
});

/** The name and the factory of the policy for each kind. */
const POLICIES = {
  Deployment: { name: 'stateless', factory: 'DeploymentPolicy.stateless' },
  StatefulSet: { name: 'stateful', factory: 'DeploymentPolicy.stateful' },
  DaemonSet: { name: 'DaemonSet', factory: 'DaemonSetPolicy.of' },
} as const;

/** Reports a policy for one kind that is applied to an object of another kind. */
export function reportWrongKind(expectedKind: keyof typeof POLICIES, object: Manifest): Finding {
  const { apiVersion, kind } = object;
  const suggestedPolicy = apiVersion === 'apps/v1' ? Object.entries(POLICIES).find(([known]) => known === kind)?.[1].factory : undefined;
  const data = {
    policy: POLICIES[expectedKind].name,
    expected: expectedKind,
    kind,
    name: nameOf(object),
    apiVersion,
    ...(suggestedPolicy && { suggestedPolicy }),
  };
  return policyKind.createFinding('wrongKind', { path: toFieldPath`kind`, data });
}
