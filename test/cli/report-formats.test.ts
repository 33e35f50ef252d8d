import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { expectValidCheck } from '../plan-schema';
import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';
import { withoutProse } from './prose';

/** No pod is available during the rollout: kubernetes/outage, a warning. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');
const IGNORED = OUTAGE.replaceAll('web', 'calm').replace(
  'metadata:\n',
  'metadata:\n  annotations: {rolloutkit/ignore: \'kubernetes/outage: <by> "design"\'}\n',
);

const FILES = { 'my apps/a.yaml': QUOTED, 'my apps/b.yaml': `${OUTAGE}---\n${IGNORED}---\n${WEB.replaceAll('web', 'fine')}` };

test('github: workflow commands that annotate the lines of a pull request, and a summary line', async () => {
  const { stdout } = await withoutProse('check . --format github', { files: FILES });
  expect(stdout.split('\n').map((line) => line.replace(/(?<=^::.*)::.*$/, '::<words>'))).toEqual([
    '::error file=my apps/a.yaml,line=9,col=30,title=kubernetes/quoted-integer Deployment shop/quoted::<words>',
    '::warning file=my apps/b.yaml,line=9,col=43,title=kubernetes/outage Deployment shop/web::<words>',
    'rolloutkit: 1 error and 1 warning (1 suppressed)',
    '',
  ]);
});

test('github: text of the input neither ends a property nor begins a command', async () => {
  const hostile = QUOTED.replace('name: quoted', 'name: "a,b::error ::x%0A"');
  const { stdout } = await withoutProse('check . --format github', { files: { 'a,b:c.yaml': hostile } });
  expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toHaveLength(stdout.trimEnd().split('\n').length - 1);
  expect(stdout).toContain('file=a%2Cb%3Ac.yaml,line=');
  expect(stdout).toContain('a%2Cb%3A%3Aerror %3A%3Ax%250A');
});

/** A workflow command as GitHub's runner reads a line. Source: actions/runner, src/Runner.Common/ActionCommand.cs, `TryParseV2`. */
function readByRunner(line: string) {
  const [, head, data] = /^\s*::(.*?)::(.*)$/.exec(line)!;
  const [name, ...rest] = head!.split(' ');
  const read = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  const properties = rest
    .join(' ')
    .split(',')
    .filter((pair) => pair !== '');
  const property = (text: string) => read(text).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%');
  return {
    name,
    ...Object.fromEntries(properties.map((pair) => [pair.slice(0, pair.indexOf('=')), property(pair.slice(pair.indexOf('=') + 1))])),
    data: read(data!).replaceAll('%25', '%'),
  };
}

test('github: the runner decodes each finding, whatever names and values contain', async () => {
  const files = { 'a,b:c=100%.yaml': QUOTED.replace('name: quoted', 'name: "a,b=c::d%0A"').replace('"1"', '"1%0A::error::%25,"') };
  const { findings } = JSON.parse((await rolloutkit('check . --format json', { files })).stdout) as {
    readonly findings: readonly {
      readonly code: string;
      readonly message: string;
      readonly help: string;
      readonly source: { readonly file: string; readonly line: number; readonly column: number };
      readonly resource?: { readonly kind: string; readonly namespace: string; readonly name: string };
    }[];
  };
  const { stdout } = await rolloutkit('check . --format github', { files });
  const lines = stdout.split('\n').filter((line) => line.startsWith('::'));
  expect(lines.map(readByRunner)).toEqual(
    findings.map(({ code, message, help, source, resource }) => ({
      name: 'error',
      file: source.file.replace('./', ''),
      line: String(source.line),
      col: String(source.column),
      title: resource ? `${code} ${resource.kind} ${resource.namespace}/${resource.name}` : code,
      data: `${message} Fix: ${help}`,
    })),
  );
  expect(lines).toHaveLength(2);
});

test('github: the annotation names a file whose name begins like a command', async () => {
  const { stdout } = await rolloutkit('check . --format github', { files: { '::error::x.yaml': QUOTED } });
  expect(readByRunner(stdout.split('\n')[0]!)).toMatchObject({ name: 'error', file: '::error::x.yaml' });
});

test('gitlab: a Code Quality report, with the same fingerprints when lines move', async () => {
  const { stdout } = await withoutProse('check . --format gitlab', { files: FILES });
  expect(stdout).toMatchInlineSnapshot(`
"[
  {
    "description": "Deployment shop/quoted: <numberOrPercent> <numberOrPercent: fix>",
    "check_name": "kubernetes/quoted-integer",
    "fingerprint": "be0531c2c1fcbc3d04a4c06f57b0e737804c22660e0a59050c27ddceb1b66168",
    "severity": "major",
    "location": {
      "path": "my apps/a.yaml",
      "lines": {
        "begin": 9
      }
    }
  },
  {
    "description": "Deployment shop/web: <unavailable> <unavailable: fix>",
    "check_name": "kubernetes/outage",
    "fingerprint": "b0fdff69f9cb8bbe740160105f5659614593cfe3975d868b169ef3de9edc21f3",
    "severity": "minor",
    "location": {
      "path": "my apps/b.yaml",
      "lines": {
        "begin": 9
      }
    }
  }
]
"
`);
  const moved = await withoutProse('check . --format gitlab', { files: { ...FILES, 'my apps/a.yaml': `# a line more\n${QUOTED}` } });
  const fingerprints = (json: string) => (JSON.parse(json) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint);
  expect(fingerprints(moved.stdout)).toEqual(fingerprints(stdout));
});

test('junit: a case for every finding, failed at or above the threshold, skipped if suppressed, and one for every rollout without findings', async () => {
  const { stdout } = await withoutProse('check . --format junit', { files: FILES });
  const wordless = stdout.replaceAll(/(?<= message=")[^"]*(?=">)|(?<=<failure[^>]*>|<system-out>)[^<]*/g, '…');
  expect(wordless).toMatchInlineSnapshot(`
"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rolloutkit" tests="4" failures="1" errors="0">
  <testsuite name="rolloutkit check" tests="4" failures="1" errors="0" skipped="1">
    <testcase classname="my apps/a.yaml:9" name="kubernetes/quoted-integer Deployment shop/quoted spec.strategy.rollingUpdate.maxSurge"><failure type="kubernetes/quoted-integer" message="…">…</failure></testcase>
    <testcase classname="my apps/b.yaml:9" name="kubernetes/outage Deployment shop/web spec.strategy.rollingUpdate.maxUnavailable"><system-out>…<unavailable: fix></system-out></testcase>
    <testcase classname="my apps/b.yaml:27" name="kubernetes/outage Deployment shop/calm spec.strategy.rollingUpdate.maxUnavailable"><skipped>&lt;by&gt; &quot;design&quot;</skipped></testcase>
    <testcase classname="rollout" name="Deployment shop/fine"/>
  </testsuite>
</testsuites>
"
`);
});

describe('a report fails if the check fails', () => {
  const WIDGET =
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {template: {spec: {containers: [{name: c, image: c}]}}}\n';

  test('junit: for a finding that --min-severity does not show', async () => {
    const { exitCode, stdout } = await rolloutkit('check . --format junit --fail-on warning --min-severity error', {
      files: { 'b.yaml': OUTAGE },
    });
    expect([exitCode, stdout.split('\n')[1]]).toEqual([1, '<testsuites name="rolloutkit" tests="1" failures="1" errors="0">']);
  });

  test('every format: for a kind that is not planned, with --require-planned', async () => {
    const files = { 'a.yaml': `${WEB}---\n${WIDGET}` };
    const report = async (format: string) => (await rolloutkit(`check . --require-planned --format ${format}`, { files })).stdout;
    expect((await report('junit')).split('\n').slice(3, 5)).toEqual([
      '    <testcase classname="rollout" name="Deployment shop/web"/>',
      '    <testcase classname="not planned" name="1 Widget of example.com/v1"><failure type="not-planned" message="rolloutkit does not support it">rolloutkit does not support it</failure></testcase>',
    ]);
    expect(await report('junit')).toContain('tests="2" failures="1" errors="0" skipped="0"');
    expect(await report('github')).toContain('::error title=not planned::not planned: 1 Widget (example.com)');
    expect(JSON.parse(await report('gitlab'))).toMatchObject([{ check_name: 'not-planned', severity: 'major' }]);
    expect(JSON.parse(await report('sarif'))).toMatchObject({
      runs: [{ invocations: [{ toolExecutionNotifications: [{ level: 'error' }] }] }],
    });
  });

  test('junit: for objects that are not those of the plan, whatever the threshold is', async () => {
    const plan = '{"formatVersion": "1.2", "versions": {}, "rollouts": [], "notPlanned": [], "findings": [], "inputDigest": "sha256:0"}';
    const { exitCode, stdout } = await rolloutkit('check web.yaml --plan plan.json --fail-on never --format junit', {
      files: { 'web.yaml': WEB, 'plan.json': plan },
    });
    expect([exitCode, stdout.split('\n')[1]]).toEqual([1, '<testsuites name="rolloutkit" tests="2" failures="1" errors="0">']);
  });
});

test('sarif: a finding in a document with a Secret has no fix, which would repeat its line', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: 'hunter2' } };
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [secret, parse(QUOTED)] });
  const { stdout } = await rolloutkit('check . --format sarif', { files: { 'list.yaml': list } });
  const [{ results }] = (JSON.parse(stdout) as { runs: [{ results: { ruleId: string; fixes?: object }[] }] }).runs;
  expect(results.map(({ ruleId, fixes }) => [ruleId, fixes])).toEqual([['kubernetes/quoted-integer', undefined]]);
  expect(stdout).not.toContain('hunter2');
});

test('sarif: results with level, position, fingerprint, suppression and values, and every rule', async () => {
  const { stdout } = await withoutProse('check . --format sarif', { files: FILES });
  const log = JSON.parse(stdout) as {
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] }];
  };
  const [{ tool, results }] = log.runs;
  expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]!.id)).toEqual(results.map(({ ruleId }) => ruleId));
  expect(new Set(tool.driver.rules.map(({ id }) => id)).size).toBe(tool.driver.rules.length);
  expect(results.map((result) => ({ ...result, ruleIndex: undefined }))).toMatchInlineSnapshot(`
[
  {
    "fixes": [
      {
        "artifactChanges": [
          {
            "artifactLocation": {
              "uri": "my%20apps/a.yaml",
            },
            "replacements": [
              {
                "deletedRegion": {
                  "endColumn": 1,
                  "endLine": 10,
                  "startColumn": 1,
                  "startLine": 9,
                },
                "insertedContent": {
                  "text": "  strategy: {rollingUpdate: {maxSurge: 1}}
",
                },
              },
            ],
          },
        ],
        "description": {
          "text": "<numberOrPercent: fix>",
        },
      },
    ],
    "level": "error",
    "locations": [
      {
        "logicalLocations": [
          {
            "fullyQualifiedName": "Deployment shop/quoted spec.strategy.rollingUpdate.maxSurge",
          },
        ],
        "physicalLocation": {
          "artifactLocation": {
            "uri": "my%20apps/a.yaml",
          },
          "region": {
            "startColumn": 30,
            "startLine": 9,
          },
        },
      },
    ],
    "message": {
      "text": "<numberOrPercent>
<numberOrPercent: fix>",
    },
    "partialFingerprints": {
      "rolloutkit/v1": "be0531c2c1fcbc3d04a4c06f57b0e737804c22660e0a59050c27ddceb1b66168",
    },
    "properties": {
      "data": {
        "field": "maxSurge",
        "value": "1",
      },
      "messageId": "numberOrPercent",
    },
    "ruleId": "kubernetes/quoted-integer",
    "ruleIndex": undefined,
    "suppressions": [],
  },
  {
    "fixes": [
      {
        "artifactChanges": [
          {
            "artifactLocation": {
              "uri": "my%20apps/b.yaml",
            },
            "replacements": [
              {
                "deletedRegion": {
                  "endColumn": 1,
                  "endLine": 10,
                  "startColumn": 1,
                  "startLine": 9,
                },
                "insertedContent": {
                  "text": "  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 9}}
",
                },
              },
            ],
          },
        ],
        "description": {
          "text": "<unavailable: fix>",
        },
      },
    ],
    "level": "warning",
    "locations": [
      {
        "logicalLocations": [
          {
            "fullyQualifiedName": "Deployment shop/web spec.strategy.rollingUpdate.maxUnavailable",
          },
        ],
        "physicalLocation": {
          "artifactLocation": {
            "uri": "my%20apps/b.yaml",
          },
          "region": {
            "startColumn": 43,
            "startLine": 9,
          },
        },
      },
    ],
    "message": {
      "text": "<unavailable>
<unavailable: fix>",
    },
    "partialFingerprints": {
      "rolloutkit/v1": "b0fdff69f9cb8bbe740160105f5659614593cfe3975d868b169ef3de9edc21f3",
    },
    "properties": {
      "data": {
        "maxUnavailable": "100%",
        "names": {
          "maxSurge": "maxSurge",
          "maxUnavailable": "maxUnavailable",
          "rollingUpdate": "rollingUpdate",
        },
        "replicas": 10,
        "unavailable": 10,
      },
      "messageId": "unavailable",
    },
    "ruleId": "kubernetes/outage",
    "ruleIndex": undefined,
    "suppressions": [],
  },
  {
    "level": "warning",
    "locations": [
      {
        "logicalLocations": [
          {
            "fullyQualifiedName": "Deployment shop/calm spec.strategy.rollingUpdate.maxUnavailable",
          },
        ],
        "physicalLocation": {
          "artifactLocation": {
            "uri": "my%20apps/b.yaml",
          },
          "region": {
            "startColumn": 43,
            "startLine": 27,
          },
        },
      },
    ],
    "message": {
      "text": "<unavailable>
<unavailable: fix>",
    },
    "partialFingerprints": {
      "rolloutkit/v1": "ed10760846c53187cecb671832c21872977f698a37a0e3729939b5a5968c751b",
    },
    "properties": {
      "data": {
        "maxUnavailable": "100%",
        "names": {
          "maxSurge": "maxSurge",
          "maxUnavailable": "maxUnavailable",
          "rollingUpdate": "rollingUpdate",
        },
        "replicas": 10,
        "unavailable": 10,
      },
      "messageId": "unavailable",
    },
    "ruleId": "kubernetes/outage",
    "ruleIndex": undefined,
    "suppressions": [
      {
        "justification": "<by> "design"",
        "kind": "inSource",
        "status": "accepted",
      },
    ],
  },
]
`);
});

test('sarif: a log without findings has an empty list of results', async () => {
  const { stdout } = await rolloutkit('check web.yaml --format sarif', { files: { 'web.yaml': WEB } });
  expect((JSON.parse(stdout) as { runs: { results: unknown[] }[] }).runs.map(({ results }) => results)).toEqual([[]]);
});

test('json matches its schema', async () => {
  const { stdout } = await rolloutkit('check . --format json', { files: FILES });
  const { findings } = expectValidCheck(JSON.parse(stdout) as { findings: unknown[] });
  expect(findings).toHaveLength(3);
});

describe('several formats in one run', () => {
  test('one is printed, and the others are written to files', async () => {
    let written: readonly string[] = [];
    const { exitCode, stdout } = await rolloutkit('check . --format text --format sarif=out.sarif --format junit=out.xml', {
      files: FILES,
      inspect: (folder) => {
        written = ['out.sarif', 'out.xml'].map((file) => readFileSync(path.join(folder, file), 'utf8').slice(0, 5));
      },
    });
    expect([exitCode, written]).toEqual([1, ['{\n  "', '<?xml']]);
    expect(stdout).toMatch(/^4 rollouts on [^\n]*\n\nerror {2}kubernetes\/quoted-integer/);
  });

  test('nothing is printed if all are written to files', async () => {
    expect(await rolloutkit('check . --format json=out.json', { files: FILES })).toEqual({ exitCode: 1, stdout: '', stderr: '' });
  });

  test.each([
    ['--format text --format json', 'text and json cannot both be printed; write one of them to a file, such as --format json=FILE'],
    ['--format sarif=', '--format sarif= names no file; write sarif=FILE, or sarif to print it'],
    ['--format pdf=x', '--format pdf is not supported; write one of text, json, sarif, junit, github, gitlab'],
  ])('%s is refused', async (formats, reason) => {
    expect(await rolloutkit(`check . ${formats}`, { files: FILES })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: ${reason}\n`,
    });
  });
});
