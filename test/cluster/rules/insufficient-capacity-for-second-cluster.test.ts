import { factsOf } from '../../facts';
import { incremental, rolloutOf } from '../../systems/kuberay/plan';

const GPU = 'nvidia.com/gpu';

function capacityFindings(count: number) {
  const capacity = { nodePools: [{ name: 'a100', count, allocatable: { cpu: 8, memory: '64Gi', [GPU]: 1 } }] };
  return factsOf(rolloutOf([incremental()], { capacity }).findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity'));
}

test('the finding for a second cluster that only lacks nodes reports how many more it needs', () => {
  expect(capacityFindings(6)).toEqual([]);
  expect(capacityFindings(5)).toMatchObject([
    { severity: 'error', messageId: 'cluster', data: { row: 2, peakPods: 8, moreNodes: { pool: 'a100', nodes: 1 } } },
  ]);
});
