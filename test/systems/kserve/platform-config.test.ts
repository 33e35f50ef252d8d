import type { PlanDocument } from '../../../src/core/plan-document';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import { configMap, listed, plan, rolloutDefaults, rolloutOf, service } from './plan';

const DEFAULT_ROLLOUT = 'data[deploy].deploymentRolloutStrategy.defaultRollout';

/** The first finding about a ConfigMap with this `deploy` key. */
function findingOf(deploy: string | object) {
  const [finding] = readPlatformConfig(configMap(deploy as string)).findings;
  return finding;
}

describe('the platform level is read as KServe reads it', () => {
  test('from the ConfigMap', () => {
    expect(readPlatformConfig(rolloutDefaults({ maxSurge: '40%', maxUnavailable: '20%' }))).toEqual({
      config: { defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '40%', maxUnavailable: '20%' } },
      findings: [],
    });
  });

  test('from the JSON of its deploy key, whose paths begin there', () => {
    const { config, findings } = readPlatformConfig({
      defaultDeploymentMode: 'Standard',
      deploymentRolloutStrategy: { defaultRollout: { maxSurge: '1', maxUnavailable: '20%' } },
    });
    expect(config?.defaultRollout).toEqual({ maxSurge: '1', maxUnavailable: '20%' });
    expect(listed(findings)).toEqual(['error kserve/config-quoted-integer at deploymentRolloutStrategy.defaultRollout.maxSurge']);
  });

  test('with the old names of the modes, and keys in any case', () => {
    const text = '{"DefaultDeploymentMode": "RawDeployment", "deploymentrolloutstrategy": {"DEFAULTROLLOUT": {"MaxSurge": "40%"}}}';
    expect(readPlatformConfig(configMap(text)).config).toEqual({ defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '40%' } });
  });

  test('without its deploy key: the default mode is empty, which runs services in Knative', () => {
    const empty = { ...configMap({}), data: {} };
    expect(readPlatformConfig(empty)).toEqual({ config: { defaultDeploymentMode: '' }, findings: [] });
    expect(listed(rolloutOf(plan([empty, service()])).findings)).toEqual([
      'info kserve/no-deployment at metadata.annotations[serving.kserve.io/deploymentMode]',
    ]);
  });

  test('before KServe 0.16 without rollout defaults, which that version drops', () => {
    const { config, findings } = readPlatformConfig(rolloutDefaults({ maxSurge: 1 }), '0.15');
    expect(config).toEqual({ defaultDeploymentMode: 'Standard' });
    expect(listed(findings)).toEqual(['warning input/unknown-field at data[deploy].deploymentRolloutStrategy']);
  });
});

describe('what the parser refuses is refused with its reason', () => {
  test.each([
    ['invalid-json', 'unable to parse deploy config json: invalid character', 'data[deploy]'],
    ['{}', 'invalid deploy config, defaultDeploymentMode is required', 'data[deploy].defaultDeploymentMode'],
    ['null', 'its parser crashes on that (nil pointer dereference)', 'data[deploy]'],
    [
      '{"defaultDeploymentMode": "raw"}',
      'invalid deployment mode. Supported modes are Knative, Standard and ModelMesh',
      'data[deploy].defaultDeploymentMode',
    ],
    [
      '{"defaultDeploymentMode": true}',
      'json: cannot unmarshal bool into Go struct field DeployConfig.defaultDeploymentMode of type string',
      'data[deploy].defaultDeploymentMode',
    ],
    [
      '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": ["25%"]}}}',
      'json: cannot unmarshal array into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string',
      `${DEFAULT_ROLLOUT}.maxSurge`,
    ],
  ])('%s', (deploy, reason, path) => {
    expect(findingOf(deploy)).toMatchObject({ code: 'kserve/invalid-config', severity: 'error', path });
    expect(findingOf(deploy)!.message).toContain(reason);
    expect(readPlatformConfig(configMap(deploy)).config).toBeNull();
  });

  test('a number where the parser wants text', () => {
    const defaultRollout = { maxSurge: 1, maxUnavailable: '0%' };
    expect(findingOf({ defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout } })).toMatchInlineSnapshot(`
{
  "code": "kserve/config-bare-number",
  "help": "maxSurge is 1: write a percentage in quotes, such as "25%". No fixed number of pods can be written here.",
  "message": "KServe cannot read its configuration and refuses every InferenceService of the cluster: unable to parse deploy config json: json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string.",
  "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge",
  "severity": "error",
}
`);
  });

  test('a deploy key that is no text is refused by the API server already', () => {
    const { config, findings } = readPlatformConfig({ ...configMap({}), data: { deploy: { defaultDeploymentMode: 'Standard' } } });
    expect(config).toBeNull();
    expect(findings).toMatchInlineSnapshot(`
[
  {
    "code": "input/wrong-type",
    "help": "Write the JSON as text: begin with \`deploy: |-\`.",
    "message": "data[deploy] is a map, but a ConfigMap wants text here and the API server refuses it.",
    "path": "data[deploy]",
    "severity": "error",
  },
]
`);
  });

  test('every service of the cluster is blocked until it is repaired', () => {
    const document = plan([configMap('{"defaultDeploymentMode": "Standard",}'), service(), { ...service(), metadata: { name: 'other' } }]);
    expect(document.rollouts.map(({ strategy, simulation, findings }) => ({ strategy, simulation, findings }))).toEqual([
      { strategy: null, simulation: null, findings: [] },
      { strategy: null, simulation: null, findings: [] },
    ]);
    expect(listed(document.findings)).toEqual(['error kserve/invalid-config at data[deploy]']);
  });
});

describe('what the parser takes and does nothing with', () => {
  test.each([
    ['Availability', 'documented as maxUnavailable 0 and maxSurge "40%", but'],
    ['ResourceAware', 'documented as maxSurge 0 and maxUnavailable "20%", but'],
    ['availability', 'not even one of the documented words, Availability and ResourceAware, and'],
  ])('mode %s', (mode, meaning) => {
    const { findings } = readPlatformConfig(rolloutDefaults({ mode, maxSurge: '40%', maxUnavailable: '20%' }));
    expect(listed(findings)).toEqual([`warning kserve/mode-ignored at ${DEFAULT_ROLLOUT}.mode`]);
    const consequence = 'no KServe reads the field: maxSurge "40%", maxUnavailable "20%" apply.';
    expect(findings[0]!.message).toBe(`mode "${mode}" is ${meaning} ${consequence}`);
  });

  test('a mode alone leaves 25% and 25%', () => {
    const [finding] = readPlatformConfig(rolloutDefaults({ mode: 'Availability' })).findings;
    expect(finding).toMatchInlineSnapshot(`
{
  "code": "kserve/mode-ignored",
  "help": "Delete mode and write "maxUnavailable": "0%".",
  "message": "mode "Availability" is documented as maxUnavailable 0 and maxSurge "25%", but no KServe reads the field: maxSurge "25%", maxUnavailable "25%" apply.",
  "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.mode",
  "severity": "warning",
}
`);
  });

  test('rollout defaults beside another default mode than Standard', () => {
    const { findings } = readPlatformConfig(rolloutDefaults({ maxSurge: '1' }, 'Serverless'));
    expect(findings).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/config-not-standard",
    "help": "Write "defaultDeploymentMode": "Standard", or give each service a deploymentStrategy; annotating the services changes nothing.",
    "message": "The rollout defaults (maxSurge "1") apply to no service: the default deployment mode is Knative, not Standard.",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout",
    "severity": "info",
  },
]
`);
  });
});

describe('numbers in quotes pass the parser and fail in every Deployment', () => {
  const config = rolloutDefaults({ maxSurge: '1', maxUnavailable: '0' });

  test('one finding for each, with what to write', () => {
    expect(readPlatformConfig(config).findings.map(({ path, message, help }) => ({ path, message, help }))).toMatchInlineSnapshot(`
[
  {
    "help": "Write a percentage such as "25%", or maxSurge: 1 in the deploymentStrategy of each service.",
    "message": "maxSurge is "1", a number in quotes: KServe copies it into the Deployment of every service without a strategy of its own, and the API server refuses those.",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge",
  },
  {
    "help": "Write "0%".",
    "message": "maxUnavailable is "0", a number in quotes: KServe copies it into the Deployment of every service without a strategy of its own, and the API server refuses those.",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.maxUnavailable",
  },
]
`);
  });

  test('services without a strategy are refused, those with one are not', () => {
    const own = service({ deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    const { rollouts } = plan([config, service(), own]);
    expect(rollouts.map(({ strategy, findings }) => [strategy, listed(findings)])).toEqual([
      [null, []],
      [
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        ['info kubernetes/surge-needs-headroom at spec.predictor.deploymentStrategy.rollingUpdate.maxUnavailable'],
      ],
    ]);
  });
});

describe('limits of the ConfigMap that the API server refuses otherwise are told in each rollout that uses them', () => {
  test.each([
    [{ maxSurge: 'abc' }, 'maxSurge'],
    [{ maxSurge: '0%', maxUnavailable: '0%' }, 'maxUnavailable'],
    [{ maxUnavailable: '150%' }, 'maxUnavailable'],
  ])('%j', (defaultRollout, field) => {
    const document = plan([rolloutDefaults(defaultRollout), service()]);
    expect(document.findings).toEqual([]);
    expect(document.rollouts[0]!.strategy).toBeNull();
    expect(listed(document.rollouts[0]!.findings)).toEqual([`error kubernetes/invalid-strategy at ${DEFAULT_ROLLOUT}.${field}`]);
  });
});

/** The maxSurge of the predictor. */
function surge(document: PlanDocument): unknown {
  return rolloutOf(document, 'predictor').provenance[1]!.value;
}

describe('which ConfigMap counts', () => {
  const elsewhere = { ...rolloutDefaults({ maxSurge: '10%' }), metadata: { name: 'inferenceservice-config', namespace: 'staging' } };
  const own = rolloutDefaults({ maxSurge: '40%' });
  test('the one of namespace kserve before others of its name', () => {
    expect(surge(plan([elsewhere, own, service()]))).toBe('40%');
    expect(surge(plan([elsewhere, service()]))).toBe('10%');
  });

  test('the one given by hand before all', () => {
    const kserveConfig = { defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout: { maxSurge: '70%' } } };
    expect(surge(plan([own, service()], '0.17', { kserveConfig }))).toBe('70%');
  });

  test('none in view: an assumption, said once', () => {
    expect(plan([service(), service()]).findings.filter(({ code }) => code.startsWith('kserve/'))).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-platform-config",
    "help": "Plan it along, as a file or with --kserve-config: kubectl get configmap inferenceservice-config -n kserve -o yaml.",
    "message": "The ConfigMap inferenceservice-config is not in view: default mode Standard and no rollout defaults (25%/25%) are assumed.",
    "path": "data[deploy]",
    "severity": "info",
  },
]
`);
    expect(plan([configMap({ defaultDeploymentMode: 'Standard' })]).findings).toEqual([]);
  });
});
