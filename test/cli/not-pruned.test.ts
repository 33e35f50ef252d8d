import { rolloutkit } from './command-line';

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
const config = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n`;

/** Plans a change in which NEW lacks an object, and returns the findings about objects that are not pruned. */
async function planWithout(files: Readonly<Record<string, string>>, options = ''): Promise<string[]> {
  const { stdout } = await rolloutkit(`plan --from old new ${options} --format json`, { files });
  const { findings } = JSON.parse(stdout) as {
    findings: readonly { code: string; messageId: string; severity: string; message: string }[];
  };
  return findings
    .filter(({ code, messageId }) => code === 'change/incomplete-information' && messageId === 'not-pruned')
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const IN_CHART = {
  'old/Chart.yaml': CHART,
  'old/templates/a.yaml': config('a'),
  'old/templates/b.yaml': config('b'),
  'new/Chart.yaml': CHART,
  'new/templates/a.yaml': config('a'),
};

describe('an object that NEW lacks and that its tool deletes', () => {
  test('is a warning if the plan keeps it, in a chart and in the folder of a bundle', async () => {
    expect(await planWithout(IN_CHART)).toEqual(['warning: NEW lacks ConfigMap shop/b, which Helm then deletes. This plan keeps it.']);
    const inBundle = {
      'old/fleet.yaml': '',
      'new/fleet.yaml': '',
      'old/a.yaml': `${config('a')}---\n${config('b')}`,
      'new/c.yaml': config('c'),
    };
    expect(await planWithout(inBundle)).toEqual([
      'warning: NEW lacks 2 objects of OLD, such as ConfigMap shop/a, which Fleet then deletes. This plan keeps them.',
    ]);
  });

  test('is a warning if Helm does not render its file any longer', async () => {
    expect(await planWithout({ ...IN_CHART, 'new/templates/_b.yaml': config('b') })).toHaveLength(1);
  });

  test('is a warning if an object in view makes Flux or Argo CD delete it', async () => {
    const files = { 'old/apps/a.yaml': config('a'), 'old/apps/b.yaml': config('b'), 'new/apps/a.yaml': config('a') };
    const flux = (spec: string) =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: k }\nspec: { path: ./apps${spec} }\n`;
    const argo = (policy: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: k }\nspec: { source: { path: apps }, syncPolicy: ${policy} }\n`;
    const planWith = async (tool: string, options = '') => planWithout({ ...files, 'old/k.yaml': tool, 'new/k.yaml': tool }, options);
    expect(await planWith(flux(', prune: true'))).toEqual([
      'warning: NEW lacks ConfigMap shop/b, which Flux then deletes. This plan keeps it.',
    ]);
    expect(await planWith(argo('{ automated: { prune: true } }'))).toEqual([
      'warning: NEW lacks ConfigMap shop/b, which Argo CD then deletes. This plan keeps it.',
    ]);
    expect(await planWith(argo('{ automated: { prune: true }, syncOptions: [Delete=false] }'))).toHaveLength(1);
    expect([
      await planWith(flux('')),
      await planWith(argo('{ automated: {} }')),
      await planWith(argo('{ automated: { prune: true }, syncOptions: [Prune=false] }')),
      await planWith(flux('/other, prune: true')),
      await planWith(flux(', prune: true'), '--apply client'),
      await planWith(flux(', prune: true'), '--prune'),
    ]).toEqual([[], [], [], [], [], []]);
  });

  test('is a warning although a file elsewhere is not read as it is applied', async () => {
    const inChart = Object.fromEntries(Object.entries(IN_CHART).map(([file, text]) => [file.replace('/', '/web/'), text]));
    const patched = 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n';
    expect(await planWithout({ ...inChart, 'new/other/kustomization.yaml': patched, 'new/other/a.yaml': config('c') })).toHaveLength(1);
    expect(await planWithout({ ...inChart, 'new/other/Chart.yaml': CHART, 'new/other/templates/a.yaml': 'a: {{ b }}\n' })).toHaveLength(1);
    expect(await planWithout({ ...inChart, 'new/.c.yaml': config('c') })).toHaveLength(1);
    expect(await planWithout({ ...inChart, 'new/web/templates/b.yaml': 'a: {{ b }}\n' })).toEqual([]);
  });

  test('is a warning if the user names such a tool', async () => {
    const files = { 'old/a.yaml': `${config('a')}---\n${config('b')}`, 'new/a.yaml': config('a') };
    expect([await planWithout(files, '--apply helm'), await planWithout(files), await planWithout(files, '--apply client')]).toEqual([
      ['warning: NEW lacks ConfigMap shop/b, which Helm then deletes. This plan keeps it.'],
      [],
      [],
    ]);
  });

  test.each<readonly [why: string, files: Readonly<Record<string, string>>, options: string]>([
    ['it is pruned', {}, '--prune'],
    [
      'an annotation keeps it',
      { 'old/templates/b.yaml': config('b').replace('name: b', 'name: b, annotations: { helm.sh/resource-policy: keep }') },
      '',
    ],
    ['a template may contain it', { 'new/templates/b.yaml': '{{ if .Values.b }}\na: b\n{{ end }}\n' }, ''],
  ])('is none if %s', async (_, files, options) => {
    expect(await planWithout({ ...IN_CHART, ...files }, options)).toEqual([]);
  });
});

describe('an object that Argo CD prunes only once a user confirms it', () => {
  /** Prunes a ConfigMap with sync options, and returns the findings about a confirmation. */
  async function prune(options: string, application: string, command = '--prune'): Promise<string[]> {
    const files = {
      'old/apps/a.yaml': config('a'),
      'old/apps/b.yaml': config('b').replace('name: b', `name: b, annotations: { argocd.argoproj.io/sync-options: "${options}" }`),
      'new/apps/a.yaml': config('a'),
    };
    const text = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: k }\nspec: { source: { path: apps }, syncPolicy: { syncOptions: [${application}] } }\n`;
    const { stdout } = await rolloutkit(`plan --from old new ${command} --format json`, {
      files: { ...files, 'old/k.yaml': text, 'new/k.yaml': text },
    });
    const { findings } = JSON.parse(stdout) as { findings: readonly { messageId: string; severity: string; message: string }[] };
    return findings.filter(({ messageId }) => messageId === 'confirmation').map(({ severity, message }) => `${severity}: ${message}`);
  }
  const found = [
    'warning: Argo CD deletes ConfigMap shop/b only once a user confirms it. Until then the sync waits and applies nothing of the same wave or a later one, which the plan does not show.',
  ];

  test.each<readonly [why: string, options: string, application: string, command: string, findings: readonly string[]]>([
    ['the object says so', 'PruneLast=true, Prune=confirm', '', '--prune', found],
    ['its Application does', '', 'Prune=confirm', '--prune', found],
    ['the user names Argo CD', 'Prune=confirm', '', '--prune --apply argocd', found],
    ['but not if another tool applies it', 'Prune=confirm', '', '--prune --apply client', []],
    ['but not if the object overrides its Application', 'Prune=true', 'Prune=confirm', '--prune', []],
    ['but not for the deletion of the Application', 'Delete=confirm', '', '--prune', []],
    ['but not if the plan keeps it', 'Prune=confirm', '', '', []],
  ])('if %s', async (_, options, application, command, findings) => {
    expect(await prune(options, application, command)).toEqual(findings);
  });
});
