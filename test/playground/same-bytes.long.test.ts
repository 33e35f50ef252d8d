import { gzipSync } from 'node:zlib';
import { drawingScript, engineScript } from '../../playground/build';
import type { TypedFile, TypedInput } from '../../playground/engine';
import { examples as playgroundExamples } from '../../playground/examples';
import { ALL_RULES } from '../../src/upgrade/all-rules';
import { rolloutkit } from '../cli/command-line';
import { exampleFiles, linkOf } from '../docs/example-files';
import { examples, synthesize } from '../examples/synthesize';
import { sampleOf } from '../setup/recording-step';
import { loadScripts } from './scripts';

let engine: ReturnType<typeof loadScripts>['engine'];
let formats: typeof engine.FORMATS;
let script: string;

beforeAll(async () => {
  script = await engineScript();
  const loaded = loadScripts([script, await drawingScript()]);
  ({ engine } = loaded);
  formats = { ...loaded.drawing.FORMATS, ...engine.FORMATS };
}, 60_000);

/** Drops the digest of the objects, which only the command line computes. */
function dropDigest(text: string): string {
  return text.replace(/,\n {2}"inputDigest": "sha256:[0-9a-f]{64}"/, '');
}

/** Returns the output of the command line for the same files. */
async function runCommandLine({ files, from = [], options = {} }: TypedInput, format: string): Promise<string> {
  const { capacity, clusters } = options;
  const texts = Object.fromEntries([...files, ...from].map(({ name, text }) => [name, text]));
  const { stdout, stderr } = await rolloutkit(
    [
      'plan',
      '--format',
      format,
      ...from.flatMap(({ name }) => ['--from', name]),
      ...(capacity === undefined ? [] : ['--capacity', 'capacity']),
      ...(clusters === undefined ? [] : ['--clusters', 'clusters']),
      ...files.map(({ name }) => name),
    ],
    { files: { ...texts, ...(capacity !== undefined && { capacity }), ...(clusters !== undefined && { clusters }) } },
  );
  // A picture lists no findings, so the command line says next to it what cannot be read.
  expect(format === 'svg' ? stderr.replace(/^rolloutkit: .* cannot be read: .*\n$/, '') : stderr).toBe('');
  return dropDigest(stdout);
}

async function expectSameBytes(input: TypedInput): Promise<void> {
  const planned = engine.planTyped(input);
  for (const [format, render] of Object.entries(formats)) expect(render(planned)).toBe(await runCommandLine(input, format));
}

test('the engine is a download of at most 540 kB', () => {
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(540_000);
});

test('the page has every format of the command line', () => {
  expect(Object.keys(formats)).toEqual(['svg', 'html', 'text', 'markdown', 'json']);
});

test.each(playgroundExamples().map(({ title, input }) => [title, input]))(
  'the page prints the same as the command line: %s',
  async (_, input) => {
    await expectSameBytes(input);
  },
);

test.each(examples)('the page prints the same as the command line for the output of example %s', async (example) => {
  const files: TypedFile[] = synthesize(example).map(({ name, yaml }) => ({ name: name.replaceAll('/', '-'), text: yaml }));

  await expectSameBytes({ files });
});

/** Examples of rules that are one file with objects. Several files would be a folder for the command line, and links can't be typed. */
const RULE_EXAMPLES = ALL_RULES.flatMap(({ code, example, fixedExample }) =>
  [example, fixedExample]
    .filter((yaml) => exampleFiles(yaml) === undefined && linkOf(yaml) === undefined && /^(?:# )?apiVersion:/m.test(yaml))
    .map((yaml, index): [string, string] => [index === 0 ? code : `${code}, fixed`, yaml]),
);

test.each(sampleOf(RULE_EXAMPLES))('the page prints the same as the command line for the example of %s', async (_, text) => {
  await expectSameBytes({ files: [{ name: 'example.yaml', text }] });
});

test('a dropped folder is read as by the command line, with its units', async () => {
  const web = (replicas: number) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: ${replicas}\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: web, image: web:1 }] }\n`;
  const folder = {
    'base/kustomization.yaml': 'resources: [web.yaml]\n',
    'base/web.yaml': web(2),
    'prod/kustomization.yaml': 'resources: [web.yaml]\n',
    'prod/web.yaml': web(4),
  };
  const files = Object.entries(folder).map(([name, text]) => ({ name: `shop/${name}`, text }));

  const { stdout } = await rolloutkit('plan --format json shop', {
    files: Object.fromEntries(files.map(({ name, text }) => [name, text])),
  });

  expect(engine.FORMATS.json!(engine.planTyped({ files }))).toBe(dropDigest(stdout));
  expect(engine.planTyped({ files }).plan.rollouts.map(({ unit }) => unit)).toEqual(['shop/base', 'shop/prod']);
});

test.each([
  ['capacity', { capacity: 'nodePools: 4' }, 'capacity: '],
  ['inventory', { clusters: '{ clusters: 4 }' }, 'clusters: '],
  ['version', { versions: { kubernetes: 'new' } }, '"new" is not a version'],
  ['YAML', { capacity: '{' }, 'capacity, line 1: '],
] as const)('an option with an invalid %s is reported', (_, options, prefix) => {
  const plan = (): unknown => engine.planTyped({ files: [{ name: 'a.yaml', text: '' }], options });

  expect(plan).toThrow(prefix);
});
