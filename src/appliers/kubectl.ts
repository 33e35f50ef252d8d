import type { Applier } from './applier';

/*
 * kubectl. An object that a manifest no longer has stays, or is pruned once all others are applied: not if one of them is refused. Immutable
 * fields are refused. Source: kubectl 0.36, pkg/cmd/apply, `Run`.
 */

/** `kubectl apply`: fields that the last-applied annotation has and the manifest lacks are removed. All others are kept. */
export const KUBECTL: Applier = { tool: 'kubectl', title: 'kubectl apply', mode: 'client', method: 'client', keepsAllOnRefusal: true };

/** `kubectl apply --server-side`: a field of another manager is a conflict, and then nothing of the object is written. */
export const KUBECTL_SERVER_SIDE: Applier = {
  tool: 'kubectl-server-side',
  title: 'kubectl apply --server-side',
  mode: 'server',
  method: 'server',
  keepsAllOnRefusal: true,
};

/** `kubectl replace`: a PUT, so that fields that the manifest lacks return to their defaults. */
export const KUBECTL_REPLACE: Applier = { tool: 'kubectl-replace', title: 'kubectl replace', mode: 'replace', method: 'replace' };
