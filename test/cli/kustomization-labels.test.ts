import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from './command-line';

/** A Deployment as in many bases: the label that selects its pods is added by the kustomization. */
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  template:
    spec: {containers: [{name: main, image: "main:1", ports: [{name: http, containerPort: 80}], readinessProbe: {httpGet: {path: /, port: http}}}]}
`;

async function check(files: Readonly<Record<string, string>>, paths = '.'): Promise<string> {
  const { stdout, stderr } = await rolloutkit(`check ${paths}`, { files });
  expect(stderr).toBe('');
  return stdout.trim();
}

describe('labels that a kustomization adds', () => {
  test('select the pods of a workload without a selector', async () => {
    const none = '1 rollout on Kubernetes 1.36 (assumed): no findings';
    expect(await check({ 'web.yaml': WEB, 'kustomization.yaml': 'commonLabels: {app: web}\nresources: [web.yaml]\n' })).toBe(none);
    const included = 'labels: [{pairs: {app: web}, includeSelectors: true}]\nresources: [web.yaml]\n';
    expect(await check({ 'web.yaml': WEB, 'kustomization.yaml': included })).toBe(none);
  });

  test('select no pods if they are added only to objects, or if no kustomization names the file', async () => {
    const refused = await check({ 'web.yaml': WEB, 'kustomization.yaml': 'labels: [{pairs: {app: web}}]\nresources: [web.yaml]\n' });
    expect(refused).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 (assumed): 1 error

error  kubernetes/invalid-workload  Deployment web  ./web.yaml:4:1  spec.selector
  spec.selector is missing: the API server refuses the object without it, since apps/v1 has no default selector.
  fix: Write labels into spec.template.metadata.labels and the same labels into spec.selector.matchLabels.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression"
`);
    const unlisted = await check({ 'web.yaml': WEB, 'kustomization.yaml': 'commonLabels: {app: web}\nresources: [api.yaml]\n' });
    expect(unlisted).toContain(refused.split('\n')[3]);
  });

  test('of an overlay reach the objects of its base', async () => {
    const overlay = 'commonLabels: {env: prod}\nresources: [../base]\n';
    const files = { 'base/web.yaml': WEB, 'base/kustomization.yaml': 'resources: [web.yaml]\n', 'prod/kustomization.yaml': overlay };
    expect(await check(files)).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 (assumed): 1 info

info  input/kustomization  ./prod/kustomization.yaml:1
  ./prod is a kustomization that is not built: its files are planned as they are, without its patches and other changes, and without the resources that it includes from elsewhere.
  fix: Plan the result of the build: kustomize build ./prod | rolloutkit check -, or --render

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression"
`);
  });

  test('reach a PATH below its folder, unless a repository begins between them', async () => {
    const files = { 'apps/web.yaml': WEB, 'kustomization.yaml': 'commonLabels: {app: web}\nresources: [apps/web.yaml]\n' };
    for (const given of ['apps', 'apps/web.yaml'])
      expect(await check(files, given)).toBe('1 rollout on Kubernetes 1.36 (assumed): no findings');
    expect(await check({ ...files, 'apps/.git/config': '' }, 'apps')).toContain(
      'error  kubernetes/invalid-workload  Deployment web  apps/web.yaml:4:1  spec.selector',
    );
  });

  test('are matched by a budget', async () => {
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 4, selector: {matchLabels: {app: web}}}\n';
    const kustomization = 'commonLabels: {app: web}\nresources: [web.yaml, budget.yaml]\n';
    const { stdout } = await rolloutkit('plan . --format json', {
      files: { 'web.yaml': WEB, 'budget.yaml': budget, 'kustomization.yaml': kustomization },
    });
    const { rollouts } = JSON.parse(stdout) as PlanDocument;
    expect(rollouts[0]!.findings.map(({ code }) => code)).toEqual(['kubernetes/pdb-blocks-eviction']);
  });

  test('are a change of the selector, which the API server refuses', async () => {
    const files = {
      'old/web.yaml': WEB,
      'old/kustomization.yaml': 'commonLabels: {app: web}\nresources: [web.yaml]\n',
      'new/web.yaml': WEB,
      'new/kustomization.yaml': 'commonLabels: {app: web, team: shop}\nresources: [web.yaml]\n',
    };
    const { stdout } = await rolloutkit('plan --from old new', { files });
    expect(stdout).toMatchInlineSnapshot(`
"2 of 2 objects differ: 1 changes settings, 1 is refused; no pods are affected; assumes Kubernetes 1.36
✗ refused    Deployment web                 spec.selector is immutable
~ settings   Kustomization (without name)   team none -> shop

1 rollout on Kubernetes 1.36: 1 error

error  change/refused  Deployment web  new/web.yaml:4:1  spec.selector
  Applying this is refused: spec.selector: Invalid value: {"matchLabels":{"app":"web","team":"shop"}}: field is immutable.
  fix: Restore the old value. If the change is intended, create the Deployment under a new name next to the old one, switch the Service to it, then delete the old one. Do not delete it with --cascade=orphan: pods of the old selector are never adopted and keep running.

Deployment web (kubernetes)
  refused: see the error

Not checked: what admission webhooks and policies change on apply.
explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('that have no value are empty texts', async () => {
    expect(await check({ 'web.yaml': WEB, 'kustomization.yaml': 'commonLabels: {app: }\nresources: [web.yaml]\n' })).toBe(
      '1 rollout on Kubernetes 1.36 (assumed): no findings',
    );
  });

  test('that are not strings, or are more than a hundred, are not added', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `l${index}: x`).join(', ');
    const refused = /error {2}kubernetes\/invalid-workload[^]*spec.selector/;
    expect(await check({ 'web.yaml': WEB, 'kustomization.yaml': 'commonLabels: {app: 5}\nresources: [web.yaml]\n' })).toMatch(refused);
    const cut = await check({ 'web.yaml': WEB, 'kustomization.yaml': `commonLabels: {${many}}\nresources: [web.yaml]\n` });
    expect(cut).toMatch(refused);
    expect(cut).toContain('is a kustomization that is not built');
  });
});

describe('labels that a kustomization adds to other maps than those of pods', () => {
  const headlineOf = async (files: Readonly<Record<string, string>>, paths: string) => {
    const { stdout } = await rolloutkit(`plan --from ${paths}`, { files });
    return stdout.split('\n').filter((line) => /^[✗!]|^error/.test(line));
  };
  const changed = (manifest: string, labels: (value: string) => string) => ({
    'old/web.yaml': manifest,
    'old/kustomization.yaml': `resources: [web.yaml]\n${labels('a')}`,
    'new/web.yaml': manifest,
    'new/kustomization.yaml': `resources: [web.yaml]\n${labels('b')}`,
  });
  const inTemplates = (value: string) => `labels: [{pairs: {version: ${value}}, includeTemplates: true}]\n`;

  test('are in the claims of a StatefulSet, whose change the API server refuses', async () => {
    const database = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: main, image: "main:1"}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
`;
    expect(await headlineOf(changed(database, inTemplates), 'old new')).toEqual([
      expect.stringMatching(/^✗ refused {4}StatefulSet db .* updates to statefulset spec for fields other than/),
      'error  change/refused  StatefulSet db  new/web.yaml:4:1  spec',
    ]);
  });

  test('are in the pods of a Job, whose change the API server refuses', async () => {
    const job = `apiVersion: batch/v1
kind: Job
metadata: {name: load}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "main:1"}]}}}
`;
    expect(await headlineOf(changed(job, inTemplates), 'old new')).toEqual([
      '✗ refused    Job load                       spec.template is immutable',
      'error  change/refused  new/web.yaml:4:8  spec.template',
    ]);
  });

  test('are replaced in selectors too by a label for objects alone, since kustomize keeps one value for both', async () => {
    const folders = (side: string, label: string) => ({
      [`${side}/base/web.yaml`]: WEB,
      [`${side}/base/kustomization.yaml`]: 'resources: [web.yaml]\ncommonLabels: {app: web}\n',
      [`${side}/prod/kustomization.yaml`]: `resources: [../base]\nlabels: [{pairs: {app: ${label}}}]\n`,
    });
    expect(await headlineOf({ ...folders('old', 'web'), ...folders('new', 'shop') }, 'old new')).toEqual([
      '✗ refused   Deployment web                 spec.selector is immutable',
      'error  change/refused  Deployment web  new/base/web.yaml:4:1  spec.selector',
    ]);
  });

  test('select what pods avoid and how they spread, and only where a selector is written', async () => {
    const constraint = (selector: string) => `{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule${selector}}`;
    const spread = WEB.replace(
      '    spec: {',
      `    spec: {topologySpreadConstraints: [${constraint(', labelSelector: {matchLabels: {app: web}}')}, ${constraint('')}], `,
    );
    const files = {
      'old/web.yaml': spread,
      'old/kustomization.yaml': 'resources: [web.yaml]\ncommonLabels: {app: web}\n',
      'new/web.yaml': spread,
      'new/kustomization.yaml': 'resources: [web.yaml]\ncommonLabels: {app: web, team: shop}\n',
    };
    const { stdout } = await rolloutkit('plan --from old new --format json', { files });
    const { change } = JSON.parse(stdout) as PlanDocument;
    const text = JSON.stringify(change);
    expect(text).toContain('topologySpreadConstraints[0].labelSelector.matchLabels[team]');
    expect(text).not.toContain('topologySpreadConstraints[1]');
  });
});

describe('annotations that a kustomization adds', () => {
  const kustomization = (annotations: string) => `resources: [web.yaml]\ncommonLabels: {app: web}\ncommonAnnotations: {${annotations}}\n`;
  const planOf = async (old: string, next: string, options: string) => {
    const files = {
      'old/web.yaml': WEB,
      'new/web.yaml': WEB,
      'old/kustomization.yaml': kustomization(old),
      'new/kustomization.yaml': kustomization(next),
    };
    const { exitCode, stdout } = await rolloutkit(`check --from old new ${options}`, { files });
    return [exitCode, ...stdout.split('\n').filter((line) => /^(?:error|\d+ object|\d+ of|nothing)/.test(line))];
  };

  test('roll the pods, since kustomize adds them to the pod template too', async () => {
    expect(await planOf('team: a', 'team: b', '--apply client')).toEqual([
      0,
      '2 of 2 objects differ: 1 rolls, 1 changes settings; 4 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
    ]);
    expect(await planOf('team: a', 'team: a', '--apply client')).toEqual([
      0,
      'nothing changes: all 2 objects are up to date; assumes Kubernetes 1.36',
    ]);
  });

  test.each<readonly [annotation: string, options: string, lines: readonly string[]]>([
    [
      'config.kubernetes.io/local-config: "true"',
      '--prune --require-planned',
      [
        '1 of 2 objects differs: 1 changes settings; no pods are affected; assumes Kubernetes 1.36',
        'error  input/kustomization  new/kustomization.yaml:1',
      ],
    ],
    [
      'argocd.argoproj.io/hook: PreSync',
      '--apply argocd',
      [
        '1 of 1 object differs: 1 changes settings; no pods are affected; 1 hook is not compared; assumes Kubernetes 1.36',
        'error  change/hook-pods  new/web.yaml:3:1  metadata.annotations',
      ],
    ],
    [
      'kustomize.toolkit.fluxcd.io/reconcile: disabled',
      '--apply flux',
      [
        '1 of 2 objects differs: 1 changes settings; no pods are affected; 1 object that differs is left as it is; assumes Kubernetes 1.36',
        'error  change/not-applied  new/web.yaml:3:1  metadata.annotations',
      ],
    ],
  ])('cannot hide an object: %s', async (annotation, options, lines) => {
    expect(await planOf('team: a', annotation, options)).toEqual([1, ...lines]);
  });

  test('replace those of the objects, and the kustomization around another one wins', async () => {
    const files = {
      'base/web.yaml': WEB.replace('{name: web}', '{name: web, annotations: {team: own}}'),
      'base/kustomization.yaml': kustomization('team: base'),
      'kustomization.yaml': 'resources: [base]\ncommonAnnotations: {team: around}\n',
    };
    const { stdout } = await rolloutkit('plan --from base .', { files });
    expect(stdout).toContain('annotations[team] base -> around and 1 more');
  });
});

describe('an annotation of kustomize itself', () => {
  const manifest = (annotation: string) =>
    WEB.replace('{name: web}', `{name: web, annotations: {internal.config.kubernetes.io/${annotation}}}`);

  test.each<readonly [annotation: string]>([['needsHashSuffix: enabled'], ['previousNames: api']])(
    'cannot rename an object or references to another one in silence: %s',
    async (annotation) => {
      const files = { 'old/web.yaml': WEB, 'new/web.yaml': manifest(annotation) };
      const name = `internal.config.kubernetes.io/${annotation.split(':', 1)[0]}`;
      const said = `input/kustomization  new/web.yaml:1:1
  Deployment web in new/web.yaml may make its tool apply other objects than the files show, with metadata.annotations["${name}"]: the files are planned without it.`;
      const { exitCode, stdout } = await rolloutkit('check --fail-on warning --from old new', { files });
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`warning  ${said}`);
      expect((await rolloutkit('check --require-planned new', { files })).stdout).toContain(`error  ${said}`);
    },
  );
});
