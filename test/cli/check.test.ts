import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';
import { withoutProse } from './prose';

/** A strategy that works, but probably by mistake: no pod is available during the rollout. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');

describe('rolloutkit check', () => {
  test('lists the findings of the plan, each with its resource, position and fix', async () => {
    const { exitCode, stdout, stderr } = await withoutProse('check .', {
      files: { 'a.yaml': `${OUTAGE}---\n${QUOTED}`, 'b.yaml': 'kind: [\n' },
    });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toMatchInlineSnapshot(`
"2 rollouts on Kubernetes 1.36 (assumed): 2 errors and 1 warning

error  input/unreadable  ./b.yaml:1:7
  <document>
  fix: <document: fix>

error  kubernetes/quoted-integer  Deployment shop/quoted  ./a.yaml:26:30  spec.strategy.rollingUpdate.maxSurge
  <numberOrPercent>
  fix: <numberOrPercent: fix>

warning  kubernetes/outage  Deployment shop/web  ./a.yaml:9:43  spec.strategy.rollingUpdate.maxUnavailable
  <unavailable>
  fix: <unavailable: fix>

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('reports a repeated finding once, with its count and positions', async () => {
    const named = (name: string) => withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}').replaceAll('web', name);
    const files = { 'a.yaml': named('web'), 'b.yaml': named('api'), 'c.yaml': QUOTED };
    const { stdout } = await withoutProse('check .', { files });
    expect(stdout).toMatchInlineSnapshot(`
"3 rollouts on Kubernetes 1.36 (assumed): 1 error and 2 warnings

error  kubernetes/quoted-integer  Deployment shop/quoted  ./c.yaml:9:30  spec.strategy.rollingUpdate.maxSurge
  <numberOrPercent>
  fix: <numberOrPercent: fix>

warning  kubernetes/outage  2 times
  <unavailable>
  fix: <unavailable: fix>
  at: Deployment shop/web  ./a.yaml:9:43  spec.strategy.rollingUpdate.maxUnavailable
  at: Deployment shop/api  ./b.yaml:9:43  spec.strategy.rollingUpdate.maxUnavailable

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('wraps lines at the width of the terminal, but not in a file', async () => {
    const files = { 'a.yaml': OUTAGE };
    const { stdout } = await rolloutkit('check .', { files, isTTY: true, columns: 60, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect((await rolloutkit('check .', { files })).stdout.split('\n').some((line) => line.length > 60)).toBe(true);
  });

  test('prints one line if there are no findings', async () => {
    expect(await rolloutkit('check web.yaml', { files: { 'web.yaml': WEB } })).toEqual({
      exitCode: 0,
      stdout: '1 rollout on Kubernetes 1.36 (assumed): no findings\n',
      stderr: '',
    });
  });

  test.each([
    ['nothing found', WEB, '', 0],
    ['nothing found', WEB, '--fail-on warning', 0],
    ['a warning', OUTAGE, '', 0],
    ['a warning', OUTAGE, '--fail-on error', 0],
    ['a warning', OUTAGE, '--fail-on warning', 1],
    ['an error', QUOTED, '', 1],
    ['an error', QUOTED, '--fail-on warning', 1],
    ['a warning', OUTAGE, '--fail-on info', 1],
    ['an error', QUOTED, '--fail-on never', 0],
    ['an unreadable document', 'kind: [', '', 1],
  ])('%s (%#) with "%s%s" has the expected exit code', async (_, yaml, options, exitCode) => {
    expect(await rolloutkit(`check web.yaml ${options}`, { files: { 'web.yaml': yaml } })).toMatchObject({ exitCode, stderr: '' });
  });

  test('--format json names the resource of each finding that has one', async () => {
    const { exitCode, stdout } = await withoutProse('check web.yaml --format json', { files: { 'web.yaml': `${QUOTED}---\nkind: [\n` } });
    expect(exitCode).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
  "notPlanned": [],
  "findings": [
    {
      "code": "input/unreadable",
      "severity": "error",
      "messageId": "document",
      "data": {
        "startLine": 18,
        "problem": {
          "kind": "syntax",
          "fault": "list-open"
        }
      },
      "path": "",
      "message": "<document>",
      "help": "<document: fix>",
      "source": {
        "file": "web.yaml",
        "line": 18,
        "column": 7
      }
    },
    {
      "code": "kubernetes/quoted-integer",
      "severity": "error",
      "messageId": "numberOrPercent",
      "data": {
        "field": "maxSurge",
        "value": "1"
      },
      "path": "spec.strategy.rollingUpdate.maxSurge",
      "message": "<numberOrPercent>",
      "help": "<numberOrPercent: fix>",
      "source": {
        "file": "web.yaml",
        "line": 9,
        "column": 30
      },
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "quoted"
      }
    }
  ],
  "summary": {
    "rollouts": 1,
    "notPlanned": 0,
    "errors": 2,
    "warnings": 0,
    "infos": 0,
    "suppressed": 0
  }
}
"
`);
  });

  test('an unknown threshold is exit code 2', async () => {
    expect(await rolloutkit('check . --fail-on fatal')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'rolloutkit: --fail-on fatal is not a threshold; write error, warning, info or never\n',
    });
  });
});
