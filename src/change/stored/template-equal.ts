import type { Versions } from '../../core/versions';

/** Does the controller of a kind of apps/v1 take two stored pod templates for one, so that no pod is replaced? */
export function templateEqual(_kind: string, before: unknown, after: unknown, _versions: Versions): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
