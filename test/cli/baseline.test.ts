import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import baselineSchema from '../../schemas/baseline-1.2.json';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { QUOTED, withStrategy } from './manifests';

const valid = new Ajv2020({ strict: true }).compile(baselineSchema);

/** No pod is available during the rollout: kubernetes/outage, a warning. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');

/** Runs a command, and also returns a file that it wrote. */
async function writing(args: string, file: string, setting: Setting) {
  let written = '';
  const result = await rolloutkit(args, {
    ...setting,
    inspect: (folder) => {
      written = readFileSync(path.join(folder, file), 'utf8');
    },
  });
  return { ...result, written };
}

const SUMMARY = '2 rollouts on Kubernetes 1.36 (assumed): no findings (2 suppressed)\n';

test('--write-baseline writes the current findings without lines and numbers, and the check passes', async () => {
  const files = { 'apps/a.yaml': QUOTED, 'apps/b.yaml': OUTAGE };
  const { written, ...result } = await writing('check . --fail-on warning --write-baseline baseline.json', 'baseline.json', { files });

  const stderr = 'rolloutkit: wrote 2 findings to baseline.json; check --baseline baseline.json reports only others\n';
  expect(result).toEqual({ exitCode: 0, stdout: SUMMARY, stderr });
  expect(valid(JSON.parse(written))).toBe(true);
  expect(written).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
  "findings": [
    {
      "code": "kubernetes/quoted-integer",
      "messageId": "numberOrPercent",
      "file": "apps/a.yaml",
      "resource": "Deployment/shop/quoted",
      "path": "spec.strategy.rollingUpdate.maxSurge",
      "count": 1
    },
    {
      "code": "kubernetes/outage",
      "messageId": "unavailable",
      "file": "apps/b.yaml",
      "resource": "Deployment/shop/web",
      "path": "spec.strategy.rollingUpdate.maxUnavailable",
      "count": 1
    }
  ]
}
"
`);
});

describe('--baseline', () => {
  describe('covers the findings of an object that are not listed', () => {
    /** A Deployment with one error per port. The first hundred are listed. */
    const withPorts = (faulty: number, sound = 0) => {
      const ports = [
        ...Array.from({ length: sound }, (_, index) => 7000 + index),
        ...Array.from({ length: faulty }, (_, index) => `"${8000 + index}"`),
      ];
      return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: a}}
  strategy: {type: Recreate}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: a, image: "a:1", ports: [${ports.map((port) => `{containerPort: ${port}}`).join(', ')}]}]}
`;
    };

    const errorsAfter = async (old: string, next: string) => {
      const { written } = await writing('check . --write-baseline baseline.json', 'baseline.json', { files: { 'a.yaml': old } });
      const { stdout } = await rolloutkit('check . --baseline baseline.json --format json', {
        files: { 'a.yaml': next, 'baseline.json': written },
      });
      return (JSON.parse(stdout) as { summary: { errors: number } }).summary.errors;
    };

    test.each([
      ['the same', withPorts(150), 0],
      ['one is fixed, so that another is listed', withPorts(149, 1), 0],
      ['one comes', withPorts(151), 1],
    ])('%s', async (_, next, errors) => {
      expect(await errorsAfter(withPorts(150), next)).toBe(errors);
    });
  });

  const BASELINE = JSON.stringify({
    formatVersion: '1.2',
    findings: [
      {
        code: 'kubernetes/outage',
        messageId: 'unavailable',
        file: 'b.yaml',
        resource: 'Deployment/shop/web',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        count: 1,
      },
    ],
  });

  test('suppresses its findings at any line, and a new finding fails the check', async () => {
    const files = { 'baseline.json': BASELINE, 'b.yaml': `# a line more\n${OUTAGE.replace('replicas: 10', 'replicas: 4')}` };
    expect(await rolloutkit('check b.yaml --fail-on warning --baseline baseline.json', { files })).toEqual({
      exitCode: 0,
      stdout: '1 rollout on Kubernetes 1.36 (assumed): no findings (1 suppressed)\n',
      stderr: '',
    });
    const more = { ...files, 'c.yaml': OUTAGE.replaceAll('web', 'more') };
    expect((await rolloutkit('check b.yaml c.yaml --fail-on warning --baseline baseline.json', { files: more })).exitCode).toBe(1);
  });

  test('counts findings: a second finding of the same kind is new', async () => {
    const files = { 'baseline.json': BASELINE, 'b.yaml': `${OUTAGE}---\n${OUTAGE}` };
    const { stdout } = await rolloutkit('check b.yaml --format json --baseline baseline.json', { files });
    expect((JSON.parse(stdout) as { summary: object }).summary).toMatchObject({ warnings: 1, suppressed: 1 });
  });

  test('reports on standard error how many of its findings no longer occur', async () => {
    const files = { 'baseline.json': BASELINE, 'b.yaml': withStrategy('{rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}') };
    expect(await rolloutkit('check b.yaml --baseline baseline.json', { files })).toEqual({
      exitCode: 0,
      stdout: '1 rollout on Kubernetes 1.36 (assumed): no findings\n',
      stderr: 'rolloutkit: 1 finding of baseline.json no longer occurs; update it with --write-baseline baseline.json\n',
    });
  });

  test.each([
    ['{', 'it is not JSON; write it with --write-baseline'],
    ['{}', 'it has no list of findings; write it with --write-baseline'],
    ['{"formatVersion": "2.0", "findings": []}', 'its formatVersion is "2.0", but only 1.2 is supported; write it with --write-baseline'],
    ['{"formatVersion": "1.2", "findings": [{"code": 1}]}', 'findings[0] is not an entry of a baseline; write it with --write-baseline'],
  ])('%s is refused, and nothing is printed', async (baseline, reason) => {
    expect(await rolloutkit('check b.yaml --baseline baseline.json', { files: { 'b.yaml': OUTAGE, 'baseline.json': baseline } })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: baseline.json, given with --baseline, is not a valid baseline: ${reason}\n`,
    });
  });
});
