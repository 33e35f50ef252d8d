import { Deadline } from '../../src/core/budget/deadline';
import type { Finding } from '../../src/core/findings/finding';
import type { Manifest } from '../../src/core/manifest/manifest';
import { addGuardrailFindings } from '../../src/guardrails/add-guardrail-findings';
import { applyGuardrailPolicy } from '../../src/change/compare/apply-guardrails';
import { planManifests } from '../../src/plan/plan';
import { rolloutkit } from '../cli/command-line';

const POLICY = 'neverBelow: { available: 75% }\n';

/** A Deployment that the policy refuses. */
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 100% } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
const OWNED = WEB.replace('shop }', 'shop, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: b, controller: true }] }');
const FLAGGER = `apiVersion: flagger.app/v1beta1
kind: Canary
metadata: { name: web, namespace: shop }
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  service: { port: 80 }
  analysis: { interval: 1m, threshold: 5, maxWeight: 50, stepWeight: 10 }
`;

async function refusalsOf(documents: readonly string[], options = '', policy = POLICY): Promise<string[]> {
  const files = { 'policy.yaml': policy, ...Object.fromEntries(documents.map((text, index) => [`apps/${index}.yaml`, text])) };
  const { stdout } = await rolloutkit(`check apps --policy policy.yaml --format json ${options}`.trim(), { files });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly (Finding & { source: { file: string } })[] };
  return findings.filter(({ code }) => code === 'guardrails/refused').map(({ source }) => source.file);
}

describe('no other object takes a workload out of view of the guardrails', () => {
  test.each<[what: string, documents: string[]]>([
    ['alone', [WEB]],
    ['behind an object of another group with its kind and name', [WEB.replace('apps/v1', 'example.com/v1'), WEB]],
    ['behind such an object that the policy would accept', [WEB.replace('apps/v1', 'a.example.com/v1').replace('100%', '0'), WEB]],
    ['as the target of a Canary', [FLAGGER, WEB]],
    ['that names an owner', [OWNED]],
  ])('%s', async (_, documents) => {
    expect(await refusalsOf(documents)).toEqual([`apps/${documents.length - 1}.yaml`]);
  });

  test('two with one name are each refused', async () => {
    expect(await refusalsOf([WEB, WEB.replace('100%', '3')])).toEqual(['apps/0.yaml', 'apps/1.yaml']);
  });

  test('one on which the evaluation fails is a finding, and the others are evaluated', () => {
    const objects = ['a', 'b'].map((name): Manifest => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: {} }));
    Object.defineProperty(objects[0]!, 'spec', {
      get: () => {
        throw new Error('no spec');
      },
    });
    const input = { objects, locate: () => undefined, keepsMaxUnavailable: false, deadline: new Deadline(60) };
    const { findings } = addGuardrailFindings(planManifests([]), input, { requireReadinessProbe: true });
    expect(findings.map(({ code }) => code)).toEqual(['input/unreadable', 'guardrails/refused']);
  });
});

describe('a value that the API server replaces by its default hides no violation', () => {
  const workload = (kind: string, strategy: string) => WEB.replace('Deployment', kind).replace(/strategy: .*/, strategy);

  test.each<[what: string, text: string]>([
    ['a maxSurge of null', WEB.replace('maxSurge: 0', 'maxSurge: null')],
    ['a type of null', WEB.replace('strategy: { ', 'strategy: { type: null, ')],
    ['an empty type', WEB.replace('strategy: { ', "strategy: { type: '', ")],
    ['an empty type of a DaemonSet', workload('DaemonSet', "updateStrategy: { type: '', rollingUpdate: { maxUnavailable: 100% } }")],
    [
      'a maxSurge of null of a DaemonSet',
      workload('DaemonSet', 'updateStrategy: { rollingUpdate: { maxSurge: null, maxUnavailable: 100% } }'),
    ],
    ['an empty type of a StatefulSet', workload('StatefulSet', "updateStrategy: { type: '', rollingUpdate: { maxUnavailable: 100% } }")],
  ])('%s', async (_, text) => {
    expect(await refusalsOf([text], '--versions kubernetes=1.37')).toEqual(['apps/0.yaml']);
  });

  test.each<[what: string, strategy: string]>([
    ['null for both limits', 'strategy: { rollingUpdate: { maxSurge: null, maxUnavailable: null } }'],
    ['an empty type', "strategy: { type: '' }"],
  ])('%s is the default, which the policy allows', async (_, strategy) => {
    expect(await refusalsOf([workload('Deployment', strategy)])).toEqual([]);
  });
});

test.each([
  ['""', '{ key: tier, operator: NotIn, values: [null] }'],
  ['null', '{ key: tier, operator: NotIn, values: [""] }'],
  ['null', '{ key: tier, operator: In, values: [""] }'],
  ['null', '{ key: tier, operator: Exists }'],
])('a budget does not select pods with the label tier: %s by %s, since null may be an empty label or none', async (value, expression) => {
  const web = WEB.replace('labels: { app: web }', `labels: { app: web, tier: ${value} }`);
  const budget = (expressions: string) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: web }, matchExpressions: [${expressions}] } }\n`;
  expect(await refusalsOf([web, budget(expression)], '', 'requireBudget: true\n')).toEqual(['apps/0.yaml']);
  expect(await refusalsOf([web, budget('')], '', 'requireBudget: true\n')).toEqual([]);
});

test('spaces around a quantity hide no GPU', async () => {
  const withGpus = WEB.replace('{ rollingUpdate: { maxSurge: 0, maxUnavailable: 100% } }', '{}').replace(
    'image: web:1',
    'image: web:1, resources: { limits: { nvidia.com/gpu: " 8 " } }',
  );
  expect(await refusalsOf([withGpus], '', 'atMost: { extraGpus: 0 }\n')).toEqual(['apps/0.yaml']);
});

test('a kustomization replaces no label that a policy matches', async () => {
  const files = {
    'policy.yaml': `${POLICY}match: { labels: { tier: critical } }\n`,
    'apps/kustomization.yaml': 'resources: [web.yaml]\ncommonLabels: { tier: low, team: a }\n',
    'apps/web.yaml': WEB.replace('shop }', 'shop, labels: { tier: critical } }'),
  };

  const { exitCode, stdout } = await rolloutkit('check apps --policy policy.yaml', { files });

  expect([exitCode, stdout.match(/guardrails\/refused/)?.[0]]).toEqual([1, 'guardrails/refused']);
});

test('a budget that is not applied, or that is deleted again, is none that a policy requires', async () => {
  const budget = (metadata: string) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { ${metadata}, namespace: shop }\nspec: { maxUnavailable: 1, selector: {} }\n`;
  const check = (metadata: string) => refusalsOf([WEB, budget(metadata)], '', 'requireBudget: true\n');

  expect(await check('name: web')).toEqual([]);
  expect(await check('generateName: web')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: b }]')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { argocd.argoproj.io/hook: Skip }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { kustomize.toolkit.fluxcd.io/reconcile: disabled }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, labels: { kustomize.toolkit.fluxcd.io/reconcile: disabled }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { kustomize.toolkit.fluxcd.io/ssa: IfNotPresent }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { kapp.k14s.io/exists: "" }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { kapp.k14s.io/noop: "" }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { configmanagement.gke.io/managed: disabled }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { configsync.gke.io/cluster-name-selector: none }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { werf.io/deploy-on: pre-delete }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { config.kubernetes.io/local-config: "true" }')).toEqual(['apps/0.yaml']);
  expect(await check('name: web, annotations: { config.kubernetes.io/local-config: "false" }')).toEqual([]);
});

describe('a budget that the API server refuses is none that a policy requires, whatever suppresses its finding', () => {
  const budget = (spec: string, metadata = 'name: web, namespace: shop') =>
    `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { ${metadata}, annotations: { rolloutkit/ignore: "kubernetes/invalid-strategy: a; kubernetes/quoted-integer: a; kubernetes/removed-api: a; input/wrong-type: a" } }
spec: { selector: { matchLabels: { app: web } }, ${spec} }
`;

  test.each<[what: string, refused: string]>([
    ['with both limits', budget('maxUnavailable: 1, minAvailable: 1')],
    ['with a negative limit', budget('maxUnavailable: -1')],
    ['with a limit in quotes', budget("maxUnavailable: '1'")],
    ['with a limit that is a word', budget('maxUnavailable: some')],
    ['with a limit above 100%', budget('minAvailable: 101%')],
    ['with a limit of another type', budget('maxUnavailable: true')],
    ['with another policy', budget('maxUnavailable: 1, unhealthyPodEvictionPolicy: Never')],
    ['with an unknown field', budget('maxUnavailable: 1, minReady: 1')],
    ['with a label that no object can have', budget('maxUnavailable: 1', "name: web, namespace: shop, labels: { 'a b': c }")],
    ['with a day that no month has', budget('maxUnavailable: 1', 'name: web, namespace: shop, creationTimestamp: "2026-02-30T08:00:00Z"')],
    ['with a name that is no part of a path', budget('maxUnavailable: 1', 'name: a/b, namespace: shop')],
    ['of a version that is no longer served', budget('maxUnavailable: 1').replace('policy/v1', 'policy/v1beta1')],
    ['that is too long for the annotation of kubectl', budget('maxUnavailable: 1').replace(': a;', `: ${'x'.repeat(200_000)};`)],
    ['with a status of another type', `${budget('maxUnavailable: 1')}status: []\n`],
    ['with a number of another type in its status', `${budget('maxUnavailable: 1')}status: { disruptionsAllowed: x }\n`],
    ['with a time that is none in its status', `${budget('maxUnavailable: 1')}status: { disruptedPods: { a: zz } }\n`],
    ['with an unknown field in its status', `${budget('maxUnavailable: 1')}status: { conditions: [{ since: 1 }] }\n`],
  ])('%s', async (_, refused) => {
    expect(await refusalsOf([WEB, refused], '', 'requireBudget: true\n')).toEqual(['apps/0.yaml']);
  });

  test.each<[what: string, accepted: string]>([
    ['with one limit', budget('maxUnavailable: 1')],
    ['that is long', budget('maxUnavailable: 1').replace(': a;', `: ${'x'.repeat(100_000)};`)],
    ['with a percentage', budget('minAvailable: 50%, maxUnavailable: null')],
    ['with a name that no other kind can have', budget('maxUnavailable: 1', 'name: A_B, namespace: shop')],
    ['with a status', `${budget('maxUnavailable: 1')}status: { disruptionsAllowed: 1 }\n`],
    [
      'with each field of a status',
      `${budget('maxUnavailable: 1')}status:
  { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptedPods: { a: "2026-01-31T08:00:00Z" },
    conditions: [{ type: a, status: "True", observedGeneration: 1, lastTransitionTime: "2026-01-31T08:00:00Z", reason: a, message: "" }] }
`,
    ],
  ])('one that it accepts is: %s', async (_, accepted) => {
    expect(await refusalsOf([WEB, accepted], '', 'requireBudget: true\n')).toEqual([]);
  });
});

describe('a workload whose limits the API server refuses violates each policy, whatever suppresses that finding', () => {
  const annotated = WEB.replace(/strategy: .*/, 'strategy: {}').replace(
    'shop }',
    'shop, annotations: { rolloutkit/ignore: "kubernetes/invalid-strategy: a; kubernetes/quoted-integer: a; input/wrong-type: a" } }',
  );

  test.each<[what: string, text: string]>([
    ['replicas in quotes', annotated.replace('replicas: 3', "replicas: '3'")],
    ['negative replicas', annotated.replace('replicas: 3', 'replicas: -1')],
    ['replicas that are no number', annotated.replace('replicas: 3', 'replicas: {}')],
    ['a type that is no text', annotated.replace('strategy: {}', 'strategy: { type: 1 }')],
    ['a maxSurge in quotes', annotated.replace('strategy: {}', "strategy: { rollingUpdate: { maxSurge: '1' } }")],
    [
      'replicas in quotes, and another text that Flux fills in',
      annotated.replace('replicas: 3', "replicas: '3'").replace('strategy: {}', "strategy: { containers: [{ command: ['${A}'] }] }"),
    ],
    ['a maxUnavailable that is no percentage', annotated.replace('strategy: {}', 'strategy: { rollingUpdate: { maxUnavailable: x% } }')],
  ])('%s', async (_, text) => {
    for (const policy of ['requireReadinessProbe: true\n', 'requireBudget: true\n', POLICY, 'strategies: [RollingUpdate]\n'])
      expect(await refusalsOf([text], '', policy)).toEqual(['apps/0.yaml']);
    for (const policy of ['requireReadinessProbe: false\n', 'requireEviction: true\n'])
      expect(await refusalsOf([text], '', policy)).toEqual([]);
  });
});

test('a budget that Flux applies, whatever its annotations say about how, is one that a policy requires', async () => {
  const budget = (annotations: string) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop, annotations: { ${annotations} } }\nspec: { maxUnavailable: 1, selector: {} }\n`;
  const check = (annotations: string) => refusalsOf([WEB, budget(annotations)], '', 'requireBudget: true\n');

  expect(await check('kustomize.toolkit.fluxcd.io/ssa: Merge')).toEqual([]);
  expect(await check('kustomize.toolkit.fluxcd.io/reconcile: enabled')).toEqual([]);
});

test('a budget with the owner of its workload, as an operator creates it, is one that a policy requires', async () => {
  const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, uid: b, controller: true }] }
spec: { maxUnavailable: 1, selector: {} }
`;

  expect(await refusalsOf([OWNED, budget], '', 'requireBudget: true\n')).toEqual([]);
  for (const other of [
    OWNED.replace('kind: ConfigMap', 'kind: Nope'),
    OWNED.replace('[{ apiV', '[{ apiVersion: v1, kind: Secret, name: a, uid: c }, { apiV'),
  ])
    expect(await refusalsOf([other, budget], '', 'requireBudget: true\n')).toEqual(['apps/0.yaml']);
});

describe('in a change, an old violation does not hide a new one', () => {
  const budget = (name: string) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name}, namespace: shop }\nspec: { maxUnavailable: 0, selector: {} }\n`;
  const checkChange = async (next: Readonly<Record<string, string>>) => {
    const files = { 'policy.yaml': 'requireEviction: true\n', 'old/a.yaml': budget('a'), ...next };
    const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml --from old new --format json', { files });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly source: { readonly file: string } }[] };
    return [exitCode, findings.map(({ source }) => source.file)];
  };

  test('the old one alone does not count', async () => {
    expect(await checkChange({ 'new/a.yaml': budget('a') })).toEqual([0, []]);
  });

  test.each<[what: string, next: Readonly<Record<string, string>>, file: string]>([
    ['of another object', { 'new/a.yaml': budget('a'), 'new/b.yaml': budget('b') }, 'new/b.yaml'],
    ['of an object before it in the same file', { 'new/a.yaml': `${budget('b')}---\n${budget('a')}` }, 'new/a.yaml'],
    ['that replaces it', { 'new/b.yaml': budget('b') }, 'new/b.yaml'],
    [
      'of the same object, which selects other pods',
      { 'new/a.yaml': budget('a').replace('{}', '{ matchLabels: { app: a } }') },
      'new/a.yaml',
    ],
  ])('%s', async (_, next, file) => {
    expect(await checkChange(next)).toEqual([1, [file]]);
  });
});

test('in a change, no annotation that makes a tool leave an object as it is hides that it violates the guardrails more', async () => {
  const left = WEB.replace('shop }', 'shop, annotations: { kustomize.toolkit.fluxcd.io/reconcile: disabled } }');
  const files = {
    'policy.yaml': 'neverBelow: { available: 3 }\n',
    'old/a.yaml': left.replace('100%', '1'),
    'same/a.yaml': left.replace('100%', '1'),
    'worse/a.yaml': left.replace('100%', '2'),
  };
  const check = async (next: string) => {
    const command = `check --policy policy.yaml --require-planned --apply flux --from old ${next}`;
    const { exitCode, stdout } = await rolloutkit(command, { files });
    return [exitCode, stdout.includes('guardrails/refused')];
  };
  expect([await check('same'), await check('worse')]).toEqual([
    [0, false],
    [1, true],
  ]);
});

test.each<[what: string, policy: string, refused: string, permitted: string]>([
  ['a workload', 'neverBelow: { available: 3 }\n', WEB, WEB.replace('100%', '0')],
  [
    'a budget',
    'requireEviction: true\n',
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { maxUnavailable: 0, selector: {} }\n',
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { maxUnavailable: 1, selector: {} }\n',
  ],
])('nor, in %s, if OLD has the same violation in a copy that NEW deletes', async (_, policy, refused, permitted) => {
  const left = (text: string) => text.replace('shop }', 'shop, annotations: { kustomize.toolkit.fluxcd.io/ssa: IfNotPresent } }');
  const files = { 'policy.yaml': policy, 'old/a/web.yaml': refused, 'old/b/web.yaml': left(permitted), 'new/b/web.yaml': left(refused) };
  const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml --require-planned --apply flux --from old new', { files });
  expect([exitCode, stdout.includes('guardrails/refused')]).toEqual([1, true]);
});

test.each(['\n', ''])('nor does an object after it, with %j between them', async (separator) => {
  const list = (app: string) =>
    `{ "apiVersion": "v1", "kind": "List", "items": [{ "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "web" }, "spec": { "maxUnavailable": 0, "selector": { "matchLabels": { "app": "${app}" } } } },${separator}{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "c" } }] }`;
  const files = { 'policy.yaml': 'requireEviction: true\n', 'old/a.json': list('one'), 'new/a.json': list('two') };
  const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml --require-planned --from old new', { files });
  expect([exitCode, stdout.includes('guardrails/refused')]).toEqual([1, true]);
});

test('nor does an alias, whose value is at the place of another object', async () => {
  const list = (label: string) => `apiVersion: v1
kind: List
items:
- { apiVersion: example.com/v1, kind: Foo, metadata: { name: f }, spec: &s { maxUnavailable: 0, selector: { matchLabels: { app: one } } } }
- { apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: web, labels: { v: ${label} } }, spec: *s }
`;
  const files = { 'policy.yaml': 'requireEviction: true\n', 'old/a.yaml': list('one'), 'new/a.yaml': list('two') };
  const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml --from old new', { files });
  expect([exitCode, stdout.includes('guardrails/refused')]).toEqual([1, true]);
});

test.each(['dev', 'test'])(
  'nor does the violation of a copy, whose folder dev is %s in NEW, whose own copy has none in OLD',
  async (folder) => {
    const web = (app: string) => WEB.replaceAll('app: web', `app: ${app}`);
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: prod } } }\n';
    const files = {
      'policy.yaml': 'requireBudget: true\n',
      'old/prod/web.yaml': web('prod'),
      'old/prod/pdb.yaml': budget,
      'old/dev/web.yaml': web('dev'),
      'new/prod/web.yaml': web('prod'),
      [`new/${folder}/web.yaml`]: web('dev'),
    };
    const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml --require-planned --from old new', { files });
    expect([exitCode, stdout.match(/new\/\S+web\.yaml/g)]).toEqual([1, ['new/prod/web.yaml']]);
  },
);

test('evaluating the guardrails has the seconds of the budget', () => {
  const object: Manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: {} };
  const { findings } = applyGuardrailPolicy(planManifests([]), { objects: [object] }, { requireReadinessProbe: true }, { seconds: 1e-9 });
  expect(findings.map(({ messageId }) => messageId)).toEqual(['overBudget']);
});

test.each(['5', '{ a: b }'])(
  'a budget with the namespace %s, which kubectl replaces with its own, is in no namespace that a policy leaves out',
  async (value) => {
    const metadata = `{ name: web, namespace: ${value}, annotations: { rolloutkit/ignore: 'input/wrong-type: x' } }`;
    const budget = `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: ${metadata}\nspec: { maxUnavailable: 0, selector: { matchLabels: { app: web } } }\n`;
    expect(await refusalsOf([budget], '', 'requireEviction: true\nmatch: { namespaces: [default] }\n')).toEqual(['apps/0.yaml']);
  },
);

describe('a namespace that files around an object set takes it out of no policy', () => {
  const MATCH = `${POLICY}match: { namespaces: [prod] }\n`;
  const EXCEPTION = `${POLICY}exceptions: [{ namespaces: [sandbox], reason: tests }]\n`;
  const web = (namespace: string) => WEB.replace(', namespace: shop', namespace);
  const kustomization = (namespace: string, resources: string) => `${namespace}resources: [${resources}]\n`;
  const flux = (path: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a }\nspec: { path: ${path}, targetNamespace: prod }\n`;
  const application = (path: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { path: ${path} }, destination: { namespace: prod } }\n`;
  const applicationSet = (path: string, namespace: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: a }\nspec: { template: { spec: { source: { path: ${path} }, destination: { namespace: '${namespace}' } } } }\n`;
  const OVERLAYS = {
    'in/base/kustomization.yaml': kustomization('', 'web.yaml'),
    'in/overlays/dev/kustomization.yaml': kustomization('namespace: dev\n', '../../base'),
    'in/overlays/prod/kustomization.yaml': kustomization('namespace: prod\n', '../../base/'),
  };

  async function countRefusals(policy: string, files: Readonly<Record<string, string>>): Promise<number> {
    const { stdout } = await rolloutkit('check in --policy policy.yaml --format json', { files: { 'policy.yaml': policy, ...files } });
    return stdout.split('"code": "guardrails/refused"').length - 1;
  }

  test.each<[what: string, policy: string, namespace: string, files: Readonly<Record<string, string>>, refusals: number]>([
    ['no file', MATCH, '', {}, 0],
    ['a kustomization', MATCH, '', { 'in/base/kustomization.yaml': kustomization('namespace: prod\n', 'web.yaml') }, 1],
    ['a kustomization, from another namespace', MATCH, ', namespace: prod', OVERLAYS, 1],
    ['one of several overlays', MATCH, '', OVERLAYS, 1],
    ['a kustomization, from an exception', EXCEPTION, ', namespace: sandbox', OVERLAYS, 1],
    ['no file, in an exception', EXCEPTION, ', namespace: sandbox', {}, 0],
    [
      'a kustomization with an empty namespace, in an exception',
      EXCEPTION,
      ', namespace: sandbox',
      { 'in/base/kustomization.yaml': kustomization("namespace: ''\n", 'web.yaml') },
      0,
    ],
    ['a Kustomization of Flux', MATCH, '', { 'in/flux.yaml': flux('./base') }, 1],
    ['a Kustomization of Flux, from an exception', EXCEPTION, ', namespace: sandbox', { 'in/flux.yaml': flux('base') }, 1],
    ['a Kustomization of Flux, for another folder', MATCH, '', { 'in/flux.yaml': flux('./other') }, 0],
    ['one of two Kustomizations of Flux', MATCH, '', { 'in/flux.yaml': `${flux('base').replace('prod', 'dev')}---\n${flux('base')}` }, 1],
    ['a Kustomization of Flux, by a detour', EXCEPTION, ', namespace: sandbox', { 'in/flux.yaml': flux('./in/x/../base') }, 1],
    ['an Application, by a detour', MATCH, '', { 'in/app.yaml': application('x/y/../../base') }, 1],
    ['an ApplicationSet that fills in the namespace', MATCH, '', { 'in/app.yaml': applicationSet('base', 'pr{{ns}}') }, 1],
    ['an ApplicationSet that fills in all', MATCH, '', { 'in/app.yaml': applicationSet("'{{path}}'", '{{ns}}') }, 1],
    ['an ApplicationSet for another folder', MATCH, '', { 'in/app.yaml': applicationSet('other', '{{ns}}') }, 0],
    [
      'an ApplicationSet, which keeps a namespace',
      EXCEPTION,
      ', namespace: sandbox',
      { 'in/app.yaml': applicationSet('base', '{{ns}}') },
      0,
    ],
    ['an Application', MATCH, '', { 'in/app.yaml': application('base') }, 1],
    ['an Application, which keeps a namespace', EXCEPTION, ', namespace: sandbox', { 'in/app.yaml': application('base') }, 0],
    ['a fleet.yaml', MATCH, '', { 'in/fleet.yaml': 'defaultNamespace: prod\n' }, 1],
    [
      'a fleet.yaml around another one',
      MATCH,
      '',
      {
        'in/fleet.yaml': 'namespace: prod\n',
        'in/kustomization.yaml': 'resources: [base/web.yaml]\n',
        'in/base/fleet.yaml': 'namespace: other\n',
      },
      1,
    ],
    ['a fleet.yaml, for some clusters', MATCH, '', { 'in/fleet.yaml': 'targetCustomizations: [{ name: a, namespace: prod }]\n' }, 1],
    [
      'a kustomization that includes itself',
      MATCH,
      '',
      { 'in/base/kustomization.yaml': kustomization('namespace: prod\n', 'web.yaml, .') },
      1,
    ],
  ])('%s', async (_, policy, namespace, files, refusals) => {
    expect(await countRefusals(policy, { ...files, 'in/base/web.yaml': web(namespace) })).toBe(refusals);
  });
});
