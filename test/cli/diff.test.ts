import { readFileSync } from 'node:fs';
import type { PlanDiff } from '../../src/core/document/plan-diff';
import { expectValidDiff } from '../plan-schema';
import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';

/** WEB with fewer pods unavailable at once. */
const SAFER = withStrategy('{rollingUpdate: {maxSurge: 3, maxUnavailable: 1}}');
const RISKIER = withStrategy('{rollingUpdate: {maxSurge: 3, maxUnavailable: 5}}');
const API = withStrategy('{type: Recreate}', 'api');

function rayService(image: string): string {
  return `apiVersion: ray.io/v1
kind: RayService
metadata: {name: llm, namespace: models}
spec:
  upgradeStrategy: {type: NewCluster}
  rayClusterConfig:
    headGroupSpec: {template: {spec: {containers: [{name: ray-head, image: "${image}"}]}}}
`;
}

describe('rolloutkit diff', () => {
  test('compares two folders: new, removed and changed objects, and the effects', async () => {
    const files = {
      'old/web.yaml': WEB,
      'old/ray.yaml': rayService('ray:1'),
      'new/all.yaml': `${RISKIER}---\n${API}---\n${rayService('ray:2')}`,
    };
    const { exitCode, stdout, stderr } = await rolloutkit('diff old new', { files });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
"3 of 3 objects differ: 1 rolls, 1 is new, 1 changes settings; 10 pods are added; needs up to 10 extra pods; assumes Kubernetes 1.36 and KubeRay 1.7
! roll       RayService models/llm   image ray:1 -> ray:2
+ create     Deployment shop/api     10 pods
~ settings   Deployment shop/web     maxUnavailable 2 -> 5

1 rollout behaves differently: riskier

Deployment shop/web
  maxUnavailable  2  ->  5
  unavailable     2  ->  5
  minAvailable    8  ->  5  riskier: The fewer pods are available at the worst moment, the less capacity is left to serve.
"
`);
  });

  test('is short if nothing differs', async () => {
    expect(await rolloutkit('diff web.yaml web.yaml --fail-on-riskier', { files: { 'web.yaml': WEB } })).toEqual({
      exitCode: 0,
      stdout: 'nothing changes: the object is up to date; assumes Kubernetes 1.36\n\nno rollout behaves differently\n',
      stderr: '',
    });
  });

  test.each([
    ['riskier', RISKIER, '', 0],
    ['riskier', RISKIER, '--fail-on-riskier', 1],
    ['refused', QUOTED.replace('name: quoted', 'name: web'), '--fail-on-riskier', 1],
    ['new and refused', QUOTED, '--fail-on-riskier', 1],
    ['safer', SAFER, '--fail-on-riskier', 0],
    ['unreadable', 'kind: [', '', 0],
    ['unreadable', 'kind: [', '--fail-on-riskier', 1],
  ])('a change that is %s (%#) with "%s%s" has the expected exit code', async (_, yaml, options, exitCode) => {
    expect(await rolloutkit(`diff old.yaml new.yaml ${options}`, { files: { 'old.yaml': WEB, 'new.yaml': yaml } })).toMatchObject({
      exitCode,
      stderr: '',
    });
  });

  describe('an error of an object without a rollout of the change makes it riskier', () => {
    const annotated = (annotation: string) => WEB.replace('name: web', `name: web\n  annotations: {${annotation}}`);
    const INGRESS = `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}
`;
    const SERVICE = `---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
    test.each<[what: string, old: string, next: string, options: string, line: string]>([
      ['that becomes a hook', WEB, annotated('helm.sh/hook: pre-install'), '', 'Deployment shop/web\n  apply change/hook-pods'],
      [
        'that its tool leaves as it is',
        WEB,
        annotated('kustomize.toolkit.fluxcd.io/reconcile: disabled'),
        '--apply flux',
        'Deployment shop/web\n  apply change/not-applied',
      ],
      [
        'whose owner does not exist',
        WEB,
        WEB.replace(
          'name: web',
          'name: web\n  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: 0b5c8ae6-8fc6-4b2e-9bb3-111111111111}]',
        ),
        '',
        'Deployment shop/web\n  apply change/garbage-collected',
      ],
      ['of a route without its Service', WEB + INGRESS + SERVICE, WEB + INGRESS, '--prune', 'Ingress web\n  apply change/backend-missing'],
    ])('%s', async (_, old, next, options, line) => {
      const { exitCode, stdout } = await rolloutkit(`diff old.yaml new.yaml --fail-on-riskier ${options}`, {
        files: { 'old.yaml': old, 'new.yaml': next },
      });
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`${line}  none  ->  error  riskier: `)]);
    });
  });

  describe('a side that cannot be read is not compared, which is reported', () => {
    const files = { 'old.yaml': WEB, 'new.yaml': 'kind: [' };

    test.each(['text', 'markdown'])('in %s', async (format) => {
      const { stdout } = await rolloutkit(`diff old.yaml new.yaml --format ${format}`, { files });
      const shown = stdout.replaceAll(/\s+/g, ' ').replaceAll('&#58;', ':');
      expect(shown).toContain(
        'not compared, because NEW could not be read completely: new.yaml:1:7: The document that begins at line 1 cannot be read: ',
      );
    });

    test('in JSON', async () => {
      const { stdout } = await rolloutkit('diff old.yaml new.yaml --format json', { files });
      const { unread } = expectValidDiff(JSON.parse(stdout) as PlanDiff);
      expect(unread).toMatchObject({ old: [], new: [{ code: 'input/unreadable', source: { file: 'new.yaml', line: 1 } }] });
    });

    test('also for a plan document: for a file that could not be read when it was made, and for one above the budget', async () => {
      const { stdout: old } = await rolloutkit('plan new.yaml --format json', { files });
      const both = { 'old.json': old, 'new.yaml': `${WEB}${'#'.repeat(1_000_000)}` };
      const { stdout } = await rolloutkit('diff old.json new.yaml --format json --budget file-megabytes=1', { files: both });
      const { unread } = expectValidDiff(JSON.parse(stdout) as PlanDiff);
      expect([unread!.old.map(({ messageId }) => messageId), unread!.new.map(({ messageId }) => messageId)]).toEqual([
        ['document'],
        ['file'],
      ]);
    });
  });

  test('--format json prints a document that matches its schema', async () => {
    const { stdout } = await rolloutkit('diff old.yaml new.yaml --format json', {
      files: { 'old.yaml': WEB, 'new.yaml': `${SAFER}---\n${API}` },
    });
    expectValidDiff(JSON.parse(stdout) as PlanDiff);
    expect(stdout).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
  "assumedVersions": {
    "kubernetes": "1.36"
  },
  "change": {
    "apply": "auto",
    "pruned": false,
    "admissionNotChecked": true,
    "summary": {
      "refused": 0,
      "replace": 0,
      "roll-and-scale": 0,
      "roll": 0,
      "held": 0,
      "scale": 0,
      "restart-needed": 0,
      "settings": 1,
      "metadata": 0,
      "none": 0,
      "create": 1,
      "delete": 0,
      "unknown": 0,
      "kept": 0,
      "podsReplaced": 0,
      "podsAdded": 10,
      "podsRemoved": 0,
      "peakExtraPods": 10
    },
    "objects": [
      {
        "resource": {
          "apiVersion": "apps/v1",
          "kind": "Deployment",
          "namespace": "shop",
          "name": "web"
        },
        "effect": "settings",
        "apply": "client",
        "because": [
          {
            "path": "spec.strategy.rollingUpdate.maxUnavailable",
            "old": 2,
            "new": 1
          }
        ],
        "pods": {
          "before": 10,
          "after": 10
        },
        "source": {
          "file": "new.yaml",
          "line": 1,
          "column": 1
        }
      },
      {
        "resource": {
          "apiVersion": "apps/v1",
          "kind": "Deployment",
          "namespace": "shop",
          "name": "api"
        },
        "effect": "create",
        "apply": "client",
        "because": [],
        "pods": {
          "before": 0,
          "after": 10
        },
        "source": {
          "file": "new.yaml",
          "line": 18,
          "column": 1
        }
      }
    ]
  },
  "changed": [
    {
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "field": "maxUnavailable",
      "old": 2,
      "new": 1,
      "risk": "neutral"
    },
    {
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "field": "unavailable",
      "old": 2,
      "new": 1,
      "risk": "neutral"
    },
    {
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "field": "iterations",
      "old": 2,
      "new": 3,
      "risk": "neutral"
    },
    {
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "field": "minAvailable",
      "old": 8,
      "new": 9,
      "risk": "safer",
      "reason": "The fewer pods are available at the worst moment, the less capacity is left to serve."
    }
  ],
  "riskier": false,
  "notPlanned": []
}
"
`);
  });

  test('--format markdown prints a comment for a change request', async () => {
    const { stdout } = await rolloutkit('diff old.yaml new.yaml --format markdown', { files: { 'old.yaml': WEB, 'new.yaml': RISKIER } });
    expect(stdout).toMatchInlineSnapshot(`
"<!-- rolloutkit: the plan of this change -->
## 1 of 1 object differs: 1 changes settings; no pods are affected; assumes Kubernetes 1.36

| effect | object | what happens |
|---|---|---|
| ~ **settings** | \`Deployment shop/web\` | maxUnavailable 2 -&#62; 5 |

### 1 rollout behaves differently: riskier

<details><summary>Deployment shop/web: 3 fields, 1 riskier</summary>

| field | old | new | risk |
|---|---|---|---|
| \`maxUnavailable\` | \`2\` | \`5\` |  |
| \`unavailable\` | \`2\` | \`5\` |  |
| \`minAvailable\` | \`8\` | \`5\` | **riskier**: The fewer pods are available at the worst moment, the less capacity is left to serve. |

</details>
"
`);
  });

  test('reads one of the two from standard input', async () => {
    const files = { 'web.yaml': WEB };
    const [fromOld, fromNew] = [
      await rolloutkit('diff - web.yaml', { files, stdin: RISKIER }),
      await rolloutkit('diff web.yaml -', { files, stdin: RISKIER }),
    ];
    const judged = ({ stdout }: typeof fromOld) => /^1 rollout behaves .*$/m.exec(stdout)?.[0];
    expect([judged(fromOld), judged(fromNew)]).toEqual(['1 rollout behaves differently: safer', '1 rollout behaves differently: riskier']);
  });

  test('plans both with the same options', async () => {
    const stateful = (maxUnavailable: number) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 4
  selector: {matchLabels: {app: db}}
  updateStrategy: {rollingUpdate: {maxUnavailable: ${maxUnavailable}}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "db:1", readinessProbe: {tcpSocket: {port: 1}}}]}}
`;
    const files = { 'old.yaml': stateful(1), 'new.yaml': stateful(2) };
    const differing = async (version: string) => {
      const { stdout } = await rolloutkit(`diff old.yaml new.yaml --format json --versions kubernetes=${version}`, { files });
      return (JSON.parse(stdout) as PlanDiff).changed.map(
        ({ field, old, new: next, risk }) => `${field} ${String(old)} -> ${String(next)} ${risk}`,
      );
    };
    expect(await differing('1.34')).toEqual([]);
    expect(await differing('1.37')).toEqual([
      'maxUnavailable 1 -> 2 neutral',
      'simulation.maxUnavailable 1 -> 2 riskier',
      'minAvailable 3 -> 2 riskier',
    ]);
  });

  test('is coloured only on a terminal', async () => {
    const files = { 'old.yaml': WEB, 'new.yaml': RISKIER };
    const [coloured, plain] = [
      await rolloutkit('diff old.yaml new.yaml', { files, isTTY: true }),
      await rolloutkit('diff old.yaml new.yaml', { files }),
    ];
    expect([coloured.stdout.includes('\u001b[31m'), plain.stdout.includes('\u001b')]).toEqual([true, false]);
  });

  test('--output writes the file and prints nothing, whatever the exit code', async () => {
    const written: string[] = [];
    const { exitCode, stdout } = await rolloutkit('diff old.yaml new.yaml --output diff.txt --fail-on-riskier', {
      files: { 'old.yaml': WEB, 'new.yaml': RISKIER },
      inspect: (folder) => written.push(readFileSync(`${folder}/diff.txt`, 'utf8').split('\n')[0]!),
    });
    expect([exitCode, stdout, written]).toEqual([
      1,
      '',
      ['1 of 1 object differs: 1 changes settings; no pods are affected; assumes Kubernetes 1.36'],
    ]);
  });
});

describe('exit code 2, with nothing on standard output, for', () => {
  test.each([
    ['- -', '- is given for both OLD and NEW, but standard input can be read only once; name a file or a folder for one of them'],
    ['', 'no OLD is given; name a file, a folder, or - for standard input'],
    ['web.yaml', 'no NEW is given; name a file, a folder, or - for standard input'],
    ['web.yaml none.yaml', 'cannot read none.yaml: no such file or folder; name a file, a folder, or - for standard input'],
    ['none.yaml web.yaml', 'cannot read none.yaml: no such file or folder; name a file, a folder, or - for standard input'],
    ['web.yaml web.yaml --format sarif', '--format sarif is not supported; write one of text, json, markdown'],
    ['web.yaml web.yaml --versions kubernetes=x', expect.stringMatching(/^--versions: /)],
    ['web.yaml web.yaml web.yaml', expect.stringMatching(/too many arguments/)],
  ])('diff %s', async (args, message) => {
    const { stderr, ...result } = await rolloutkit(`diff ${args}`, { files: { 'web.yaml': WEB } });
    expect(result).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.replace(/^rolloutkit: /, '').trimEnd()).toEqual(message);
  });
});
