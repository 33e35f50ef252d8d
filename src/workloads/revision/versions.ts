import { getValueAtVersion } from '../../core/values/versions';

/**
 * Whether a Revision is ready once one of its pods is. The others may not be scheduled yet. (knative/serving#15889, fixed by #16094)
 *
 * Source: knative.dev/serving, pkg/reconciler/revision/reconcile_resources.go at 1.15.2, 1.17.0 and 1.21.1.
 */
const READY_AT_ONE_POD: readonly (readonly [since: string, value: boolean])[] = [
  ['0', false],
  ['1.16.1', true],
  ['1.18.2', false],
  ['1.19', true],
  ['1.19.7', false],
];

/**
 * Reports whether a Revision is ready once one of its pods is.
 *
 * @param version - of Knative
 */
export function isReadyAtOnePod(version: string): boolean {
  return getValueAtVersion(READY_AT_ONE_POD, version);
}
