import { buildSelectorRules } from './label-selector';
import type { ValueRule } from './rule';

/** Selectors of a NetworkPolicy. Source: k/k pkg/apis/networking/validation/validation.go, `ValidateNetworkPolicySpec`. */
export const NETWORK_POLICY_VALUES: readonly ValueRule[] = [
  'spec.podSelector',
  ...['spec.ingress[].from[]', 'spec.egress[].to[]'].flatMap((peer) => [`${peer}.podSelector`, `${peer}.namespaceSelector`]),
].flatMap((path) => buildSelectorRules(path));
