import type { AdviceDocument } from '../../src/headless';
import { expectValidAdvice } from '../plan-schema';
import { rolloutkit } from './command-line';

const LLM = `apiVersion: apps/v1
kind: Deployment
metadata: {name: llm, namespace: models}
spec:
  replicas: 8
  selector: {matchLabels: {app: llm}}
  strategy: {rollingUpdate: {maxSurge: 5, maxUnavailable: 0}}
  template:
    metadata: {labels: {app: llm}}
    spec:
      containers:
        - name: server
          image: vllm:1
          resources: {limits: {nvidia.com/gpu: 1}}
          readinessProbe: {tcpSocket: {port: 8000}}
`;

const quota = (gpus: number) => `---
apiVersion: v1
kind: ResourceQuota
metadata: {name: gpus, namespace: models}
spec: {hard: {requests.nvidia.com/gpu: ${gpus}}}
`;

const budget = (minAvailable: number) => `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: llm, namespace: models}
spec: {minAvailable: ${minAvailable}, selector: {matchLabels: {app: llm}}}
`;

const autoscaler = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: llm, namespace: models}
spec: {minReplicas: 4, maxReplicas: 12, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llm}}
`;

async function advise(yaml: string, args = ''): Promise<AdviceDocument> {
  const { stdout, stderr } = await rolloutkit(`advise llm.yaml ${args} --format json`, { files: { 'llm.yaml': yaml } });
  expect(stderr).toBe('');
  return expectValidAdvice(JSON.parse(stdout) as AdviceDocument);
}

describe('rolloutkit advise', () => {
  test('shows the best strategy for a goal, the present one, and the front under the quota in view', async () => {
    const { exitCode, stdout } = await rolloutkit(
      'advise llm.yaml --available 6 --extra-gpus 2 --within 15m --resource Deployment/models/llm',
      { files: { 'llm.yaml': LLM + quota(10) } },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
"Deployment models/llm  8 replicas
  goal: 6 available, at most 2 extra GPUs, within 15m; prefer fast
  Best: maxSurge 2, maxUnavailable 2.
        strategy                       time  extra pods  extra GPUs  available  broken  capacity
  best  maxSurge 2, maxUnavailable 2     3m           2           2          6       4  fits
  now   maxSurge 5, maxUnavailable 0  5m30s           2           2          8       2  slower
        maxSurge 1, maxUnavailable 2  3m30s           1           1          6       3  fits
        maxSurge 0, maxUnavailable 2     4m           0           0          6       2  fits
        maxSurge 2, maxUnavailable 1     4m           2           2          7       3  fits
        maxSurge 1, maxUnavailable 1  4m30s           1           1          7       2  fits
        maxSurge 2, maxUnavailable 0  5m30s           2           2          8       2  fits
        maxSurge 0, maxUnavailable 1     8m           0           0          7       1  fits
        maxSurge 1, maxUnavailable 0     8m           1           1          8       1  fits
  and 6 more with --format json
  The times assume that a pod is ready after 60 s; set --startup-seconds.
"
`);
  });

  test('a larger surge is better once smaller new pods replace larger old ones, although the first wave is limited', async () => {
    const deploymentOf = (gpus: number) =>
      LLM.replace('replicas: 8', 'replicas: 20').replace('nvidia.com/gpu: 1', `nvidia.com/gpu: ${gpus}`) + quota(82);
    const { stdout } = await rolloutkit('advise --from old.yaml new.yaml --available 100% --format json', {
      files: { 'old.yaml': deploymentOf(4), 'new.yaml': deploymentOf(1) },
    });
    const [advised] = expectValidAdvice(JSON.parse(stdout) as AdviceDocument).rollouts;
    expect(advised!.best).toMatchObject({
      strategy: { rollingUpdate: { maxSurge: 10, maxUnavailable: 0 } },
      seconds: 150,
      extraPods: 10,
      verdict: 'slower',
    });
  });

  test('is at most 100 columns wide', async () => {
    const { stdout } = await rolloutkit('advise llm.yaml --available 100% --within 1s', {
      files: { 'llm.yaml': LLM.replace('name: llm,', `name: ${'long-name-'.repeat(6)}llm,`) + quota(9) + autoscaler },
    });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('fails if no strategy meets the goal, and says what is in the way and what is possible', async () => {
    const { exitCode, stdout } = await rolloutkit('advise llm.yaml --available 8 --extra-gpus 2', {
      files: { 'llm.yaml': LLM + quota(8) },
    });
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(0, 7).join('\n')).toMatchInlineSnapshot(`
"Deployment models/llm  8 replicas
  goal: 8 available, at most 2 extra GPUs; prefer fast
  No strategy meets the goal.
    available: 8 wanted, 7 is the closest possible
    capacity: fits wanted, deadlocks is the closest possible
    Deadlocks at wave 1: it peaks at 9 requests.nvidia.com/gpu and ResourceQuota "gpus" has 8 left.
       strategy                       time  extra pods  extra GPUs  available  broken  capacity"
`);
  });

  test('without a goal, says whether another strategy is strictly better', async () => {
    const better = await advise(LLM.replace('maxSurge: 5', 'maxSurge: 7'));
    expect(better.rollouts[0]).toMatchObject({
      best: { strategy: { rollingUpdate: { maxSurge: 4, maxUnavailable: 0 } }, seconds: 120, extraGpus: 4, leastAvailable: 8 },
      current: { strategy: { rollingUpdate: { maxSurge: 7, maxUnavailable: 0 } }, seconds: 120, extraGpus: 7, leastAvailable: 8 },
      edit: { path: 'spec.strategy', value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 4, maxUnavailable: 0 } } },
    });
    const [kept] = (await advise(LLM.replace('maxSurge: 5', 'maxSurge: 4'))).rollouts;
    expect(kept).not.toHaveProperty('best');
    expect(kept).not.toHaveProperty('unmet');
  });

  test('prefers the shortest time, the most available pods, or the fewest extra pods', async () => {
    const best = async (prefer: string) => (await advise(LLM, `--available 5 --within 4m --prefer ${prefer}`)).rollouts[0]!.best!.strategy;
    expect([await best('fast'), await best('available'), await best('cheap')]).toEqual([
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 5, maxUnavailable: 3 } },
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 8, maxUnavailable: 0 } },
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } },
    ]);
  });

  test('a budget in view limits the unavailable pods', async () => {
    const [rollout] = (await advise(LLM + budget(7), '--within 15m')).rollouts;
    expect(rollout!.best).toMatchObject({ leastAvailable: 7, strategy: { rollingUpdate: { maxSurge: 7, maxUnavailable: 1 } } });
    const [impossible] = (await advise(LLM + budget(8), '--extra-pods 0')).rollouts;
    expect(impossible!.unmet).toContainEqual({ limit: 'PodDisruptionBudget "llm"', wanted: 8, closest: 7 });
  });

  test('a goal also holds for the fewest and the most replicas of an autoscaler', async () => {
    const [rollout] = (await advise(LLM + autoscaler, '--available 75% --extra-gpus 2 --within 5m')).rollouts;
    expect(rollout!.best).toMatchObject({
      strategy: { rollingUpdate: { maxSurge: '15%', maxUnavailable: '25%' } },
      atMinimum: { replicas: 4, leastAvailable: 3, extraGpus: 1 },
      atMaximum: { replicas: 12, leastAvailable: 9, extraGpus: 2, seconds: 180 },
    });
    const [impossible] = (await advise(LLM + autoscaler, '--available 100% --extra-gpus 1 --within 10m')).rollouts;
    expect(impossible!.unmet).toContainEqual({ limit: 'within', wanted: 600, closest: 720, replicas: 12 });
  });

  test('pods that may not fit never meet a goal', async () => {
    const nodes = `---
apiVersion: v1
kind: Node
metadata: {name: a}
status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "8"}}
`;
    const claimed = LLM.replace('    spec:\n', '    spec:\n      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n');
    const claim = `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: models}
spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
`;
    const [rollout] = (await advise(claimed + nodes + claim, '--available 1')).rollouts;
    expect(rollout!.front.filter(({ verdict, meets }) => verdict === 'may-not-fit' && meets)).toEqual([]);
  });

  test('says what the figures assume', async () => {
    const assumed = async (yaml: string, args: string) => (await advise(yaml, args)).rollouts[0]!.assumed;
    expect(await assumed(LLM, '')).toEqual({ startupSeconds: 60, unlimitedCapacity: true });
    expect(await assumed(LLM + quota(10), '--startup-seconds 90')).toBeUndefined();
    const withoutGpus = LLM.replace(/ *nvidia.com\/gpu: "?1"?,? ?/, '');
    expect(await assumed(withoutGpus, '--startup-seconds 90 --extra-gpus 2')).toEqual({ unlimitedCapacity: true, withoutGpus: true });
    expect(await assumed(LLM, '--startup-seconds 90 --extra-gpus 2')).toEqual({ unlimitedCapacity: true });
  });

  test('says that the present strategy is the best if no limit of it can be chosen', async () => {
    const files = { 'llm.yaml': LLM.replace('kind: Deployment', 'kind: StatefulSet').replace(/ *strategy: .*\n/, '') };
    const { stdout } = await rolloutkit('advise llm.yaml --available 6', { files });
    expect(stdout).toMatchInlineSnapshot(`
"StatefulSet models/llm  8 replicas
  goal: 6 available; prefer fast
  The present strategy meets the goal best.
        time  extra pods  extra GPUs  available  broken  capacity
  keep   12m           0           0          7       1  fits
  The times assume that a pod is ready after 60 s; set --startup-seconds.
  No quota, node or capacity in view limits the pods, so all of them are assumed to fit.
"
`);
  });

  test('counts available groups and extra pods of a LeaderWorkerSet', async () => {
    const files = {
      'llm.yaml': `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: llm, namespace: models}
spec:
  replicas: 4
  leaderWorkerTemplate:
    size: 4
    workerTemplate: {spec: {containers: [{name: server, image: "vllm:1"}]}}
`,
    };
    const { stdout } = await rolloutkit('advise llm.yaml --available 100% --extra-pods 20%', { files });
    expect(stdout).toMatchInlineSnapshot(`
"LeaderWorkerSet models/llm  4 replicas
  goal: 100% available, at most 20% extra pods; prefer fast
  No strategy meets the goal.
    available: 4 wanted, 3 is the closest possible
    extra pods: 3 wanted, 4 is the closest possible
       strategy                      time  extra pods  available  broken  capacity
  now  maxSurge 0, maxUnavailable 1    6m           0          3       4  fits
       maxSurge 1, maxUnavailable 0    7m           4          4       4  fits
  The times assume that a pod is ready after 60 s; set --startup-seconds.
  No quota, node or capacity in view limits the pods, so all of them are assumed to fit.
"
`);
  });

  test('says that not every strategy was tried', async () => {
    const files = { 'llm.yaml': LLM.replace('replicas: 8', 'replicas: 2000') };
    const { stdout } = await rolloutkit('advise llm.yaml --available 1500', { files });
    expect(stdout.split('\n').slice(-3)).toMatchInlineSnapshot(`
[
  "  Not every strategy was tried, so rows are missing. The best one is exact only for a Deployment",
  "    without an autoscaler or spread constraints.",
  "",
]
`);
  });

  test('GPU-seconds are the extra GPUs times the time', async () => {
    const [rollout] = (await advise(LLM)).rollouts;
    expect(rollout!.current).toMatchObject({ extraGpus: 5, seconds: 120, gpuSeconds: 600 });
  });

  test('a rollout whose strategy cannot be chosen is listed with the reason', async () => {
    const bundle =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {paused: true, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "c:1"}]}}}\n';
    expect(await advise(bundle)).toMatchObject({
      rollouts: [],
      notAdvised: [{ resource: { name: 'web' }, reason: 'Nothing rolls out, or nothing is known of its pods; see rolloutkit plan.' }],
    });
  });

  test('renders Markdown for a pull request', async () => {
    const { stdout } = await rolloutkit('advise llm.yaml --available 8 --within 6m --startup-seconds 90 --format markdown', {
      files: { 'llm.yaml': LLM + quota(12) },
    });
    expect(stdout).toMatchInlineSnapshot(`
"### Deployment models/llm

Goal for 8 replicas: 8 available, within 6m.

**The present strategy meets the goal best: maxSurge 5, maxUnavailable 0.**

|  | strategy | time | extra pods | extra GPUs | available | broken | capacity |
| --- | --- | --: | --: | --: | --: | --: | --- |
| **keep** | \`maxSurge 5, maxUnavailable 0\` | 3m30s | 4 | 4 | 8 | 4 | slower |
|  | \`maxSurge 3, maxUnavailable 0\` | 5m | 3 | 3 | 8 | 3 | fits |
|  | \`maxSurge 2, maxUnavailable 0\` | 6m | 2 | 2 | 8 | 2 | fits |
|  | \`maxSurge 0, maxUnavailable 8\` | 2m | 0 | 0 | 0 | 8 | fits |
|  | \`maxSurge 1, maxUnavailable 7\` | 2m | 1 | 1 | 1 | 8 | fits |
|  | \`maxSurge 2, maxUnavailable 6\` | 2m | 2 | 2 | 2 | 8 | fits |
|  | \`maxSurge 3, maxUnavailable 5\` | 2m | 3 | 3 | 3 | 8 | fits |
|  | \`maxSurge 4, maxUnavailable 4\` | 2m | 4 | 4 | 4 | 8 | fits |
|  | \`maxSurge 0, maxUnavailable 4\` | 3m | 0 | 0 | 4 | 4 | fits |
|  | \`maxSurge 1, maxUnavailable 3\` | 3m30s | 1 | 1 | 5 | 4 | fits |

<sub>9 more strategies with --format json.</sub>

"
`);
  });

  test.each(['svg', 'html'])('renders %s with the best strategy, the present one and the availability of each', async (format) => {
    const { exitCode, stdout } = await rolloutkit(`advise llm.yaml --available 6 --format ${format}`, { files: { 'llm.yaml': LLM } });
    expect(exitCode).toBe(0);
    for (const word of ['best', 'now', 'extra GPUs', 'fewest available', 'does not meet the goal']) expect(stdout).toContain(word);
    expect(stdout).not.toContain('undefined');
    expect(stdout).not.toContain('NaN');
  });

  test.each([
    ['--available six', '--available "six" is not a number of pods; write 6 or 75%'],
    ['--extra-gpus 1.5', '--extra-gpus "1.5" is not a number of GPUs; write 2'],
    ['--within soon', '--within "soon" is not a duration; write 15m, 1h30m or 90s'],
    ['--prefer nice', '--prefer "nice" is not supported; write fast, available or cheap'],
    ['--resource Deployment/web', 'there is no Deployment/web'],
  ])('%s is an error of usage', async (args, message) => {
    const { exitCode, stderr, stdout } = await rolloutkit(`advise llm.yaml ${args}`, { files: { 'llm.yaml': LLM } });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('advise exits with 2 and says why, as its result would look complete', () => {
  const BROKEN = 'spec: [\n';

  test('if a document cannot be read', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('advise . --available 6', { files: { 'llm.yaml': LLM, 'quota.yaml': BROKEN } });
    expect([exitCode, stdout.split('\n')[0], stderr]).toMatchInlineSnapshot(`
[
  2,
  "Deployment models/llm  8 replicas",
  "rolloutkit: ./quota.yaml:1:7: The document that begins at line 1 cannot be read: a "," or "]" is missing from the list. Fix the YAML here; no part of this document is planned.
",
]
`);
  });

  test('if a file is above a budget', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('advise llm.yaml --budget file-megabytes=1', {
      files: { 'llm.yaml': `${LLM}# ${'x'.repeat(1_000_000)}\n` },
    });
    expect([exitCode, stdout, stderr]).toMatchInlineSnapshot(`
[
  2,
  "no rollouts
",
  "rolloutkit: llm.yaml:1: The file llm.yaml cannot be read: it is larger than 1 megabyte. Raise the budget with --budget file-megabytes=2, if you trust this input.
",
]
`);
  });

  test('if OLD or NEW of a change cannot be read', async () => {
    const files = { 'old.yaml': LLM, 'llm.yaml': LLM.replace('vllm:1', 'vllm:2'), 'broken.yaml': BROKEN };
    for (const args of ['advise --from old.yaml --from broken.yaml llm.yaml', 'advise --from old.yaml llm.yaml broken.yaml']) {
      const { exitCode, stderr } = await rolloutkit(args, { files });
      expect([exitCode, stderr.split('\n').filter((line) => line !== '')]).toEqual([2, [expect.stringContaining('broken.yaml:1:')]]);
    }
  });

  test('if a change of an object cannot be planned, although NEW alone can', async () => {
    const bad = (image: string, args = '') =>
      LLM.replace('name: llm,', 'name: bad,').replace('vllm:1', image) +
      `          args: ["${args}"]\n          env: [{name: A, value: ${'x'.repeat(50_000)}}]\n`;
    const files = {
      'old/llm.yaml': LLM,
      // Its arguments have more characters than a text of JavaScript may have.
      'old/bad.yaml': bad('vllm:1', '$(A)'.repeat(12_000)),
      'new/llm.yaml': LLM,
      'new/bad.yaml': bad('vllm:2'),
    };
    const { exitCode, stdout, stderr } = await rolloutkit('advise --from old new', { files });
    expect([exitCode, stdout.split('\n')[0], stderr]).toMatchInlineSnapshot(`
[
  2,
  "Deployment models/llm  8 replicas",
  "rolloutkit: new/bad.yaml:1:1: Deployment models/bad cannot be planned: rolloutkit fails on it with "Invalid string length". Report this as a bug in rolloutkit, with the object; all other objects are planned as if this one did not exist.
",
]
`);
  });
});
