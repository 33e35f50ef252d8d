import { rolloutkit } from './command-line';

const POLICY = 'neverBelow: { available: 50% }\n';
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 100% } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
/** A tree with a Deployment that kustomize would build otherwise, one that cannot be read, and one that the policy refuses. */
const TREE = {
  'policy.yaml': POLICY,
  'in/kustomization.yaml': 'resources: [../base, web.yaml, broken.yaml]\npatches: [{path: patch.yaml}]\n',
  'in/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0}\n',
  'in/broken.yaml': 'apiVersion: apps/v1\nkind: [\n',
  'in/web.yaml': WEB,
};

/** Returns the findings that are not suppressed. */
async function check(args: string, files: Readonly<Record<string, string>> = {}) {
  const { exitCode, stdout } = await rolloutkit(`check ${args} --format json in`, { files: { ...TREE, ...files } });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string; readonly suppressed?: object }[] };
  return { exitCode, codes: [...new Set(findings.filter(({ suppressed }) => !suppressed).map(({ code }) => code))].toSorted() };
}

/** A baseline in which a pull request lists what it wants to hide. */
const BASELINE = JSON.stringify({
  formatVersion: '1.2',
  findings: [
    { code: 'input/kustomization', file: 'in/kustomization.yaml' },
    { code: 'input/not-read', file: 'in/patch.yaml' },
    { code: 'input/unreadable', file: 'in/broken.yaml' },
    { code: 'guardrails/refused', file: 'in/web.yaml', resource: 'Deployment/web' },
    { code: 'kubernetes/outage', file: 'in/web.yaml', resource: 'Deployment/web' },
  ].map((entry) => ({ ...entry, messageId: 'omittedFindings', path: '', count: 100 })),
});

test('a baseline of the tree hides nothing that is not planned under --policy and --require-planned, and no guardrail', async () => {
  const files = { 'base.json': BASELINE };
  const all = ['guardrails/refused', 'input/kustomization', 'input/not-read', 'input/unreadable'];
  expect(await check('--policy policy.yaml --baseline base.json', files)).toEqual({ exitCode: 1, codes: all });
  expect(await check('--require-planned --baseline base.json', files)).toEqual({ exitCode: 1, codes: all.slice(1) });
  // Without them, it can hide everything.
  expect(await check('--baseline base.json', files)).toEqual({ exitCode: 0, codes: [] });
});

test.each([
  ['extensions/v1beta1', 'kubernetes/removed-api'],
  ['v1', 'kubernetes/unknown-kind'],
])('neither a baseline nor a configuration of the tree hides that an object of %s is not planned', async (apiVersion, code) => {
  const entry = { code, messageId: 'omittedFindings', path: '', count: 100, file: 'in/web.yaml', resource: 'Deployment//web' };
  const run = async (args: string, more: Readonly<Record<string, string>> = {}) =>
    await rolloutkit(`check ${args} in`, {
      files: { 'in/web.yaml': WEB.replace('apps/v1', apiVersion), 'in/rolloutkit.yaml': `rules: { ${code}: off }\n`, ...more },
    });
  expect(await run('')).toMatchObject({ exitCode: 0 });
  expect(await run('--require-planned')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`error  ${code}`) });
  const written = await run('--no-config --require-planned --write-baseline base.json');
  expect(written).toMatchObject({ exitCode: 1 });
  const files = { 'base.json': JSON.stringify({ formatVersion: '1.2', findings: [entry] }) };
  expect(await run('--no-config --require-planned --baseline base.json', files)).toMatchObject({ exitCode: 1 });
});

test('an annotation of an object hides no guardrail, and not that the object is not planned', async () => {
  const ignore = ['guardrails/refused', 'input/unreadable', 'input/not-read', 'kubernetes/outage']
    .map((code) => `${code}: we know`)
    .join('; ');
  const annotated = (text: string) => text.replace('{ name: web }', `{ name: web, annotations: { rolloutkit/ignore: "${ignore}" } }`);
  const large = `${annotated(WEB)}# \n`.replace('image: web:1', `image: web:1, command: ["${'x'.repeat(3_200_000)}"]`);
  const { exitCode, codes } = await check('--policy policy.yaml', { 'in/web.yaml': annotated(WEB), 'in/broken.yaml': large });
  expect(codes).toEqual(['guardrails/refused', 'input/kustomization', 'input/not-read', 'input/unreadable']);
  expect(exitCode).toBe(1);
});

test.each([
  ['kubernetes/invalid-workload', '{ name: web, image: web:1 }', '{ name: web, image: web:1 }, { name: web, image: web:2 }'],
  ['kubernetes/invalid-strategy', 'maxUnavailable: 100%', 'maxUnavailable: 0'],
  ['input/wrong-type', 'replicas: 2', 'replicas: {}'],
])('an annotation of a workload does not hide that it is not planned because of %s', async (code, valid, invalid) => {
  const text = WEB.replace('{ name: web }', `{ name: web, annotations: { rolloutkit/ignore: "${code}: we know" } }`);
  const files = { 'in/web.yaml': text.replace(valid, invalid) };
  const errors = { exitCode: 1, stdout: expect.stringMatching(`error  ${code}`) };

  expect(await rolloutkit('check in', { files })).toMatchObject({ exitCode: 0 });
  expect(await rolloutkit('check in --require-planned', { files })).toMatchObject(errors);
  expect(
    await rolloutkit('check in --policy policy.yaml', { files: { ...files, 'policy.yaml': 'requireEviction: true\n' } }),
  ).toMatchObject(errors);
});

test('no annotation, no baseline and no state of OLD hides a number for which kubectl applies nothing of a file', async () => {
  const widget = `apiVersion: example.com/v1
kind: Widget
metadata: { name: a, annotations: { rolloutkit/ignore: 'input/wrong-type: no' } }
spec: { size: .inf }
`;
  const entry = { code: 'input/wrong-type', messageId: 'omittedFindings', path: '', count: 100, file: 'in/widget.yaml' };
  const files = {
    'in/widget.yaml': widget,
    'old/widget.yaml': widget,
    'base.json': JSON.stringify({ formatVersion: '1.2', findings: [entry] }),
    'policy.yaml': POLICY,
  };
  for (const args of ['', '--baseline base.json', '--from old']) {
    const { exitCode, stdout } = await rolloutkit(`check --policy policy.yaml ${args} in`, { files });
    expect([args, exitCode, stdout.includes('error  input/wrong-type')]).toEqual([args, 1, true]);
  }
});

test('a comment hides nothing', async () => {
  const comments = ['# rolloutkit/ignore: kubernetes/outage', '# rolloutkit:ignore', '# rolloutkit-disable', '# noqa'].join('\n');
  expect((await check('', { 'in/web.yaml': `${comments}\n${WEB}` })).codes).toContain('kubernetes/outage');
});

test.each([
  [
    'an Application that alters its objects',
    'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec: { source: { path: in, kustomize: { replicas: [{ name: web, count: 0 }] } } }\n',
    'input/kustomization',
  ],
  [
    'an object that kustomize renames',
    WEB.replace('{ name: web }', '{ name: web, annotations: { internal.config.kubernetes.io/needsHashSuffix: enabled } }'),
    'input/kustomization',
  ],
])('an annotation does not hide %s, if the input may set nothing aside', async (_, text, code) => {
  const ignore = `rolloutkit/ignore: "${code}: we know"`;
  const annotated = text.includes('annotations: {')
    ? text.replace('annotations: {', `annotations: { ${ignore},`)
    : text.replace('{ name: web }', `{ name: web, annotations: { ${ignore} } }`);
  for (const option of ['--policy policy.yaml', '--require-planned']) {
    const { stdout } = await rolloutkit(`check ${option} --format json in`, { files: { 'policy.yaml': POLICY, 'in/a.yaml': annotated } });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string; readonly suppressed?: object }[] };
    expect(findings.filter((finding) => finding.code === code).map(({ suppressed }) => suppressed)).toEqual([undefined]);
  }
});

test.each([
  ['kubernetes/invalid-strategy', 'minReadySeconds: -1'],
  ['kubernetes/invalid-workload', 'selector: { matchLabels: { app: shop } }'],
  ['input/unknown-field', 'replica: 3'],
  ['kubernetes/quoted-integer', 'progressDeadlineSeconds: "300"'],
])('an annotation that suppresses %s does not hide that the change is refused', async (code, field) => {
  const refused = WEB.replace(/ {2}selector.*\n/, field.startsWith('selector') ? '' : '$&').replace('spec:\n', `spec:\n  ${field}\n`);
  const annotated = refused.replace('{ name: web }', `{ name: web, annotations: { rolloutkit/ignore: "${code}: we know" } }`);
  const found = async (next: string) => {
    const { exitCode, stdout } = await rolloutkit('check --from old new --format json', {
      files: { 'old/a.yaml': WEB, 'new/a.yaml': next },
    });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { code: string; severity: string; suppressed?: object }[] };
    return [exitCode, findings.flatMap((one) => (one.severity === 'error' && !one.suppressed ? [one.code] : []))];
  };
  expect(await found(refused)).toEqual([1, [code]]);
  expect(await found(annotated)).toEqual([1, ['change/refused']]);
});

describe('no annotation that makes a tool leave a changed object as it is hides that the object is not planned', () => {
  const webhook = (timeoutSeconds: number, annotations: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: a, annotations: { ${annotations} } }
webhooks:
  - name: a.b.c
    timeoutSeconds: ${timeoutSeconds}
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { url: "https://example.com" }
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }]
`;
  const job = (parallelism: number, annotations: string) => `apiVersion: batch/v1
kind: Job
metadata: { name: a, annotations: { ${annotations} } }
spec: { parallelism: ${parallelism}, template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } }
`;
  const FORCE = 'kustomize.toolkit.fluxcd.io/force: disabled';

  test.each([
    ['nothing', ''],
    ['reconcile', `${FORCE}, kustomize.toolkit.fluxcd.io/reconcile: disabled`],
    ['ssa', `${FORCE}, kustomize.toolkit.fluxcd.io/ssa: IfNotPresent`],
    ['local-config', `${FORCE}, config.kubernetes.io/local-config: "true"`],
  ])('with %s', async (_, annotations) => {
    const checkChange = async (write: typeof job, old: string, apply: string) => {
      const files = { 'old/web.yaml': WEB, 'old/a.yaml': write(1, old), 'new/web.yaml': WEB, 'new/a.yaml': write(2, annotations) };
      const { exitCode, stdout } = await rolloutkit(`check --no-config --require-planned ${apply} --from old new`, { files });
      return [exitCode, /^not planned: .*$/m.exec(stdout)?.[0]];
    };
    for (const [old, apply] of [
      ['', ''],
      ['', '--apply flux'],
      [annotations, '--apply flux'],
    ] as const) {
      expect(await checkChange(webhook, old, apply)).toEqual([
        1,
        'not planned: 1 MutatingWebhookConfiguration (admissionregistration.k8s.io)',
      ]);
      expect(await checkChange(job, old, apply)).toEqual([1, 'not planned: 1 Job (batch)']);
    }
  });
});

test.each([
  ['', ''],
  ['kustomize.toolkit.fluxcd.io/force: disabled, kustomize.toolkit.fluxcd.io/reconcile: disabled', ''],
  ['kustomize.toolkit.fluxcd.io/reconcile: disabled', '--apply flux'],
  ['argocd.argoproj.io/sync-options: "Replace=true,Force=true"', ''],
  ['argocd.argoproj.io/hook: PreSync', ''],
  ['helm.sh/hook: test', ''],
])('no annotation of a kustomization, such as %j with %j, hides that its namespace changes', async (annotations, apply) => {
  const files = {
    'old/web.yaml': WEB,
    'old/kustomization.yaml': 'resources: [web.yaml]\n',
    'new/web.yaml': WEB,
    'new/kustomization.yaml': `namespace: q\nresources: [web.yaml]\nmetadata: { annotations: { ${annotations} } }\n`,
  };
  const { exitCode, stdout } = await rolloutkit(`check --no-config --require-planned ${apply} --from old new`, { files });
  expect([exitCode, /^not planned: .*$/m.exec(stdout)?.[0]]).toEqual([1, 'not planned: 1 Kustomization (kustomize.config.k8s.io)']);
});

test.each(['', 'argocd.argoproj.io/hook: Skip', 'argocd.argoproj.io/hook: PreSync', 'argocd.argoproj.io/hook: PostDelete'])(
  'no options with which Argo CD refuses an object, and no hook such as %j, hide a change of an unknown kind',
  async (hook) => {
    const job = (replicas: number, annotations: string) =>
      `apiVersion: keda.sh/v1alpha1\nkind: ScaledJob\nmetadata: { name: a, annotations: { ${annotations} } }\nspec: { replicas: ${replicas} }\n`;
    const annotations = `argocd.argoproj.io/sync-options: "ServerSideApply=true,Force=true", ${hook}`;
    const files = { 'old/web.yaml': WEB, 'old/a.yaml': job(1, ''), 'new/web.yaml': WEB, 'new/a.yaml': job(2, annotations) };
    const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned --from old new', { files });
    expect([exitCode, /^not planned: .*$/m.exec(stdout)?.[0]]).toEqual([1, hook === '' ? undefined : 'not planned: 1 ScaledJob (keda.sh)']);
  },
);

test('a plan document of OLD hides nothing that is not planned either, also where the target branch has the same kustomization', async () => {
  const { stdout } = await rolloutkit('plan --policy policy.yaml --format json in', { files: TREE });
  const { codes, exitCode } = await check('--policy policy.yaml --from plan.json', { 'plan.json': stdout });
  expect([exitCode, codes.filter((code) => code.startsWith('input/'))]).toEqual([
    1,
    ['input/kustomization', 'input/not-read', 'input/unreadable'],
  ]);
});
