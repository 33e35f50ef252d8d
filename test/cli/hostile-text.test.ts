/** Names, labels and file names with hostile text: no format prints anything that a terminal or a CI log would execute, and nothing is hidden. */
import { rolloutkit } from './command-line';

const INVISIBLE = [
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2069',
  '\u2028',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e0100}',
  '\u{16fe4}',
  '\u{1107f}',
  '\u001b[31m',
  '\u0007',
  '\u0085',
  '\u009b',
];
const COMMANDS = [
  '::error file=a::x',
  ' ::stop-commands::x',
  '##vso[task.complete result=Failed]',
  '##[error]x',
  "##teamcity[buildStatus status='SUCCESS']",
  'a\n::error::x',
  'a\n##vso[task.complete]x',
  '\u3000::error::x',
  `${'w'.repeat(100)} ::error::x`,
];
const TEXTS = [...INVISIBLE.map((character) => `a${character}b`), ...COMMANDS];

/** Workloads with the texts at each position that plans quote: names, namespaces, fields, images, limits, annotations, budgets. */
function manifests(change: string): string {
  return TEXTS.map((text) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: text, namespace: `${text}${change}`, annotations: { 'rolloutkit/ignore': text } },
      spec: {
        replicas: 3,
        [text]: text,
        selector: { matchLabels: { [text]: text } },
        strategy: { type: text, rollingUpdate: { maxSurge: text, [text]: 1 } },
        template: {
          metadata: { labels: { [text]: text } },
          spec: {
            containers: [{ name: text, image: `${text}${change}`, resources: { requests: { [text]: text } } }],
            nodeSelector: { [text]: text },
          },
        },
      },
    }),
  )
    .concat(
      TEXTS.map((text, index) =>
        JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: `web-${index}`, namespace: text },
          spec: {
            replicas: 3,
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: {
                containers: [{ name: 'web', image: `${text}${change}`, resources: { requests: { [`example.com/${text}`]: '1' } } }],
                nodeSelector: { [text]: text },
              },
            },
          },
        }),
      ),
    )
    .join('\n---\n');
}

/** Finds control characters, and lines that begin with a command of a CI system, in printed text. */
function obeyedIn(printed: string, ownCommands: boolean): string[] {
  const characters = printed.match(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu) ?? [];
  const commands = printed
    .split('\n')
    .filter(
      (line) =>
        (line.trimStart().startsWith('::') && !(ownCommands && /^::(?:error|warning|notice) /.test(line))) ||
        /##(?:vso|teamcity)?\[/i.test(line),
    );
  return [...new Set(characters.map((character) => character.codePointAt(0)!.toString(16))), ...commands];
}

const files = {
  'old/a.yaml': manifests(''),
  'new/a\u202e\u00ad::x.yaml': manifests('2'),
  'capacity.yaml': 'nodePools: [{ name: "a\u202eb", count: 1, allocatable: { cpu: 1 } }]',
};

test.each([
  'plan new --capacity capacity.yaml',
  'plan new --capacity capacity.yaml --format markdown',
  'plan new --capacity capacity.yaml --format json',
  'plan new --capacity capacity.yaml --format svg',
  'plan new --capacity capacity.yaml --format html',
  'plan --from old new',
  'plan --from old new --format markdown',
  'plan --from old new --format json',
  'plan --from old new --format svg',
  'plan --from old new --format html',
  'check new',
  'check new --format json',
  'check new --format sarif',
  'check new --format junit',
  'check new --format github',
  'check new --format gitlab',
  'explain new --resource Deployment/web-3',
  'diff old new',
  'diff old new --format json',
  'diff old new --format markdown',
  'advise new',
])('rolloutkit %s', async (command) => {
  const { stdout, stderr } = await rolloutkit(command, { files });

  expect(stdout.length).toBeGreaterThan(300);
  expect(obeyedIn(stdout, command.endsWith('github'))).toEqual([]);
  expect(obeyedIn(stderr, false)).toEqual([]);
});

test('a baseline in a file with such a name, whose findings no longer occur', async () => {
  const name = 'a\n::error::x\u202e##[error]x.json';
  const entry = { code: name, messageId: name, file: name, resource: name, path: name, count: 1 };
  const baseline = JSON.stringify({ formatVersion: '1.2', findings: [entry] });

  const { stdout, stderr } = await rolloutkit(['check', 'new', '--baseline', name], { files: { ...files, [name]: baseline } });

  expect(stderr).toContain('1 finding of ');
  expect([obeyedIn(stdout, false), obeyedIn(stderr, false)]).toEqual([[], []]);
});

test('the library for YAML warns of nothing in a text of an object, since Node.js prints its warnings as they are', async () => {
  const warn = jest.spyOn(process, 'emitWarning');
  const config = '? { a: "\u202e" }\n: !unknown 1 # ::error::x ##vso[task.complete]x\n';
  const template = {
    metadata: { labels: { app: 'web', 'sidecar.istio.io/inject': 'true' }, annotations: { 'proxy.istio.io/config': config } },
    spec: { containers: [{ name: 'web', image: 'vllm/vllm-openai:v1', readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
  };
  const objects = [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
  ];

  await rolloutkit('check web.yaml', { files: { 'web.yaml': objects.map((object) => JSON.stringify(object)).join('\n---\n') } });

  expect(warn.mock.calls).toEqual([]);
});

test('a name is no link in SARIF, whose viewers show links in any message', async () => {
  const spec = { '[x](https://example.com)': 1 };
  const text = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  const { stdout } = await rolloutkit('check web.json --format sarif', { files: { 'web.json': text } });
  const { runs } = JSON.parse(stdout) as { runs: { results: { message: { text: string } }[] }[] };
  const messages = runs[0]!.results.map(({ message }) => message.text).join('\n');

  expect(messages).toContain('[x] (https://example.com)');
  expect(messages).not.toContain('](');
});
