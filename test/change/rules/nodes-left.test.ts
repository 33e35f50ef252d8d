import type { PlanDocument } from '../../../src/core/document/plan-document';
import { rolloutkit } from '../../cli/command-line';

const NODES = ['a', 'b', 'c']
  .map((name) => {
    const labels = name === 'a' ? 'disk: ssd, os: linux' : 'os: linux';
    return `---
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { ${labels} } }
status: { allocatable: { cpu: 4, memory: 8Gi, pods: 110 } }
`;
  })
  .join('');

function agent(spec: string, strategy = 'OnDelete'): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: shop }
spec:
  updateStrategy: { type: ${strategy} }
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { ${spec}containers: [{ name: agent, image: "agent:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

async function findingsOf(old: string, next: string): Promise<readonly string[]> {
  const { stdout } = await rolloutkit('check --from old.yaml new.yaml', { files: { 'old.yaml': old, 'new.yaml': next } });
  const lines = stdout.split('\n');
  return lines.flatMap((line, index) => (line.includes('change/nodes-left') ? [lines[index + 1]!.trim()] : []));
}

const LEFT = 'The new template excludes nodes that the old one allows';
const REST = ': the controller deletes the pods on them at once, whatever updateStrategy says.';
const AFFINITY = `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }] }] } } }, `;

describe('a pull request cannot delete the pods of a DaemonSet without a finding, by taking it off its nodes', () => {
  test.each<[what: string, before: string, after: string]>([
    ['with a nodeSelector', '', 'nodeSelector: { disk: ssd }, '],
    ['with a node affinity', '', AFFINITY],
    ['with the name of a node', '', 'nodeName: a, '],
    ['by removing a toleration', 'tolerations: [{ operator: Exists }], ', ''],
  ])('%s', async (_, before, after) => {
    expect(await findingsOf(agent(before), agent(after))).toEqual([`${LEFT}${REST}`]);
    expect(await findingsOf(agent(before, 'RollingUpdate'), agent(after, 'RollingUpdate'))).toEqual([`${LEFT}${REST}`]);
  });

  test('by removing a toleration of NoSchedule, which ends no running pod', async () => {
    const tolerant = 'tolerations: [{ key: gpu, operator: Exists, effect: NoSchedule }], ';

    expect(await findingsOf(agent(tolerant), agent(''))).toEqual([
      'The new template does not tolerate taints with the effect NoSchedule that the old one tolerates: pods on nodes with such a taint run until they are deleted, as the rollout does, and no new pod follows there.',
    ]);
  });

  test('with the number of nodes, if they are known', async () => {
    const next = agent('nodeSelector: { disk: ssd }, ');

    expect(await findingsOf(agent('') + NODES, next + NODES)).toEqual([`${LEFT} (3 before, 1 afterwards)${REST}`]);
  });
});

test('the first line of the plan counts the pods that leave, and the change those before and after', async () => {
  const files = { 'old.yaml': agent('') + NODES, 'new.yaml': agent('nodeSelector: { disk: ssd }, ') + NODES };
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml', { files });
  expect(stdout.split('\n')[0]).toContain('2 pods are removed');
  const { change } = JSON.parse((await rolloutkit('plan --from old.yaml new.yaml --format json', { files })).stdout) as PlanDocument;
  expect(change!.summary.podsRemoved).toBe(2);
  expect(change!.objects[0]!.pods).toEqual({ before: 3, after: 1 });
});

test('a DaemonSet that leaves no node is no finding', async () => {
  expect(await findingsOf(agent('nodeSelector: { disk: ssd }, '), agent(''))).toEqual([]);
  expect(await findingsOf(agent(''), agent('tolerations: [{ operator: Exists }], '))).toEqual([]);
  expect(await findingsOf(agent('') + NODES, agent('nodeSelector: { os: linux }, ') + NODES)).toEqual([]);
  expect(await findingsOf(agent('tolerations: [{ key: spot, operator: Exists, effect: PreferNoSchedule }], '), agent(''))).toEqual([]);
});

describe('the rows of a DaemonSet that moves to other nodes', () => {
  /** Returns the rows of a move between nodes by label, the headline of the plan, and that of the object. */
  async function movedBetween(before: string, after: string) {
    const files = { 'old.yaml': agent(before, 'RollingUpdate') + NODES, 'new.yaml': agent(after, 'RollingUpdate') + NODES };
    const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
    const { rollouts, change } = JSON.parse(stdout) as PlanDocument;
    const { simulation } = rollouts[0]!;
    if (simulation?.kind !== 'daemonset') throw new Error('no rows');
    const rows = simulation.waves.map(({ newPods, oldPods, available }) => `${newPods} new, ${oldPods} old, ${available} available`);
    return { rows, minAvailable: simulation.minAvailable, lowest: change!.summary.lowest?.available };
  }
  const notOn = (name: string) =>
    `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: metadata.name, operator: NotIn, values: [${name}] }] }] } } }, `;

  test('have no old pods if it leaves all of its nodes, because the controller deletes them at once', async () => {
    expect(await movedBetween(notOn('a'), 'nodeSelector: { disk: ssd }, ')).toEqual({
      rows: ['1 new, 0 old, 0 available'],
      minAvailable: 0,
      lowest: 0,
    });
  });

  test('replace the old pods of the nodes that it keeps once those of its other nodes are available', async () => {
    expect(await movedBetween(notOn('a'), notOn('b'))).toEqual({
      rows: ['1 new, 1 old, 1 available', '2 new, 0 old, 1 available'],
      minAvailable: 1,
      lowest: 1,
    });
  });

  test('start pods at once on nodes that it gains', async () => {
    expect(await movedBetween('nodeSelector: { disk: ssd }, ', '')).toEqual({
      rows: ['2 new, 1 old, 1 available', '3 new, 0 old, 2 available'],
      minAvailable: 1,
      lowest: 1,
    });
  });
});
