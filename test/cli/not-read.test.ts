import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { readLimited } from '../../src/input/read-limited';
import type { Finding } from '../../src/core/findings/finding';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';

// Most tests run the command several times.
jest.setTimeout(60_000);

/** A Deployment that the API server refuses, so that each run that reads it fails. */
const REFUSED = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: shop}\n';
const CHART = 'apiVersion: v2\nname: x\nversion: 0.1.0\n';
const POLICY = 'requireReadinessProbe: false\n';

/** Checks the folder `in`, and returns the exit code and the findings as `severity code file`. */
async function check(files: Setting['files'], args = '', prepare?: Setting['prepare']): Promise<{ exitCode: number; found: string[] }> {
  const { exitCode, stdout } = await rolloutkit(`check --format json ${args} in`, {
    files: { 'in/cm.yaml': CONFIG_MAP, 'policy.yaml': POLICY, ...files },
    ...(prepare && { prepare }),
  });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return { exitCode, found: findings.map(({ severity, code, source }) => `${severity} ${code} ${source?.file}`) };
}

const REFUSAL = (file: string) => `error kubernetes/invalid-strategy ${file}`;

describe('a folder cannot set a file aside if every file must be planned', () => {
  test.each<readonly [string, string, Setting['files'], string]>([
    ['values of a chart', 'in/values-web.yaml', { 'in/Chart.yaml': CHART }, REFUSED],
    ['values of chart-testing', 'in/ci/web.yaml', { 'in/Chart.yaml': CHART }, REFUSED],
    ['a template, in a comment', 'in/templates/web.yaml', { 'in/Chart.yaml': CHART }, `# {{ x }}\n${REFUSED}`],
    ['the expectation of a kuttl test', 'in/00-assert.yaml', {}, REFUSED],
    [
      'the expectation of a chainsaw test',
      'in/web.yaml',
      { 'in/chainsaw-test.yaml': 'spec: {steps: [{try: [{assert: {file: web.yaml}}]}]}' },
      REFUSED,
    ],
    [
      'a patch of a kustomization',
      'in/web.yaml',
      { 'in/kustomization.yaml': 'resources: [../base]\npatches: [{path: web.yaml}]\n' },
      REFUSED,
    ],
    ['hidden', 'in/.web/web.yaml', {}, REFUSED],
    ['the file of a package', 'in/node_modules/x/web.yaml', {}, REFUSED],
  ])('%s', async (_, file, others, text) => {
    const files = { ...others, [file]: text };
    const trusting = await check(files);
    expect(trusting).toMatchObject({ exitCode: 0, found: expect.arrayContaining([`info input/not-read ${file}`]) });
    expect(trusting.found).not.toContain(REFUSAL(file));
    expect(await check(files, '--require-planned')).toMatchObject({ exitCode: 1, found: expect.arrayContaining([REFUSAL(file)]) });
    expect(await check(files, '--policy policy.yaml')).toMatchObject({ exitCode: 1, found: expect.arrayContaining([REFUSAL(file)]) });
  });

  test.each<readonly [string, string, Setting['files']]>([
    ['values of a chart', 'in/values-web.yaml', { 'in/Chart.yaml': CHART }],
    ['the expectation of a kuttl test', 'in/00-assert.yaml', {}],
    ['hidden', 'in/.web/web.yaml', {}],
  ])('%s is planned if it is named as a PATH, as the advice says', async (_, file, others) => {
    const { exitCode, stdout } = await rolloutkit(`check --format json ${file}`, { files: { ...others, [file]: REFUSED } });
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
    expect([exitCode, findings.map(({ code }) => code)]).toEqual([1, ['kubernetes/invalid-strategy']]);
  });

  test.each([
    ['items without a kind', 'items:\n- {apiVersion: apps/v1, kind: Deployment}\n', 'it has no apiVersion and no kind'],
    [
      'items, and a kind that is not text',
      'apiVersion: x/v1\nkind: Y\nitems: [{apiVersion: apps/v1, kind: Deployment}]\n',
      'it has no kind',
    ],
  ])('%s cannot be planned, and kubectl refuses them too', async (_, text, reason) => {
    expect(await check({ 'in/web.yaml': text })).toEqual({ exitCode: 1, found: ['error input/unreadable in/web.yaml'] });
    const { stdout } = await rolloutkit('check in', { files: { 'in/cm.yaml': CONFIG_MAP, 'in/web.yaml': text } });
    expect(stdout).toContain(reason);
  });

  test('a template of ytt', async () => {
    const files = { 'in/web.yaml': `#@ x\n${REFUSED}` };
    expect(await check(files)).toEqual({ exitCode: 0, found: ['info input/template in/web.yaml'] });
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: [REFUSAL('in/web.yaml')] });
  });

  test.each([
    ['in/web.yaml', {}, 'input/template in/web.yaml'],
    ['in/templates/web.yaml', { 'in/Chart.yaml': CHART }, 'input/helm-template in/Chart.yaml'],
  ])('a template that is not YAML cannot be planned, so it is an error: %s', async (file, others, found) => {
    const files = { ...others, [file]: `{{ if .Values.on }}\n${REFUSED}{{ end }}\n` };
    expect(await check(files)).toEqual({ exitCode: 0, found: [`info ${found}`] });
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check(files, option)).toEqual({ exitCode: 1, found: [`error ${found}`] });
  });

  test.each([
    ['around an object', `# {{ if false }}\n${REFUSED.replace('maxSurge: 0', 'maxSurge: 1')}# {{ end }}\n`],
    ['in a field', `${REFUSED.replace('maxSurge: 0', 'maxSurge: 1')} # {{ "\\n  replicas: 0" }}\n`],
    ['and nothing else', '# {{ include "web" . }}\n'],
  ])('actions of Helm in comments, which YAML does not show, are an error: %s', async (_, text) => {
    const files = { 'in/Chart.yaml': CHART, 'in/templates/web.yaml': text };
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check(files, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining(['error input/helm-template in/Chart.yaml']),
      });
  });

  test.each([
    ['after ...', `${CONFIG_MAP}...\n${REFUSED}`],
    ['after --- on a line that ends with CR', `${CONFIG_MAP.trim()}\r---\r${REFUSED}`],
    ['after ... in JSON', `${CONFIG_MAP}...\n${JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment' })}\n`],
  ])('an object that kubectl drops because its document has ended is named: %s', async (_, text) => {
    const files = { 'in/web.yaml': text };
    expect(await check(files)).toEqual({ exitCode: 0, found: ['warning input/not-read in/web.yaml'] });
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/not-read in/web.yaml'] });
  });

  test.each([['...\n# kind: Deployment\n'], ['...\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n...\n']])(
    'the end of a document without an object after it is no finding: %j',
    async (text) => {
      expect(await check({ 'in/web.yaml': CONFIG_MAP.replace('cm', 'a') + text }, '--require-planned')).toEqual({ exitCode: 0, found: [] });
    },
  );

  test('a real patch cannot be planned, so it is an error that names it', async () => {
    const files = {
      'in/kustomization.yaml': 'resources: [../base]\npatches: [{path: web.yaml}]\n',
      'in/web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0}\n',
    };
    const unbuilt = 'input/kustomization in/kustomization.yaml';
    expect(await check(files)).toEqual({ exitCode: 0, found: [`info ${unbuilt}`, 'info input/not-read in/web.yaml'] });
    expect(await check(files, '--require-planned')).toEqual({
      exitCode: 1,
      found: [`error ${unbuilt}`, 'error input/not-read in/web.yaml'],
    });
  });

  test.each<readonly [what: string, kustomization: string]>([
    [
      'a patch in itself',
      'resources: [web.yaml]\npatches: [{target: {kind: Deployment}, patch: "- {op: remove, path: /spec/replicas}"}]\n',
    ],
    ['replicas', 'resources: [web.yaml]\nreplicas: [{name: web, count: 0}]\n'],
    ['replicas, as a component that is deployed by itself', 'kind: Component\nresources: [web.yaml]\nreplicas: [{name: web, count: 0}]\n'],
    ['replicas, in the other case that Go reads', 'resources: [web.yaml]\nREPLICAS: [{name: web, count: 0}]\n'],
    ['replicas, with a letter that Go folds', 'resources: [web.yaml]\nreplica\u017F: [{name: web, count: 0}]\n'],
    ['labels for other fields', 'resources: [web.yaml]\nlabels: [{pairs: {type: Recreate}, fields: [{path: spec/strategy}]}]\n'],
    ['fields for its transformers', 'resources: [web.yaml]\nconfigurations: [fields.yaml]\nimages: [{name: a, newName: b}]\n'],
    ['a file that has not the name of a manifest', 'resources: [web.txt]\n'],
    ['a folder outside of the PATH', 'resources: [../base]\n'],
    ['a URL', 'resources: ["https://example.com/web.yaml"]\n'],
    ['a folder without a kustomization', 'namespace: shop\nresources: [base]\n'],
    ['a folder that changes objects', 'resources: [sub]\n'],
    ['a file that is missing', 'resources: [web.yaml]\n'],
    ['a file of another repository without a scheme', 'resources: ["git@example.com:a/web.yaml"]\n'],
    ['ConfigMaps that it generates', 'resources: [cm.yaml]\nconfigMapGenerator: [{name: a, literals: [a=b]}]\n'],
    ['a field that this version does not know', 'resources: [cm.yaml]\nvalidators: [a.yaml]\n'],
    ['an entry that is no text', 'resources: [{}]\n'],
    ['a field that it has twice', 'resources: [web.yaml]\nresources: [cm.yaml]\n'],
    ['nothing in it', ''],
    ['a component that includes files of elsewhere', 'kind: Component\nresources: [../base]\n'],
    ['a component that includes them in another case', 'kind: Component\nRESOURCES: ["https://example.com/web.yaml"]\n'],
  ])('a kustomization with %s builds other objects, which is then an error', async (_, kustomization) => {
    const files = { 'in/kustomization.yaml': kustomization, 'in/sub/kustomization.yaml': 'replicas: [{name: web, count: 0}]\n' };
    const finding = 'input/kustomization in/kustomization.yaml';
    expect(await check(files)).toMatchObject({ exitCode: 0, found: expect.arrayContaining([`info ${finding}`]) });
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check(files, option)).toMatchObject({ exitCode: 1, found: expect.arrayContaining([`error ${finding}`]) });
    const configured = { ...files, 'in/rolloutkit.yaml': 'rules: {input/kustomization: off}\n' };
    expect((await check(configured, '--require-planned')).found).toContain(`error ${finding}`);
  });

  test.each(['namePrefix: a-', 'nameSuffix: -a', 'images: [{name: a, newTag: b}]'])(
    'a kustomization with %s matters only then, since no rollout depends on it',
    async (field) => {
      const files = { 'in/kustomization.yaml': `resources: [cm.yaml]\n${field}\n` };
      expect(await check(files)).toEqual({ exitCode: 0, found: [] });
      expect(await check(files, '--policy policy.yaml')).toEqual({
        exitCode: 1,
        found: ['error input/kustomization in/kustomization.yaml'],
      });
    },
  );

  test('two kustomizations in one folder build nothing, which is then an error', async () => {
    const files = { 'in/kustomization.yaml': 'resources: [cm.yaml]\n', 'in/kustomization.yml': 'resources: [cm.yaml]\n' };
    expect((await check(files, '--require-planned')).found).toContain('error input/kustomization in/kustomization.yaml');
  });

  test.each<readonly [what: string, resources: string, files: Setting['files'], reason: string]>([
    ['a file twice', 'cm.yaml, ./cm.yaml', {}, 'it lists cm.yaml twice'],
    [
      'a component twice',
      'cm.yaml]\ncomponents: [part, ./part',
      { 'in/part/kustomization.yaml': 'kind: Component\nresources: [web.yaml]\n', 'in/part/web.yaml': CONFIG_MAP.replace('cm', 'web') },
      'it lists part twice',
    ],
    [
      'two files with the same object',
      'cm.yaml, other.yaml',
      { 'in/other.yaml': CONFIG_MAP },
      'cm.yaml and other.yaml both contain ConfigMap shop/cm',
    ],
    [
      'two files with the same object, of which one names the namespace "default"',
      'a.yaml, b.yaml',
      { 'in/a.yaml': CONFIG_MAP.replace('shop', 'default'), 'in/b.yaml': CONFIG_MAP.replace(', namespace: shop', '') },
      'a.yaml and b.yaml both contain ConfigMap cm',
    ],
    [
      'a folder twice',
      'base, ./base/',
      { 'in/base/kustomization.yaml': 'resources: [a.yaml]\n', 'in/base/a.yaml': CONFIG_MAP },
      'it lists base twice',
    ],
  ])('nor can a kustomization that kustomize refuses to build, since it lists %s', async (_, resources, files, reason) => {
    const all = { 'in/kustomization.yaml': `resources: [${resources}]\n`, 'in/cm.yaml': CONFIG_MAP, ...files };
    const { stdout } = await rolloutkit('check in', { files: all });
    expect(stdout).toContain(`kustomize refuses to build in/kustomization.yaml, since ${reason}`);
    expect((await check(all)).found).toContain('warning input/kustomization in/kustomization.yaml');
    const { exitCode, found } = await check(all, '--require-planned');
    expect([exitCode, found.includes('error input/kustomization in/kustomization.yaml')]).toEqual([1, true]);
  });

  describe('a kustomization of folders which both include the same base', () => {
    const include = (resources: string, more = '') => `resources: [${resources}]\n${more}`;
    const tree = (a: string, b: string, base: Setting['files'] = { 'in/base/a.yaml': CONFIG_MAP }): Setting['files'] => ({
      'in/cm.yaml': CONFIG_MAP.replace('cm', 'other'),
      'in/kustomization.yaml': include('a, b, cm.yaml'),
      'in/a/kustomization.yaml': a,
      'in/b/kustomization.yaml': b,
      'in/base/kustomization.yaml': include('a.yaml'),
      ...base,
    });
    const BASE = include('../base');
    const ROLE = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\n';
    const refusalsOf = async (files: Setting['files']) => {
      const { stdout } = await rolloutkit('check in', { files: files! });
      return stdout.split('\n').flatMap((line) => /kustomize refuses to build (.*): the objects/.exec(line)?.[1] ?? []);
    };

    test.each<readonly [what: string, files: Setting['files'], refusals: readonly string[]]>([
      ['as it is', tree(BASE, BASE), ['in/kustomization.yaml, since a and b both contain ConfigMap shop/cm']],
      [
        'with different labels',
        tree(include('../base', 'commonLabels: {a: a}\n'), BASE),
        ['in/kustomization.yaml, since a and b both contain ConfigMap shop/cm'],
      ],
      [
        'through another folder',
        { ...tree(include('../c'), BASE), 'in/c/kustomization.yaml': BASE },
        ['in/kustomization.yaml, since a and b both contain ConfigMap shop/cm'],
      ],
      [
        'as a component',
        { ...tree('components: [../base]\n', BASE), 'in/base/kustomization.yaml': `kind: Component\n${include('a.yaml')}` },
        ['in/kustomization.yaml, since a and b both contain ConfigMap shop/cm'],
      ],
      [
        'with the same namespace',
        tree(include('../base', 'namespace: dev\n'), include('../base', 'namespace: dev\n')),
        ['in/kustomization.yaml, since a and b both contain ConfigMap dev/cm'],
      ],
      [
        'with different namespaces, and an object that is in none',
        tree(include('../base', 'namespace: dev\n'), include('../base', 'namespace: prod\n'), { 'in/base/a.yaml': ROLE }),
        ['in/kustomization.yaml, since a and b both contain ClusterRole r'],
      ],
      [
        'with different namespaces, and one namespace around them',
        {
          ...tree(include('../base', 'namespace: dev\n'), include('../base', 'namespace: prod\n')),
          'in/kustomization.yaml': include('a, b', 'namespace: all\n'),
        },
        ['in/kustomization.yaml, since a and b both contain ConfigMap all/cm'],
      ],
    ])('%s, is one that kustomize refuses to build', async (_, files, refusals) => {
      expect(await refusalsOf(files)).toEqual(refusals);
      expect((await check(files)).found).toContain('warning input/kustomization in/kustomization.yaml');
      for (const option of ['--require-planned', '--policy policy.yaml']) {
        const { exitCode, found } = await check(files, option);
        expect([exitCode, found.includes('error input/kustomization in/kustomization.yaml')]).toEqual([1, true]);
      }
    });

    test.each<readonly [what: string, files: Setting['files']]>([
      ['with different namespaces', tree(include('../base', 'namespace: dev\n'), include('../base', 'namespace: prod\n'))],
      ['with a namespace in one of them', tree(BASE, include('../base', 'namespace: prod\n'))],
      ['with different prefixes', tree(include('../base', 'namePrefix: a-\n'), include('../base', 'namePrefix: b-\n'))],
      ['with a suffix in one of them', tree(BASE, include('../base', 'nameSuffix: -b\n'))],
      ['of which no other kustomization includes both', { ...tree(BASE, BASE), 'in/kustomization.yaml': include('a, cm.yaml') }],
      [
        'with namespaces, and a Namespace that they rename',
        tree(include('../base', 'namespace: dev\n'), include('../base', 'namespace: prod\n'), {
          'in/base/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
        }),
      ],
      [
        'which a component changes',
        tree(include('../base', 'components: [../c]\n'), BASE, {
          'in/base/a.yaml': CONFIG_MAP,
          'in/c/kustomization.yaml': 'kind: Component\nnamespace: c\n',
        }),
      ],
    ])('%s, is one that kustomize builds', async (_, files) => {
      expect(await refusalsOf(files)).toEqual([]);
    });

    test.each<readonly [what: string, files: Setting['files'], refusals: readonly string[]]>([
      [
        'two that include each other, of which one patches objects',
        {
          'in/a/kustomization.yaml': include('../b', 'replicas: [{name: web, count: 0}]\n'),
          'in/b/kustomization.yaml': include('../a'),
        },
        ['in/b/kustomization.yaml, since ../a contains it, or includes it again'],
      ],
      ['itself', { 'in/a/kustomization.yaml': include('.') }, ['in/a/kustomization.yaml, since . contains it, or includes it again']],
      [
        'the folder around it',
        { 'in/a/kustomization.yaml': include('..'), 'in/kustomization.yaml': include('cm.yaml') },
        ['in/a/kustomization.yaml, since .. contains it, or includes it again'],
      ],
      [
        'one that includes the folder around it',
        { 'in/a/kustomization.yaml': include('..'), 'in/kustomization.yaml': include('a') },
        ['in/a/kustomization.yaml, since .. contains it, or includes it again'],
      ],
      [
        'one of two that include each other',
        {
          'in/a/kustomization.yaml': include('../b'),
          'in/b/kustomization.yaml': include('../a'),
          'in/kustomization.yaml': include('a'),
        },
        ['in/b/kustomization.yaml, since ../a contains it, or includes it again'],
      ],
    ])('that includes %s, is one that kustomize refuses to build, which is one finding', async (_, files, refusals) => {
      expect(await refusalsOf({ 'in/cm.yaml': CONFIG_MAP, ...files })).toEqual(refusals);
      const { exitCode, found } = await check(files, '--require-planned');
      expect([exitCode, found.filter((text) => text.startsWith('error input/kustomization'))]).toEqual([
        1,
        [`error input/kustomization ${refusals[0]!.split(',')[0]}`],
      ]);
    });

    test.each([
      ['', 'in/x', 'in/x/a'],
      ['in/x', '.', './a'],
    ])('that includes a folder around the PATH, is one that kustomize refuses to build: in "%s", %s', async (cwd, given, folder) => {
      const files = {
        'in/x/a/kustomization.yaml': include('../..'),
        'in/x/a/cm.yaml': CONFIG_MAP,
        'in/kustomization.yaml': include('x/a'),
      };
      const { exitCode, stdout } = await rolloutkit(`check ${given} --require-planned`, { files, cwd });
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`kustomize refuses to build ${folder}/kustomization.yaml, since ../.. contains it, or includes it again`);
    });
  });

  test('nor a namespace that makes two objects the same', async () => {
    const files = {
      'in/kustomization.yaml': 'namespace: dev\nresources: [cm.yaml, all.yaml]\n',
      'in/all.yaml': `${CONFIG_MAP.replace('shop', 'a').replace('cm', 'a')}---\n${CONFIG_MAP.replace('shop', 'b').replace('cm', 'a')}`,
    };
    const { stdout } = await rolloutkit('check in', { files: { 'in/cm.yaml': CONFIG_MAP, ...files } });
    expect(stdout).toContain('kustomize refuses to build in/kustomization.yaml, since all.yaml contains ConfigMap dev/a twice');
  });

  test('a kustomization builds objects that differ in their kind, name or namespace, and a file that another one lists too', async () => {
    const files = {
      'in/kustomization.yaml': 'resources: [cm.yaml, a.yaml, b.yaml, c.yaml]\n',
      'in/a.yaml': CONFIG_MAP.replace('shop', 'web'),
      'in/b.yaml': CONFIG_MAP.replace('cm', 'other'),
      'in/c.yaml': CONFIG_MAP.replace('ConfigMap', 'ServiceAccount'),
      'in/other/kustomization.yaml': 'resources: [../cm.yaml]\n',
    };
    expect((await check(files)).found).not.toContain('warning input/kustomization in/kustomization.yaml');
  });

  test('a kustomization with fields whose effect is planned is none', async () => {
    const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
metadata: {name: x, annotations: {a: b}}
namespace: shop
resources: [cm.yaml, ./other.yaml]
commonLabels: null
labels: []
patches: []
images: null
sortOptions:
namePrefix: ""
`;
    const files = { 'in/kustomization.yaml': kustomization, 'in/other.yaml': CONFIG_MAP.replace('cm', 'other') };
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 0, found: [] });
  });

  test('but one with a null field of another name is, since kustomize ignores case and takes ſ for s, so the field can remove a list', async () => {
    const files = { 'in/kustomization.yaml': 'resources: [cm.yaml]\nreſources: null\n' };
    expect(await check(files)).toMatchObject({ found: [expect.stringContaining(' input/kustomization in/kustomization.yaml')] });
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/kustomization in/kustomization.yaml'] });
  });

  test.each([
    ['commonLabels', 'commonLabels: {a: b}'],
    ['commonAnnotations', 'commonAnnotations: {a: b}'],
    ['labels', 'labels: [{pairs: {c: d}, includeSelectors: false, includeTemplates: true, fields: []}]'],
  ])('a kustomization with %s is then an error, since only kustomize knows to which fields it adds them', async (_, text) => {
    const files = { 'in/kustomization.yaml': `resources: [cm.yaml]\n${text}\n` };
    expect(await check(files)).toEqual({ exitCode: 0, found: [] });
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/kustomization in/kustomization.yaml'] });
  });

  test('so is one above the PATH', async () => {
    const files = {
      'policy.yaml': POLICY,
      'in/kustomization.yaml': 'resources: [base/cm.yaml]\ncommonLabels: {a: b}\n',
      'in/base/cm.yaml': CONFIG_MAP,
    };
    expect((await rolloutkit('check in/base', { files })).exitCode).toBe(0);
    const { exitCode, stdout } = await rolloutkit('check --policy policy.yaml in/base', { files });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('error  input/kustomization  in/kustomization.yaml:1\n')]);
  });

  test('one below the PATH is also named if one above the PATH includes it', async () => {
    const files = {
      'policy.yaml': POLICY,
      'kustomization.yaml': 'resources: [in/base]\n',
      'in/base/kustomization.yaml': 'resources: [cm.yaml]\nreplicas: [{name: web, count: 0}]\n',
      'in/base/cm.yaml': CONFIG_MAP,
    };
    for (const folder of ['in', 'in/base', 'in/base/cm.yaml in']) {
      const { exitCode, stdout } = await rolloutkit(`check --policy policy.yaml ${folder}`, { files });
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining('error  input/kustomization  in/base/kustomization.yaml:1\n')]);
    }
    const { stdout } = await rolloutkit('check --policy policy.yaml .', { files });
    expect(stdout.match(/input\/kustomization .*/g)).toEqual(['input/kustomization  ./kustomization.yaml:1']);
  });

  test.each(['.argocd-source.yaml', '.argocd-source-shop.yaml'])('%s changes what Argo CD builds, which is then an error', async (name) => {
    const files = { [`in/${name}`]: 'directory: { exclude: "*" }\n' };
    expect(await check(files)).toEqual({ exitCode: 0, found: [`info input/kustomization in/${name}`] });
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: [`error input/kustomization in/${name}`] });
  });

  test.each<readonly [what: string, file: string, patterns: string]>([
    ['names the file', 'in/.sourceignore', 'web.yaml'],
    ['names it with a class of characters', 'in/.sourceignore', '/[w]eb.yam\\l'],
    ['names what is in the folder around it', 'in/.fleetignore', '# all\r\n*\r\n!cm.yaml\r\n'],
    ['is in a folder around the PATH', '.sourceignore', '/*\n!/docs\n'],
    ...['!.', '!', '!/', '!./web.yaml', '!web.yaml\t', '!web.yaml\r', '!**/**', '!/**'].map(
      (negated): readonly [string, string, string] => [
        `takes back nothing with ${JSON.stringify(negated)}`,
        'in/.sourceignore',
        `*\n${negated}\n`,
      ],
    ),
    ['has more patterns than are read', 'in/.sourceignore', 'x\n'.repeat(1_000)],
  ])('a file with which Flux or Fleet leaves out a manifest is then an error, if it %s', async (_, file, patterns) => {
    const files = { 'in/web.yaml': REFUSED, [file]: patterns };
    const finding = (severity: string) => `${severity} input/kustomization ${file.startsWith('in') ? file : `./${file}`}`;
    expect(await check(files)).toMatchObject({ found: expect.arrayContaining([finding('info')]) });
    expect(await check(files, '--require-planned')).toMatchObject({ exitCode: 1, found: expect.arrayContaining([finding('error')]) });
  });

  test.each<readonly [patterns: string, file: string, isLeftOut: boolean]>([
    ['web.yaml', 'in/x/web.yaml', true],
    ['x/*', 'in/a/x/b/web.yaml', true],
    ['x', 'in/a/x/web.yaml', true],
    ['*\n!web.yaml', 'in/web.yaml', true],
    ['a/x/*', 'in/a/x/web.yaml', false],
    ['x/', 'in/x/web.yaml', false],
    ['/web.yaml', 'in/web.yaml', false],
    ['x/*', 'in/x.yaml', false],
  ])('a .fleetignore with %j compares names, and takes none back: %s', async (patterns, file, isLeftOut) => {
    const { found } = await check({ [file]: REFUSED, 'in/.fleetignore': patterns });
    expect(found.includes('info input/kustomization in/.fleetignore')).toBe(isLeftOut);
  });

  const FLUX_OBJECT =
    'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: a}\nspec: {url: a, ref: {branch: main}, interval: 1m}\n';
  const FLEET_OBJECT = 'apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {name: a}\nspec: {repo: a}\n';
  const marked = (annotation: string) => CONFIG_MAP.replace('{name: cm,', `{name: b, annotations: {${annotation}: a},`);

  test.each([
    ['cloudbuild.yaml', FLUX_OBJECT],
    ['sub/appveyor.yml', marked('kustomize.toolkit.fluxcd.io/ssa')],
    ['.flux.yaml', FLUX_OBJECT],
    ['.github/web.yaml', FLUX_OBJECT],
    ['web.json', FLUX_OBJECT],
    ['.web.yaml', FLEET_OBJECT],
    ['.x/web.yaml', FLEET_OBJECT],
    ['.web.yaml', marked('fleet.cattle.io/bundle-id')],
  ])('a manifest with the name %s, which Flux or Fleet leaves out, is then an error if the input shows that tool', async (name, tool) => {
    const files = { [`in/${name}`]: REFUSED, 'in/tool.yaml': tool };
    const kind = path.dirname(name).startsWith('.') && path.dirname(name) !== '.' ? 'not-read' : 'kustomization';
    expect((await check(files)).found).toContain(`info input/${kind} in/${name}`);
    expect((await check(files, '--require-planned')).found).toContain(`error input/kustomization in/${name}`);
    expect((await check({ ...files, [`in/${name}`]: 'steps: [{name: build}]\n' })).found).not.toContain(
      `info input/kustomization in/${name}`,
    );
    expect((await check({ [`in/${name}`]: REFUSED }, '--require-planned')).found).toEqual([REFUSAL(`in/${name}`)]);
  });

  test.each([
    ['# +argocd:skip-file-rendering\n'],
    ['{# see +argocd:skip-file-rendering #}\n---\n'],
    ['---\nx: +argocd:skip-file-rendering\n---\n'],
  ])('a manifest that Argo CD skips, since its file begins with %j, is then an error, unless another tool applies it', async (text) => {
    const files = { 'in/web.yaml': text + REFUSED, 'old/web.yaml': REFUSED };
    expect((await check(files)).found).toContain('info input/kustomization in/web.yaml');
    expect((await check(files, '--require-planned')).found).toContain('error input/kustomization in/web.yaml');
    expect((await check(files, '--from old --apply argocd')).found).toContain('info input/kustomization in/web.yaml');
    expect((await check(files, '--from old --apply flux')).found).not.toContain('info input/kustomization in/web.yaml');
  });

  test('nor is a JSON file that a kustomization lists', async () => {
    const web = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'shop' } });
    const files = { 'in/x/kustomization.yaml': 'resources: [web.json]\n', 'in/x/web.json': web, 'in/tool.yaml': FLUX_OBJECT };
    expect((await check(files, '--require-planned')).found).toEqual([]);
  });

  test.each(['cloudbuild.yaml', 'x.zip', 'x.tar.gz', 'x.jpeg', '.gitignore', '.sops.yaml'])(
    'a folder %s, whose files Flux leaves out by default, is then an error',
    async (folder) => {
      const files = { [`in/${folder}/web.yaml`]: REFUSED, 'in/tool.yaml': FLUX_OBJECT };
      expect((await check(files, '--require-planned')).found).toContain(`error input/kustomization in/${folder}/web.yaml`);
    },
  );

  test.each([
    ['fleet', '.web.yaml', true],
    ['flux', '.web.yaml', false],
    ['flux', 'cloudbuild.yaml', true],
    ['client', 'cloudbuild.yaml', false],
  ])('with --apply %s it decides about %s: %s', async (mode, name, isLeftOut) => {
    const files = { [`in/${name}`]: REFUSED, 'in/tool.yaml': FLUX_OBJECT, 'old/cm.yaml': CONFIG_MAP };
    const { found } = await check(files, `--from old --apply ${mode} --policy policy.yaml`);
    expect(found.includes(`error input/kustomization in/${name}`)).toBe(isLeftOut);
  });

  test('so is an overlay of Fleet, which few or no clusters get', async () => {
    const files = { 'in/fleet.yaml': 'namespace: shop\n', 'in/overlays/prod/web.yaml': REFUSED };
    expect((await check(files)).found).toContain('info input/kustomization in/overlays/prod/web.yaml');
    expect((await check(files, '--require-planned')).found).toContain('error input/kustomization in/overlays/prod/web.yaml');
    const others = { ...files, 'in/kustomization.yaml': 'resources: [overlays/prod/web.yaml]\n' };
    expect((await check(others)).found).not.toContain('info input/kustomization in/overlays/prod/web.yaml');
    expect((await check({ 'in/overlays/prod/web.yaml': REFUSED })).found).toEqual([REFUSAL('in/overlays/prod/web.yaml')]);
  });

  const GIT_REPO = 'apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {name: r}\nspec: {repo: x, paths: [in]}\n';

  test.each<readonly [string, Setting['files'], boolean]>([
    [
      'with a kustomization that Fleet does not know',
      { 'in/fleet.yaml': '{}', 'in/Kustomization': 'resources: [overlays/web.yaml]\n' },
      true,
    ],
    ['with a kustomization of its own', { 'in/fleet.yaml': '{}', 'in/overlays/kustomization.yaml': 'resources: [web.yaml]\n' }, true],
    ['in a folder that a GitRepo names', { 'in/r.yaml': GIT_REPO }, true],
    ['that is a bundle', { 'in/fleet.yaml': '{}', 'in/overlays/fleet.yaml': '{}' }, false],
    ['that a GitRepo may name', { 'in/r.yaml': GIT_REPO, 'in/overlays/kustomization.yaml': 'resources: [web.yaml]\n' }, false],
  ])('and one %s: %s', async (_, others, isLeftOut) => {
    const { found } = await check({ ...others, 'in/overlays/web.yaml': REFUSED }, '--require-planned');
    expect(found.includes('error input/kustomization in/overlays/web.yaml')).toBe(isLeftOut);
  });

  test.each(['docs/', '/charts\n!x', '*\n!*.yaml', 'eb.yaml', 'in/', 'web.yaml/'])(
    'such a file with the patterns %j leaves out no manifest',
    async (patterns) => {
      expect((await check({ 'in/web.yaml': REFUSED, 'in/.sourceignore': patterns })).found).toEqual([REFUSAL('in/web.yaml')]);
    },
  );

  const deployed = (apiVersion: string, kind: string, spec: string) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;
  const flux = (spec: string) => deployed('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `{path: ./in, ${spec}}`);
  const fluxSource = (kind: string, spec: string) => deployed('source.toolkit.fluxcd.io/v1', kind, `{${spec}}`);
  const argo = (spec: string) => deployed('argoproj.io/v1alpha1', 'Application', `{${spec}}`);
  const SKIP = 'argocd.argoproj.io/skip-reconcile';

  test.each<readonly [field: string, file: string, text: string]>([
    ['spec.patches', 'in/a.yaml', flux('patches: [{patch: x}]')],
    ['spec.components', 'in/a.yaml', flux('components: [../b]')],
    ['spec.postBuild', 'in/a.yaml', flux('postBuild: {substitute: {REPLICAS: "0"}}')],
    ['spec.commonMetadata', 'in/a.yaml', flux('commonMetadata: {labels: {app: web}}')],
    ['spec.images', 'in/a.yaml', flux('images: [{name: web, newTag: v2}]')],
    ['spec.namePrefix', 'in/a.yaml', flux('namePrefix: a-')],
    ['spec.suspend', 'in/a.yaml', flux('suspend: true')],
    ['spec.aFieldOfTheNextVersion', 'in/a.yaml', flux('aFieldOfTheNextVersion: {}')],
    ['spec.ignore', 'in/a.yaml', fluxSource('GitRepository', 'ignore: web.yaml')],
    ['spec.sparseCheckout', 'in/a.yaml', fluxSource('GitRepository', 'sparseCheckout: [a]')],
    ['spec.include', 'in/a.yaml', fluxSource('GitRepository', 'include: [{repository: {name: b}}]')],
    ['spec.ignore', 'in/a.yaml', fluxSource('OCIRepository', 'ignore: web.yaml')],
    ['spec.prefix', 'in/a.yaml', fluxSource('Bucket', 'prefix: other')],
    ['spec.postRenderers', 'in/a.yaml', deployed('helm.toolkit.fluxcd.io/v2', 'HelmRelease', '{postRenderers: [{kustomize: {}}]}')],
    ['spec.source.kustomize.replicas', 'in/a.yaml', argo('source: {path: in, kustomize: {replicas: [{name: web, count: 0}]}}')],
    ['spec.source.kustomize.namespace', 'in/a.yaml', argo('source: {path: in, kustomize: {namespace: other}}')],
    ['spec.source.directory.exclude', 'in/a.yaml', argo('source: {path: in, directory: {exclude: "web*"}}')],
    ['spec.source.plugin', 'in/a.yaml', argo('source: {path: in, plugin: {}}')],
    ['spec.sources.kustomize.patches', 'in/a.yaml', argo('sources: [{path: x}, {path: in, kustomize: {patches: [{patch: x}]}}]')],
    ['spec.sourceHydrator', 'in/a.yaml', argo('sourceHydrator: {}')],
    ['spec.syncPolicy.managedNamespaceMetadata', 'in/a.yaml', argo('syncPolicy: {managedNamespaceMetadata: {labels: {a: b}}}')],
    ['operation', 'in/a.yaml', `${argo('source: {path: in}')}operation: {sync: {manifests: ["{}"]}}\n`],
    ['metadata', 'in/a.yaml', argo('source: {path: in}').replace('{name: a}', `{name: a, annotations: {${SKIP}: "true"}}`)],
    [
      'spec.template.metadata',
      'in/a.yaml',
      deployed('argoproj.io/v1alpha1', 'ApplicationSet', `{template: {metadata: {annotations: {${SKIP}: "{{skip}}"}}}}`),
    ],
    ['spec.sources', 'in/a.yaml', deployed('source.extensions.fluxcd.io/v1beta1', 'ArtifactGenerator', '{sources: [{alias: a}]}')],
    ['spec.sourceRef', 'in/a.yaml', fluxSource('ExternalArtifact', 'sourceRef: {kind: Other, name: a}')],
    ['spec.templatePatch', 'in/a.yaml', deployed('argoproj.io/v1alpha1', 'ApplicationSet', '{templatePatch: x}')],
    ['spec.generators', 'in/a.yaml', deployed('argoproj.io/v1alpha1', 'ApplicationSet', '{generators: [{list: {template: {spec: {}}}}]}')],
    ['targetCustomizations.yaml.overlays', 'in/fleet.yaml', 'targetCustomizations: [{name: a, yaml: {overlays: [a]}}]\n'],
    ['targetcustomizations', 'in/fleet.yaml', 'targetcustomizations: [{name: a, yaml: {overlays: [a]}}]\n'],
    ['targetCuſtomizations', 'in/fleet.yaml', 'targetCuſtomizations: []\n'],
    ['paused', 'in/fleet.yaml', 'paused: true\n'],
    ['targetCustomizations.doNotDeploy', 'in/fleet.yaml', 'targetCustomizations: [{name: a, clusterSelector: {}, doNotDeploy: true}]\n'],
    ['spec.paused', 'in/a.yaml', deployed('fleet.cattle.io/v1alpha1', 'GitRepo', '{repo: a, paths: [in], paused: true}')],
    ['kustomize.dir', 'in/fleet.yaml', 'kustomize: {dir: overlays/prod}\n'],
    ['helm.chart', 'in/fleet.yaml', 'helm: {chart: web, repo: "https://charts.example.com"}\n'],
    [
      'spec.bundles',
      'in/a.yaml',
      deployed('fleet.cattle.io/v1alpha1', 'GitRepo', '{repo: a, bundles: [{base: in, options: options.txt}]}'),
    ],
  ])('what deploys a folder and changes its objects with %s is then an error', async (field, file, text) => {
    const { stdout } = await rolloutkit('check in --policy policy.yaml', {
      files: { 'in/cm.yaml': CONFIG_MAP, 'policy.yaml': POLICY, [file]: text },
    });
    expect(stdout).toContain(`may make its tool apply other objects than the files show, with ${field}: the files are planned without it.`);
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check({ [file]: text }, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining([`error input/kustomization ${file}`]),
      });
    expect((await check({ [file]: text })).found).not.toContain(`error input/kustomization ${file}`);
  });

  test.each([
    flux('patches: [], images: null, suspend: false, prune: true, interval: 1m, dependsOn: [{name: b}]'),
    fluxSource('GitRepository', 'url: a, ref: {branch: main}, interval: 1m, ignore: ""'),
    argo('source: {path: in, kustomize: {}}'),
    argo(
      'project: a, destination: {namespace: shop}, source: {path: in, directory: {recurse: true, jsonnet: {}}}, syncPolicy: {automated: {prune: true}, syncOptions: [CreateNamespace=true]}',
    ),
    deployed(
      'argoproj.io/v1alpha1',
      'ApplicationSet',
      '{generators: [{list: {elements: [{name: a}]}}], template: {metadata: {name: "{{name}}"}, spec: {source: {path: in}}}}',
    ),
  ])('what deploys a folder as it is is none: %s', async (text) => {
    expect(await check({ 'in/a.yaml': text }, '--policy policy.yaml')).toEqual({ exitCode: 0, found: [] });
  });

  describe('an object that contains others that its controller applies is then an error', () => {
    const bundle = (resource: object) =>
      deployed('fleet.cattle.io/v1alpha1', 'Bundle', `{targets: [{clusterSelector: {}}], resources: [${JSON.stringify(resource)}]}`);
    const work = (manifest: string) =>
      `apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: a}\nspec:\n  workload:\n    manifests:\n    - ${manifest.trimEnd().replaceAll('\n', '\n      ')}\n`;
    const asJson = (name: string) =>
      JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas: 0 } });
    /** Writes a text into a text of YAML that has some levels of lists around it, and so on. */
    const nestTexts = (text: string, texts: number, levels: number): string => {
      if (texts === 0) return text;
      // A block needs no escapes, which would double in each text.
      const block = `|-\n${text.replaceAll(/^/gm, ' '.repeat(2 * levels))}`;
      return nestTexts(`# kind\n${'- '.repeat(levels)}${block}\n`, texts - 1, levels);
    };
    const find = async (text: string, option: string) =>
      (await check({ 'in/a.yaml': text }, option)).found.filter((found) => found.includes('input/kustomization'));

    test.each([
      ['a file with a Deployment', bundle({ name: 'web.yaml', content: REFUSED })],
      ['a file that cannot be read', bundle({ name: 'web.yaml', content: `${REFUSED}x: [&a 1${', *a'.repeat(120)}]\n` })],
      ['a packed file', bundle({ name: 'web.yaml', content: 'H4sIAAAAAAAA', encoding: 'base64+gz' })],
      ['a template', bundle({ name: 'templates/web.yaml', content: '{{ if .Values.on }}\nkind: Deployment\n{{ end }}\n' })],
      ['a kustomization', bundle({ name: 'kustomization.yaml', content: 'resources: ["https://example.com/web.yaml"]\n' })],
      ['packed files', 'apiVersion: fleet.cattle.io/v1alpha1\nkind: Content\nmetadata: {name: a}\ncontent: H4sIAAAAAAAA\n'],
      ['packed files that it names', deployed('fleet.cattle.io/v1alpha1', 'BundleDeployment', '{deploymentID: "s-1:2"}')],
      ['a Deployment in a map', work(REFUSED)],
      [
        'a Deployment in a file of an App',
        deployed('kappctrl.k14s.io/v1alpha1', 'App', `{fetch: [{inline: {paths: {web.yml: ${JSON.stringify(REFUSED)}}}}]}`),
      ],
      [
        'a Deployment of a ResourceSet',
        deployed('fluxcd.controlplane.io/v1', 'ResourceSet', `{resources: [${asJson('<< inputs.name >>')}]}`),
      ],
      [
        'a template of a ResourceSet',
        deployed(
          'fluxcd.controlplane.io/v1',
          'ResourceSet',
          `{resourcesTemplate: ${JSON.stringify(`<<- range $a := .inputs >>\n---\n${REFUSED}<<- end >>\n`)}}`,
        ),
      ],
      [
        'a quota that Kyverno generates',
        deployed(
          'kyverno.io/v1',
          'ClusterPolicy',
          '{rules: [{name: a, generate: {apiVersion: v1, kind: ResourceQuota, name: a, data: {spec: {hard: {pods: 0}}}}}]}',
        ),
      ],
      [
        'a Deployment of Crossplane',
        deployed('kubernetes.crossplane.io/v1alpha2', 'Object', `{forProvider: {manifest: ${asJson('web')}}}`),
      ],
      [
        'a Deployment of a Template',
        `apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: a}\nobjects: [${asJson('${NAME}')}]\n`,
      ],
      [
        'a Deployment to which Crossplane gives a name',
        deployed(
          'kubernetes.crossplane.io/v1alpha2',
          'Object',
          '{forProvider: {manifest: {apiVersion: apps/v1, kind: Deployment, spec: {replicas: 0}}}}',
        ),
      ],
      [
        'a Deployment of a Composition',
        deployed(
          'apiextensions.crossplane.io/v1',
          'Composition',
          '{resources: [{name: a, base: {apiVersion: apps/v1, kind: Deployment, spec: {replicas: 0}}}]}',
        ),
      ],
      [
        'an object of which a ResourceSet fills in the kind',
        deployed('fluxcd.controlplane.io/v1', 'ResourceSet', `{resources: [${asJson('x').replace('Deployment', '<< inputs.kind >>')}]}`),
      ],
      [
        'a list of policies in a text',
        deployed(
          'policy.open-cluster-management.io/v1',
          'ConfigurationPolicy',
          JSON.stringify({ 'object-templates-raw': `- complianceType: musthave\n  objectDefinition: ${asJson('web')}\n` }),
        ),
      ],
      ['a list in a text', deployed('x.io/v1', 'Thing', JSON.stringify({ a: `[${asJson('web')}]` }))],
      ['a text in five texts, each with 900 levels', deployed('x.io/v1', 'Thing', JSON.stringify({ a: nestTexts(REFUSED, 5, 900) }))],
      ['a text in 100 texts', deployed('x.io/v1', 'Thing', JSON.stringify({ a: nestTexts('kind: x', 100, 1) }))],
      ['a text in a text', deployed('x.io/v1', 'Thing', JSON.stringify({ a: JSON.stringify({ b: REFUSED }) }))],
      ['an action with other delimiters', deployed('x.io/v1', 'Thing', '{a: "apiVersion: apps/v1\\nkind: [[ .k ]]"}')],
      [
        'a list whose kind implies that of its items',
        deployed(
          'x.io/v1',
          'Thing',
          '{a: {apiVersion: apps/v1, kind: DeploymentList, items: [{metadata: {name: a}, spec: {replicas: 0}}]}}',
        ),
      ],
      [
        'a Deployment that Kyverno generates from a variable',
        deployed(
          'kyverno.io/v1',
          'ClusterPolicy',
          '{rules: [{name: a, generate: {apiVersion: apps/v1, kind: Deployment, name: a, data: "{{ d }}"}}]}',
        ),
      ],
      [
        'an object of which Flux fills in the kind',
        deployed('x.io/v1', 'Thing', '{a: {apiVersion: apps/v1, kind: "${K:=Deployment}", metadata: {name: x}}}'),
      ],
      [
        'a text of an object of which Flux fills in the version',
        deployed('x.io/v1', 'Thing', JSON.stringify({ a: REFUSED.replace('apps/v1', '${V:=apps/v1}') })),
      ],
      ['a text next to containers', deployed('x.io/v1', 'Thing', JSON.stringify({ containers: [], a: REFUSED }))],
      [
        'a text next to the arguments of a container',
        deployed('x.io/v1', 'Thing', JSON.stringify({ containers: [{ a: REFUSED, args: [] }] })),
      ],
      ['a text in an argument of no container', deployed('x.io/v1', 'Thing', JSON.stringify({ args: [REFUSED] }))],
      ['a text of an unknown kind', deployed('x.io/v1', 'Thing', `{a: [{b: ${JSON.stringify(`# x\n---\n${REFUSED}`)}}]}`)],
      ['a text with an escaped name', deployed('x.io/v1', 'Thing', JSON.stringify({ a: REFUSED.replace('kind:', '"k\\x69nd":') }))],
      ['a text that cannot be read', deployed('x.io/v1', 'Thing', JSON.stringify({ a: `${REFUSED}x: [&a 1${', *a'.repeat(120)}]\n` }))],
      ...[
        '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas": {{ x }} }}',
        '- {apiVersion: apps/v1, kind: Deployment, spec: {a: "{{ x }}"}}\n',
        '{{ if x }}apiVersion: apps/v1\nkind: Deployment{{ end }}\nspec: {{ y }}',
        '? apiVersion\n: &a apps/v1\n? kind\n: !!str Deployment\nspec: {{ y }}',
        'apiVersion: apps/v1\nkind: {{ "Deployment" }}\n',
        '{{ if true }}\napiVersion:\n  apps/v1\nkind: # x\n  Deployment\n{{ end }}',
        'apiVersion: apps/{{ "v1" }}\nkind: Deploy{{ "ment" }}\n',
        '{{ toYaml (dict "apiVersion" "apps/v1" "kind" "Deployment") }}',
        'apiVersion: v1\nkind: ConfigMap\ndata: {{ "{}\\n---\\napiVersion: apps/v1\\nkind: Deployment" }}',
      ].map((text): [string, string] => [
        `the template ${JSON.stringify(text)}`,
        deployed('x.io/v1', 'Thing', JSON.stringify({ a: text })),
      ]),
      ['a Deployment in a list', work(`apiVersion: v1\nkind: List\nitems:\n- ${REFUSED.trimEnd().replaceAll('\n', '\n  ')}`)],
    ])('%s', async (_, text) => {
      expect(await find(text, '')).toEqual([]);
      for (const option of ['--require-planned', '--policy policy.yaml'])
        expect(await find(text, option)).toEqual(['error input/kustomization in/a.yaml']);
    });

    test.each([
      ['files without planned objects', bundle({ name: 'readme.md', content: '# read me' })],
      ['an object that is not planned', bundle({ name: 'a.yaml', content: 'apiVersion: x.io/v1\nkind: Thing\nmetadata: {name: a}\n' })],
      ['an empty file', bundle({ name: 'web.yaml' })],
      ['a ConfigMap with an example', `${CONFIG_MAP}data: {web.yaml: ${JSON.stringify(REFUSED)}}\n`],
      ['an annotation', CONFIG_MAP.replace('shop', `shop, annotations: {last: ${JSON.stringify(REFUSED)}}`)],
      [
        'an argument of a container',
        deployed(
          'batch/v1',
          'Job',
          `{template: {spec: {restartPolicy: Never, containers: [{name: a, image: "x:1", args: [${JSON.stringify(REFUSED)}]}]}}}`,
        ),
      ],
      ['a text about a kind', deployed('x.io/v1', 'Thing', '{a: "a kind of Deployment, apiVersion apps/v1!"}')],
      [
        'a template of an object that is not planned',
        deployed(
          'x.io/v1',
          'Thing',
          JSON.stringify({ a: 'apiVersion: x.io/v1\nkind: Bucket\nspec: {{ toYaml .spec }}\nref: {kind: "Other"}\n' }),
        ),
      ],
      ['a template without an object', deployed('x.io/v1', 'Thing', '{a: "{{ .kind }}: x"}')],
      [
        'claims with a kind',
        `${REFUSED.replace('Deployment', 'StatefulSet').replace(/ {2}strategy: .*\n/, '')}  volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n`,
      ],
      [
        'a reference',
        deployed(
          'autoscaling/v2',
          'HorizontalPodAutoscaler',
          '{maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}',
        ),
      ],
    ])('not for %s', async (_, text) => {
      expect(await find(text, '--policy policy.yaml')).toEqual([]);
    });
  });

  describe('a ConfigMap or Secret with a Deployment that a ClusterResourceSet applies is then an error', () => {
    const set = (kind: string, name: string, namespace = 'shop') =>
      `apiVersion: addons.cluster.x-k8s.io/v1beta1\nkind: ClusterResourceSet\nmetadata: {name: a, namespace: ${namespace}}\nspec: {clusterSelector: {}, resources: [{kind: ${kind}, name: ${name}}]}\n`;
    const secret = (field: string, text: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: cm, namespace: shop}\n${field}: {a: ${JSON.stringify(text)}}\n`;
    const configMap = `${CONFIG_MAP}data: {web.yaml: ${JSON.stringify(REFUSED)}}\n`;
    const find = async (text: string, option: string) =>
      (await check({ 'in/cm.yaml': text }, option)).found.filter((found) => found.includes('input/kustomization'));

    test.each([
      ['a ConfigMap', configMap, set('ConfigMap', 'cm')],
      ['a Secret', secret('stringData', REFUSED), set('Secret', 'cm')],
      ['an encoded Secret', secret('data', Buffer.from(REFUSED).toString('base64')), set('Secret', 'cm')],
    ])('%s', async (_, object, by) => {
      expect(await find(`${object}---\n${by}`, '')).toEqual([]);
      for (const option of ['--require-planned', '--policy policy.yaml'])
        expect(await find(`${object}---\n${by}`, option)).toEqual(['error input/kustomization in/cm.yaml']);
    });

    test.each([
      ['another name', configMap, set('ConfigMap', 'other')],
      ['another namespace', configMap, set('ConfigMap', 'cm', 'other')],
      ['no object in it', `${CONFIG_MAP}data: {a: b}\n`, set('ConfigMap', 'cm')],
    ])('not with %s', async (_, object, by) => {
      expect(await find(`${object}---\n${by}`, '--policy policy.yaml')).toEqual([]);
    });
  });

  describe('settings of Argo CD that leave out an object of the input are a warning, and then an error', () => {
    const settings = (field: string, value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {resource.${field}: ${JSON.stringify(value)}}\n`;
    const find = async (text: string, option: string) =>
      (await check({ 'in/web.yaml': REFUSED, 'in/a.yaml': text }, option)).found.filter((found) => found.includes('input/kustomization'));

    test.each([
      ['exclusions', '[{apiGroups: [apps], kinds: [Deployment]}]'],
      ['exclusions', '[{kinds: [Deployment], clusters: [https://a.example.com]}]'],
      ['exclusions', '- apiGroups: ["a*"]\n- apiGroups: [x.io]\n'],
      ['exclusions', '[{kinds: ["*"]}]'],
      ['exclusions', 'kinds: [x'],
      ['inclusions', '[{apiGroups: [""], kinds: [ConfigMap]}]'],
      ['inclusions', '[{apiGroups: ["*"], clusters: [https://a.example.com]}]'],
      ['inclusions', '[{Kinds: [ConfigMap]}]'],
      ['inclusions', '[{apiGroups: ["[b]*", "{b,c}"]}]'],
      ['exclusions', '[{kinds: ["${X:=Deployment}"]}]'],
    ])('%s: %s', async (field, value) => {
      expect(await find(settings(field, value), '')).toEqual(['warning input/kustomization in/a.yaml']);
      expect(await find(settings(field, value), '--policy policy.yaml')).toEqual(['error input/kustomization in/a.yaml']);
    });

    test.each([
      ['exclusions', ''],
      ['exclusions', '[{apiGroups: ["", discovery.k8s.io], kinds: [Endpoints, EndpointSlice]}, {apiGroups: [cilium.io]}]'],
      ['inclusions', '[{apiGroups: ["*"], kinds: ["*"], clusters: ["*"]}]'],
      ['customLabels', '[{kinds: ["*"]}]'],
    ])('not for %s: %s', async (field, value) => {
      expect(await find(settings(field, value), '--policy policy.yaml')).toEqual([]);
    });

    test.each([
      'kustomize.enable: "false"',
      'kustomize.buildOptions: --enable-alpha-plugins',
      'kustomize.path.v5: /tools/kustomize',
      'helm.enable: "false"',
      'application.instanceLabelKey: app',
      'resource.compareoptions: "{}"',
      'resource.customizations: "apps/Deployment: {ignoreDifferences: {jsonPointers: [/spec]}}"',
      'resource.customizations.ignoreDifferences.apps_Deployment: "jsonPointers: [/spec/replicas]"',
      'configManagementPlugins: "[]"',
      'aSettingOfTheNextVersion: x',
    ])('nor do others that may decide what it applies pass then: %s', async (data) => {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata:\n  url: https://a.example.com\n  ${data}\n`;
      expect(await find(text, '')).toEqual([]);
      expect(await find(text, '--policy policy.yaml')).toEqual(['error input/kustomization in/a.yaml']);
    });

    test('those of its pages, users, health checks and refreshes do', async () => {
      const data =
        'url: https://a.example.com\n  kustomize.buildOptions: ""\n  users.anonymous.enabled: "true"\n  accounts.alice.enabled: "false"\n' +
        '  dex.config: x\n  timeout.reconciliation: 1m\n  resource.customizations.health.apps_Deployment: x\n' +
        '  resource.customizations.ignoreResourceUpdates.all: x\n  application.resourceTrackingMethod: annotation\n';
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata:\n  ${data}`;
      expect(await find(text, '--policy policy.yaml')).toEqual([]);
    });

    test('nor of another ConfigMap', async () => {
      expect(await find(settings('exclusions', '[{kinds: ["*"]}]').replace('argocd-cm', 'other'), '--policy policy.yaml')).toEqual([]);
    });
  });

  describe('what deploys a folder in which no file was read is then an error', () => {
    const fleet = (paths: string) => deployed('fleet.cattle.io/v1alpha1', 'GitRepo', `{repo: a, paths: [${paths}]}`);
    const chart = (kind: string, name: string) =>
      deployed('helm.toolkit.fluxcd.io/v2', 'HelmRelease', `{chart: {spec: {chart: ${name}, sourceRef: {kind: ${kind}, name: a}}}}`);
    const applicationSet = (source: string) =>
      deployed(
        'argoproj.io/v1alpha1',
        'ApplicationSet',
        `{generators: [{list: {elements: [{path: a}]}}], strategy: {type: RollingSync, rollingSync: {steps: [{matchExpressions: []}]}}, template: {metadata: {name: a}, spec: {project: a, source: {repoURL: a, ${source}}, destination: {name: a}}}}`,
      );
    const kustomize = (folder: string) => deployed('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', `{path: ${folder}}`);
    const link = (folder: string) => {
      symlinkSync('base', path.join(folder, 'in/prod'));
      symlinkSync('in/base', path.join(folder, 'live'));
    };
    const others = { 'in/base/cm.yaml': CONFIG_MAP.replace('cm', 'b'), 'in/x/live/cm.yaml': CONFIG_MAP.replace('cm', 'c') };
    const find = async (text: string, option: string) =>
      (await check({ ...others, 'in/a.yaml': text }, option, link)).found.filter((found) => found.includes('input/kustomization'));

    test.each([
      ['a link', kustomize('./in/prod')],
      ['a folder below a link', kustomize('in/prod/sub')],
      ['a link outside of the PATH with the name of a folder that is read', kustomize('./live')],
      ['a folder that is missing', kustomize('apps/web')],
      ['the folder around another one, which may be a link', kustomize('in/prod/../base')],
      ['a link', argo('source: {path: in/prod}')],
      ['a link among several', argo('sources: [{path: in/base}, {path: in/prod}]')],
      ['a link', deployed('argoproj.io/v1alpha1', 'ApplicationSet', '{template: {spec: {source: {path: in/prod}}}}')],
      ['a link with a chart', chart('GitRepository', './in/prod')],
      ['a link among several', fleet('in/base, in/prod')],
      ['the folders of a link', fleet('"in/prod/*"')],
    ])('%s: %s', async (_, text) => {
      expect(await find(text, '')).toEqual([]);
      for (const option of ['--require-planned', '--policy policy.yaml'])
        expect(await find(text, option)).toEqual(['error input/kustomization in/a.yaml']);
    });

    test.each(['', '--require-planned'])('nor does it say whether a folder exists that a link leads to: %s', async (option) => {
      const decoys = { 'in/x/out/etc/cm.yaml': CONFIG_MAP.replace('cm', 'd'), 'in/x/out/none/cm.yaml': CONFIG_MAP.replace('cm', 'e') };
      const linkOut = (folder: string) => {
        symlinkSync('/', path.join(folder, 'out'));
        symlinkSync('/', path.join(folder, 'in/out'));
      };
      const findIn = (folder: string) => check({ ...others, ...decoys, 'in/a.yaml': kustomize(folder) }, option, linkOut);
      expect(await findIn('out/etc')).toEqual(await findIn('out/none'));
      expect(await findIn('in/out/etc')).toEqual(await findIn('in/out/none'));
    });

    test.each([
      kustomize('./in/base/'),
      kustomize('./'),
      kustomize('deploy/in/base'),
      argo('source: {path: base}'),
      argo('source: {chart: web, path: x}'),
      chart('HelmRepository', 'web'),
      fleet('in/x/*'),
      fleet('"*"'),
      deployed('argoproj.io/v1alpha1', 'ApplicationSet', '{template: {spec: {source: {path: "apps/{{name}}"}}}}'),
    ])('not for %s', async (text) => {
      expect(await find(text, '--policy policy.yaml')).toEqual([]);
    });

    test.each<readonly [string, string, string, number]>([
      ['the root of the repository', kustomize('./'), 'in', 1],
      ['the root of the repository', kustomize('./'), 'in other', 1],
      ['the root of the repository', deployed('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', '{prune: true}'), 'in', 1],
      ['the root of the repository', deployed('fleet.cattle.io/v1alpha1', 'GitRepo', '{repo: a}'), 'in', 1],
      ['folders next to the PATH', fleet('"o*"'), 'in', 1],
      ['a folder that an ApplicationSet fills in', applicationSet('path: "in/{{.path}}"'), 'in', 1],
      ['a folder that an ApplicationSet fills in', applicationSet('path: "{{path.path}}"'), '.', 0],
      ['a chart of an ApplicationSet with steps', applicationSet('chart: web'), '.', 1],
      ['a folder around the PATH', kustomize('in'), 'in/base', 1],
      ['the root of the repository', kustomize('./'), '.', 0],
      ['a folder around the PATH', kustomize('in'), 'in', 0],
    ])('so is %s, which contains more than was read: %s %s', async (_, text, paths, expected) => {
      const run = async (option: string) => {
        const files = { 'policy.yaml': POLICY, 'in/base/a.yaml': text, 'other/cm.yaml': CONFIG_MAP };
        const prepare = (folder: string) => mkdirSync(path.join(folder, '.git'));
        return await rolloutkit(`check ${option} ${paths}`, { files, prepare });
      };
      expect(await run('--policy policy.yaml')).toMatchObject({ exitCode: expected });
      expect(await run('')).toMatchObject({ exitCode: 0 });
    });

    test('nor if no folder was read', async () => {
      const { exitCode } = await rolloutkit('check --policy policy.yaml a.yaml', {
        files: { 'policy.yaml': POLICY, 'a.yaml': kustomize('apps/web') },
      });
      expect(exitCode).toBe(0);
    });
  });

  describe('a file that an Application makes Argo CD render with Jsonnet is then an error', () => {
    const applying = (source: string) => deployed('argoproj.io/v1alpha1', 'Application', `{source: {repoURL: a, ${source}}}`);
    const find = async (application: string, file: string, option: string, more: Setting['files'] = {}) =>
      (
        await check({ 'in/app.yaml': application, [`in/${file}`]: '{apiVersion: "apps/v1", kind: "Deployment"}\n', ...more }, option)
      ).found.filter((found) => found.includes('input/kustomization'));

    test.each([
      ['its folder', applying('path: in/apps'), 'apps/web.jsonnet'],
      ['a folder below', applying('path: in/apps, directory: {recurse: true}'), 'apps/sub/web.jsonnet'],
      ['the root', applying('path: in'), 'web.jsonnet'],
      [
        'any folder, which an ApplicationSet fills in',
        deployed('argoproj.io/v1alpha1', 'ApplicationSet', '{template: {spec: {source: {repoURL: a, path: "in/{{.path}}"}}}}'),
        'apps/web.jsonnet',
      ],
    ])('in %s', async (_, application, file) => {
      const others = { 'in/apps/cm.yaml': CONFIG_MAP };
      expect(await find(application, file, '', others)).toEqual([]);
      for (const option of ['--require-planned', '--policy policy.yaml'])
        expect(await find(application, file, option, others)).toEqual(['error input/kustomization in/app.yaml']);
    });

    test.each<readonly [string, string, string, Readonly<Record<string, string>>]>([
      ['in another folder', applying('path: in/apps'), 'lib/web.jsonnet', {}],
      ['in a folder below that is not read', applying('path: in/apps'), 'apps/sub/web.jsonnet', {}],
      ['that others import', applying('path: in/apps'), 'apps/web.libsonnet', {}],
      ['in a kustomization', applying('path: in/apps'), 'apps/web.jsonnet', { 'in/apps/kustomization.yaml': 'resources: [cm.yaml]\n' }],
      [
        'in the chart of a HelmRelease of Flux',
        deployed(
          'helm.toolkit.fluxcd.io/v2',
          'HelmRelease',
          '{chart: {spec: {chart: in/apps, sourceRef: {kind: GitRepository, name: a}}}}',
        ),
        'apps/web.jsonnet',
        { 'in/apps/Chart.yaml': 'apiVersion: v2\nname: apps\nversion: 1.0.0\n' },
      ],
      ['without an Application', CONFIG_MAP.replace('cm', 'other'), 'apps/web.jsonnet', {}],
    ])('not one %s', async (_, application, file, more) => {
      expect(await find(application, file, '--policy policy.yaml', { 'in/apps/cm.yaml': CONFIG_MAP, ...more })).toEqual([]);
    });
  });

  test('a folder of that name is hidden like others', async () => {
    expect((await check({ 'in/.sourceignore/web.yaml': REFUSED }, '--require-planned')).found).toEqual([
      REFUSAL('in/.sourceignore/web.yaml'),
    ]);
  });

  test.each([
    ['commonLabels: {a: 5}'],
    ['commonAnnotations: [a]'],
    ['commonAnnotations: {a: [b]}'],
    ['labels: {pairs: {a: b}}'],
    ['labels: [{pairs: {a: b}, includeSelectors: "true"}]'],
    ['metadata: {name: 5}'],
    ['metadata: x'],
    ['apiVersion: v1'],
    ['kind: kustomization'],
    ['bases: [""]'],
    ['bases: [sub/kustomization.yaml]'],
    ['bases: [part]'],
    ['components: [sub]'],
    ['components: [sub/cm.yaml]'],
    ['resources: [.]'],
    ...[
      'metadata: ""',
      'metadata: []',
      'metadata: {labels: ""}',
      'metadata: {labels: []}',
      'components: ""',
      'bases: ""',
      'commonLabels: ""',
      'commonLabels: []',
      'labels: ""',
      'labels: [{pairs: ""}]',
      'namespace: []',
      'kind: []',
      'apiVersion: []',
      'foo: ""',
      'foo: []',
      'patches: ""',
      'images: ""',
      'replicas: ""',
    ].map((text) => [text]),
  ])('a kustomization that kustomize refuses because of %s is then an error', async (text) => {
    const files = {
      'in/sub/kustomization.yaml': 'resources: [cm.yaml]\n',
      'in/sub/cm.yaml': CONFIG_MAP,
      'in/part/kustomization.yaml': 'kind: Component\n',
      'in/kustomization.yaml': `${text}\n`,
    };
    expect(await check(files, '--require-planned')).toMatchObject({
      exitCode: 1,
      found: expect.arrayContaining(['error input/kustomization in/kustomization.yaml']),
    });
  });

  test('a JSON object after another one, of which kustomize builds only the first, is then an error', async () => {
    const spec = { minAvailable: 1, selector: { matchLabels: { a: 'b' } } };
    const budget = (name: string) => JSON.stringify({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec });
    const files = { 'in/all.json': `${budget('a')}\n${budget('b')}\n${budget('c')}`, 'in/kustomization.yaml': 'resources: [all.json]\n' };
    expect((await check(files)).found).toContain('warning input/kustomization in/all.json');
    expect((await check(files, '--require-planned')).found.filter((each) => each.startsWith('error'))).toEqual([
      'error input/kustomization in/all.json',
    ]);
    expect((await check({ 'in/all.json': files['in/all.json'] })).found).not.toContain('warning input/kustomization in/all.json');
  });

  test('a component that adds no object may be listed twice', async () => {
    const files = {
      'in/part/kustomization.yaml': 'kind: Component\n',
      'in/kustomization.yaml': 'resources: [cm.yaml]\ncomponents: [part, part]\n',
    };
    expect(await check(files)).toEqual({ exitCode: 0, found: ['info input/kustomization in/kustomization.yaml'] });
    expect((await check(files, '--require-planned')).exitCode).toBe(0);
  });

  test('a kustomization with valid values is none', async () => {
    const files = {
      'in/sub/kustomization.yaml': 'resources: [cm.yaml]\nmetadata: {name: a, annotations: {a: b}}\n',
      'in/sub/cm.yaml': CONFIG_MAP,
      'in/part/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [more.yaml]\n',
      'in/part/more.yaml': CONFIG_MAP.replace('name: cm', 'name: more'),
      'in/kustomization.yaml': 'kind: Kustomization\nbases: [sub]\ncomponents: [part]\nresources:\n',
    };
    expect((await check(files, '--require-planned')).exitCode).toBe(0);
  });

  test.each([
    ['labels', 'labels: [{pairs: {c: d}, includeTemplates: true}]'],
    ['annotations', 'commonAnnotations: {config.kubernetes.io/local-config: "true"}'],
    ['a label without a value, which Go reads as an empty text', 'labels: [{pairs: {team: }, includeSelectors: true}]'],
    ['labels that have no pairs', 'labels: [{pairs: {}, includeSelectors: true}]'],
    ['a namespace', 'namespace: prod'],
  ])('a component with %s also changes what the kustomization around it includes, which is then an error', async (_, text) => {
    const files = {
      'in/part/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n${text}\n`,
      'in/kustomization.yaml': 'resources: [cm.yaml]\ncomponents: [part]\n',
    };
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/kustomization in/kustomization.yaml'] });
  });

  test.each([
    ['github.com/evil/repo', 'github.com/evil/repo'],
    ['GitHub.com/evil/repo', 'GitHub.com/evil/repo'],
    ['git@example.com/evil/repo', 'git@example.com/evil/repo'],
    ['git@example.com:evil/repo', 'git@example.com:evil/repo'],
    ['https://example.com/evil/repo', 'https:/example.com/evil/repo'],
  ])('an entry that kustomize takes for a URL is then an error, also if a folder has its name: %s', async (entry, folder) => {
    const files = {
      [`in/${folder}/kustomization.yaml`]: 'resources: [cm.yaml]\n',
      [`in/${folder}/cm.yaml`]: CONFIG_MAP,
      'in/kustomization.yaml': `resources: ["${entry}"]\n`,
    };
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/kustomization in/kustomization.yaml'] });
  });

  test('a kustomization that only includes folders of the PATH is none', async () => {
    const files = { 'in/overlay/kustomization.yaml': 'resources: [../base]\n', 'in/base/kustomization.yaml': 'resources: []\n' };
    expect(await check({ ...files, 'in/kustomization.yaml': 'resources: [cm.yaml]\ncommonLabels: {}\n' }, '--require-planned')).toEqual({
      exitCode: 0,
      found: ['info input/kustomization in/overlay/kustomization.yaml'],
    });
  });

  test('a submodule that is not checked out is then an error, and another empty folder is none', async () => {
    const files = { '.gitmodules': '[submodule "base"]\n\tpath = in/base\n\turl = https://example.com/base\n' };
    const empty = (folder: string) => mkdirSync(path.join(folder, 'in/base'));
    expect(await check(files, '', empty)).toEqual({ exitCode: 0, found: ['info input/skipped in/base'] });
    expect(await check(files, '--require-planned', empty)).toEqual({ exitCode: 1, found: ['error input/skipped in/base'] });
    expect(await check({}, '--require-planned', empty)).toEqual({ exitCode: 0, found: [] });
    const linked = (folder: string) => {
      empty(folder);
      symlinkSync('/none', path.join(folder, '.gitmodules'));
    };
    expect(await check({}, '--require-planned', linked)).toEqual({ exitCode: 1, found: ['error input/skipped in/base'] });
  });

  test.each([
    ['after the field', '{type: Recreate, <<: {type: RollingUpdate}}', true],
    ['of several maps', '{<<: [{type: RollingUpdate}, {type: Recreate}]}', true],
    ['before the field', '{<<: {type: Recreate}, type: RollingUpdate}', false],
    ['with the same value', '{type: RollingUpdate, <<: {type: RollingUpdate}}', false],
    ['of other fields', '{type: RollingUpdate, <<: {rollingUpdate: {maxSurge: 1}}}', false],
  ])(
    'a field that a merge sets again has another value for kustomize, which is then an error: a merge %s',
    async (_, strategy, isOther) => {
      const web = REFUSED.replace(/strategy: .*/, `strategy: ${strategy}`);
      const finding = 'input/kustomization in/web.yaml';
      const strict = { exitCode: isOther ? 1 : 0, found: isOther ? [`error ${finding}`] : [] };
      const isAboutMerge = (found: string) => found.endsWith(finding);
      const alone = { 'in/web.yaml': web };
      const listed = { ...alone, 'in/kustomization.yaml': 'resources: [cm.yaml, web.yaml]\n' };
      for (const files of [alone, listed]) {
        const { exitCode, found } = await check(files, '--require-planned');
        expect({ exitCode, found: found.filter(isAboutMerge) }).toEqual(strict);
      }
      expect((await check(alone)).found.filter(isAboutMerge)).toEqual([]);
      expect((await check(listed)).found.filter(isAboutMerge)).toEqual(isOther ? [`warning ${finding}`] : []);
    },
  );

  test('kustomize reads words such as yes as text in a listed file, which kubectl reads as booleans', async () => {
    const web = REFUSED.replace('maxSurge: 0', 'maxSurge: 1').replace('image: "x:1"', 'image: "x:1", env: [{name: A, value: yes}]');
    const paused = REFUSED.replace('maxSurge: 0', 'maxSurge: 1').replace('spec:\n', 'spec:\n  paused: on\n');
    const listed = (text: string) => ({ 'in/web.yaml': text, 'in/kustomization.yaml': 'resources: [cm.yaml, web.yaml]\n' });
    const error = { exitCode: 1, found: ['error input/wrong-type in/web.yaml'] };
    expect(await check({ 'in/web.yaml': web })).toEqual(error);
    expect(await check(listed(web))).toEqual({ exitCode: 0, found: [] });
    expect(await check({ 'in/web.yaml': paused })).toEqual({ exitCode: 0, found: ['info kubernetes/paused in/web.yaml'] });
    expect(await check(listed(paused))).toEqual(error);
  });

  test.each([
    ['a key', '{app: web, y: a}', true],
    ['a value', '{app: web, tier: Off}', true],
    ['before a line break of YAML 1.1', '{app: web, tier: off\u0085}', true],
    ['in quotes', '{app: web, "y": "off"}', false],
    ['as part of a text', '{app: web, tier: on-call} # on', false],
  ])('a word of YAML 1.1 in a listed file is then an error: %s', async (_, labels, isWord) => {
    const web = REFUSED.replace(/strategy: .*\n/, `replicas: 3\n`).replace('labels: {app: web}', `labels: ${labels}`);
    const files = { 'in/web.yaml': web, 'in/kustomization.yaml': 'resources: [cm.yaml, web.yaml]\n' };
    const isAboutWord = (found: string) => found === 'error input/kustomization in/web.yaml';
    expect((await check(files)).found.filter(isAboutWord)).toEqual([]);
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect((await check(files, option)).found.filter(isAboutWord)).toHaveLength(isWord ? 1 : 0);
  });

  test('a listed file is then planned as kubectl reads it, to which the label y is the label true', async () => {
    const files = {
      'in/web.yaml': REFUSED.replace(/strategy: .*\n/, `replicas: 3\n`).replace('labels: {app: web}', 'labels: {app: web, y: a}'),
      'in/budget.yaml':
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\nspec: {maxUnavailable: 1, selector: {matchLabels: {"y": a}}}\n',
      'in/kustomization.yaml': 'resources: [cm.yaml, web.yaml, budget.yaml]\n',
      'policy.yaml': 'requireBudget: true\n',
    };
    expect(await check(files, '--policy policy.yaml')).toEqual({
      exitCode: 1,
      found: ['error input/kustomization in/web.yaml', 'error guardrails/refused in/web.yaml'],
    });
  });

  test.each([
    ['in YAML', 'in/web.yaml', REFUSED.replace('{containers', '{terminationGracePeriodSeconds: 9007199254740993, containers'), 9],
    [
      'in JSON, of an item of a list',
      'in/web.json',
      '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"},\n "spec": {"template": {"spec": {"terminationGracePeriodSeconds": -9007199254740993}}}}]}\n',
      2,
    ],
    ['in hexadecimal digits', 'in/web.yaml', REFUSED.replace('strategy: {', 'minReadySeconds: 0x20000000000001\n  strategy: {'), 5],
    [
      'of an object that only its definition checks',
      'in/web.yaml',
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 9007199254740993}\n',
      4,
    ],
  ])('a number that is rounded here, but not by kubectl, is then an error: %s', async (_, file, text, line) => {
    const roundings = async (args: string) => {
      const { exitCode, stdout } = await rolloutkit(`check --format json ${args} in`, { files: { 'policy.yaml': POLICY, [file]: text } });
      const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
      const found = findings.filter(({ messageId }) => messageId === 'rounded');
      return { exitCode, found: found.map(({ severity, source }) => `${severity} ${source?.file}:${source?.line}`) };
    };
    expect((await roundings('')).found).toEqual([]);
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await roundings(option)).toEqual({ exitCode: 1, found: [`error ${file}:${line}`] });
  });

  test.each([
    ['that is not beyond 2^53', REFUSED.replace('{containers', '{terminationGracePeriodSeconds: 9007199254740991, containers')],
    ['in quotes', REFUSED.replace('image: "x:1"', 'image: "x:1", env: [{name: A, value: "9007199254740993"}]')],
  ])('a number %s is no error', async (_, text) => {
    expect((await check({ 'in/web.yaml': text }, '--require-planned')).found).not.toContain('error input/unreadable in/web.yaml');
  });

  test.each([
    ['a map that is no object', 'a: b\n', true],
    ['a list', '- a\n', true],
    ['an object without a kind', 'apiVersion: v1\nmetadata: {name: a}\n', true],
    ['an object with a generated name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n', true],
    ['an object with an empty name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ""}\n', true],
    ['a list with items without kinds', 'apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}}]\n', true],
    ['a list of objects', 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]\n', false],
    ['an empty list of objects', 'apiVersion: v1\nkind: List\nitems:\n', false],
    ['nothing but braces', '{}\n', false],
    ['nothing but a comment', '# a\n', false],
  ])('kustomize refuses a file with %s, so a kustomization that lists it is then an error', async (_, text, isRefused) => {
    const files = { 'in/all.yaml': `${CONFIG_MAP}---\n${text}` };
    const found = 'input/kustomization in/all.yaml';
    const listed = { ...files, 'in/kustomization.yaml': 'resources: [cm.yaml, all.yaml]\n' };
    const isAbout = (each: string) => each.endsWith(found);
    expect((await check(listed)).found.filter(isAbout)).toEqual(isRefused ? [`warning ${found}`] : []);
    expect((await check(listed, '--require-planned')).found.filter(isAbout)).toEqual(isRefused ? [`error ${found}`] : []);
    expect((await check(files, '--require-planned')).found.filter(isAbout)).toEqual([]);
  });

  test.each(['web.yaml', 'web.json', 'values.yaml', 'fleet.yaml'])('a pointer of Git LFS is then an error: %s', async (name) => {
    const files = { [`in/${name}`]: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab29\nsize 12345\n' };
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: [`error input/unreadable in/${name}`] });
  });

  test('a link that leads out of the PATH is not followed, which is then an error', async () => {
    const link = (folder: string) => symlinkSync('../web.yaml', path.join(folder, 'in/web.yaml'));
    expect(await check({ 'web.yaml': REFUSED }, '', link)).toEqual({ exitCode: 0, found: ['info input/skipped in/web.yaml'] });
    expect(await check({ 'web.yaml': REFUSED }, '--require-planned', link)).toEqual({
      exitCode: 1,
      found: ['error input/skipped in/web.yaml'],
    });
  });

  test('a hidden name of a link hides nothing', async () => {
    const link = (folder: string) => {
      mkdirSync(path.join(folder, 'in/.x'));
      symlinkSync('../base.txt', path.join(folder, 'in/.x/web.yaml'));
      symlinkSync('base.txt', path.join(folder, 'in/.web.yaml'));
    };
    expect(await check({ 'in/base.txt': REFUSED }, '', link)).toEqual({
      exitCode: 1,
      found: ['info input/not-read in/.x/web.yaml', REFUSAL('in/.web.yaml')],
    });
  });

  test('the configuration of the folder excludes nothing then, and the one that an option names does', async () => {
    const files = { 'in/web.yaml': REFUSED, 'in/rolloutkit.yaml': 'exclude: [web.yaml]\n' };
    expect(await check(files)).toEqual({ exitCode: 0, found: ['info input/not-read in/web.yaml'] });
    expect((await check(files, '--policy policy.yaml')).found).toEqual([REFUSAL('in/web.yaml')]);
    expect((await check(files, '--policy policy.yaml --config in/rolloutkit.yaml')).found).toEqual([]);
    expect((await check(files, '--policy policy.yaml --exclude web.yaml')).found).toEqual([]);
  });

  test('the configuration of the folder maps no kind without a plan then, and the one that an option names does', async () => {
    const files = {
      'in/release.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: shop}\nspec: {interval: 5m}\n',
      'in/rolloutkit.yaml':
        'operatorResources: [{group: helm.toolkit.fluxcd.io, kind: HelmRelease, rollsLike: statefulset, replicas: spec.instances}]\n',
    };
    expect((await check(files)).found).toEqual(['info operator/mapped-not-verified in/release.yaml']);
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 1, found: [] });
    expect((await check(files, '--require-planned --config in/rolloutkit.yaml')).exitCode).toBe(0);
    const { stderr } = await rolloutkit('check in --require-planned', { files });
    expect(stderr).toBe(
      'rolloutkit: uses the configuration in/rolloutkit.yaml, without its operatorResources; write --config in/rolloutkit.yaml if you trust it\n',
    );
  });

  test.each<readonly [string, Setting['files'], string]>([
    ['is itself in the folder', { 'in/web.yaml': REFUSED, 'in/rolloutkit.yaml': 'exclude: [web.yaml]\n' }, 'error'],
    ['leaves files without objects', { 'in/web.yaml': REFUSED, 'in/x.json': '{}', 'rolloutkit.yaml': 'exclude: [in/web.yaml]\n' }, 'error'],
    ['leaves a chart', { 'in/web.yaml': REFUSED, 'in/k/Chart.yaml': CHART, 'rolloutkit.yaml': 'exclude: [in/web.yaml]\n' }, 'error'],
    [
      'leaves a kustomization',
      { 'in/web.yaml': REFUSED, 'in/k/kustomization.yaml': 'resources: []\n', 'rolloutkit.yaml': 'exclude: [in/web.yaml]\n' },
      'error',
    ],
    ['excludes no object', { 'in/web.yaml': 'a: b\n', 'in/x.json': '{}', 'rolloutkit.yaml': 'exclude: [in/web.yaml]\n' }, 'warning'],
  ])('a configuration that excludes each manifest of a folder and %s is one', async (_, files, severity) => {
    const { stdout } = await rolloutkit('check --format json in', { files });
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
    expect(findings.filter(({ code }) => code === 'input/empty').map((finding) => finding.severity)).toEqual([severity]);
  });

  test('a configuration that excludes every file is an error that names it', async () => {
    const files = { 'in/web.yaml': REFUSED, 'in/rolloutkit.yaml': 'exclude: ["**"]\n' };
    const { exitCode, stdout } = await rolloutkit('check in', { files });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      `error  input/empty
  in/rolloutkit.yaml excludes every manifest of the folder in, so nothing is planned.
  fix: Exclude less in in/rolloutkit.yaml, or run with --no-config or --require-planned, which plan every file.

info  input/not-read  in/web.yaml:1
  in/rolloutkit.yaml excludes in/web.yaml, which contains Deployment shop/web.
`,
    );
    const plan = await rolloutkit('plan --from old.yaml in', { files: { ...files, 'old.yaml': REFUSED } });
    expect(plan.stdout.split('\n')[0]).toBe('incomplete: 1 file is not planned; no object of NEW was read');
    const diff = await rolloutkit('diff --fail-on-riskier old.yaml in', { files: { ...files, 'old.yaml': REFUSED } });
    expect([diff.exitCode, diff.stdout]).toEqual([1, expect.not.stringContaining('nothing changes')]);
    const byOption = await rolloutkit('check --no-config --exclude ** in', { files });
    expect(byOption.stdout).toContain('--exclude excludes every manifest of the folder in, so nothing is planned.');
  });
});

describe('any object with items is a list', () => {
  test('but an item of a list with `items: null` is an object', async () => {
    const text = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  items: null\n  ${REFUSED.slice(REFUSED.indexOf('kind')).trimEnd().replaceAll('\n', '\n  ')}\n`;
    expect((await check({ 'in/web.yaml': text })).found).toContain(REFUSAL('in/web.yaml'));
  });

  const items = (head: string) => `${head}items:\n- ${REFUSED.trimEnd().replaceAll('\n', '\n  ')}\n`;

  test.each([
    ['of an unknown kind', items('apiVersion: x.io/v1\nkind: Whatever\n')],
    ['of a ConfigMap', items('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n')],
    ['without an apiVersion', items('kind: ConfigMap\n')],
    [
      'whose kind implies that of its items',
      items('apiVersion: apps/v1\nkind: DeploymentList\n').replace('apiVersion: apps/v1\n  kind: Deployment\n  ', ''),
    ],
    [
      'in JSON with escaped names',
      `{"\\u0061piVersion": "v1", "k\\u0069nd": "X", "\\u0069tems": [${JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'x:1' }] } } } })}]}`,
    ],
  ])('%s', async (_, text) => {
    expect(await check({ 'in/web.yaml': text })).toEqual({ exitCode: 1, found: [REFUSAL('in/web.yaml')] });
  });

  test.each(['apiVersion: v1\n', ''])('but kustomize keeps the object without its items, which is then an error: %j', async (version) => {
    const budget = '{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 1, selector: {}}}';
    const files = { 'in/b.yaml': `${version}kind: ConfigMap\nmetadata: {name: x}\nitems: [${budget}]\n` };
    expect(await check(files)).toMatchObject({ exitCode: 0 });
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check(files, option)).toMatchObject({ exitCode: 1, found: expect.arrayContaining(['error input/not-read in/b.yaml']) });
    const list = { 'in/b.yaml': files['in/b.yaml'].replace('ConfigMap', 'ConfigMapList') };
    expect((await check(list, '--require-planned')).found).not.toContain('error input/not-read in/b.yaml');
  });

  test('and the object itself, which kubectl does not apply, is named', async () => {
    const text = `${REFUSED}items: []\n`;
    expect(await check({ 'in/web.yaml': text })).toEqual({ exitCode: 0, found: ['info input/not-read in/web.yaml'] });
    expect(await check({ 'in/web.yaml': text }, '--require-planned')).toEqual({ exitCode: 1, found: ['error input/not-read in/web.yaml'] });
  });
});

describe('the directive $patch sets an object aside only where kustomize reads it', () => {
  const annotated = (strategy: string) =>
    REFUSED.replace('namespace: shop', `namespace: shop, annotations: {x: y}`).replace('spec:\n', `$patch: ${strategy}\nspec:\n`);

  test('not without a kustomization, and not with another value', async () => {
    expect((await check({ 'in/web.yaml': annotated('delete') })).found).toContain(REFUSAL('in/web.yaml'));
    const files = { 'in/web.yaml': annotated('x'), 'in/kustomization.yaml': 'resources: [a.yaml]\n' };
    expect((await check(files)).found).toContain(REFUSAL('in/web.yaml'));
  });

  test('not in a file that a kustomization lists as a resource', async () => {
    const files = { 'in/web.yaml': annotated('delete'), 'in/kustomization.yaml': 'resources: [web.yaml]\n' };
    expect((await check(files)).found).toContain(REFUSAL('in/web.yaml'));
  });

  test('in another file next to a kustomization', async () => {
    const files = { 'in/web.yaml': annotated('delete'), 'in/kustomization.yaml': 'resources: [cm.yaml]\n' };
    expect((await check(files)).found).toEqual(['info input/not-read in/web.yaml']);
  });
});

describe('a marker that is a link out of the PATH is not followed', () => {
  const linked =
    (name: string, target: string): Setting['prepare'] =>
    (folder) =>
      symlinkSync(target, path.join(folder, 'in', name));

  test.each([
    ['kustomization.yaml', '../outside/kustomization.yaml', 'info input/not-read in/web.yaml'],
    ['.sourceignore', '../outside/ignore', 'info input/kustomization in/.sourceignore'],
    ['.sourceignore', '/proc/self/pagemap', 'info input/kustomization in/.sourceignore'],
  ])('%s -> %s may then set anything aside, which is said, and what it sets aside is planned', async (name, target, info) => {
    const files = { 'in/web.yaml': REFUSED, 'outside/kustomization.yaml': 'resources: [web.yaml]\n', 'outside/ignore': '# nothing\n' };
    const { found } = await check(files, '', linked(name, target));
    expect(found).toEqual(expect.arrayContaining([info, REFUSAL('in/web.yaml')]));
  });
});

test.each(['ignore', 'none', '.'])(
  'a .sourceignore around the PATH may then leave out anything if it is a link to %j outside of the repository, whether or not that exists',
  async (target) => {
    const outside = folderWith({ ignore: '# nothing\n' });
    const { found } = await check({ 'in/web.yaml': REFUSED, '.git/HEAD': '' }, '--require-planned', (folder) =>
      symlinkSync(path.join(outside.path, target), path.join(folder, '.sourceignore')),
    );
    outside.remove();
    expect(found).toEqual(['error input/kustomization ./.sourceignore', REFUSAL('in/web.yaml')]);
  },
);

test('a file of /proc, which has no size, is not read beyond the limit', () => {
  expect(readLimited('/proc/self/pagemap', 1_000_000)).toBeUndefined();
  expect(readLimited('/proc/version', 1_000_000)?.toString()).toMatch(/^Linux/);
});

test('a marker file of more than 1 MB is not read for what it does with others, so a kustomization may do anything', async () => {
  const files = { 'in/kustomization.yaml': `resources: [cm.yaml]\n# ${'x'.repeat(1_000_000)}\n` };
  expect(await check(files, '--require-planned')).toMatchObject({
    exitCode: 1,
    found: expect.arrayContaining(['error input/kustomization in/kustomization.yaml']),
  });
});

describe('an object of a kind that no plan reads, which kubectl applies and a folder sets aside', () => {
  const widget = (annotations: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${annotations}}\n`;

  test.each([
    ['as a local file of a kustomization', 'w.yaml', widget(', annotations: {config.kubernetes.io/local-config: "true"}')],
    ['as a patch', 'cm.yaml', `${widget('')}spec: {a: {$patch: delete}}\n`],
  ])('is an error if every file must be planned: %s', async (_, resource, text) => {
    const files = { 'in/w.yaml': text, 'in/kustomization.yaml': `resources: [${resource}]\n` };
    expect((await check(files)).found).not.toContain('info input/not-read in/w.yaml');
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check(files, option)).toMatchObject({ exitCode: 1, found: expect.arrayContaining(['error input/not-read in/w.yaml']) });
  });
});

describe('a directive of a strategic merge patch, because of which kubectl sends something else', () => {
  const web = (container: string) =>
    REFUSED.replace('[{name: c, image: "x:1"}]', `[{name: c, image: "x:1"}, {name: probe, image: "y:1", ${container}}]`);

  test.each([
    '$patch: delete',
    '"$\\u0070atch": delete',
    '$retainKeys: [name]',
    '$setElementOrder/ports: []',
    '$deleteFromPrimitiveList/args: [a]',
  ])('%s is an error if every file must be planned', async (directive) => {
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check({ 'in/web.yaml': web(directive) }, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining(['error input/kustomization in/web.yaml']),
      });
    expect((await check({ 'in/web.yaml': web(directive) })).found).toContain('warning input/unknown-field in/web.yaml');
  });

  test('is data in a custom resource', async () => {
    const text = 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: a}\nspec: {patch: {$patch: delete}}\n';
    expect(await check({ 'in/policy.yaml': text }, '--require-planned')).toEqual({ exitCode: 0, found: [] });
  });
});

describe('an error stays an error if kubectl may read the document', () => {
  test('more aliases than are read, after a line of a template', async () => {
    const text = `${REFUSED}---\n# {{ x }}\n{{ x }}: [&a 1${', *a'.repeat(120)}]\n---\nx: [&a 1${', *a'.repeat(120)}]\n`;
    expect((await check({ 'in/web.yaml': `{{ x }}\n---\n${text}` })).found).toContain('error input/unreadable in/web.yaml');
  });

  test('JSON with a byte that is not UTF-8 and escaped names', async () => {
    const text = Buffer.from('{"\\u0061piVersion": "apps/v1", "\\u006bind": "Deployment", "metadata": {"name": "?"}}');
    text[text.indexOf('?')] = 0xff;
    expect(await check({ 'in/web.json': text })).toEqual({ exitCode: 1, found: ['error input/unreadable in/web.json'] });
  });

  test('a null key in a value that is discarded, on a line of a template', async () => {
    const text = `${REFUSED}x: {null: 1} # {{ x }}\nx: 1\n`;
    expect((await check({ 'in/web.yaml': text })).found).toEqual(['error input/unreadable in/web.yaml']);
  });

  test('text after a value whose tokens are invalid, on a line of a template', async () => {
    const text = `${REFUSED.replaceAll(/^/gm, ' ').trimEnd()}\n!a!b # {{ x }}\n`;
    expect((await check({ 'in/web.yaml': text })).found).toEqual(['error input/unreadable in/web.yaml']);
  });

  // kubectl lists the Deployment: it checks the keys that are left, and resolves no tag after the value.
  test.each([
    ['a key without a value in a value that is discarded', '"x": {null: 1}, "x": 1', ''],
    ['a tag after the value', '"x": 1', '\n!a!b c\n'],
  ])('JSON with escaped names, and %s', async (_, field, after) => {
    const text = `{"\\u0061piVersion": "apps/v1", "\\u006bind": "Deployment", "metadata": {"name": "web"}, ${field}, }${after}`;
    const unreadable = { exitCode: 1, found: expect.arrayContaining(['error input/unreadable in/web.json']) };
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await check({ 'in/web.json': text }, option)).toMatchObject(unreadable);
  });

  test('JSON for another program that cannot contain an object stays an info', async () => {
    const files = { 'in/tsconfig.json': '// ours\n{"compilerOptions": {},}\n' };
    expect(await check(files, '--require-planned')).toEqual({ exitCode: 0, found: ['info input/unreadable in/tsconfig.json'] });
  });

  test('text after a value, which kubectl drops', async () => {
    const text = '{"\\u0061piVersion": "apps/v1",\n "\\u006bind": "Deployment", "metadata": {"name": "web"}}\n# {{ x }}\n{{ x }}\n';
    expect((await check({ 'in/web.json': `# x\n${text}` })).found).toEqual(['error input/unreadable in/web.json']);
  });
});

describe('what is set aside and cannot be read here is named too, since kubectl may read it', () => {
  const MANY_ALIASES = `${REFUSED}x: [&a 1${', *a'.repeat(120)}]\n`;
  const asUtf16 = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  const linkOut = (name: string) => (folder: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(path.join(folder, 'web.yaml'), path.join(folder, name));
  };

  test.each<readonly [string, Setting['files'], Setting['prepare']]>([
    ['UTF-16', { 'in/.x/web.yaml': asUtf16(REFUSED) }, undefined],
    ['more aliases than are read', { 'in/.x/web.yaml': MANY_ALIASES }, undefined],
    ['a link out of the PATH', { 'web.yaml': REFUSED }, linkOut('in/.x/web.yaml')],
  ])('in a hidden folder: %s', async (_, files, prepare) => {
    expect((await check(files, '', prepare)).found).toEqual(['info input/not-read in/.x/web.yaml']);
    const strict = await check(files, '--require-planned', prepare);
    expect(strict).toEqual({ exitCode: 1, found: [expect.stringMatching(/^error input\/(?:unreadable|skipped) in\/\.x\/web\.yaml$/)] });
  });

  test.each<readonly [string, Setting['files'], Setting['prepare']]>([
    ['UTF-16', { 'in/web.yaml': asUtf16(REFUSED) }, undefined],
    ['more aliases than are read', { 'in/web.yaml': MANY_ALIASES }, undefined],
    ['a file that is longer than the budget', { 'in/web.yaml': `${REFUSED}${'#'.repeat(1_000_000)}` }, undefined],
    ['a link out of the PATH', { 'web.yaml': REFUSED }, linkOut('in/web.yaml')],
  ])('by the configuration of the folder: %s', async (_, files, prepare) => {
    const excluding = { ...files, 'in/rolloutkit.yaml': 'exclude: [web.yaml]\n' };
    const args = '--budget file-megabytes=1';
    expect((await check(excluding, args, prepare)).found).toEqual(['info input/not-read in/web.yaml']);
    expect((await check(excluding, `${args} --exclude web.yaml --no-config`, prepare)).found).toEqual([]);
  });

  test.each(['v1 Pod', 'apps.kruise.io/v1alpha1 CloneSet', 'x.io/v1 Thing'])('an object that names an owner: %s', async (type) => {
    const [apiVersion, kind] = type.split(' ');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'cm', uid: '1', controller: true }];
    const template = { spec: { containers: [{ name: 'c', image: 'x:1' }] } };
    const text = JSON.stringify({ apiVersion, kind, metadata: { name: 'a', ownerReferences }, spec: { template } });
    expect((await check({ 'in/.x/web.yaml': text })).found).toEqual(['info input/not-read in/.x/web.yaml']);
    expect((await check({ 'in/web.yaml': text, 'in/rolloutkit.yaml': 'exclude: [web.yaml]\n' })).found).toEqual([
      'info input/not-read in/web.yaml',
    ]);
  });

  test.each(['\u0085', '\u2028', '\u2029', '\r', '\n'])('a name that is written over several lines: %j', async (lineBreak) => {
    const text = REFUSED.replace('kind:', `? "ki\\${lineBreak}nd"\n:`);
    expect((await check({ 'in/.x/web.yaml': text })).found).toEqual(['info input/not-read in/.x/web.yaml']);
  });

  test.each(['\r', '\u0085', '\u2028', '\u2029'])(
    'a line of a template does not turn a directive that kubectl reads into an info: %j',
    async (lineBreak) => {
      const text = `# {{ x }}\n%YAML 1.1\n---\n# {{ x }}\n${REFUSED}`.replaceAll('\n', lineBreak);
      expect((await check({ 'in/web.yaml': text })).found).toEqual(['error input/unreadable in/web.yaml']);
    },
  );

  test('a line of a template does not turn UTF-16 into an info', async () => {
    const text = Buffer.concat([Buffer.from('# {{ x }}\n---\n'), asUtf16(REFUSED)]);
    expect((await check({ 'in/web.yaml': text })).found).toEqual(['error input/unreadable in/web.yaml']);
  });
});

describe('text that may be of a Secret is never quoted', () => {
  const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n';

  test.each([
    ['an item of a list of Secrets', 'apiVersion: v1\nkind: SecretList\nitems: ["hunter2", 12345678]\n', 'items[0]'],
    ['an item next to a Secret', `apiVersion: v1\nkind: List\nitems: ["hunter2", 12345678, {kind: Secret}]\n`, 'items[0]'],
    ['a password that begins like an alias', `${SECRET}stringData: {password: *hunter2}\n`, 'the alias *(secret) has no anchor'],
    ['a password that does not fit its tag', `${SECRET}data:\n  password: !!binary hunter2\n`, '"(secret)" does not fit its tag !!binary'],
    ['an item of a list around a list of Secrets', 'kind: List\nitems: [{kind: List, items: [{kind: Secret}]}, "hunter2"]\n', 'items[1]'],
    [
      'an item of a list in a list of Secrets',
      'kind: List\nitems: [{kind: Secret}, {kind: List, items: ["hunter2"]}]\n',
      'items[1].items[0]',
    ],
    ['a key in PEM that is not indented', `${SECRET}stringData:\n  key: |\n-----hunter2-----\n`, '"(secret)" does not separate documents'],
    ['a text after a line that is a mark', `${SECRET}stringData:\n  key: "\n---\nhunter2\n"\n`, 'it is a value that is not shown'],
    [
      'a kind that is written with an escape',
      'apiVersion: v1\nkind: "\\u0053ecret"\nstringData: {password: *hunter2}\n',
      'the alias *(secret) has no anchor',
    ],
    [
      'a kind that is written in base64',
      'apiVersion: v1\nkind: !!binary U2VjcmV0\nstringData: {password: *hunter2}\n',
      'the alias *(secret) has no anchor',
    ],
    [
      'a password in place of two keys',
      `${SECRET}stringData: {"12345678": hunter2, 12345678: x}\n`,
      'two keys of different types that both become "(secret)"',
    ],
    ['a password in place of a key', `${SECRET}data:\n  ? [hunter2, 12345678]\n  : x\n`, 'a key must be text'],
  ])('%s', async (_, text, message) => {
    const { stdout } = await rolloutkit('check in', { files: { 'in/a.yaml': text } });
    expect(stdout).toContain(message);
    expect(stdout).not.toContain('hunter2');
    expect(stdout).not.toContain('12345678');
  });
});

test('a link into the folder of git is not followed, since what git stores there is none of the files of a commit', async () => {
  const { exitCode, stdout } = await rolloutkit('check --no-config --require-planned .', {
    files: { '.git/FETCH_HEAD': 'a branch of a server\n' },
    prepare: (folder) => symlinkSync('.git/FETCH_HEAD', path.join(folder, 'web.yaml')),
  });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('error  input/skipped  ./web.yaml:1\n');
  expect(stdout).not.toContain('a branch');
});
