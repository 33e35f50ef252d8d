import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { ValidationContext } from 'cdk8s-cli/plugins';
import type { Validation } from 'cdk8s-cli/plugins';
import { RolloutValidation } from '../../src/constructs/validation-plugin';
import type { RolloutValidationProps } from '../../src/constructs/validation-plugin';

const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web
  strategy:
    rollingUpdate:
      maxSurge: "1"
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: web:2
          ports:
            - containerPort: 8080
`;

/** Runs the plugin like the cdk8s CLI, with one synthesized file. */
async function report(yaml: string, props?: RolloutValidationProps) {
  const file = path.join(folder, 'shop.k8s.yaml');
  writeFileSync(file, yaml);
  const context = new ValidationContext([file], 'rolloutkit', '0.1.0');
  const plugin: Validation = new RolloutValidation(props);
  await plugin.validate(context);
  return JSON.parse(JSON.stringify(context.report.toJson(), sentenceOut).replaceAll(`${folder}/`, 'dist/')) as unknown;
}

/** Returns the report without the messages of findings, which the tests of their rules cover. */
function sentenceOut(key: string, value: unknown): unknown {
  return key === 'recommendation' || key === 'fix' ? typeof value : value;
}

test('an object that the API server would refuse is a violation and fails the synth', async () => {
  expect(await report(WEB)).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "1",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "0",
    },
    "plugin": "rolloutkit",
    "status": "failure",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [
    {
      "fix": "string",
      "recommendation": "string",
      "ruleName": "kubernetes/quoted-integer",
      "violatingConstructs": [
        {
          "locations": [
            "Deployment web, spec.strategy.rollingUpdate.maxSurge, line 12",
          ],
          "manifestPath": "dist/shop.k8s.yaml",
          "resourceName": "web",
        },
      ],
    },
  ],
}
`);
});

test('a warning passes', async () => {
  expect(await report(WEB.replace('"1"', '1'))).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "0",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "1",
    },
    "plugin": "rolloutkit",
    "status": "success",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [],
}
`);
});

test('a warning fails if cdk8s.yaml sets failOn: warning', async () => {
  expect(await report(WEB.replace('"1"', '1'), { failOn: 'warning' })).toMatchInlineSnapshot(`
{
  "summary": {
    "metadata": {
      "Errors": "0",
      "Not planned": "0",
      "Rollouts": "1",
      "Warnings": "1",
    },
    "plugin": "rolloutkit",
    "status": "failure",
    "version": "0.1.0",
  },
  "title": "Validation Report (rolloutkit@0.1.0)",
  "violations": [
    {
      "fix": "string",
      "recommendation": "string",
      "ruleName": "kubernetes/no-readiness-probe",
      "violatingConstructs": [
        {
          "locations": [
            "Deployment web, spec.template.spec.containers[0].readinessProbe, line 20",
          ],
          "manifestPath": "dist/shop.k8s.yaml",
          "resourceName": "web",
        },
      ],
    },
  ],
}
`);
});

test('versions are read from cdk8s.yaml', async () => {
  await expect(report(WEB, { versions: { kubernetes: 'latest' } })).rejects.toThrow(
    '"latest" is not a version of Kubernetes: write it as 1.36 or 1.36.2',
  );
});

test('the cluster’s KServe configuration is read from a file', async () => {
  const kserveConfig = path.join(folder, 'inferenceservice-config.json');
  writeFileSync(kserveConfig, '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "1"}}}');
  const service = 'apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: iris}\nspec: {predictor: {model: {}}}\n';

  expect(await report(service, { kserveConfig })).toMatchObject({
    violations: [{ ruleName: 'kserve/config-quoted-integer' }],
    summary: { status: 'failure' },
  });
  expect(await report(service)).toMatchObject({ violations: [], summary: { status: 'success' } });
});

test('a malformed document is one violation, and the rest is checked', async () => {
  expect(await report(`a: [\n---\n${WEB}`)).toMatchObject({
    violations: [{ ruleName: 'input/unreadable' }, { ruleName: 'kubernetes/quoted-integer' }],
    summary: { status: 'failure' },
  });
});

describe('properties are refused, each with what to write', () => {
  test.each([
    [{ failOn: 'fatal' }, 'rolloutkit: failOn is "fatal"; write error, warning, info or never.'],
    [{ failon: 'error' }, 'rolloutkit: there is no property failon; write failOn.'],
    [{ render: true }, 'rolloutkit: there is no property render: the app renders its charts itself, with Helm and Include of cdk8s.'],
    [
      { format: ['sarif=x'] },
      'rolloutkit: there is no property format: the cdk8s CLI writes the report (--validation-reports-output-file); for another format, run rolloutkit check dist/ --format sarif=FILE.',
    ],
    [{ kserve_config: 'x' }, 'rolloutkit: there is no property kserve_config; write kserveConfig.'],
    [{ requirePlanned: 'yes' }, 'rolloutkit: requirePlanned is "yes"; write true or false.'],
    [{ neverReady: 'berlin' }, 'rolloutkit: neverReady is "berlin"; write a list of strings.'],
    [{ startupSeconds: '30' }, 'rolloutkit: startupSeconds: "30" is not a whole number.'],
    [{ config: true }, 'rolloutkit: config is true; write a file name, or false.'],
    [{ apply: 'server' }, 'rolloutkit: apply needs from, since it only applies to a change; set from to the previous state.'],
    [
      { from: 'old', apply: 'kubectl' },
      'rolloutkit: apply is "kubectl"; write client, server, helm, helm4, flux, argocd, fleet, pulumi or replace.',
    ],
    [
      { rules: { 'kubernetes/outag': 'off' } },
      'rolloutkit: rules[kubernetes/outag]: no rule has the code "kubernetes/outag"; write kubernetes/outage.',
    ],
    [{ ignore: [{ rule: 'kubernetes/outage' }] }, 'rolloutkit: ignore[0]: gives no reason; write reason: and why.'],
    [{ policy: { neverBelow: { available: 1 } } }, 'rolloutkit: policy is a map; write a string.'],
    [{ crds: 'crds' }, 'rolloutkit: crds is "crds"; write a list of strings.'],
    [{ baseline: 1 }, 'rolloutkit: baseline is 1; write a string.'],
    [
      { budget: { minutes: 1 } },
      'rolloutkit: there is no budget.minutes; write file-megabytes, total-megabytes, alias-megabytes, output-megabytes or seconds.',
    ],
    [{ budget: { seconds: 0 } }, 'rolloutkit: budget.seconds is 0; write a whole number from 1 up.'],
    ['warning', 'rolloutkit: properties is "warning"; write a map.'],
  ])('%j', (props, message) => {
    expect(() => new RolloutValidation(props as RolloutValidationProps)).toThrow(message);
  });

  test.each([
    [{ versions: { kubernets: '1.34' } }, /^rolloutkit: versions: "kubernets" is not a product with a version: write one of kubernetes, /],
    [{ crds: ['none.yaml'] }, 'rolloutkit: crds: cannot read none.yaml: no such file or folder.'],
  ])('%j, once the files are read', async (props, message) => {
    await expect(report(WEB, props as RolloutValidationProps)).rejects.toThrow(message);
  });
});

/** Returns the codes of the violations, and the status. */
async function verdict(yaml: string, props: RolloutValidationProps): Promise<readonly string[]> {
  const { violations, summary } = (await report(yaml, props)) as {
    readonly violations: readonly { readonly ruleName: string }[];
    readonly summary: { readonly status: string };
  };
  return [...violations.map(({ ruleName }) => ruleName), summary.status];
}

function written(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('the options of the command line', () => {
  const SOUND = WEB.replace('"1"', '1');

  test('failOn never reports and does not fail', async () => {
    expect(await verdict(WEB, { failOn: 'never' })).toEqual(['success']);
  });

  test('rules set a severity, and off suppresses', async () => {
    const rules = { 'kubernetes/no-readiness-probe': 'error', 'kubernetes/quoted-integer': 'off' } as const;

    expect(await verdict(SOUND, { rules })).toEqual(['kubernetes/no-readiness-probe', 'failure']);
    expect(await verdict(WEB, { rules: { 'kubernetes/quoted-integer': 'off' } })).toEqual(['success']);
  });

  test('a finding that is ignored with a reason is not a violation', async () => {
    const ignore = [{ rule: 'kubernetes/quoted-integer', resource: 'Deployment/web', reason: 'its admission webhook mends it' }];

    expect(await verdict(WEB, { ignore })).toEqual(['success']);
    expect(await verdict(WEB, { ignore: [{ ...ignore[0]!, resource: 'Deployment/api' }] })).toEqual([
      'kubernetes/quoted-integer',
      'failure',
    ]);
  });

  test('a finding that an object suppresses by its annotation is not a violation', async () => {
    const annotated = WEB.replace('  name: web\n', '  name: web\n  annotations: {rolloutkit/ignore: "kubernetes/quoted-integer: known"}\n');

    expect(await verdict(annotated, {})).toEqual(['success']);
  });

  test('a configuration is read, and the properties override it', async () => {
    const config = written('rolloutkit.yaml', 'rules: {kubernetes/no-readiness-probe: error}\n');

    expect(await verdict(SOUND, { config })).toEqual(['kubernetes/no-readiness-probe', 'failure']);
    expect(await verdict(SOUND, { config, rules: { 'kubernetes/no-readiness-probe': 'warning' } })).toEqual(['success']);
    expect(await verdict(SOUND, { config: false })).toEqual(['success']);
  });

  test('capacity is read from a file', async () => {
    const capacity = written('capacity.yaml', 'total: {pods: 4}\n');

    expect(await verdict(SOUND, { capacity })).toEqual(['kubernetes/surge-needs-headroom', 'failure']);
  });

  test('clusters are read from files', async () => {
    const clusters = [written('clusters.json', '{"clusters": [{"name": "berlin", "namespace": "fleet-default"}]}')];
    const bundle =
      'apiVersion: fleet.cattle.io/v1alpha1\nkind: Bundle\nmetadata: {name: b, namespace: fleet-default}\nspec: {targets: [{clusterSelector: {}}], rolloutStrategy: {maxUnavailable: 0}}\n';

    expect(await verdict(bundle, { clusters })).toEqual(['fleet/zero-max-unavailable', 'failure']);
  });

  test('files can be excluded by patterns relative to the working directory', async () => {
    const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
    try {
      expect(await verdict(WEB, { exclude: ['*.k8s.yaml'] })).toEqual(['success']);
      expect(await verdict(WEB, { exclude: ['*.json'] })).toEqual(['kubernetes/quoted-integer', 'failure']);
    } finally {
      cwd.mockRestore();
    }
  });

  test('guardrails are read from a file, and no setting of the repository disables them', async () => {
    const policy = written('guardrails.yaml', 'strategies: [RollingUpdate]\nrequireReadinessProbe: true\n');
    const rules = { 'guardrails/refused': 'off' } as const;

    expect(await verdict(SOUND, { policy, rules })).toEqual(['guardrails/refused', 'failure']);
    expect(await verdict(SOUND, {})).toEqual(['success']);
  });

  test('objects are validated against CRDs', async () => {
    const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example}
spec:
  group: shop.example
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {size: {type: integer, maximum: 3}}}}
`;
    const crds = [written('crds.yaml', widgets)];

    expect(await verdict('apiVersion: shop.example/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 4}\n', { crds })).toEqual([
      'crds/invalid-object',
      'failure',
    ]);
    expect(await verdict('apiVersion: shop.example/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 3}\n', { crds })).toEqual([
      'success',
    ]);
    expect(await verdict(`${widgets}---\napiVersion: shop.example/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 4}\n`, {})).toEqual([
      'crds/invalid-object',
      'failure',
    ]);
  });

  test('findings in a baseline do not count', async () => {
    const entry = {
      code: 'kubernetes/quoted-integer',
      messageId: 'numberOrPercent',
      file: 'shop.k8s.yaml',
      resource: 'Deployment/web',
      path: 'spec.strategy.rollingUpdate.maxSurge',
      count: 1,
    };
    const baseline = written('baseline.json', JSON.stringify({ formatVersion: '1.2', findings: [entry] }));

    expect(await verdict(WEB, { baseline })).toEqual(['success']);
    expect(await verdict(WEB.replace('maxUnavailable: 0', 'maxUnavailable: "0"'), { baseline })).toEqual([
      'kubernetes/quoted-integer',
      'failure',
    ]);
  });

  test('a run respects its budget', async () => {
    const large = `${WEB}# ${'x'.repeat(1_000_000)}\n`;

    expect(await verdict(large, { budget: { 'file-megabytes': 1 } })).toEqual(['input/unreadable', 'failure']);
    expect(await verdict(large, { rules: { 'kubernetes/quoted-integer': 'off' } })).toEqual(['success']);
  });

  test('what a run compares with respects its budget too', async () => {
    const from = written('old.yaml', `${SOUND}# ${'x'.repeat(1_000_000)}\n`);
    expect(await verdict(SOUND, { from, budget: { 'file-megabytes': 1 } })).toEqual(['input/unreadable', 'failure']);
    expect(await verdict(SOUND, { from })).toEqual(['success']);
  });

  test('a configuration above 1 MB is not read', async () => {
    const config = written('rolloutkit.yaml', 'exclude: [a]\n'.repeat(80_000));
    await expect(verdict(SOUND, { config })).rejects.toThrow(`${config}, the configuration, is larger than 1 MB.`);
  });

  test('the rules of a CRD respect the seconds of the budget', async () => {
    const widgets = JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.shop.example' },
      spec: {
        group: 'shop.example',
        names: { kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  text: { type: 'string', 'x-kubernetes-validations': [{ rule: "self.findAll('a.*b|a').size() > 0" }] },
                },
              },
            },
          },
        ],
      },
    });
    const text = 'a'.repeat(600_000);
    const widget = JSON.stringify({ apiVersion: 'shop.example/v1', kind: 'Widget', metadata: { name: 'w' }, text });

    expect(await verdict(widget, { crds: [written('matches.yaml', widgets)], budget: { seconds: 1 } })).toContain(
      'crds/rule-not-evaluated',
    );
  }, 60_000);

  test('a property without a value counts as missing', async () => {
    expect(await verdict(SOUND, { budget: null, neverReady: null, crds: null } as unknown as RolloutValidationProps)).toEqual(['success']);
  });

  test('objects that are not planned can fail the synth', async () => {
    expect(await verdict('apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\n', { requirePlanned: true })).toEqual(['failure']);
  });

  test.each([
    [{ capacity: 'nowhere.yaml' }, 'cannot read nowhere.yaml, given as capacity: no such file or folder'],
    [{ config: 'nowhere.yaml' }, 'cannot read nowhere.yaml, the configuration: no such file or folder'],
    [{ clusters: ['nowhere.yaml'] }, 'nowhere.yaml'],
    [{ kserveConfig: 'nowhere.yaml' }, 'nowhere.yaml'],
    [{ from: 'nowhere.yaml' }, 'no such file or folder'],
    [{ policy: 'nowhere.yaml' }, 'cannot read nowhere.yaml, given as policy: no such file or folder'],
    [{ crds: ['nowhere.yaml'] }, 'nowhere.yaml'],
    [{ baseline: 'nowhere.json' }, 'cannot read nowhere.json, given as baseline: no such file or folder'],
  ])('a missing file of %j is an error with its name', async (props, message) => {
    await expect(report(WEB, props)).rejects.toThrow(message);
  });
});

test('a file that is not a policy, CRD or baseline is an error with its name', async () => {
  const policy = written('not-a-policy.yaml', 'neverbelow: {available: 3}\n');
  const crds = [written('no-crds.yaml', WEB)];
  const baseline = written('no-baseline.json', '{}');

  await expect(report(WEB, { policy })).rejects.toThrow(
    `rolloutkit: ${policy}, given as policy: neverbelow: there is no such key; write neverBelow.`,
  );
  await expect(report(WEB, { crds })).rejects.toThrow(
    `rolloutkit: crds: ${crds[0]} contains no CustomResourceDefinition of apiextensions.k8s.io/v1; name a file or folder with CRDs.`,
  );
  await expect(report(WEB, { baseline })).rejects.toThrow(
    `rolloutkit: ${baseline}, given as baseline, is not a baseline: it has no list of findings; write it with --write-baseline.`,
  );
});

describe('the plan at synth', () => {
  const SOUND = WEB.replace('"1"', '1');

  /** Returns what the plugin prints, with one synthesized file. */
  async function printed(props: RolloutValidationProps): Promise<string> {
    const file = written('shop.k8s.yaml', SOUND);
    const context = new ValidationContext([file], 'rolloutkit', '0.1.0');
    const log = jest.spyOn(context.logger, 'log').mockReturnValue();
    await new RolloutValidation(props).validate(context);
    return log.mock.calls.map(([text]) => text).join('');
  }

  test('is printed on request', async () => {
    expect(await printed({})).toBe('');
    expect((await printed({ print: true })).split('\n')[0]).toBe('1 rollout on Kubernetes 1.36 (assumed): 1 warning');
  });

  test('is that of the change if OLD is set, and a refused object fails', async () => {
    const from = written('old.yaml', SOUND.replace('web:2', 'web:1'));

    expect((await printed({ print: true, from })).split('\n')[0]).toBe(
      '1 of 1 object differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
    );
    expect(await verdict(SOUND.replaceAll('app: web', 'app: shop'), { from })).toEqual(['change/refused', 'failure']);
  });

  test('can’t be compared with the folder that the synth has just written', async () => {
    written('shop.k8s.yaml', SOUND);
    await expect(report(SOUND, { from: folder })).rejects.toThrow('which this synth has just written; name a revision');
  });
});

test('the CLI finds the construct by the name of the object', async () => {
  const context = new ValidationContext([written('shop.k8s.yaml', WEB)], 'rolloutkit', '0.1.0', { web: { path: 'shop/web/Resource' } });
  await new RolloutValidation().validate(context);

  expect(context.report.toJson().violations[0]!.violatingConstructs).toMatchObject([
    {
      constructPath: 'shop/web/Resource',
      resourceName: 'web',
      locations: ['Deployment web, spec.strategy.rollingUpdate.maxSurge, line 12'],
    },
  ]);
});

test('the properties of the example are accepted', () => {
  const example = parse(readFileSync(path.join(__dirname, '../../examples/plan-at-synth/cdk8s.yaml'), 'utf8')) as {
    readonly validations: readonly { readonly properties: RolloutValidationProps }[];
  };

  expect(() => example.validations.map(({ properties }) => new RolloutValidation(properties))).not.toThrow();
});
