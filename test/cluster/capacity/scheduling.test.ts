import { buildNodeMarks, findOwnNodeReason } from '../../../src/cluster/capacity/nodes/scheduling';
import type { PodSet } from '../../../src/cluster/rollout/pod-set';

function podSet(spec: object, rest: Partial<PodSet> = {}): PodSet {
  return { replicas: 1, template: { metadata: { labels: { app: 'web' } }, spec }, ...rest };
}

function withPort(port: object, spec: object = {}): PodSet {
  return podSet({ containers: [{ name: 'a', ports: [port] }], ...spec });
}

/** Reports whether a pod of one set excludes a pod of another set from its node. */
function excludes(there: PodSet, next: PodSet): boolean {
  const { leaves } = buildNodeMarks(there).new;
  return buildNodeMarks(next).new.avoids.some((mark) => leaves.includes(mark));
}

describe('host ports', () => {
  test.each([
    ['the same port', { hostPort: 80 }, { hostPort: 80 }, true],
    ['another port', { hostPort: 80 }, { hostPort: 81 }, false],
    ['no protocol is TCP', { hostPort: 80 }, { hostPort: 80, protocol: 'TCP' }, true],
    ['another protocol', { hostPort: 80 }, { hostPort: 80, protocol: 'UDP' }, false],
    ['one address and another', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.2' }, false],
    ['the same address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    ['one address and all', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80 }, true],
    ['an empty address is all', { hostPort: 80, hostIP: '' }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    ['only a container port', { containerPort: 80 }, { containerPort: 80 }, false],
    ['an invalid port', 'http', { hostPort: 80 }, false],
  ])('%s', (_what, one, other, conflicts) => {
    const [first, second] = [one, other].map((port) => withPort(port as object));
    expect([excludes(first!, second!), excludes(second!, first!)]).toEqual([conflicts, conflicts]);
  });

  test('every container port of a pod on the host network is a host port, with its own number if it has one', () => {
    const onHost = withPort({ containerPort: 80 }, { hostNetwork: true });
    expect(excludes(onHost, withPort({ hostPort: 80 }))).toBe(true);
    const other = withPort({ containerPort: 80, hostPort: 81 }, { hostNetwork: true });
    expect([excludes(other, withPort({ hostPort: 81 })), excludes(other, withPort({ hostPort: 80 }))]).toEqual([true, false]);
    expect([
      findOwnNodeReason(onHost),
      findOwnNodeReason(withPort({ hostPort: 80 })),
      findOwnNodeReason(withPort({ containerPort: 80 })),
    ]).toEqual(['hostNetwork', 'a hostPort', undefined]);
  });
});

describe('anti-affinity by node between the pods of a set', () => {
  const spec = (term: object) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } }, ...term },
        ],
      },
    },
  });

  test.each([
    ['without namespaces it applies to their own', {}, {}, 'required anti-affinity'],
    ['the default namespace by name, if none is set', { namespaces: ['default'] }, {}, 'required anti-affinity'],
    ['another namespace', { namespaces: ['shop'] }, {}, undefined],
    ['their own namespace by name', { namespaces: ['shop'] }, { namespace: 'shop' }, 'required anti-affinity'],
    ['a key that is not the revision label does not affect revisions', { matchLabelKeys: ['track'] }, {}, 'required anti-affinity'],
    ['the revision label allows old pods next to new ones', { matchLabelKeys: ['track'] }, { revisionLabel: 'track' }, undefined],
  ])('%s', (_what, term, rest, reason) => {
    expect(findOwnNodeReason(podSet(spec(term), rest))).toBe(reason);
  });

  test('separates old and new pods by marks that no other set has', () => {
    const [one, other] = [podSet(spec({})), podSet(spec({}))];
    expect([excludes(one, other), buildNodeMarks(one).areOwn, buildNodeMarks(podSet({})).areOwn]).toEqual([false, true, false]);
    const marks = buildNodeMarks(one);
    expect(marks.old.leaves.some((mark) => marks.new.avoids.includes(mark))).toBe(true);
    const revisions = buildNodeMarks(podSet(spec({ matchLabelKeys: ['track'] }), { revisionLabel: 'track' }));
    expect(revisions.old.leaves.some((mark) => revisions.new.avoids.includes(mark))).toBe(false);
    expect(revisions.new.leaves.some((mark) => revisions.new.avoids.includes(mark))).toBe(true);
    expect(buildNodeMarks(podSet({})).new).toEqual({ leaves: [], avoids: [] });
  });
});
