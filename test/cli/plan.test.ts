import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { DEFAULT_VERSIONS } from '../../src/core/values/versions';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { planManifests } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';
import { withoutProse } from './prose';

/** The plan of an empty folder. */
const EMPTY_PLAN = `no rollouts on Kubernetes 1.36: 1 warning

warning  input/empty
  The folder . contains no document, so nothing is planned.
  fix: Name the folder that contains the manifests: every .yaml, .yml and .json file below it is read, except in hidden folders.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
`;

describe('rolloutkit plan', () => {
  test('shows how a rollout proceeds', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('plan web.yaml', { files: { 'web.yaml': WEB } });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 (assumed): no findings

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

Deployment shop/web (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 3, maxUnavailable 2 (user)
  10 replicas: 3 waves (2 create pods), peak 13 pods, at least 8 available

  wave  new  old  total  available
     1    5    8     13          8
     2   10    3     13          8
     3   10    0     10         10
"
`);
  });

  test('reads standard input, folders and files in the order of the command line', async () => {
    const { stdout } = await rolloutkit('plan - b/ a.yaml --format json', {
      files: { 'a.yaml': WEB, 'b/x.yaml': withStrategy('{type: Recreate}', 'inner') },
      stdin: withStrategy('{}', 'piped'),
    });
    const { rollouts } = expectValidPlan(JSON.parse(stdout) as PlanDocument);
    expect(rollouts.map(({ resource, findings }) => [resource.name, findings[0]?.source?.file])).toEqual([
      ['piped', undefined],
      ['inner', 'b/x.yaml'],
      ['web', undefined],
    ]);
  });

  test('exits with 0, whatever it finds', async () => {
    expect(await rolloutkit('plan web.yaml', { files: { 'web.yaml': QUOTED } })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('has no rollouts for an empty folder, and reports that it is empty', async () => {
    expect(await rolloutkit('plan .')).toEqual({ exitCode: 0, stderr: '', stdout: EMPTY_PLAN });
  });
});

describe('--format json', () => {
  test('prints the plan document: keys in order, two spaces, one newline, the same bytes every time', async () => {
    const files = { 'web.yaml': withStrategy('{type: Recreate}').replace('replicas: 10', 'replicas: 2') };
    const { stdout } = await rolloutkit('plan web.yaml --format json', { files });
    expectValidPlan(JSON.parse(stdout) as PlanDocument);
    expect(stdout).toBe((await rolloutkit('plan web.yaml --format json', { files })).stdout);
    expect((await withoutProse('plan web.yaml --format json', { files })).stdout).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
  "versions": {
    "kubernetes": "1.36",
    "kserve": "0.17",
    "knative": "1.21",
    "kuberay": "1.7",
    "fleet": "0.16",
    "lws": "0.9",
    "argo-rollouts": "1.9",
    "argo-cd": "3.5"
  },
  "assumedVersions": {
    "kubernetes": "1.36"
  },
  "rollouts": [
    {
      "system": "kubernetes",
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "strategy": {
        "type": "Recreate"
      },
      "provenance": [
        {
          "field": "type",
          "value": "Recreate",
          "layer": "user",
          "reason": "spec.strategy.type is set.",
          "overridden": []
        }
      ],
      "simulation": {
        "kind": "deployment",
        "replicas": 2,
        "surge": 0,
        "unavailable": 2,
        "waves": [
          {
            "wave": 1,
            "newReplicas": 0,
            "oldReplicas": 0,
            "total": 0,
            "available": 0
          },
          {
            "wave": 2,
            "newReplicas": 2,
            "oldReplicas": 0,
            "total": 2,
            "available": 0
          }
        ],
        "iterations": 1,
        "peakPods": 2,
        "minAvailable": 0
      },
      "findings": [
        {
          "code": "kubernetes/outage",
          "severity": "info",
          "messageId": "recreate",
          "data": {
            "replicas": 2
          },
          "path": "spec.strategy.type",
          "message": "<recreate>",
          "help": "<recreate: fix>",
          "source": {
            "file": "web.yaml",
            "line": 9,
            "column": 14
          }
        }
      ]
    }
  ],
  "notPlanned": [],
  "findings": [],
  "summary": {
    "rollouts": 1,
    "notPlanned": 0,
    "errors": 0,
    "warnings": 0,
    "infos": 1,
    "suppressed": 0
  },
  "inputDigest": "sha256:ce485593501e2dd7d4b2819ecb178317323be666ad772cc3111cd91459e13728"
}
"
`);
  });

  test('is what planManifests returns, key by key, also with an autoscaler, a quota and a capacity', async () => {
    const object = parse(WEB) as object;
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: 12 } } };
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minReplicas: 2, maxReplicas: 12, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    };
    const objects = [object, quota, autoscaler];
    const { stdout } = await rolloutkit('plan all.json --format json --startup-seconds 20 --capacity free.json', {
      files: {
        'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
        'free.json': '{"free": {"pods": 2}}',
      },
    });
    const plan = planManifests(objects, { startupSeconds: 20, capacity: { free: { pods: 2 } } });
    const ofFiles: ReadonlySet<string> = new Set(['source', 'inputDigest']);
    const document = JSON.parse(stdout) as PlanDocument;
    // Only the command compares strategies.
    const findings = document.rollouts[0]!.findings.filter(({ code }) => code !== 'kubernetes/better-strategy');
    const compared = { ...document, rollouts: [{ ...document.rollouts[0]!, findings }], summary: { ...document.summary, infos: 0 } };
    const withoutFiles = JSON.stringify(compared, (key, value: unknown) => (ofFiles.has(key) ? undefined : value));
    expect(JSON.stringify(plan)).toBe(withoutFiles);
    expect(Object.keys(plan.rollouts[0]!.autoscaled!)).toEqual(['by', 'minimum', 'maximum', 'maximumCapacity']);
    expectValidPlan(plan);
  });

  test('omits 901 of 1,001 waves, and the text shows where', async () => {
    const files = {
      'web.yaml': withStrategy('{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}').replace('replicas: 10', 'replicas: 1000'),
    };
    const { rollouts } = JSON.parse((await rolloutkit('plan web.yaml --format json', { files })).stdout) as PlanDocument;
    expect(rollouts[0]!.simulation).toMatchObject({ iterations: 1_000, elided: 901 });
    const { stdout } = await rolloutkit('plan web.yaml', { files });
    expect(stdout.split('\n').filter((line) => line.includes('more waves'))).toMatchInlineSnapshot(`
[
  "    … 997 more waves like these …",
]
`);
  });
});

describe('--versions', () => {
  test('sets the versions to plan for', async () => {
    const { stdout } = await rolloutkit('plan . --versions kubernetes=v1.35.2,kserve=0.20 --versions fleet=0.15 --format json');
    expect((JSON.parse(stdout) as PlanDocument).versions).toEqual({
      ...DEFAULT_VERSIONS,
      kubernetes: '1.35.2',
      kserve: '0.20',
      fleet: '0.15',
    });
  });

  test('plans a version later than the newest known as the newest, and reports that', async () => {
    const { stdout, exitCode } = await withoutProse('plan . --versions kubernetes=1.99', {});
    expect([exitCode, stdout]).toEqual([
      0,
      `no rollouts on Kubernetes 1.99: 1 warning and 1 info

warning  input/empty
  <folder>
  fix: <folder: fix>

info  input/unknown-version
  <later>
  fix: <later: fix>

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
`,
    ]);
  });
});

describe('--kserve-config is read as KServe reads it', () => {
  const files = {
    'iris.yaml': `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: iris}
spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: "s3://bucket/model"}}}
`,
    'renamed.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: inferenceservice-config-v2}
data: {deploy: '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "10%"}}}'}
`,
    'deploy.json': '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "10%"}}}',
    'without-deploy.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inferenceservice-config}\ndata: {ingress: "{}"}\n',
  };
  const irisWith = async (config: string) => {
    const { stdout } = await rolloutkit(`plan iris.yaml --format json --kserve-config ${config}`, { files });
    const { strategy, findings } = expectValidPlan(JSON.parse(stdout) as PlanDocument).rollouts[0]!;
    return { strategy, codes: findings.map(({ code }) => code) };
  };

  test.each([['renamed.yaml'], ['deploy.json']])('the ConfigMap under any name, or the JSON of its deploy key: %s', async (config) => {
    expect(await irisWith(config)).toEqual({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: '25%' } },
      codes: [],
    });
  });

  test('the ConfigMap without a deploy key sets no default mode, and such services run in Knative', async () => {
    expect(await irisWith('without-deploy.yaml')).toEqual({ strategy: null, codes: [] });
  });
});

describe('--version before a command', () => {
  test('prints the version and runs no command', async () => {
    expect(await rolloutkit('--version plan none.yaml')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('--output', () => {
  test('writes the file and prints nothing', async () => {
    let written = '';
    const result = await rolloutkit('plan . --output plan.txt', {
      inspect: (folder) => (written = readFileSync(path.join(folder, 'plan.txt'), 'utf8')),
    });
    expect(result).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(written).toBe(EMPTY_PLAN);
  });

  test('replaces the entire file and keeps its mode', async () => {
    const seen: unknown[] = [];
    await rolloutkit('plan . --output old.txt', {
      files: { 'old.txt': 'old\n'.repeat(1_000) },
      prepare: (folder) => chmodSync(path.join(folder, 'old.txt'), 0o664),
      inspect: (folder) =>
        seen.push(
          readFileSync(path.join(folder, 'old.txt'), 'utf8'),
          statSync(path.join(folder, 'old.txt')).mode & 0o777,
          readdirSync(folder),
        ),
    });
    expect(seen).toEqual([EMPTY_PLAN, 0o664, ['old.txt']]);
  });

  test('replaces the target of a link', async () => {
    const seen: unknown[] = [];
    await rolloutkit('plan . --output link', {
      files: { 'real/old.txt': 'old\n' },
      prepare: (folder) => symlinkSync('real/old.txt', path.join(folder, 'link')),
      inspect: (folder) =>
        seen.push(lstatSync(path.join(folder, 'link')).isSymbolicLink(), readFileSync(path.join(folder, 'real/old.txt'), 'utf8')),
    });
    expect(seen).toEqual([true, EMPTY_PLAN]);
  });

  test('creates the target of a link if it does not exist', async () => {
    let written = '';
    await rolloutkit('plan . --output link', {
      files: { 'real/a': '' },
      prepare: (folder) => symlinkSync('real/new.txt', path.join(folder, 'link')),
      inspect: (folder) => (written = readFileSync(path.join(folder, 'real/new.txt'), 'utf8')),
    });
    expect(written).toBe(EMPTY_PLAN);
  });

  test('is never coloured', async () => {
    let written = '';
    await rolloutkit('plan . --output plan.txt', {
      isTTY: true,
      inspect: (folder) => (written = readFileSync(path.join(folder, 'plan.txt'), 'utf8')),
    });
    expect(written).not.toContain('\u001b');
  });

  test('in a missing folder is exit code 2, and leaves nothing behind', async () => {
    let left: string[] = [];
    const result = await rolloutkit('plan . --output none/plan.txt', { inspect: (folder) => (left = readdirSync(folder)) });
    expect(result).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'rolloutkit: cannot write none/plan.txt: no such file or folder; name a file in a writable folder\n',
    });
    expect(left).toEqual([]);
  });

  test('that names a folder is exit code 2, and leaves the folder as it was', async () => {
    let left: string[] = [];
    const result = await rolloutkit('plan . --output out', {
      files: { 'out/a': '' },
      inspect: (folder) => (left = readdirSync(folder, { recursive: true, encoding: 'utf8' })),
    });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(left.toSorted()).toEqual(['out', 'out/a']);
  });
});

describe('colour', () => {
  const files = { 'web.yaml': QUOTED };

  test('is only used on a terminal', async () => {
    expect((await rolloutkit('plan web.yaml', { files, isTTY: true })).stdout).toContain('\u001b[31merror\u001b[39m');
    expect((await rolloutkit('plan web.yaml', { files })).stdout).not.toContain('\u001b');
  });

  test.each<Record<string, string>>([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('is off with %j', async (env) => {
    expect((await rolloutkit('plan web.yaml', { files, isTTY: true, env })).stdout).not.toContain('\u001b');
  });
});
