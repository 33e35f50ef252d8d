import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { VerifyReport } from '../../src/core/document/verify-report';
import { PlanVerifier } from '../../src/live/verify/verify-plan';
import { rolloutkit } from '../cli/command-line';
import { playCluster } from './played-cluster';
import { DeploymentStream } from './rollout-stream';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const SCHEMA = JSON.parse(readFileSync(path.resolve(__dirname, '../../schemas/verify-1.2.json'), 'utf8')) as object;
const isValidReport = new Ajv2020().compile(SCHEMA);

const STRATEGY = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

const manifest = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;

/** Plans the change of the image from web:1 to web:2. */
async function planOf(options = ''): Promise<string> {
  const files = { 'old.yaml': manifest('web:1'), 'new.yaml': manifest('web:2') };
  return (await rolloutkit(`plan --from old.yaml new.yaml --format json ${options}`, { files })).stdout;
}

/** Compares events with the plan, and returns the report with the exit code. */
async function verify(stream: DeploymentStream, options = '') {
  const files = { 'plan.json': await planOf(options), 'events.json': stream.toString() };
  const { exitCode, stdout } = await rolloutkit('verify plan.json --events events.json --format json', { files });
  const report = JSON.parse(stdout) as VerifyReport;
  expect(isValidReport(report)).toBe(true);
  return { exitCode, report, rollout: report.rollouts[0]! };
}

const running = () => new DeploymentStream({ replicas: 2, strategy: STRATEGY });

/** The rollout as planned: one new pod, then one old pod less, and so on. Each new pod is ready 12 seconds after it exists. */
function finished(startup = 12): DeploymentStream {
  return running()
    .apply(0, 'web:2')
    .scale('new', 1)
    .create('new-1', 0)
    .ready('new-1', startup)
    .scale('old', 1)
    .remove('old-1', startup)
    .scale('new', 2)
    .create('new-2', startup)
    .ready('new-2', 2 * startup)
    .scale('old', 0)
    .remove('old-2', 2 * startup);
}

describe('verify', () => {
  test('compares a rollout wave by wave', async () => {
    const { exitCode, report, rollout } = await verify(finished());

    expect([exitCode, report.endedAsPlanned, rollout.status, rollout.message]).toEqual([
      0,
      true,
      'as-planned',
      'Finished as planned, after 24s.',
    ]);
    expect(rollout.waves).toEqual([
      {
        wave: 1,
        planned: { new: 1, old: 2, total: 3, available: 2 },
        observed: { new: 1, old: 2, total: 3, available: 2 },
        seconds: 12,
      },
      {
        wave: 2,
        planned: { new: 2, old: 1, total: 3, available: 2 },
        observed: { new: 2, old: 1, total: 3, available: 2 },
        seconds: 24,
      },
      {
        wave: 3,
        planned: { new: 2, old: 0, total: 2, available: 2 },
        observed: { new: 2, old: 0, total: 2, available: 2 },
        seconds: 24,
      },
    ]);
    expect(rollout.leastAvailable).toEqual({ planned: 2, observed: 2 });
  });

  test('prints the plan next to what happened', async () => {
    const files = { 'plan.json': await planOf(), 'events.json': finished().toString() };
    const { stdout } = await rolloutkit('verify plan.json --events events.json', { files });

    expect(stdout).toBe(`1 rollout compared with the plan: finished as planned

Deployment shop/web
  Finished as planned, after 24s.
        planned                       observed
  wave  new  old  total  available    new  old  total  available    seconds
     1    1    2      3          2      1    2      3          2         12
     2    2    1      3          2      2    1      3          2         24
     3    2    0      2          2      2    0      2          2         24
  fewest ready pods: 2, planned 2
  2 new pods ready after 12 s in the median, 12 s at the 95th percentile
`);
  });

  test('waits until the change is applied', async () => {
    const { exitCode, rollout } = await verify(running());

    expect([exitCode, rollout.status, rollout.message]).toEqual([
      1,
      'not-started',
      'Not started: the change is not applied yet, or its controller has not read it.',
    ]);
  });

  test('says how far a rollout is that has not ended', async () => {
    const { exitCode, rollout } = await verify(running().apply(0, 'web:2').scale('new', 1).create('new-1', 0));

    expect([exitCode, rollout.status, rollout.message]).toEqual([1, 'running', 'As planned so far at wave 1.']);
  });

  test('finishes late if pods need longer than planned', async () => {
    const { exitCode, rollout } = await verify(finished(60), '--startup-seconds 10');

    expect([exitCode, rollout.status, rollout.message]).toEqual([0, 'late', 'Finished late: after 2m, and the plan expects 20s.']);
  });
});

describe('a deadlock is certain at once', () => {
  test('if the API server refuses the pods and no old pod may go', async () => {
    const { exitCode, rollout } = await verify(
      running()
        .apply(0, 'web:2')
        .scale('new', 1)
        .refuse('pods "web-new-1" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2'),
    );

    expect([exitCode, rollout.status, rollout.message]).toEqual([
      1,
      'deadlocks',
      'It deadlocks at wave 1: FailedCreate: ReplicaSet web-new: pods "web-new-1" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2. 2 of 2 pods are ready. The plan does not expect it.',
    ]);
  });

  test('if no node fits', async () => {
    const { rollout } = await verify(
      running()
        .apply(0, 'web:2')
        .scale('new', 1)
        .create('new-1', 0)
        .unschedulable('new-1', 1, '0/3 nodes are available: 3 Insufficient cpu.'),
    );

    expect(rollout.message).toBe(
      'It deadlocks at wave 1: FailedScheduling: web-new-1: 0/3 nodes are available: 3 Insufficient cpu. 2 of 3 pods are ready. The plan does not expect it.',
    );
  });

  test('if the registry has no such image', async () => {
    const { rollout } = await verify(
      running()
        .apply(0, 'web:2')
        .scale('new', 1)
        .create('new-1', 0)
        .waits('new-1', 20, 'ImagePullBackOff', 'Back-off pulling image "web:2": ErrImagePull: web:2: not found'),
    );

    expect(rollout.message).toContain('It deadlocks at wave 1: ImagePullBackOff: web-new-1: Back-off pulling image "web:2"');
  });

  test.each([
    ['an image that may still come', 'ImagePullBackOff', 'Back-off pulling image "web:2": 429 Too Many Requests'],
    ['the first failed pull', 'ErrImagePull', 'dial tcp: i/o timeout'],
    ['a container that has crashed once', 'CrashLoopBackOff', 'back-off 10s restarting failed container'],
  ])('but not for %s', async (_, reason, message) => {
    const { rollout } = await verify(running().apply(0, 'web:2').scale('new', 1).create('new-1', 0).waits('new-1', 20, reason, message));

    expect([rollout.status, rollout.reasons]).toEqual(['running', [{ reason, message: `web-new-1: ${message}` }]]);
  });

  test('but not for a refusal from before the last pod was gone: its share of the quota is free now', async () => {
    const stream = running()
      .apply(0, 'web:2')
      .scale('new', 1)
      .create('new-1', 0)
      .scale('new', 2)
      .refuse('exceeded quota: compute', 3)
      .ready('new-1', 4)
      .remove('old-1', 5);
    const { rollout } = await verify(stream);

    expect([rollout.status, rollout.reasons.map(({ reason }) => reason)]).toEqual(['running', ['FailedCreate']]);
  });

  test('and the plan may have said so', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: compute, namespace: shop }\nspec: { hard: { pods: "2" } }\n';
    const files = { 'old.yaml': `${manifest('web:1')}---\n${quota}`, 'new.yaml': `${manifest('web:2')}---\n${quota}` };
    const { stdout: plan } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
    const stream = running().apply(0, 'web:2').scale('new', 1).refuse('exceeded quota: compute');
    const { stdout } = await rolloutkit('verify plan.json --events events.json --format json', {
      files: { 'plan.json': plan, 'events.json': stream.toString() },
    });

    expect((JSON.parse(stdout) as VerifyReport).rollouts[0]!.message).toMatch(
      /^It deadlocks at wave 1: FailedCreate: ReplicaSet web-new: exceeded quota: compute\. 2 of 2 pods are ready\. The plan says so: /,
    );
  });
});

describe('a deadlock is not certain', () => {
  const full = 'exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2';

  test('if verify begins after the apply: a pod may have been gone just before', async () => {
    const { rollout } = await verify(running().apply(0, 'web:2').scale('new', 1).refuse(full, 1).joinNow());

    expect([rollout.status, rollout.reasons.map(({ reason }) => reason)]).toEqual(['running', ['FailedCreate']]);
  });
});

describe('a rollout deviates from the plan', () => {
  const withFirstPod = () => running().apply(0, 'web:2').scale('new', 1).create('new-1', 0);

  test('if something scales it', async () => {
    const { exitCode, rollout } = await verify(withFirstPod().changeSpec(5, { replicas: 5 }));

    expect([exitCode, rollout.status, rollout.message]).toEqual([
      1,
      'deviating',
      'Deviates from the plan: it has 5 replicas now, and the plan is for 2: something scaled it. It still runs at wave 1.',
    ]);
  });

  test('if it is paused', async () => {
    const { rollout } = await verify(withFirstPod().changeSpec(5, { paused: true }));

    expect(rollout.reasons).toEqual([{ reason: 'paused', message: 'it is paused, and waits until it is resumed' }]);
  });

  test('if it has another strategy', async () => {
    const { rollout } = await verify(withFirstPod().changeSpec(5, { strategy: { type: 'Recreate' } }));

    expect(rollout.reasons.map(({ reason }) => reason)).toEqual(['strategy']);
  });

  test('if it finishes although the plan expects a deadlock', async () => {
    const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: compute, namespace: shop }\nspec: { hard: { pods: "2" } }\n';
    const files = { 'old.yaml': `${manifest('web:1')}---\n${quota}`, 'new.yaml': `${manifest('web:2')}---\n${quota}` };
    const { stdout: plan } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
    const { exitCode, stdout } = await rolloutkit('verify plan.json --events events.json --format json', {
      files: { 'plan.json': plan, 'events.json': finished().toString() },
    });

    const [rollout] = (JSON.parse(stdout) as VerifyReport).rollouts;
    expect([exitCode, rollout!.status, rollout!.message]).toEqual([
      1,
      'deviating',
      'Deviates from the plan: 3 pods run at once, and the plan has at most 2; it has finished, and the plan expects a deadlock.',
    ]);
  });

  test('if fewer pods are ready than the plan keeps, even if it ends well', async () => {
    const stream = running().remove('old-1', 0).apply(0, 'web:2').scale('new', 1).create('new-1', 0).ready('new-1', 12);
    const { rollout } = await verify(stream);

    expect([rollout.status, rollout.leastAvailable]).toEqual(['deviating', { planned: 2, observed: 1 }]);
  });
});

describe('start-up times', () => {
  test('are measured and written for later plans, which take the 95th percentile', async () => {
    let startup = '';
    await rolloutkit('verify plan.json --events events.json --write-startup startup.json', {
      files: { 'plan.json': await planOf(), 'events.json': finished().toString() },
      inspect: (folder) => {
        startup = readFileSync(path.join(folder, 'startup.json'), 'utf8');
      },
    });

    expect(startup).toBe(`{
  "startupSeconds": {
    "Deployment/shop/web": {
      "p50": 12,
      "p95": 12,
      "pods": 2
    }
  }
}
`);
    const { stdout } = await rolloutkit('plan --startup-seconds startup.json --format json web.yaml', {
      files: { 'startup.json': startup, 'web.yaml': manifest('web:2') },
    });
    expect(JSON.parse(stdout)).toMatchObject({ rollouts: [{ duration: { startupSeconds: 12, expectedSeconds: 24 } }] });
  });
});

describe('verify in a cluster', () => {
  const RESOURCES: Readonly<Record<string, string>> = { Deployment: 'deployments.apps', ReplicaSet: 'replicasets.apps', Pod: 'pods' };
  const toPlayedEvents = (stream: DeploymentStream) =>
    (JSON.parse(`[${stream.toString().replaceAll('}\n{', '},{')}]`) as { type: 'ADDED'; object: { kind: string } }[]).map((event) => ({
      ...event,
      resource: RESOURCES[event.object.kind]!,
    }));
  const events = () => toPlayedEvents(finished());
  const EXPIRED = {
    resource: 'pods',
    type: 'ERROR',
    object: { apiVersion: 'v1', kind: 'Status', metadata: { namespace: 'shop' }, code: 410, reason: 'Expired' },
  } as const;
  const EVENT = {
    resource: 'events',
    type: 'ADDED',
    object: { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'shop' } },
  } as const;

  test('watches with kubectl until the rollout has ended', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit(
      'verify plan.json --timeout 20s',
      playCluster({ currentContext: 'prod', watches: events(), keepsWatching: true }, { files: { 'plan.json': await planOf() } }),
    );

    expect([exitCode, stdout.split('\n', 1)[0]]).toEqual([0, '1 rollout compared with the plan: finished as planned']);
    const lines = stderr.trim().split('\n');
    expect(lines.filter((line) => line.includes(': runs '))).toEqual([
      'rolloutkit: runs kubectl config current-context',
      'rolloutkit: runs kubectl --context=prod config view --minify --output=jsonpath={..namespace}',
      ...['deployments.apps', 'events', 'pods', 'replicasets.apps'].map(
        (resource) =>
          `rolloutkit: runs kubectl --context=prod get ${resource} --namespace=shop --watch --output-watch-events --output=json`,
      ),
    ]);
    expect(lines.at(-1)).toMatch(/^rolloutkit: Deployment shop\/web: Finished as planned, after \d+s\.$/);
  });

  test('a comparison that fails ends it with exit code 2', async () => {
    jest.spyOn(PlanVerifier.prototype, 'compare').mockImplementation(() => {
      throw new TypeError('no comparison');
    });
    const cluster = { currentContext: 'prod', watches: events(), keepsWatching: true };
    const run = rolloutkit('verify plan.json --timeout 20s', playCluster(cluster, { files: { 'plan.json': await planOf() } }));
    await expect(run).rejects.toThrow('internal error: no comparison; please report it');
  });

  test('stops at the timeout', async () => {
    const { exitCode, stdout } = await rolloutkit(
      'verify plan.json --timeout 1s',
      playCluster({ currentContext: 'prod', keepsWatching: true }, { files: { 'plan.json': await planOf() } }),
    );

    expect([exitCode, stdout.split('\n', 1)[0]]).toEqual([1, '1 rollout compared with the plan: not as planned']);
  });

  test('keeps what it knows while watches that expired begin again', async () => {
    const halfway = toPlayedEvents(running().apply(0, 'web:2').scale('new', 1).create('new-1', 0));
    const { exitCode, stdout, stderr } = await rolloutkit(
      'verify plan.json --timeout 3s --format json',
      playCluster({ currentContext: 'prod', watches: [...halfway, EXPIRED, EVENT] }, { files: { 'plan.json': await planOf() } }),
    );

    expect([exitCode, (JSON.parse(stdout) as VerifyReport).rollouts[0]!.message]).toEqual([1, 'As planned so far at wave 1.']);
    expect(stderr.match(/get deployments\.apps /g)!.length).toBeGreaterThan(1);
  });

  test.each([
    ['kubectl is killed', { killedBy: 'SIGKILL' }, 'kubectl was ended by SIGKILL'],
    [
      'kubectl prints something else',
      { watchText: 'Unable to connect', keepsWatching: true },
      'what kubectl prints is no stream of events: "U" is between two events',
    ],
  ] as const)('cannot run if %s', async (_, played, reason) => {
    const { exitCode, stdout, stderr } = await rolloutkit(
      'verify plan.json --timeout 20s',
      playCluster({ currentContext: 'prod', ...played }, { files: { 'plan.json': await planOf() } }),
    );

    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^rolloutkit: cannot watch \S+ of context prod: /);
    expect(stderr).toContain(`of context prod: ${reason}\n`);
  });

  test('cannot run if the watch ends at once', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit(
      'verify plan.json --context staging',
      playCluster({ currentContext: 'prod' }, { files: { 'plan.json': await planOf() } }),
    );

    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^rolloutkit: cannot watch \S+ of context staging: the watch ends at once$/);
  });
});

describe('verify refuses', () => {
  test.each([
    [
      'manifests',
      { 'plan.json': manifest('web:1') },
      '',
      'plan.json is not a plan document; name the output of rolloutkit plan --format json',
    ],
    ['a timeout that is none', {}, '--timeout soon', '--timeout soon is not a duration; write one such as 90s, 30m or 1h30m'],
    [
      'events that are none',
      { 'events.json': 'NAME READY' },
      '--events events.json',
      'events.json, given with --events: "N" is between two events; record them with kubectl get --watch --output-watch-events --output=json',
    ],
  ])('%s', async (_, files, options, message) => {
    const { exitCode, stdout, stderr } = await rolloutkit(`verify plan.json ${options}`, {
      files: { 'plan.json': await planOf(), ...files },
    });

    expect([exitCode, stdout, stderr]).toEqual([2, '', `rolloutkit: ${message}\n`]);
  });
});
