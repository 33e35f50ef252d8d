import { allowValues, requireOneOf, checkFormatIfSet, checkPathSegment, requireValue, checkWhen } from './checks';
import { checkField } from './rule';
import type { ValueLocation, ValueRule } from './rule';

/* Role bindings. Source: k/k pkg/apis/rbac/validation/validation.go. */

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

const isServiceAccount = ({ holder }: ValueLocation) => holder.kind === 'ServiceAccount';
const isUserOrGroup = ({ holder }: ValueLocation) => holder.kind === 'User' || holder.kind === 'Group';

function buildBindingRules(roles: readonly string[], isNamespaced: boolean): ValueRule[] {
  return [
    checkField('roleRef.apiGroup', requireOneOf(RBAC_GROUP)),
    checkField('roleRef.kind', requireOneOf(...roles)),
    checkField('roleRef.name', requireValue(), checkPathSegment),
    checkField('subjects[].name', requireValue()),
    checkField('subjects[].name', checkWhen(isServiceAccount, checkFormatIfSet('dns-subdomain'))),
    checkField('subjects[].apiGroup', checkWhen(isServiceAccount, allowValues(''))),
    checkField(
      'subjects[].namespace',
      checkWhen((location) => isServiceAccount(location) && !isNamespaced, requireValue()),
    ),
    checkField('subjects[].apiGroup', checkWhen(isUserOrGroup, requireOneOf(RBAC_GROUP))),
    checkField('subjects[].kind', requireOneOf(...SUBJECT_KINDS)),
  ];
}

export const ROLE_BINDING_VALUES = buildBindingRules(['Role', 'ClusterRole'], true);
export const CLUSTER_ROLE_BINDING_VALUES = buildBindingRules(['ClusterRole'], false);
