import type { Finding } from '../../src/core/findings/finding';
import type { ResourceRef } from '../../src/core/document/rollout';
import { rolloutkit } from '../cli/command-line';

function web(spec: string, podSpec = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  ${spec}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { ${podSpec}containers: [{ name: web, image: "web:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

function db(serviceName: string): string {
  return web(`serviceName: ${serviceName}`).replace('Deployment', 'StatefulSet');
}

const NAMESPACE = `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: baseline } }
`;

async function check(
  options: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly [exitCode: number, errors: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`check ${options}`, { files });
  return [exitCode, stdout.split('\n').flatMap((line) => /^error {2}(\S+)/.exec(line)?.[1] ?? [])];
}

describe('a text that looks like a placeholder does not turn an error about something else into an info', () => {
  test('beside a path of the host that Pod Security refuses', async () => {
    const files = {
      'apps/web.yaml': web('replicas: 2', 'volumes: [{ name: data, hostPath: { path: /change-me } }], '),
      'apps/namespace.yaml': NAMESPACE,
    };

    expect(await check('apps', files)).toEqual([1, ['kubernetes/pod-security']]);
  });

  test('in a StatefulSet of which the API server refuses the update', async () => {
    expect(await check('--from old new', { 'old/db.yaml': db('db'), 'new/db.yaml': db('change-me') })).toEqual([1, ['change/refused']]);
  });
});

test.each(['--policy policy.yaml', '--require-planned'])('an annotation does not hide a placeholder with %s', async (option) => {
  const codes = ['input/wrong-type', 'input/placeholder', 'kubernetes/invalid-workload', 'kubernetes/invalid-strategy'];
  const ignore = `annotations: { rolloutkit/ignore: "${codes.map((code) => `${code}: x`).join('; ')}" }`;
  const annotated = (spec: string) => web(spec).replace('namespace: shop }', `namespace: shop, ${ignore} }`);
  const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/web.yaml': annotated('replicas: "${X:=0}"') };

  expect(await check(`new ${option}`, files)).toEqual([1, ['input/kustomization', 'input/wrong-type']]);
  const surge = { ...files, 'new/web.yaml': annotated('strategy: { rollingUpdate: { maxUnavailable: "${X:=100%}" } }') };
  expect((await check(`new ${option}`, surge))[0]).toBe(1);
});

describe('neither a baseline nor a configuration of the tree hides a placeholder', () => {
  const quota = (pods: string) =>
    `{ apiVersion: v1, kind: ResourceQuota, metadata: { name: pods, namespace: shop }, spec: { hard: { pods: "${pods}" } } }\n`;
  const service = (name: string) =>
    `{ apiVersion: v1, kind: Service, metadata: { name: "${name}", namespace: shop }, spec: { ports: [{ port: 80 }], selector: { app: web } } }\n`;
  const surge = (value: string) => web(`strategy: { rollingUpdate: { maxUnavailable: ${value} } }`);

  test.each<readonly [what: string, old: string, next: string]>([
    ['of a number', web('replicas: 2'), web('replicas: "${X:=0}"')],
    ['of a strategy', surge('1'), surge('"${X:=100%}"')],
    ['of a quota', quota('9'), quota('${X:=0}')],
    ['of a name', service('web'), service('${NAME:=web}')],
    ['of a name that is long', service('web'), service(`\${NAME:=web${'b'.repeat(2_000)}}`)],
  ])('%s', async (_, old, next) => {
    const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'old/a.yaml': old, 'new/a.yaml': next };
    for (const option of ['new --policy policy.yaml', 'new --require-planned', '--from old new --policy policy.yaml']) {
      const { stdout } = await rolloutkit(`check ${option} --format json`, { files });
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly (Finding & { readonly resource?: ResourceRef })[] };
      const errors = findings.filter(({ severity }) => severity === 'error');
      const entries = errors.map(({ code, messageId, path, source, resource }) => ({
        code,
        messageId,
        path,
        count: 9,
        ...(source && { file: source.file }),
        ...(resource && { resource: `${resource.kind}/${resource.namespace}/${resource.name}` }),
      }));
      const baseline = { formatVersion: '1.2', findings: entries };
      const rules = `rules: { ${[...new Set(errors.map(({ code }) => code))]
        .filter((code) => !code.startsWith('change/'))
        .map((code) => `${code}: off`)
        .join(', ')} }\n`;
      const hidden = { ...files, 'base.json': JSON.stringify(baseline), 'new/rolloutkit.yaml': rules };
      expect(errors.length).toBeGreaterThan(0);
      expect((await check(`${option} --baseline base.json`, hidden))[0]).toBe(1);
    }
  });

  test('as a trusted configuration may', async () => {
    const files = {
      'policy.yaml': 'neverBelow: { available: 75% }\n',
      'new/web.yaml': web('replicas: "${X:=0}"'),
      'trusted.yaml': 'rules: { input/wrong-type: off, input/kustomization: off }\n',
    };
    expect(await check('new --policy policy.yaml --config trusted.yaml', files)).toEqual([0, []]);
  });
});

test.each(['--policy policy.yaml', '--require-planned'])('a placeholder in the name of a field is an error with %s', async (option) => {
  const policy = 'strategies: [RollingUpdate]\n';
  const files = { 'policy.yaml': policy, 'new/web.yaml': web('"${X:=strategy}": { type: Recreate }') };
  expect(await check(`new ${option}`, files)).toEqual([1, ['input/kustomization']]);
  const inList = { ...files, 'new/web.yaml': web('replicas: 2').replace('image:', '"${X:=resources}": {}, image:') };
  expect(await check(`new ${option}`, inList)).toEqual([1, ['input/kustomization']]);
  expect(await check('new', files)).toEqual([0, []]);
});

describe('with --policy or --require-planned, a placeholder is an error, since Flux fills in any default after the check', () => {
  test.each([
    ['strategy: { rollingUpdate: { maxUnavailable: "${X:=100%}" } }', '--policy policy.yaml'],
    ['strategy: { rollingUpdate: { maxUnavailable: "${X:=100%}" } }', '--require-planned'],
    ['replicas: "${X:=0}"', '--policy policy.yaml'],
    ['replicas: "${X:=0}"', '--require-planned'],
  ])('%s %s', async (spec, option) => {
    const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/web.yaml': web(spec), 'old/web.yaml': web('replicas: 2') };

    expect((await check(`new ${option}`, files))[0]).toBe(1);
    expect((await check(`--from old new ${option}`, files))[0]).toBe(1);
  });

  test.each(['--policy policy.yaml', '--require-planned'])('a quota %s', async (option) => {
    const quota =
      '{ apiVersion: v1, kind: ResourceQuota, metadata: { name: pods, namespace: shop }, spec: { hard: { pods: "${X:=0}" } } }\n';
    const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/quota.yaml': quota, 'new/web.yaml': web('replicas: 2') };

    expect(await check('new', files)).toEqual([0, []]);
    expect(await check(`new ${option}`, files)).toEqual([1, ['input/kustomization']]);
  });
});

describe('so is any text of an object that Flux fills in, also if the API server accepts it as it is', () => {
  const sops = 'ENC[AES256_GCM,data:q2s=,iv:AA=,tag:AA=,type:str]';
  const scaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: apps/v1, kind: "\${KIND:=Deployment}", name: web } }
`;
  const annotated = (value: string) =>
    web('replicas: 2').replace('namespace: shop', `namespace: shop, annotations: { kustomize.toolkit.fluxcd.io/reconcile: "${value}" }`);

  test.each<readonly [what: string, object: string]>([
    ['an image', web('replicas: 2').replace('web:1', '${IMAGE:=web:1}')],
    ['an annotation', annotated('${X:=disabled}')],
    ['a part of an annotation', annotated('disable${X}d')],
    ['a value that SOPS encrypts', annotated(sops)],
    ['the kind that an autoscaler scales', scaler],
  ])('%s', async (_, object) => {
    const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/a.yaml': object };
    expect(await check('new', files)).toEqual([0, []]);
    for (const option of ['--policy policy.yaml', '--require-planned'])
      expect(await check(`new ${option}`, files)).toEqual([1, ['input/kustomization']]);
  });

  test('but not the commands and variables of containers, and no data', async () => {
    const shell = 'command: [sh, -c, "${X:-y}"], args: ["${X}"], env: [{ name: A, value: "${X}" }], image:';
    const files = {
      'policy.yaml': 'neverBelow: { available: 75% }\n',
      'new/web.yaml': web('replicas: 2').replace('image:', shell),
      'new/cm.yaml': '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: shop }, data: { run.sh: "echo ${X}" } }\n',
      'new/secret.yaml': `{ apiVersion: v1, kind: Secret, metadata: { name: a, namespace: shop }, stringData: { a: "${sops}" } }\n`,
      'new/cluster.yaml':
        '{ apiVersion: v1, kind: Secret, metadata: { name: c, namespace: argocd, labels: { argocd.argoproj.io/secret-type: cluster } }, stringData: { config: "${X}" } }\n',
    };
    for (const option of ['--policy policy.yaml', '--require-planned']) expect(await check(`new ${option}`, files)).toEqual([0, []]);
  });

  test('nor values of charts, descriptions, the container of a model, and what controllers write', async () => {
    const files = {
      'policy.yaml': 'neverBelow: { available: 75% }\n',
      'new/web.yaml': `${web('replicas: 2')}status: { a: "\${X}" }\n`,
      'new/class.yaml':
        '{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: a }, value: 1, description: "as ${X}" }\n',
      'new/model.yaml':
        '{ apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: { name: m, namespace: shop }, spec: { predictor: { model: { modelFormat: { name: sklearn }, storageUri: "s3://a", env: [{ name: A, value: "${X}" }], args: ["${X}"] } } } }\n',
    };
    for (const option of ['--policy policy.yaml', '--require-planned'])
      expect((await check(`new ${option}`, files))[1]).not.toContain('input/kustomization');
    const release = (values: string) =>
      `{ apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: { name: a }, spec: { chart: { spec: { chart: a, sourceRef: { kind: HelmRepository, name: a } } }, ${values} } }\n`;
    const checkRelease = async (values: string) =>
      (await check('new --policy policy.yaml', { ...files, 'new/a.yaml': release(values) }))[1];
    expect(await checkRelease('values: { a: [{ b: "${X}" }] }')).not.toContain('input/kustomization');
    expect(await checkRelease('releaseName: "${X}"')).toContain('input/kustomization');
  });

  describe('so is one in a text for a program that changes other fields, since Flux fills in the YAML of the whole object', () => {
    test.each<readonly [what: string, text: string]>([
      ['begins there and ends in another text', 'a${X#'],
      ['begins there again', 'a${X} ${X%'],
      ['begins there in another one', 'a${X:=${Y}'],
      ['ends after a pattern with a brace', 'a${X/a}'],
      ['leaves a quote in front', "${X#}'"],
      ['fills in a quote', "${X:='}"],
      ['leaves a bracket in front', '${X}${Y:= } [a'],
    ])('%s: %s', async (_, text) => {
      const object = web('replicas: 2').replace('image:', `args: [${JSON.stringify(text)}, "b}"], image:`);
      const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/a.yaml': object };
      expect(await check('new', files)).toEqual([0, []]);
      for (const option of ['--policy policy.yaml', '--require-planned'])
        expect(await check(`new ${option}`, files)).toEqual([1, ['input/kustomization']]);
    });

    test.each(['echo ${X:-${Y}} "${Z}"', '${X} run', 'a ${X/a/b} ${X//}/}', 'if x { y }', '#!/bin/sh\n${X} "a"\n', 'a ${X:-/b}'])(
      'but not %j',
      async (text) => {
        const object = web('replicas: 2').replace('image:', `args: [${JSON.stringify(text)}], image:`);
        expect(await check('new --require-planned', { 'new/a.yaml': object })).toEqual([0, []]);
      },
    );
  });

  test.each<readonly [what: string, object: string]>([
    [
      'an argument of an analysis',
      web(
        'strategy: { canary: { steps: [{ setWeight: 20 }, { analysis: { templates: [{ templateName: t }], args: [{ name: count, value: "${X:=9}" }] } }] } }',
      )
        .replace('apps/v1', 'argoproj.io/v1alpha1')
        .replace('Deployment', 'Rollout'),
    ],
    [
      'a value that a step of an ApplicationSet selects',
      '{ apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: { name: a, namespace: argocd }, spec: { generators: [{ list: { elements: [{ env: dev }] } }], strategy: { type: RollingSync, rollingSync: { steps: [{ matchExpressions: [{ key: env, operator: In, values: ["${X:=dev}"] }] }] } }, template: { metadata: { name: "a-{{env}}", labels: { env: "{{env}}" } }, spec: { project: a, source: { repoURL: a, path: new }, destination: { name: a } } } } }\n',
    ],
    ['a label named like a text for people', web('replicas: 2', 'nodeSelector: { description: "${X:=a}" }, ')],
    [
      'a ConfigMap that a variable reads',
      web('replicas: 2').replace('image:', 'env: [{ name: A, valueFrom: { configMapKeyRef: { name: "${X:=a}", key: b } } }], image:'),
    ],
  ])('so is one in %s', async (_, object) => {
    const files = { 'policy.yaml': 'neverBelow: { available: 75% }\n', 'new/a.yaml': object };
    expect((await check('new', files))[1]).not.toContain('input/kustomization');
    for (const option of ['--policy policy.yaml', '--require-planned'])
      expect((await check(`new ${option}`, files))[1]).toContain('input/kustomization');
  });

  test.each<readonly [what: string, file: string, text: string]>([
    ['a kustomization', 'new/kustomization.yaml', 'namespace: "${NAMESPACE:=prod}"\nresources: [web.yaml]\n'],
    [
      'a Kustomization of Flux',
      'new/apps.yaml',
      '{ apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: { name: a }, spec: { path: new, targetNamespace: "${N:=prod}" } }\n',
    ],
    [
      'an Application',
      'new/apps.yaml',
      '{ apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: { name: a }, spec: { destination: { namespace: "${N:=prod}" }, source: { path: new } } }\n',
    ],
  ])('the namespace of %s, which decides whether a guardrail applies', async (_, file, text) => {
    const files = {
      'policy.yaml': 'strategies: [RollingUpdate]\nmatch: { namespaces: [prod] }\n',
      'new/web.yaml': web('strategy: { type: Recreate }').replace(', namespace: shop', ''),
      [file]: text,
    };
    expect(await check('new --policy policy.yaml', files)).toEqual([1, ['input/kustomization']]);
  });
});

describe('so is a placeholder in the metadata of an object that is no workload', () => {
  test.each<readonly [kind: string, metadata: string]>([
    ['Service', '{ name: "${NAME:=web}", namespace: shop }'],
    ['ConfigMap', '{ name: "${NAME:=web}", namespace: shop }'],
    ['ResourceQuota', '{ name: pods, namespace: "${NAMESPACE:=shop}" }'],
    ['Namespace', '{ name: shop, labels: { team: "${TEAM:=shop}" } }'],
    ['ServiceAccount', '{ name: web, namespace: shop, labels: { "${KEY:=team}": shop } }'],
  ])('%s %s', async (kind, metadata) => {
    const spec = kind === 'Service' ? ', spec: { ports: [{ port: 80 }], selector: { app: web } }' : '';
    const files = {
      'policy.yaml': 'neverBelow: { available: 75% }\n',
      'old/web.yaml': web('replicas: 2'),
      'new/web.yaml': web('replicas: 2'),
      'new/object.yaml': `{ apiVersion: v1, kind: ${kind}, metadata: ${metadata}${spec} }\n`,
    };

    expect(await check('new', files)).toEqual([0, []]);
    expect(await check('--from old new', files)).toEqual([0, []]);
    for (const option of ['--policy policy.yaml', '--require-planned']) {
      expect(await check(`new ${option}`, files)).toEqual([
        1,
        [expect.stringMatching(/^(?:input\/kustomization|kubernetes\/refused-object)$/)],
      ]);
      expect(await check(`--from old new ${option}`, files)).toEqual([1, expect.arrayContaining(['change/refused'])]);
    }
  });
});
