/** A plan and the objects of a cluster may be made by a stranger, so `verify` ends after its `--timeout` whatever they contain. */
import { checkTimeNow } from '../../src/core/budget/deadline';
import type { Kubectl } from '../../src/live/kubectl';
import { followCluster } from '../../src/live/verify/follow-cluster';
import { ObservedObjects } from '../../src/live/verify/observed-objects';
import type { PlanVerifier } from '../../src/live/verify/verify-plan';
import { rolloutkit } from '../cli/command-line';

jest.setTimeout(60_000);

const manifest = (name: string, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "${image}" }] } }
`;

const podOf = (index: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `pod-${index}`,
    namespace: 'shop',
    uid: `uid-${index}`,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `set-${index}`, uid: `owner-${index}`, controller: true }],
  },
});

test('recorded events that take longer to compare than --timeout are an error', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `web-${index}`);
  const yamlOf = (image: string) => names.map((name) => manifest(name, image)).join('---\n');
  const files = { 'old.yaml': yamlOf('web:1'), 'new.yaml': yamlOf('web:2') };
  const plan = (await rolloutkit('plan --from old.yaml new.yaml --format json', { files })).stdout;
  const events = Array.from({ length: 4_000 }, (_, index) => JSON.stringify({ type: 'ADDED', object: podOf(index) })).join('\n');

  expect(
    await rolloutkit('verify plan.json --events events.json --timeout 100ms', { files: { 'plan.json': plan, 'events.json': events } }),
  ).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'rolloutkit: comparing the plan with the recorded events takes more than 0.1 seconds; raise --timeout\n',
  });
});

test('a comparison in a cluster that takes longer than --timeout ends, with a note', async () => {
  const kubectl = {
    context: 'prod',
    start: (_: string, __: readonly string[], onChunk: (chunk: Buffer) => void) => {
      onChunk(Buffer.from(JSON.stringify({ type: 'ADDED', object: podOf(1) })));
      let stop = () => {};
      const ended = new Promise((done) => {
        stop = () => done({ succeeded: true, stdout: '', stderr: '' });
      });
      return { ended, stop };
    },
  } as unknown as Kubectl;
  const verifier = {
    listWatches: () => [{ resource: 'pods' }],
    relist: () => () => {},
    load: () => {},
    advance: () => {},
    compare: () => {
      const end = Date.now() + 10_000;
      while (Date.now() < end) checkTimeNow();
      return [];
    },
    hasEnded: false,
  } as unknown as PlanVerifier;
  const notes: string[] = [];

  await followCluster(kubectl, verifier, { timeout: 1_000, onChange: () => {}, onNote: (text) => notes.push(text) });

  expect(notes).toEqual(['the time was over before all rollouts were compared; raise --timeout']);
});

describe('the objects of a cluster', () => {
  test('are looked up in constant time', () => {
    const observed = new ObservedObjects();
    const count = 30_000;
    const startedAt = Date.now();
    for (let index = 0; index < count; index++) observed.apply({ type: 'ADDED', object: podOf(index) });
    for (let index = 0; index < count; index++) {
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: `set-${index}`, uid: `owner-${index}` } };
      const found = [...observed.ownedBy(owner, 'Pod'), observed.get('', 'Pod', undefined, `pod-${index}`)];
      if (found.length !== 2 || observed.eventsAbout(owner).length > 0) throw new Error(`the pod ${index} is not found`);
    }

    // Without an index, each look-up goes through 30,000 objects, which takes minutes.
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('are found by what they are now', () => {
    const observed = new ObservedObjects();
    const [first, second] = [1, 2].map((index) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `set-${index}`, uid: `owner-${index}` },
    }));
    const adopted = { ...podOf(1), metadata: { ...podOf(1).metadata, ownerReferences: podOf(2).metadata.ownerReferences } };
    const copy = { ...podOf(1), metadata: { ...podOf(1).metadata, namespace: 'other' } };
    const list = () => [
      observed.ownedBy(first!, 'Pod').length,
      observed.ownedBy(second!, 'Pod').length,
      observed.get('', 'Pod', undefined, 'pod-1') !== undefined,
    ];

    observed.apply({ type: 'ADDED', object: podOf(1) });
    expect(list()).toEqual([1, 0, true]);
    observed.apply({ type: 'MODIFIED', object: adopted });
    expect(list()).toEqual([0, 1, true]);
    observed.apply({ type: 'ADDED', object: copy });
    expect(list()).toEqual([1, 1, false]);
    observed.apply({ type: 'DELETED', object: copy });
    expect(list()).toEqual([0, 1, true]);
    const forgetStale = observed.relist(() => true);
    observed.apply({ type: 'ADDED', object: podOf(2) });
    forgetStale();
    expect(list()).toEqual([0, 1, false]);
  });
});
