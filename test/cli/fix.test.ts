import { chmodSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { FixDocument } from '../../src/core/document/fix-document';
import { expectValidFix } from '../plan-schema';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';

/** All three pods may be unavailable: kubernetes/outage. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}} # all at once', 'gone');
const UNPROBED = WEB.replace(/ {10}readinessProbe.*\n/, '          ports: [{containerPort: 80}]\n');

interface Fixed {
  readonly exitCode: number;
  readonly fixes: FixDocument;
  /** The files after the command. */
  readonly after: Readonly<Record<string, string>>;
  readonly stderr: string;
}

async function fix(args: string, files: Readonly<Record<string, string>>, setting: Setting = {}): Promise<Fixed> {
  const after: Record<string, string> = {};
  const { exitCode, stdout, stderr } = await rolloutkit(`fix ${args} --format json`, {
    files,
    ...setting,
    inspect: (folder) => {
      for (const name of Object.keys(files)) after[name] = readFileSync(path.join(folder, name), 'utf8');
      setting.inspect?.(folder);
    },
  });
  return { exitCode, fixes: expectValidFix(JSON.parse(stdout) as FixDocument), after, stderr };
}

function describeFindings(findings: readonly { readonly code: string; readonly path: string }[]): string[] {
  return findings.map(({ code, path: place }) => `${code} ${place}`);
}

test('a fix that needs no decision is written, and every other byte stays', async () => {
  const { exitCode, fixes, after } = await fix('.', { 'a.yaml': `# first\n${QUOTED}---\n${OUTAGE}`, 'b.yaml': WEB });
  expect(exitCode).toBe(0);
  expect(describeFindings(fixes.fixed)).toEqual([
    'kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge',
    'kubernetes/outage spec.strategy.rollingUpdate.maxUnavailable',
  ]);
  expect(after).toEqual({
    'a.yaml': `# first\n${QUOTED.replace('maxSurge: "1"', 'maxSurge: 1')}---\n${OUTAGE.replace('maxUnavailable: "100%"', 'maxUnavailable: 9')}`,
    'b.yaml': WEB,
  });
  expect(fixes).toMatchObject({ dryRun: false, undecided: [], unsafe: [], uncovered: [], summary: { fixed: 2, withoutFix: 0, files: 1 } });
});

test('all of 110 quoted numbers in one object are written, although only a hundred are listed', async () => {
  const ports = (quote: string) =>
    Array.from({ length: 110 }, (_, index) => `            - {name: p${index}, containerPort: ${quote}${8000 + index}${quote}}\n`).join('');
  const withPorts = (quote: string) => UNPROBED.replace(/( {10}ports:).*\n/, `$1\n${ports(quote)}`);
  const { fixes, after } = await fix('.', { 'web.yaml': withPorts('"') });
  expect(after).toEqual({ 'web.yaml': withPorts('') });
  expect(fixes).toMatchObject({ unsafe: [], uncovered: [], summary: { fixed: 110 } });
});

test('a fix that needs a decision is listed and not written', async () => {
  const files = { 'web.yaml': UNPROBED };
  const { exitCode, fixes, after } = await fix('.', files);
  expect(after).toEqual(files);
  expect([exitCode, describeFindings(fixes.undecided), fixes.undecided[0]!.edits]).toEqual([
    0,
    ['kubernetes/no-readiness-probe spec.template.spec.containers[0].readinessProbe'],
    [{ op: 'set', path: 'spec.template.spec.containers[0].readinessProbe', value: { tcpSocket: { port: 80 } } }],
  ]);
});

test('a quoted number of two digits may be a percentage, and needs a decision', async () => {
  const files = { 'web.yaml': withStrategy('{rollingUpdate: {maxSurge: "25"}}') };
  const { fixes, after } = await fix('.', files);
  expect(after).toEqual(files);
  expect([fixes.summary.fixed, describeFindings(fixes.undecided)]).toEqual([
    0,
    ['kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge'],
  ]);
});

describe('--dry-run', () => {
  test('writes nothing, shows the differences, and exits 1', async () => {
    const files = { 'web.yaml': QUOTED };
    const { exitCode, fixes, after } = await fix('web.yaml --dry-run', files);
    expect([exitCode, after, fixes.dryRun]).toEqual([1, files, true]);
    expect(fixes.files).toMatchInlineSnapshot(`
[
  {
    "diff": "--- a/web.yaml
+++ b/web.yaml
@@ -6,7 +6,7 @@
 spec:
   replicas: 10
   selector: {matchLabels: {app: web}}
-  strategy: {rollingUpdate: {maxSurge: "1"}}
+  strategy: {rollingUpdate: {maxSurge: 1}}
   template:
     metadata: {labels: {app: web}}
     spec:
",
    "file": "web.yaml",
  },
]
`);
  });

  test('shows no line of a document with a Secret', async () => {
    const inOneLine = (text: string) => `${JSON.stringify(parse(text))}\n`;
    const secret = 'kind: Secret\napiVersion: v1\nmetadata: {name: login}\nstringData:\n  password: hunter2\n';
    const list = { apiVersion: 'v1', kind: 'List', items: [parse(secret), parse(QUOTED.replace('name: quoted', 'name: other'))] };
    const { fixes } = await fix('. --dry-run', {
      'a.yaml': `${secret}---\n${inOneLine(QUOTED)}---\n${secret.replace('login', 'other')}`,
      'list.yaml': `${JSON.stringify(list)}\n`,
    });
    expect(fixes.files).toMatchInlineSnapshot(`
[
  {
    "diff": "--- a/a.yaml
+++ b/a.yaml
@@ -6,2 +6,2 @@
 ---
-{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"quoted","namespace":"shop"},"spec":{"replicas":10,"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":"1"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}
+{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"quoted","namespace":"shop"},"spec":{"replicas":10,"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":1}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}
",
    "file": "./a.yaml",
  },
  {
    "diff": "--- a/list.yaml
+++ b/list.yaml
(The lines are not shown, because their document contains a Secret.)
",
    "file": "./list.yaml",
  },
]
`);
  });

  test.each([
    ['two lines', 'kind: "Se\\\ncret"'],
    ['many blanks', `kind${' '.repeat(150)}: Secret`],
    ['an alias of the key', 'x: &k kind\n*k : Secret'],
    ['a tag', 'kind: !<tag:yaml.org,2002:str> Secret'],
    ['a comment', 'kind:\n  # a comment\n  Secret'],
    ['nothing that can be read', 'kind: , Secret'],
  ])('shows no line of a document with a Secret whose kind is written with %s', async (_, kind) => {
    const secret = `apiVersion: v1\n${kind}\nmetadata: {name: login}\ndata: {a: aHVudGVyMg==}\n`;
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify(parse(QUOTED))}\n- ${secret.trimEnd().replaceAll('\n', '\n  ')}\n`;
    const { fixes } = await fix('. --dry-run', { 'a.yaml': `${secret}---\n${QUOTED}---\n${secret}`, 'list.yaml': list });
    expect(fixes.files.map(({ file }) => file)).toContain('./a.yaml');
    expect(JSON.stringify(fixes)).not.toContain('aHVudGVyMg');
  });

  test('exits 0 if there is nothing to write', async () => {
    expect((await fix('. --dry-run', { 'web.yaml': UNPROBED })).exitCode).toBe(0);
  });
});

test('--rule fixes only the findings of these rules', async () => {
  const { fixes, after } = await fix('. --rule kubernetes/outage', { 'a.yaml': QUOTED, 'b.yaml': OUTAGE });
  expect([describeFindings(fixes.fixed), after['a.yaml']]).toEqual([
    ['kubernetes/outage spec.strategy.rollingUpdate.maxUnavailable'],
    QUOTED,
  ]);
});

test('a suppressed finding is not fixed', async () => {
  const ignored = OUTAGE.replace('metadata:\n', "metadata:\n  annotations: {rolloutkit/ignore: 'kubernetes/outage: by design'}\n");
  const { fixes, after } = await fix('.', { 'a.yaml': ignored });
  expect([fixes.summary, after]).toEqual([{ fixed: 0, undecided: 0, unsafe: 0, withoutFix: 0, files: 0 }, { 'a.yaml': ignored }]);
});

describe('a harmful fix is not written', () => {
  test('an apiVersion whose required fields the object lacks', async () => {
    const old =
      'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: old}\nspec:\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: a, image: a:1}]\n';
    const { fixes, after } = await fix('.', { 'old.yaml': old });
    expect(fixes.unsafe).toMatchObject([
      { code: 'kubernetes/removed-api', obstacle: 'new-finding', codes: ['kubernetes/invalid-workload'] },
    ]);
    expect(after).toEqual({ 'old.yaml': old });
  });

  test('a value that aliases refer to', async () => {
    const anchored = `${withStrategy('{rollingUpdate: {maxSurge: &one "1"}}')}          env: [{name: SURGE, value: *one}]\n`;
    const { fixes, after } = await fix('.', { 'a.yaml': anchored });
    expect(fixes.unsafe).toMatchObject([{ code: 'kubernetes/quoted-integer', obstacle: 'not-in-the-text' }]);
    expect(after).toEqual({ 'a.yaml': anchored });
  });

  test('a value in JSON of 990 levels, for which Node.js would abort', async () => {
    const status = `${'{"a": '.repeat(988)}[1, 1]${'}'.repeat(988)}`;
    const deep = JSON.stringify({ ...(parse(QUOTED) as object), status: 'deep' }).replace('"deep"', status);
    const { fixes, after } = await fix('.', { 'a.json': deep });
    expect(fixes.unsafe).toMatchObject([{ code: 'kubernetes/quoted-integer', obstacle: 'not-in-the-text' }]);
    expect(after).toEqual({ 'a.json': deep });
    const { stdout } = await rolloutkit('fix .', { files: { 'a.json': deep } });
    expect(stdout).toContain(
      'not written: the value is used elsewhere too, is not in this file, or is in a document with more than 200 levels; edit it by hand',
    );
  });

  test('the other ones of several fixes are written', async () => {
    const old = 'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: old}\nspec: {}\n';
    const { fixes, after } = await fix('.', { 'a.yaml': QUOTED, 'b.yaml': old, 'c.yaml': OUTAGE });
    expect([describeFindings(fixes.fixed), describeFindings(fixes.unsafe), after['b.yaml']]).toEqual([
      ['kubernetes/quoted-integer spec.strategy.rollingUpdate.maxSurge', 'kubernetes/outage spec.strategy.rollingUpdate.maxUnavailable'],
      ['kubernetes/removed-api apiVersion'],
      old,
    ]);
  });
});

test('a rollout of the same name in another folder, with more pods, does not prevent a fix', async () => {
  const base = withStrategy('{rollingUpdate: {maxUnavailable: 1}}').replace('replicas: 10', 'replicas: "2"');
  const files = { 'base/web.yaml': base, 'overlay/web.yaml': WEB };
  const { fixes, after } = await fix('.', files);
  expect([describeFindings(fixes.fixed), fixes.unsafe]).toEqual([['kubernetes/quoted-integer spec.replicas'], []]);
  expect(after).toEqual({ ...files, 'base/web.yaml': base.replace('"2"', '2') });
});

describe('with --from', () => {
  test('the migration is planned, and only NEW is written', async () => {
    const files = { 'old/web.yaml': OUTAGE.replace('web:1', 'web:0'), 'new/web.yaml': OUTAGE };
    const { fixes, after } = await fix('new --from old', files);
    expect([describeFindings(fixes.fixed), after]).toEqual([
      ['kubernetes/outage spec.strategy.rollingUpdate.maxUnavailable'],
      { ...files, 'new/web.yaml': OUTAGE.replace('"100%"', '9') },
    ]);
  });

  test('a fix that would make the change remove pods is not written', async () => {
    const files = { 'old/web.yaml': WEB, 'new/web.yaml': WEB.replace('replicas: 10', 'replicas: "4"') };
    const { fixes, after } = await fix('new --from old', files);
    expect(fixes.unsafe).toMatchObject([{ code: 'kubernetes/quoted-integer', obstacle: 'fewer-pods' }]);
    expect(after).toEqual(files);
    expect((await fix('new', files)).after['new/web.yaml']).toBe(WEB.replace('replicas: 10', 'replicas: 4'));
  });
});

describe('the files', () => {
  test('keep their mode, and no other file is left', async () => {
    await fix(
      '.',
      { 'web.yaml': QUOTED },
      {
        prepare: (folder) => chmodSync(path.join(folder, 'web.yaml'), 0o640),
        inspect: (folder) => {
          expect(statSync(path.join(folder, 'web.yaml')).mode & 0o777).toBe(0o640);
          expect(readdirSync(folder)).toEqual(['web.yaml']);
        },
      },
    );
  });

  test('a link stays a link, and the file that it leads to is written once', async () => {
    const { fixes } = await fix(
      '.',
      { 'b.yaml': QUOTED },
      {
        prepare: (folder) => symlinkSync('b.yaml', path.join(folder, 'a.yaml')),
        inspect: (folder) => {
          expect(readdirSync(folder, { withFileTypes: true }).map((entry) => [entry.name, entry.isSymbolicLink()])).toEqual([
            ['a.yaml', true],
            ['b.yaml', false],
          ]);
          expect(readFileSync(path.join(folder, 'b.yaml'), 'utf8')).toBe(QUOTED.replace('"1"', '1'));
        },
      },
    );
    expect(fixes.summary).toMatchObject({ fixed: 1, files: 1 });
  });

  test('a link that leads out of the folder of its PATH is not written through', async () => {
    const { fixes } = await fix(
      'in/web.yaml',
      { 'out/web.yaml': QUOTED },
      {
        prepare: (folder) => {
          mkdirSync(path.join(folder, 'in'));
          symlinkSync('../out/web.yaml', path.join(folder, 'in/web.yaml'));
        },
        inspect: (folder) => expect(readFileSync(path.join(folder, 'out/web.yaml'), 'utf8')).toBe(QUOTED),
      },
    );
    expect(fixes.unsafe).toMatchObject([{ code: 'kubernetes/quoted-integer', obstacle: 'read-only' }]);
  });

  test('a link that leads out of its repository is not written through, and the other files are written', async () => {
    const { fixes } = await fix(
      'in',
      { 'in/.git/config': '', 'in/a/.git/config': '', 'in/web.yaml': QUOTED.replace('name: quoted', 'name: api'), 'in/z.yaml': QUOTED },
      {
        prepare: (folder) => symlinkSync('../z.yaml', path.join(folder, 'in/a/m.yaml')),
        inspect: (folder) => {
          expect(readFileSync(path.join(folder, 'in/web.yaml'), 'utf8')).not.toContain('"1"');
          expect(readFileSync(path.join(folder, 'in/z.yaml'), 'utf8')).toBe(QUOTED);
        },
      },
    );
    expect(fixes.fixed).toHaveLength(1);
    // The file has two names, so its finding occurs twice.
    expect(fixes.unsafe.map(({ obstacle }) => obstacle)).toEqual(['read-only', 'read-only']);
  });

  test('a dry run creates no file, not even for a moment', async () => {
    await fix(
      '. --dry-run',
      { 'web.yaml': QUOTED },
      {
        prepare: (folder) => utimesSync(folder, 1, 1),
        inspect: (folder) => expect(statSync(folder).mtimeMs).toBe(1_000),
      },
    );
  });

  test('a dry run says what it would fix in a file that cannot be written here', async () => {
    const access = jest.spyOn(fs, 'accessSync').mockImplementation(() => {
      throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    });
    const results = [await fix('web.yaml --dry-run', { 'web.yaml': QUOTED }), await fix('web.yaml', { 'web.yaml': QUOTED })];
    access.mockRestore();
    expect(
      results.map(({ exitCode, fixes: { fixed, unsafe } }) => [exitCode, fixed.length, unsafe.map(({ obstacle }) => obstacle)]),
    ).toEqual([
      [1, 1, []],
      [0, 0, ['read-only']],
    ]);
  });

  test('another hard link to a file keeps the old content', async () => {
    await fix(
      'web.yaml',
      { 'web.yaml': QUOTED },
      {
        prepare: (folder) => linkSync(path.join(folder, 'web.yaml'), path.join(folder, 'other.txt')),
        inspect: (folder) => expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe(QUOTED),
      },
    );
  });

  test('a byte order mark, Windows line ends and a missing final line end stay', async () => {
    const odd = `\ufeff${QUOTED.trimEnd().replaceAll('\n', '\r\n')}`;
    expect((await fix('.', { 'web.yaml': odd })).after['web.yaml']).toBe(odd.replace('"1"', '1'));
  });

  test('list items and JSON are edited in place', async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n${QUOTED.replaceAll(/^/gm, '    ').replace('    apiVersion', '  - apiVersion').trimEnd()}\n`;
    const json = JSON.stringify(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'j' },
        spec: {
          replicas: '2',
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        },
      },
      null,
      4,
    );
    const { after } = await fix('.', { 'list.yaml': list, 'j.json': json });
    expect(after).toEqual({ 'list.yaml': list.replace('"1"', '1'), 'j.json': json.replace('"2"', '2') });
  });
});

test('a diff names a file in the folder . as git apply expects it', async () => {
  const { fixes } = await fix('./apps --dry-run', { 'apps/web.yaml': QUOTED });
  expect(fixes.files.map(({ file, diff }) => [file, ...diff.split('\n').slice(0, 2)])).toEqual([
    ['./apps/web.yaml', expect.stringMatching(/^--- a\/apps\/web\.yaml\b/), expect.stringMatching(/^\+\+\+ b\/apps\/web\.yaml\b/)],
  ]);
});

test('text output: a summary line, the written fixes, and those that need a decision', async () => {
  const { stdout } = await rolloutkit('fix . --dry-run', { files: { 'a.yaml': QUOTED, 'b.yaml': UNPROBED } });
  expect(stdout.split('\n')[0]).toBe('1 finding would be fixed in 1 file; 1 needs a decision');
  expect(stdout.split('\n').filter((line) => /^[A-Z][a-z ]+$/.test(line))).toEqual(['Would be fixed', 'Needs a decision']);
});

test.each([
  ['fix -', 'fix writes to files and cannot change standard input'],
  ['fix . --render', '--render plans the output of other programs, which fix cannot write to a file'],
  ['fix . --rule kubernetes/outag', 'write kubernetes/outage'],
  ['fix . --from cluster:prod', 'fix reads no cluster, so not --from cluster:prod; name the old manifests, such as git:HEAD'],
  ['fix . --prune', '--prune applies only to a change; name the current manifests with --from'],
  ['fix nowhere', 'cannot read nowhere'],
])('%s cannot run, and writes nothing', async (args, said) => {
  const { exitCode, stdout, stderr } = await rolloutkit(args, {
    files: { 'web.yaml': QUOTED },
    inspect: (folder) => expect(readFileSync(path.join(folder, 'web.yaml'), 'utf8')).toBe(QUOTED),
  });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(said);
});

describe('a finding that appears once the fixes are written', () => {
  const refused = (yaml: string) => yaml.replace('replicas: 10', 'replicas: "10"');

  test('is listed with the findings that need a decision, if it needs one', async () => {
    const { fixes } = await fix('. --dry-run', { 'web.yaml': refused(UNPROBED) });
    expect([describeFindings(fixes.fixed), describeFindings(fixes.undecided), fixes.uncovered]).toEqual([
      ['kubernetes/quoted-integer spec.replicas'],
      ['kubernetes/no-readiness-probe spec.template.spec.containers[0].readinessProbe'],
      [],
    ]);
  });

  test('is listed separately if it has no fix', async () => {
    const { fixes } = await fix('. --dry-run', { 'web.yaml': refused(WEB).replace('spec:\n', 'spec:\n  paused: true\n') });
    expect([describeFindings(fixes.fixed), describeFindings(fixes.undecided), describeFindings(fixes.uncovered)]).toEqual([
      ['kubernetes/quoted-integer spec.replicas'],
      [],
      ['kubernetes/paused spec.paused'],
    ]);
  });
});

test('a file that cannot be read is reported, and the others are fixed', async () => {
  const { fixes, after, stderr } = await fix('.', { 'a.yaml': QUOTED, 'b.yaml': 'a: [\n' });
  expect(stderr).toMatchInlineSnapshot(`
"rolloutkit: ./b.yaml:1:4: The document that begins at line 1 cannot be read: a "," or "]" is missing from the list. Fix the YAML here; no part of this document is planned.
"
`);
  expect([fixes.summary.fixed, fixes.summary.withoutFix, after['b.yaml']]).toEqual([1, 1, 'a: [\n']);
});

test('a file above a budget is reported with the budget', async () => {
  const { stderr } = await fix('. --budget file-megabytes=1', { 'a.yaml': `${QUOTED}# ${'x'.repeat(1_000_000)}\n` });
  expect(stderr).toMatchInlineSnapshot(`
"rolloutkit: ./a.yaml:1: The file ./a.yaml cannot be read: it is larger than 1 megabyte. Raise the budget with --budget file-megabytes=2, if you trust this input.
"
`);
});

describe('a field that the server does not know', () => {
  const spelled = (limits: string) => withStrategy(`{rollingUpdate: {${limits}}} # limits`, 'web');

  test('is renamed if only the case of letters differs', async () => {
    const { fixes, after } = await fix('.', { 'web.yaml': spelled('max_surge: 1, maxUnavailable: 1') });
    expect(fixes.fixed.map(({ edits }) => edits)).toEqual([
      [{ op: 'rename', path: 'spec.strategy.rollingUpdate.max_surge', to: 'maxSurge' }],
    ]);
    expect(after['web.yaml']).toBe(spelled('maxSurge: 1, maxUnavailable: 1'));
  });

  test('is not renamed if fewer pods would be available', async () => {
    const { fixes, after } = await fix('.', { 'web.yaml': spelled('maxSurge: 1, max_unavailable: 9') });
    expect(fixes.unsafe).toMatchObject([{ code: 'input/unknown-field', obstacle: 'fewer-pods' }]);
    expect(after['web.yaml']).toBe(spelled('maxSurge: 1, max_unavailable: 9'));
  });

  test('needs a decision if it is misspelled', async () => {
    const { fixes, after } = await fix('.', { 'web.yaml': spelled('maxSurges: 1, maxUnavailable: 1') });
    expect(describeFindings(fixes.undecided)).toEqual(['input/unknown-field spec.strategy.rollingUpdate.maxSurges']);
    expect(after['web.yaml']).toBe(spelled('maxSurges: 1, maxUnavailable: 1'));
  });
});

describe("the JSON in KServe's ConfigMap", () => {
  const configMap = (mode: string, defaultRollout: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
data:
  deploy: |- # the platform level
    {
      "defaultDeploymentMode":  "${mode}",
      "deploymentRolloutStrategy": {
        "defaultRollout": ${defaultRollout}
      }
    }
  # what follows is another matter
  explainers: "{}"
`;

  test('is edited in place, and every other byte of it stays', async () => {
    const { fixes, after } = await fix('.', {
      'mode.yaml': configMap('standard', '{ "maxSurge": "25%", "maxUnavailable": "25%" }'),
      'zero/limits.yaml': configMap('Standard', '{ "mode": "Availability", "maxSurge": "25%", "maxUnavailable": 0 }'),
    });
    expect(describeFindings(fixes.fixed)).toEqual([
      'kserve/invalid-config data[deploy].defaultDeploymentMode',
      'kserve/config-bare-number data[deploy].deploymentRolloutStrategy.defaultRollout.maxUnavailable',
      'kserve/mode-ignored data[deploy].deploymentRolloutStrategy.defaultRollout.mode',
    ]);
    expect(after).toEqual({
      'mode.yaml': configMap('Standard', '{ "maxSurge": "25%", "maxUnavailable": "25%" }'),
      'zero/limits.yaml': configMap('Standard', '{ "maxSurge": "25%", "maxUnavailable": "0%" }'),
    });
  });

  test('is not edited if a percentage of pods must be chosen', async () => {
    const files = { 'config.yaml': configMap('Standard', '{ "maxSurge": 2, "maxUnavailable": "0%" }') };
    const { fixes, after } = await fix('.', files);
    expect(after).toEqual(files);
    expect(fixes.undecided.map(({ edits }) => edits)).toEqual([
      [{ op: 'set', path: 'data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge', value: '25%' }],
    ]);
  });
});
