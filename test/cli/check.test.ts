import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';
import { withoutProse } from './prose';

/** Works, and is likely not meant: no pod is available meanwhile. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');

describe('rolloutkit check', () => {
  test('lists the findings of the plan, each with its resource, its place and its fix', async () => {
    const { exitCode, stdout, stderr } = await withoutProse('check .', {
      files: { 'a.yaml': `${OUTAGE}---\n${QUOTED}`, 'b.yaml': 'kind: [\n' },
    });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toMatchInlineSnapshot(`
"error  input/unreadable  ./b.yaml:1:7
  The document that begins at line 1 cannot be read: flow sequence in block collection must be sufficiently indented and end with a ].
  fix: Repair the YAML here; nothing of this document is planned.

warning  kubernetes/outage  Deployment shop/web  ./a.yaml:9:43  spec.strategy.rollingUpdate.maxUnavailable
  maxUnavailable "100%" comes to 10 pods for 10 replicas: all old pods go before a new one is ready, and nothing is available meanwhile.
  fix: Write maxUnavailable: 9 or less.

error  kubernetes/quoted-integer  Deployment shop/quoted  ./a.yaml:26:30  spec.strategy.rollingUpdate.maxSurge
  maxSurge is "1", a number in quotes, which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.
  fix: Write 1 without quotes, or a percentage such as "25%".

2 rollouts on Kubernetes 1.34: 2 errors and 1 warning
"
`);
  });

  test('has little to say where all is well', async () => {
    expect(await rolloutkit('check web.yaml', { files: { 'web.yaml': WEB } })).toEqual({
      exitCode: 0,
      stdout: '1 rollout on Kubernetes 1.34: no findings\n',
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
    ['an unreadable document', 'kind: [', '', 1],
  ])('%s (%#) with "%s%s" judges as it should', async (_, yaml, options, exitCode) => {
    expect(await rolloutkit(`check web.yaml ${options}`, { files: { 'web.yaml': yaml } })).toMatchObject({ exitCode, stderr: '' });
  });

  test('--format json names the resource of each finding that has one', async () => {
    const { exitCode, stdout } = await rolloutkit('check web.yaml --format json', { files: { 'web.yaml': `${QUOTED}---\nkind: [\n` } });
    expect(exitCode).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.1",
  "findings": [
    {
      "code": "input/unreadable",
      "severity": "error",
      "path": "",
      "message": "The document that begins at line 18 cannot be read: flow sequence in block collection must be sufficiently indented and end with a ].",
      "help": "Repair the YAML here; nothing of this document is planned.",
      "source": {
        "file": "web.yaml",
        "line": 18,
        "column": 7
      }
    },
    {
      "code": "kubernetes/quoted-integer",
      "severity": "error",
      "path": "spec.strategy.rollingUpdate.maxSurge",
      "message": "maxSurge is \\"1\\", a number in quotes, which the API server refuses: a valid percent string must be a numeric string followed by an ending '%'.",
      "help": "Write 1 without quotes, or a percentage such as \\"25%\\".",
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
    "errors": 2,
    "warnings": 0,
    "infos": 0
  }
}
"
`);
  });

  test('a bar of its own making is exit code 2', async () => {
    expect(await rolloutkit('check . --fail-on info')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'rolloutkit: --fail-on info is not a bar; write error or warning\n',
    });
  });
});
