import { choice, choiceNeeded, formattedIfAny, pathSegment, required, when } from './checks';
import { on } from './rule';
import type { Place, ValueRule } from './rule';

/* Role bindings. Source: k/k pkg/apis/rbac/validation/validation.go. */

const GROUP = 'rbac.authorization.k8s.io';
const KINDS = ['ServiceAccount', 'User', 'Group'];

const isAccount = ({ holder }: Place) => holder.kind === 'ServiceAccount';
const isPerson = ({ holder }: Place) => holder.kind === 'User' || holder.kind === 'Group';

function bindingRules(roles: readonly string[], isNamespaced: boolean): ValueRule[] {
  return [
    on('roleRef.apiGroup', choiceNeeded(GROUP)),
    on('roleRef.kind', choiceNeeded(...roles)),
    on('roleRef.name', required(), pathSegment),
    on('subjects[].name', required()),
    on('subjects[].name', when(isAccount, formattedIfAny('dns-subdomain'))),
    on('subjects[].apiGroup', when(isAccount, choice(''))),
    on(
      'subjects[].namespace',
      when((place) => isAccount(place) && !isNamespaced, required()),
    ),
    on('subjects[].apiGroup', when(isPerson, choiceNeeded(GROUP))),
    on('subjects[].kind', choiceNeeded(...KINDS)),
  ];
}

export const ROLE_BINDING_VALUES = bindingRules(['Role', 'ClusterRole'], true);
export const CLUSTER_ROLE_BINDING_VALUES = bindingRules(['ClusterRole'], false);
