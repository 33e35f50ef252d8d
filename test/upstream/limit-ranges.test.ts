import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { resolveVersions } from '../../src/core/values/versions';
import type { PlanContext } from '../../src/cluster/context/context';
import type { PodSet } from '../../src/cluster/rollout/pod-set';
import { admitPods } from '../../src/cluster/capacity/admission/admission';
import { findLimitRangeRejections } from '../../src/cluster/capacity/admission/limit-range-rejection';
import { recorded } from './recording';

/** The verdict of the LimitRanger on a pod; the specs are as sent. */
interface Case {
  readonly pod: Fields;
  /** Whether this version keeps pod-level resources. */
  readonly podLevelResources: boolean;
  readonly limitRange: Fields;
  /** Unset if it accepts the pod. */
  readonly refused?: readonly string[];
}

const CASES = recorded('kubernetes-limit-ranges') as readonly Case[];

function rejectionOf({ pod, podLevelResources, limitRange }: Case): string | undefined {
  const objects: Manifest[] = [{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'range' }, spec: limitRange }];
  const context: PlanContext = {
    versions: resolveVersions({ kubernetes: podLevelResources ? '1.34' : '1.33' }),
    objects,
    input: objects,
    all: ({ kind }) => objects.filter((object) => object.kind === kind),
    startupSeconds: 0,
    locate: () => undefined,
  };
  const podSet: PodSet = admitPods({ replicas: 1, template: { spec: pod } }, context);
  const [limit] = findLimitRangeRejections(objects, [podSet]);
  return limit?.rejection?.kind === 'limit-range' ? limit.rejection.words : undefined;
}

/** Removes the total of a pod. The server writes this sum in the format of one of its summands. */
function withoutSum(text: string): string {
  return text.includes(' per Pod ') ? text.replace(/, but (request|limit) is .*$/, ', but $1 is …') : text;
}

describe('a LimitRange', () => {
  test('refuses the same pods as the LimitRanger of Kubernetes, with the text of one of its reasons', () => {
    const ours = CASES.map((one) => ({ ...one, ours: rejectionOf(one) }));
    const differing = ours.filter((one) => {
      const reasons = one.refused?.map(withoutSum);
      return reasons ? one.ours === undefined || !reasons.includes(withoutSum(one.ours)) : one.ours !== undefined;
    });
    expect(differing).toEqual([]);
  });

  test('refuses about half of the recorded pods', () => {
    const refused = CASES.filter((one) => one.refused);
    expect(refused.length).toBeGreaterThan(400);
    expect(CASES.length - refused.length).toBeGreaterThan(400);
  });
});
