import { factsOf } from '../../facts';
import { incremental, rolloutOf } from '../../systems/kuberay/plan';

const GPU = 'nvidia.com/gpu';

function roomFindings(count: number) {
  const capacity = { nodePools: [{ name: 'a100', count, allocatable: { cpu: 8, memory: '64Gi', [GPU]: 1 } }] };
  return factsOf(rolloutOf([incremental()], { capacity }).findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity'));
}

test('a second cluster that lacks nodes alone is told how many more it needs', () => {
  expect(roomFindings(6)).toEqual([]);
  expect(roomFindings(5)).toMatchObject([
    { severity: 'error', messageId: 'cluster', data: { row: 2, peakPods: 8, moreNodes: { pool: 'a100', nodes: 1 } } },
  ]);
});
