import { deployment, findingsOf } from './plan';

const APART = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
    ],
  },
};

function headroom(podSpec: object, rollingUpdate: object = { maxSurge: 1, maxUnavailable: 0 }) {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  return findingsOf([deployment({ replicas: 3, strategy: { rollingUpdate }, template })], 'kubernetes/surge-needs-headroom');
}

describe('kubernetes/surge-needs-headroom for pods that go one to a node', () => {
  test('says that the room has to be a node without any of them', () => {
    const [finding] = headroom({ affinity: APART });
    expect(finding).toMatchObject({
      severity: 'info',
      message: expect.stringMatching(
        / No two of these pods go on one node \(required anti-affinity\), so every one more needs a node without any\.$/,
      ),
    });
    expect(headroom({ containers: [{ ports: [{ hostPort: 80 }] }] })[0]!.message).toContain('(a hostPort)');
  });

  test('is as always for pods that may share a node, and silent where an old pod goes first', () => {
    expect(headroom({})[0]!.message).not.toContain('on one node');
    expect(headroom({ affinity: APART }, { maxSurge: 0, maxUnavailable: 1 })).toEqual([]);
  });
});
