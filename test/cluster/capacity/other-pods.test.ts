import { planManifests } from '../../../src/headless';
import { sound } from '../../sound-workload';
import { deployment } from '../../builders/workload';
import { rolloutOf } from '../../workloads/plan';
import { quota } from '../../builders/quota';

const GPU = 'nvidia.com/gpu';
const POD_SPEC = { containers: [{ name: 'app', resources: { limits: { [GPU]: 1 } } }] };
const QUOTA = quota({ [`requests.${GPU}`]: 10 });
const MODEL = deployment({ replicas: 3, template: { spec: POD_SPEC } });

function object(apiVersion: string, kind: string, rest: object, metadata: object = {}) {
  return { apiVersion, kind, metadata: { name: 'other', ...metadata }, ...rest };
}

const OWNED = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: '1', controller: true }] };
const OF_DEPLOYMENT = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '1', controller: true }] };
const pod = (rest: object = {}, metadata: object = {}) => object('v1', 'Pod', { spec: POD_SPEC, ...rest }, metadata);
const TEMPLATE = { template: { spec: POD_SPEC } };
const replicaSet = (spec: object, metadata: object = {}) => object('apps/v1', 'ReplicaSet', { spec: { ...spec, ...TEMPLATE } }, metadata);
const job = (spec: object, status: object = {}) => object('batch/v1', 'Job', { spec: { ...spec, ...TEMPLATE }, status });
const daemonSet = (status: object = {}, spec: object = POD_SPEC) =>
  sound(object('apps/v1', 'DaemonSet', { spec: { template: { spec } }, status }));
const CRON_JOB = object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: TEMPLATE } } });
const isOver = (type: string) => ({ conditions: [{ type, status: 'True' }] });

/** Returns how many of the ten GPUs another object uses, from the capacity left for five replicas and a surge of five. */
function gpusUsed(other: object, options?: object): number {
  const surging = deployment({ replicas: 5, strategy: { rollingUpdate: { maxSurge: 5, maxUnavailable: 0 } }, ...TEMPLATE });
  return 10 - rolloutOf([surging, QUOTA, other], options).capacity!.podsThatFit;
}

describe('other pods of the input use a quota and never roll out', () => {
  test.each([
    ['a bare Pod', pod(), 1],
    ['a pod that has succeeded', pod({ status: { phase: 'Succeeded' } }), 0],
    ['a pod that has failed', pod({ status: { phase: 'Failed' } }), 0],
    ['a pod with a controller, which counts as part of it', pod({}, OWNED), 0],
    ['a pod of another namespace', pod({}, { namespace: 'shop' }), 0],
    ['a ReplicaSet', replicaSet({ replicas: 2 }), 2],
    ['a ReplicaSet without replicas', replicaSet({}), 1],
    ['a ReplicaSet of a Deployment', replicaSet({ replicas: 2 }, OF_DEPLOYMENT), 0],
    ['a Pod with a Deployment as its owner, which creates none', pod({}, OF_DEPLOYMENT), 1],
    ['a Job', job({}), 1],
    ['a Job with four pods at once', job({ parallelism: 4 }), 4],
    ['a Job whose completions are fewer', job({ parallelism: 4, completions: 2 }), 2],
    ['a Job with one completion to come', job({ parallelism: 4, completions: 6 }, { succeeded: 5 }), 1],
    ['a Job that is suspended', job({ suspend: true }), 0],
    ['a Job that is complete', job({ parallelism: 4 }, isOver('Complete')), 0],
    ['a Job that has failed', job({ parallelism: 4 }, isOver('Failed')), 0],
    ['a DaemonSet on the number of nodes in its status', daemonSet({ desiredNumberScheduled: 3 }), 3],
    ['a DaemonSet without a status', daemonSet(), 0],
    ['a DaemonSet whose status has no number', daemonSet({ desiredNumberScheduled: '3' }), 0],
    ['a DaemonSet whose status has a negative number', daemonSet({ desiredNumberScheduled: -1 }), 0],
    ['a CronJob, whose Jobs are temporary', CRON_JOB, 0],
  ])('%s', (_, other, used) => {
    expect(gpusUsed(other)).toBe(used);
  });

  test('a bare pod uses the capacity for a surge', () => {
    const four = quota({ [`requests.${GPU}`]: 4 });
    expect(rolloutOf([MODEL, four]).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([MODEL, four, pod()]).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'quota', limit: 'ResourceQuota "compute"', needed: '4', available: '3' },
    });
  });

  test('they use a given total as well', () => {
    const capacity = { total: { [GPU]: 4 } };
    expect(rolloutOf([MODEL], { capacity }).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([MODEL, pod()], { capacity }).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'capacity', available: '3' },
    });
  });
});

describe('other pods use nodes', () => {
  const nodes = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { cpu: 4, [GPU]: 1 } }] });
  const AGENT = { containers: [{ name: 'agent', resources: { requests: { cpu: 3 } } }] };
  const WEB = deployment({ replicas: 2, template: { spec: { containers: [{ name: 'web', resources: { requests: { cpu: 2 } } }] } } });

  test('a bare pod uses a node', () => {
    expect(rolloutOf([MODEL], { capacity: nodes(4) }).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([MODEL, pod()], { capacity: nodes(4) }).capacity).toMatchObject({
      verdict: 'deadlocks',
      moreNodes: { pool: 'a100', nodes: 1 },
    });
  });

  test('a DaemonSet uses part of every node, including added ones', () => {
    expect(rolloutOf([WEB], { capacity: nodes(2) }).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([WEB, daemonSet({}, AGENT)], { capacity: nodes(2) }).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'one-node', limit: 'any one node', resource: 'cpu', needed: '2', available: '1' },
    });
  });

  test('a DaemonSet only uses the pools that it runs on', () => {
    const pool = (name: string, labels: object) => ({ name, count: 2, allocatable: { cpu: 4 }, labels });
    const pools = { nodePools: [pool('gpu', { gpu: 'yes' }), pool('plain', {})] };
    const onGpus = daemonSet({}, { ...AGENT, nodeSelector: { gpu: 'yes' } });
    expect(rolloutOf([WEB, onGpus], { capacity: pools }).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('with node pools, a quota counts one pod of a DaemonSet per node, regardless of its status', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 2, allocatable: { [GPU]: 20 } }] };
    expect(gpusUsed(daemonSet({ desiredNumberScheduled: 9 }), { capacity })).toBe(2);
    const labelled = { nodePools: [...capacity.nodePools, { name: 'plain', count: 3, allocatable: {}, labels: { gpu: 'no' } }] };
    expect(gpusUsed(daemonSet({}, { ...POD_SPEC, nodeSelector: { gpu: 'yes' } }), { capacity: labelled })).toBe(2);
  });

  test('a pod that fits on no node does not affect rollouts, individually or together', () => {
    const huge = pod({ spec: { containers: [{ name: 'huge', resources: { requests: { cpu: 64 } } }] } });
    const small = { containers: [{ name: 'web', resources: { requests: { cpu: 1 } } }] };
    const web = (name: string) => deployment({ replicas: 1, template: { spec: small } }, { name });
    const { rollouts, capacity } = planManifests([web('a'), web('b'), huge], { capacity: nodes(1) });
    expect(rollouts.map((rollout) => rollout.capacity?.verdict)).toEqual(['fits', 'fits']);
    expect(capacity).toMatchObject({ sequential: 'fits', concurrent: 'fits' });
  });
});
