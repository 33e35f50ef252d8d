import { delayClockIn } from '../late-clock';
import { mayBaselineSuppress } from '../../src/core/findings/reading-rules';
import { createObjectNotValidatedFinding, createRuleNotEvaluatedFinding } from '../../src/crds/rules/rule-not-evaluated';
import type { UnevaluatedReason } from '../../src/crds/rules/rule-not-evaluated';
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

test.each([
  ['an object is not validated in time', createObjectNotValidatedFinding(CACHE, 'seconds', 300), false],
  ['a rule is not evaluated in time', notEvaluated({ why: 'seconds', limit: 300 }), false],
  ['an object exceeds another limit', createObjectNotValidatedFinding(CACHE, 'pattern', 300), true],
  ['a rule compares with an old object', notEvaluated({ why: 'transition' }), true],
])('whether a baseline may hide that %s', (_, finding, expected) => {
  expect(mayBaselineSuppress(finding, true)).toBe(expected);
});
