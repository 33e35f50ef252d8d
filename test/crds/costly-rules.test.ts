/** What a rule does to its CRD if the API server estimates that it costs too much. Compared with apiextensions-apiserver v0.26, v0.30, v0.36 and v0.37. */
import { rolloutkit } from '../cli/command-line';
import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedChange } from '../../src/core/document/change';
import type { Finding } from '../../src/core/findings/finding';

const JOIN = 'self.l.map(a, self.s).join(self.s).size() >= 0';
const SPLIT = "self.l.all(a, self.l.all(b, self.s.split('').size() >= 0))";
/** Costs more than one rule may cost if a list has at most 3,000 items, and less than all rules of a schema may cost. */
const PAIRS = 'self.l.all(a, self.l.all(b, a + b < 100))';

interface CrdParts {
  readonly list?: string;
  readonly more?: string;
  readonly columns?: string;
  readonly message?: string;
}

function crd(rule: string, { list = '', more = '', columns = '[]', message = '' }: CrdParts = {}): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: foos.x.io }
spec:
  group: x.io
  scope: Namespaced
  names: { plural: foos, singular: foo, kind: Foo, listKind: FooList }
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: ${columns}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: ${JSON.stringify(rule)}
              ${message}
            properties:
              s: { type: string }
              l: { type: array, ${list} items: { type: integer } }
              ${more}
`;
}

function foo(numbers: readonly number[]): string {
  return `apiVersion: x.io/v1\nkind: Foo\nmetadata: { name: f, namespace: n }\nspec: { s: aaaa, l: [${numbers.join(', ')}] }\n`;
}

const RULE_PATH = 'spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule';

/** Returns the exit code and the findings of a command, each with its severity, code and line. */
async function run(
  args: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly [exitCode: number, findings: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`${args} --format json`, { files });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return [exitCode, findings.map(({ severity, code, source }) => [severity, code, ...(source ? [source.line] : [])].join(' '))];
}

describe('the API server refuses a CRD with a rule that costs too much', () => {
  test.each([
    ['a join', JOIN],
    ['a split', SPLIT],
  ])('which is one error, also without an object of its kind: %s', async (_, rule) => {
    const once = [1, ['error kubernetes/refused-object 20']];
    expect(await run('check crd.yaml', { 'crd.yaml': crd(rule) })).toEqual(once);
    expect(await run('check .', { 'crd.yaml': crd(rule), 'foo.yaml': foo([1]) })).toEqual(once);
  });

  test.each(['check --crds files/crd.yaml files', 'plan --crds files/crd.yaml files', 'check --crds files/crd.yaml --from old files'])(
    'and also one if --crds names the CRD: %s',
    async (args) => {
      const files = { 'old/crd.yaml': crd('true'), 'files/crd.yaml': crd(JOIN), 'files/foo.yaml': foo([1]) };
      expect((await run(`${args} --budget seconds=5`, files))[1]).toEqual(['error crds/rule-not-evaluated']);
    },
  );

  test('with the rule and what to write instead', async () => {
    const { stdout } = await rolloutkit('check crd.yaml', { files: { 'crd.yaml': crd(JOIN) } });
    expect(stdout).toContain(`error  kubernetes/refused-object  crd.yaml:20:15  ${RULE_PATH}
  The API server refuses CustomResourceDefinition foos.x.io: ${RULE_PATH}: on the largest object that the schema allows, it costs more than 10,000,000: ${JOIN}.
  fix: Write maxItems, maxProperties and maxLength into the schema.
`);
  });

  test('and the same for a message that is an expression, from the version that has it', async () => {
    const files = { 'crd.yaml': crd('true', { message: `messageExpression: ${JSON.stringify(`${SPLIT} ? 'a' : 'b'`)}` }) };
    expect(await run('check crd.yaml', files)).toEqual([1, ['error kubernetes/refused-object 21']]);
    expect(await run('check crd.yaml --versions kubernetes=1.26', files)).toEqual([0, []]);
  });

  test.each([
    ['the lists have few items', 'check crd.yaml', { list: 'maxItems: 100,' }],
    ['the version of Kubernetes has no rules', 'check crd.yaml --versions kubernetes=1.24', {}],
  ])('but not if %s', async (_, args, parts) => {
    expect(await run(args, { 'crd.yaml': crd(PAIRS, parts) })).toEqual([0, []]);
  });
});

describe('a change of a CRD to one with a rule that costs too much', () => {
  const BOUND = { list: 'maxItems: 3000,' };
  const COLUMN = '[{ name: S, type: string, jsonPath: .spec.s }]';

  async function change(old: string, next: string, args = '') {
    const files = { 'old/crd.yaml': old, 'new/crd.yaml': next };
    const { stdout } = await rolloutkit(`plan --from old new --format json ${args}`, { files });
    const { change: planned, findings } = JSON.parse(stdout) as PlanDocument & { readonly change: PlannedChange };
    return [planned.objects[0]!.effect, ...findings.map(({ severity, code }) => `${severity} ${code}`)];
  }

  test('is refused, and riskier', async () => {
    const files = { 'old/crd.yaml': crd('self.s.size() >= 0'), 'new/crd.yaml': crd(JOIN) };
    expect(await run('check --from old new', files)).toEqual([1, ['error kubernetes/refused-object 20']]);
    expect((await rolloutkit('diff --fail-on-riskier old new', { files })).exitCode).toBe(1);
    expect(await change(files['old/crd.yaml'], files['new/crd.yaml'])).toEqual(['refused', 'error kubernetes/refused-object']);
  });

  test.each([
    ['refused, since OLD had another schema', crd(PAIRS, BOUND), crd(PAIRS, { ...BOUND, more: 't: { type: string }' }), 'refused'],
    ['stored if the schema of OLD is the same', crd(PAIRS, BOUND), crd(PAIRS, { ...BOUND, columns: COLUMN }), 'settings'],
    ['refused if all rules of the schema cost too much', crd(PAIRS), crd(PAIRS, { columns: COLUMN }), 'refused'],
    ['not sent if it does not change', crd(PAIRS), crd(PAIRS), 'none'],
  ])('one that OLD has too is %s', async (_, old, next, effect) => {
    expect(await change(old, next)).toEqual([effect, ...(effect === 'refused' ? ['error kubernetes/refused-object'] : [])]);
  });

  test('one that OLD has too is refused before Kubernetes 1.29', async () => {
    const [effect] = await change(crd(PAIRS, BOUND), crd(PAIRS, { ...BOUND, columns: COLUMN }), '--versions kubernetes=1.28');
    expect(effect).toBe('refused');
  });

  test('a rule that OLD has too is evaluated', async () => {
    const definition = crd(PAIRS, BOUND);
    const files = { 'old/crd.yaml': definition, 'old/foo.yaml': foo([1]), 'new/crd.yaml': definition, 'new/foo.yaml': foo([1, 70]) };
    expect(await run('check --from old new', files)).toEqual([1, ['error change/refused 4']]);
    expect(await run('check --from old new', { ...files, 'new/foo.yaml': foo([1, 40]) })).toEqual([0, []]);
  });
});
