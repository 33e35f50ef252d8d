import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import { at } from '../../core/field-path';
import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { nameOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

interface WrongKindData {
  readonly policy: string;
  /** The kind that the policy is for. */
  readonly wanted: string;
  readonly kind: string;
  readonly name: string;
  readonly apiVersion: string;
  /** The policy for that kind, where there is one: `DeploymentPolicy.stateful`. */
  readonly fitting?: string;
}

/** A policy that is applied to an object of another kind. */
export const policyKind = partOf(invalidStrategy, {
  wrongKind: message<WrongKindData>({
    text: ({ policy, wanted, kind, name, apiVersion }) =>
      `A ${policy} policy is applied to the ${kind} "${name}" (${apiVersion}): it sets fields that only a ${wanted} of apps/v1 has.`,
    help: ({ fitting, kind }) =>
      fitting === undefined
        ? 'Apply DeploymentPolicy.stateless to Deployments, DeploymentPolicy.stateful to StatefulSets and DaemonSetPolicy.of to DaemonSets only.'
        : `Use ${fitting} for a ${kind}.`,
    sample: {
      policy: 'stateless',
      wanted: 'Deployment',
      kind: 'StatefulSet',
      name: 'db',
      apiVersion: 'apps/v1',
      fitting: 'DeploymentPolicy.stateful',
    },
    variants: [{ policy: 'stateless', wanted: 'Deployment', kind: 'Deployment', name: 'web', apiVersion: 'extensions/v1beta1' }],
  }),
});

/** What the policy for a kind is called, and how it is made. */
const POLICIES = {
  Deployment: { name: 'stateless', factory: 'DeploymentPolicy.stateless' },
  StatefulSet: { name: 'stateful', factory: 'DeploymentPolicy.stateful' },
  DaemonSet: { name: 'DaemonSet', factory: 'DaemonSetPolicy.of' },
} as const;

/** A policy for one kind on an object of another. */
export function wrongKindFinding(wanted: keyof typeof POLICIES, object: Manifest): Finding {
  const { apiVersion, kind } = object;
  const fitting = apiVersion === 'apps/v1' ? Object.entries(POLICIES).find(([known]) => known === kind)?.[1].factory : undefined;
  const data = { policy: POLICIES[wanted].name, wanted, kind, name: nameOf(object), apiVersion, ...(fitting && { fitting }) };
  return policyKind.finding('wrongKind', { path: at`kind`, data });
}
