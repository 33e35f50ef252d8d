import { delayClockIn } from '../late-clock';
import { mayBaselineSuppress } from '../../src/core/findings/reading-rules';
import { createObjectNotValidatedFinding, createRuleNotEvaluatedFinding } from '../../src/crds/rules/rule-not-evaluated';
import type { UnevaluatedReason } from '../../src/crds/rules/rule-not-evaluated';
import { listExceededBudgets } from '../../src/cli/input/unread-input';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

/* A budget that a run exceeds is said by each command, also if its output shows no findings, and no baseline hides it. */

const FILES = { 'in/big.yaml': `# ${'x'.repeat(1_100_000)}\n${WEB}`, 'in/web.yaml': WEB };
const CACHE = { apiVersion: 'shop.example/v1', kind: 'Cache', metadata: { name: 'front' } };
const notEvaluated = (reason: UnevaluatedReason) =>
  createRuleNotEvaluatedFinding({ rule: 'true', reason }, 'caches.shop.example', 'shop.example/v1');
const TOO_LONG =
  'in/big.yaml:1: The file in/big.yaml cannot be read: it is larger than 1 megabyte. Raise the budget with --budget file-megabytes=2';

test.each([
  'plan in --format svg',
  'upgrade kubernetes=1.34..1.36 in --format svg',
  'explain in --resource Deployment/web',
  'fix in --dry-run',
])('%s says it on standard error', async (command) => {
  const { stdout, stderr } = await rolloutkit(`${command} --budget file-megabytes=1`, { files: FILES });
  expect(stdout).not.toContain('big.yaml');
  expect(stderr).toContain(TOO_LONG);
});

test('a baseline neither contains it nor hides it', async () => {
  const written = await rolloutkit('check in --budget file-megabytes=1 --write-baseline baseline.json', { files: FILES });
  expect(written).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('wrote no findings to baseline.json') });
});

test.each([
  ['suppresses its rule', 'ignore: [{rule: input/unreadable, reason: an old file}]'],
  ['switches its rule off', 'rules: {input/unreadable: off}'],
  ['makes it a warning', 'rules: {input/unreadable: warning}'],
])('check --require-planned fails although the configuration that it names %s', async (_what, settings) => {
  const { exitCode, stdout } = await rolloutkit('check in --require-planned --config settings.yaml --budget file-megabytes=1', {
    files: { ...FILES, 'settings.yaml': `${settings}\n` },
  });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('error  input/unreadable  in/big.yaml');
});

test('check fails if the time ends while it writes the fixes of a SARIF log, although no finding fails it', async () => {
  const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: web }
spec:
  serviceName: web
  updateStrategy: { rollingUpdate: { maxUnavailable: 2 } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1", readinessProbe: { httpGet: { port: 80 } } }] }
`;
  const command = 'check set.yaml --versions kubernetes=1.34 --format sarif';
  expect(await rolloutkit(command, { files: { 'set.yaml': set } })).toMatchObject({ exitCode: 0, stderr: '' });
  const restore = delayClockIn('change/fix/fix-by-finding.ts');
  const { exitCode, stdout, stderr } = await rolloutkit(command, { files: { 'set.yaml': set } });
  restore();
  expect(stdout).not.toContain('"fixes"');
  expect([exitCode, stderr]).toEqual([
    1,
    'rolloutkit: some findings have no fix in the report, because writing the fixes takes more than 300 seconds; raise the budget with --budget seconds=600, if you trust this input\n',
  ]);
  const restoreAgain = delayClockIn('change/fix/fix-by-finding.ts');
  expect(await rolloutkit(`${command} --fail-on never`, { files: { 'set.yaml': set } })).toMatchObject({ exitCode: 0, stderr });
  restoreAgain();
});

test('it is listed after a hundred broken documents of a file', async () => {
  const aliases = Array.from({ length: 60 }, (_, index) => `  k${index}: *a\n`).join('');
  const large = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  k: &a ${'x'.repeat(60_000)}\n${aliases}`;
  const { exitCode, stdout } = await rolloutkit('check a.yaml', { files: { 'a.yaml': `${'a: [\n---\n'.repeat(120)}${large}` } });
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Raise the budget with --budget alias-megabytes=4')]);
  expect(stdout).toContain('20 more documents or items cannot be read as objects');
});

test.each([
  [
    'more aliases than the budget allows',
    `annotations: { a: &a ${'x'.repeat(60_000)}${Array.from({ length: 60 }, (_, index) => `, k${index}: *a`).join('')} }`,
  ],
  ['101 aliases', `finalizers: [&a x${', *a'.repeat(101)}]`],
  ['1,001 levels', `annotations: ${'{ a: '.repeat(1_001)}x${' }'.repeat(1_001)}`],
])('an object whose text has %s may contain a Deployment, also if an escape hides its kind', async (_, field) => {
  const text = `apiVersion: apps/v1\nkind: "\\x44eployment"\nmetadata: { name: web, ${field} }\n`;
  const widget = JSON.stringify({ apiVersion: 'shop.example/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { text } });
  const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned in', {
    files: { 'in/a.json': widget, 'in/web.yaml': WEB },
  });
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringContaining('Widget a in in/a.json may make its tool apply other objects than the files show, with spec.text'),
  ]);
});

describe('the schemas of CRDs are checked within the seconds, and after them the run fails', () => {
  const properties = Array.from({ length: 8 }, (_, index) => `p${index}: { type: string, pattern: "${'x*|'.repeat(60_000)}${index}" }`);
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.shop.example }
spec:
  group: shop.example
  scope: Namespaced
  names: { plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: { type: object, properties: { ${properties.join(', ')}, last: { type: string, pattern: "(" } } }
`;
  const FAILURE = 'takes more than 1 second';

  test('if the input contains them', async () => {
    const { exitCode, stdout } = await rolloutkit('check --budget seconds=1 crd.yaml', { files: { 'crd.yaml': crd } });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`planning ${FAILURE}`)]);
  }, 60_000);

  test('if --crds names them', async () => {
    // Another pattern, since the results of each are remembered.
    const files = { 'crds.yaml': crd.replaceAll('x*|', 'y*|'), 'web.yaml': WEB };
    const { exitCode, stderr } = await rolloutkit('check --budget seconds=1 --crds crds.yaml web.yaml', { files });
    expect([exitCode, stderr]).toEqual([
      2,
      `rolloutkit: --crds: checking the CRDs ${FAILURE}; raise the budget with --budget seconds=2, if you trust this input\n`,
    ]);
  }, 60_000);
});

describe('the rules of CRDs are evaluated within the seconds, and after them the run fails', () => {
  const crd = (rule: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boxes.shop.example }
spec:
  group: shop.example
  scope: Namespaced
  names: { plural: boxes, singular: box, kind: Box, listKind: BoxList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { size: { type: string }, items: { type: array, maxItems: 1000, items: { type: integer } } }
              x-kubernetes-validations: [{ rule: "${rule}", message: it is refused }]
`;
  const ITEMS = JSON.stringify(Array.from({ length: 300 }, (_, index) => index));
  const box = (size: string) => `apiVersion: shop.example/v1\nkind: Box\nmetadata: { name: a }\nspec: { size: ${size}, items: ${ITEMS} }\n`;
  const CHANGE = {
    'crd.yaml': crd('self.items.all(i, i >= 0) && self.size == oldSelf.size'),
    'old/a.yaml': box('small'),
    'new/a.yaml': box('large'),
  };
  const CHECK = 'check --no-config --require-planned';
  const LATE = 'validating takes more than 300 seconds';

  async function runLate(file: string, command: string, files: Readonly<Record<string, string>>) {
    const restore = delayClockIn(file);
    try {
      const { exitCode, stdout } = await rolloutkit(command, { files });
      return [exitCode, stdout];
    } finally {
      restore();
    }
  }

  test('if --crds names them and a change is refused by one', async () => {
    const command = `${CHECK} --crds crd.yaml --from old new`;
    expect(await runLate('no-file.ts', command, CHANGE)).toEqual([1, expect.stringContaining('it is refused')]);
    expect(await runLate('crds/admission.ts', command, CHANGE)).toEqual([
      1,
      expect.stringContaining('planning takes more than 300 seconds'),
    ]);
  });

  test('if the plan of OLD exceeded them too', async () => {
    const files = { 'in/crd.yaml': crd('self.items.exists(i, i < 0)'), 'in/a.yaml': box('x') };
    const [, plan] = await runLate('crds/cel-rules.ts', 'plan in --format json', files);
    expect(plan).toContain(LATE);
    const result = await runLate('crds/cel-rules.ts', `${CHECK} --from old.json in`, { ...files, 'old.json': plan as string });
    expect(result).toEqual([1, expect.stringContaining(LATE)]);
  });

  test.each([
    ['alone', {}],
    [
      'next to a fleet.yaml',
      { 'in/f/fleet.yaml': 'defaultNamespace: d\n', 'in/f/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n' },
    ],
    [
      'next to a finding in its first line',
      { 'in/b.yaml': box('x').replace('name: a', 'name: b, annotations: { rolloutkit/ignore: "a/b" }') },
    ],
  ])('if the input contains them, %s', async (_, others) => {
    const files = { 'in/crd.yaml': crd('self.items.exists(i, i < 0)'), 'in/a.yaml': box('x'), ...others };
    expect(await runLate('no-file.ts', `${CHECK} in`, files)).toEqual([1, expect.stringContaining('it is refused')]);
    expect(await runLate('crds/cel-rules.ts', `${CHECK} in`, files)).toEqual([1, expect.stringContaining(LATE)]);
  });
});

test.each([
  ['an object is not validated in time', createObjectNotValidatedFinding(CACHE, 'seconds', 300), false],
  ['an object exceeds another limit', createObjectNotValidatedFinding(CACHE, 'pattern', 300), true],
  ['a rule compares with an old object', notEvaluated({ why: 'transition' }), true],
])('whether a baseline may hide that %s', (_, finding, expected) => {
  expect(mayBaselineSuppress(finding, true)).toBe(expected);
});

test('a picture, which lists no findings, names each exceeded budget on standard error, also that of the rules of CRDs', () => {
  const late = createObjectNotValidatedFinding(CACHE, 'seconds', 300);
  const other = createObjectNotValidatedFinding(CACHE, 'pattern', 300);
  expect(listExceededBudgets([late, other])).toEqual([expect.stringContaining('validating takes more than 300 seconds')]);
});
