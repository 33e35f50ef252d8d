import type { Fields, Manifest } from '../../src/core/manifest';
import { resolveVersions } from '../../src/core/versions';
import type { PlanContext } from '../../src/cluster/context';
import type { PodSet } from '../../src/cluster/workload';
import { applyLimitRangeToPods } from '../../src/cluster/capacity/admission';
import { findLimitRangeRejections } from '../../src/cluster/capacity/limit-range-rejection';
import { recorded } from './recording';

/** What the LimitRanger says of a pod; the specs are as they were sent. */
interface Case {
  readonly pod: Fields;
  /** Does this version keep resources of the pod itself? */
  readonly podLevelResources: boolean;
  readonly limitRange: Fields;
  /** Absent where it takes the pod. */
  readonly refused?: readonly string[];
}

const CASES = recorded('kubernetes-limit-ranges') as readonly Case[];

function wordsOf({ pod, podLevelResources, limitRange }: Case): string | undefined {
  const objects: Manifest[] = [{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'range' }, spec: limitRange }];
  const context: PlanContext = {
    versions: resolveVersions({ kubernetes: podLevelResources ? '1.34' : '1.33' }),
    objects,
    input: objects,
    all: ({ kind }) => objects.filter((object) => object.kind === kind),
    startupSeconds: 0,
    locate: () => undefined,
  };
  const podSet: PodSet = applyLimitRangeToPods({ replicas: 1, template: { spec: pod } }, context);
  const [limit] = findLimitRangeRejections(objects, [podSet]);
  return limit?.rejection?.kind === 'limit-range' ? limit.rejection.words : undefined;
}

/** The amount of a pod as a whole is a sum, which the server writes in the format of one of its parts. */
function withoutSum(words: string): string {
  return words.includes(' per Pod ') ? words.replace(/, but (request|limit) is .*$/, ', but $1 is …') : words;
}

describe('a LimitRange', () => {
  test('refuses the pods that the LimitRanger of Kubernetes refuses, and says one of its reasons in its words', () => {
    const ours = CASES.map((one) => ({ ...one, ours: wordsOf(one) }));
    const differing = ours.filter((one) => {
      const said = one.refused?.map(withoutSum);
      return said ? one.ours === undefined || !said.includes(withoutSum(one.ours)) : one.ours !== undefined;
    });
    expect(differing).toEqual([]);
  });

  test('refuses about half of those that were recorded', () => {
    const refused = CASES.filter((one) => one.refused);
    expect(refused.length).toBeGreaterThan(400);
    expect(CASES.length - refused.length).toBeGreaterThan(400);
  });
});
