import type { PlanDocument } from '../../../src/core/document/plan-document';
import type { Fields } from '../../../src/core/manifest/manifest';
import { isPlatformConfig, readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import { factsOf } from '../../facts';
import { configMap, listed, plan, rolloutDefaults, rolloutOf, service } from './plan';

const DEFAULT_ROLLOUT = 'data[deploy].deploymentRolloutStrategy.defaultRollout';

/** Returns the first finding about a ConfigMap with this `deploy` key. */
function findingOf(deploy: string | object) {
  const [finding] = readPlatformConfig(configMap(deploy as string)).findings;
  return finding;
}

describe('the platform level is read like in KServe', () => {
  test('from the ConfigMap', () => {
    expect(readPlatformConfig(rolloutDefaults({ maxSurge: '40%', maxUnavailable: '20%' }))).toEqual({
      config: { defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '40%', maxUnavailable: '20%' } },
      findings: [],
    });
  });

  test('from the JSON of its deploy key, to which paths are relative', () => {
    const { config, findings } = readPlatformConfig({
      defaultDeploymentMode: 'Standard',
      deploymentRolloutStrategy: { defaultRollout: { maxSurge: '1', maxUnavailable: '20%' } },
    });
    expect(config?.defaultRollout).toEqual({ maxSurge: '1', maxUnavailable: '20%' });
    expect(listed(findings)).toEqual(['error kserve/config-quoted-integer at deploymentRolloutStrategy.defaultRollout.maxSurge']);
  });

  test('with the old mode names, and case-insensitive keys', () => {
    const text = '{"DefaultDeploymentMode": "RawDeployment", "deploymentrolloutstrategy": {"DEFAULTROLLOUT": {"MaxSurge": "40%"}}}';
    expect(readPlatformConfig(configMap(text)).config).toEqual({ defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '40%' } });
  });

  test('without its deploy key: the default mode is empty, and services run in Knative', () => {
    const empty = { ...configMap({}), data: {} };
    expect(readPlatformConfig(empty)).toEqual({ config: { defaultDeploymentMode: '' }, findings: [] });
    expect(rolloutOf(plan([empty, service()]), 'predictor').simulation?.kind).toBe('revision');
  });

  test('before KServe 0.16 without rollout defaults, which those versions drop', () => {
    const { config, findings } = readPlatformConfig(rolloutDefaults({ maxSurge: 1 }), '0.15');
    expect(config).toEqual({ defaultDeploymentMode: 'Standard' });
    expect(listed(findings)).toEqual(['warning input/unknown-field at data[deploy].deploymentRolloutStrategy']);
  });
});

describe('input that the parser refuses is reported with its error', () => {
  test.each([
    ['invalid-json', 'syntax', { error: "invalid character 'i' looking for beginning of value (line 1)" }, 'data[deploy]'],
    ['{}', 'noMode', {}, 'data[deploy].defaultDeploymentMode'],
    ['null', 'jsonNull', {}, 'data[deploy]'],
    ['{"defaultDeploymentMode": "raw"}', 'unknownMode', { value: 'raw' }, 'data[deploy].defaultDeploymentMode'],
    [
      '{"defaultDeploymentMode": true}',
      'type',
      {
        error: 'json: cannot unmarshal bool into Go struct field DeployConfig.defaultDeploymentMode of type string',
        field: 'defaultDeploymentMode',
        value: true,
        expected: 'text',
      },
      'data[deploy].defaultDeploymentMode',
    ],
    [
      '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": ["25%"]}}}',
      'type',
      {
        error:
          'json: cannot unmarshal array into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string',
        field: 'maxSurge',
        value: { described: 'a list' },
        expected: 'text',
      },
      `${DEFAULT_ROLLOUT}.maxSurge`,
    ],
    [
      '{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": "Availability"}',
      'type',
      {
        error:
          'json: cannot unmarshal string into Go struct field DeployConfig.deploymentRolloutStrategy of type v1beta1.DeploymentRolloutStrategy',
        field: 'deploymentRolloutStrategy',
        value: 'Availability',
        expected: 'object',
      },
      'data[deploy].deploymentRolloutStrategy',
    ],
  ])('%s', (deploy, messageId, data, path) => {
    expect(factsOf([findingOf(deploy)!])).toEqual([{ code: 'kserve/invalid-config', severity: 'error', messageId, data, path }]);
    expect(readPlatformConfig(configMap(deploy)).config).toBeNull();
  });

  test('a number instead of a string', () => {
    const defaultRollout = { maxSurge: 1, maxUnavailable: '0%' };
    expect(factsOf([findingOf({ defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout } })!]))
      .toMatchInlineSnapshot(`
[
  {
    "code": "kserve/config-bare-number",
    "data": {
      "error": "json: cannot unmarshal number into Go struct field RolloutSpec.deploymentRolloutStrategy.defaultRollout.maxSurge of type string",
      "limit": "maxSurge",
      "percentage": "25%",
      "value": 1,
    },
    "messageId": "unparsed",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge",
    "severity": "error",
  },
]
`);
  });

  test('a deploy key that is not a string is already refused by the API server', () => {
    const { config, findings } = readPlatformConfig({ ...configMap({}), data: { deploy: { defaultDeploymentMode: 'Standard' } } });
    expect(config).toBeNull();
    expect(factsOf(findings)).toMatchInlineSnapshot(`
[
  {
    "code": "input/wrong-type",
    "data": {
      "entry": "deploy",
      "value": {
        "described": "a map",
      },
    },
    "messageId": "jsonText",
    "path": "data[deploy]",
    "severity": "error",
  },
]
`);
  });

  test('every service of the cluster is blocked until it is fixed', () => {
    const document = plan([configMap('{"defaultDeploymentMode": "Standard",}'), service(), { ...service(), metadata: { name: 'other' } }]);
    expect(document.rollouts.map(({ strategy, simulation, findings }) => ({ strategy, simulation, findings }))).toEqual([
      { strategy: null, simulation: null, findings: [] },
      { strategy: null, simulation: null, findings: [] },
    ]);
    expect(listed(document.findings)).toEqual(['error kserve/invalid-config at data[deploy]']);
  });
});

describe('input that the parser accepts but that has no effect', () => {
  test.each([
    ['Availability', 'documented', { zero: 'maxUnavailable', ratio: 'maxSurge' }],
    ['ResourceAware', 'documented', { zero: 'maxSurge', ratio: 'maxUnavailable' }],
    ['availability', 'undocumented', {}],
  ])('mode %s', (mode, messageId, meaning) => {
    const { findings } = readPlatformConfig(rolloutDefaults({ mode, maxSurge: '40%', maxUnavailable: '20%' }));
    expect(factsOf(findings)).toEqual([
      {
        code: 'kserve/mode-ignored',
        severity: 'warning',
        messageId,
        data: { mode, maxSurge: '40%', maxUnavailable: '20%', ...meaning },
        path: `${DEFAULT_ROLLOUT}.mode`,
      },
    ]);
  });

  test('only a mode leaves 25% and 25%', () => {
    const [finding] = readPlatformConfig(rolloutDefaults({ mode: 'Availability' })).findings;
    expect(factsOf([finding!])).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/mode-ignored",
    "data": {
      "maxSurge": "25%",
      "maxUnavailable": "25%",
      "mode": "Availability",
      "ratio": "maxSurge",
      "zero": "maxUnavailable",
    },
    "messageId": "documented",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout.mode",
    "severity": "warning",
  },
]
`);
  });

  test('rollout defaults with a default mode other than Standard', () => {
    const { findings } = readPlatformConfig(rolloutDefaults({ maxSurge: '1' }, 'Serverless'));
    expect(factsOf(findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/config-not-standard",
    "data": {
      "limits": [
        {
          "limit": "maxSurge",
          "value": "1",
        },
      ],
      "mode": "Knative",
    },
    "messageId": "notStandard",
    "path": "data[deploy].deploymentRolloutStrategy.defaultRollout",
    "severity": "info",
  },
]
`);
  });
});

describe('quoted numbers pass the parser and fail in every Deployment', () => {
  const config = rolloutDefaults({ maxSurge: '1', maxUnavailable: '0' });

  test('one finding for each, with the percentage to write', () => {
    const facts = { code: 'kserve/config-quoted-integer', severity: 'error', messageId: 'quoted' };
    expect(factsOf(readPlatformConfig(config).findings)).toEqual([
      { ...facts, data: { limit: 'maxSurge', value: '1', percentage: '25%' }, path: `${DEFAULT_ROLLOUT}.maxSurge` },
      { ...facts, data: { limit: 'maxUnavailable', value: '0', percentage: '0%' }, path: `${DEFAULT_ROLLOUT}.maxUnavailable` },
    ]);
  });

  test.each([
    ['4', 'Write a percentage such as "25%", or maxSurge: 4 in the deploymentStrategy of each service.'],
    ['2147483647', 'Write a percentage such as "25%", or maxSurge: 2147483647 in the deploymentStrategy of each service.'],
    ['2147483648', 'Write a percentage such as "25%".'],
    ['0', 'Write "0%".'],
  ])('the help for %s suggests the same number for each service if it is valid there', (maxSurge, help) => {
    const { findings } = readPlatformConfig(rolloutDefaults({ maxSurge, maxUnavailable: '10%' }));
    expect(findings.map((finding) => finding.help)).toEqual([help]);
  });

  test('services without a strategy are refused, services with one are not', () => {
    const own = service({ deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    const { rollouts } = plan([config, service(), own]);
    expect(rollouts.map(({ strategy, findings }) => [strategy, listed(findings)])).toEqual([
      [null, []],
      [{ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, []],
    ]);
  });
});

describe('other limits of the ConfigMap that the API server refuses are reported in each rollout that uses them', () => {
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

/** Returns the maxSurge of the predictor. */
function surge(document: PlanDocument): unknown {
  return rolloutOf(document, 'predictor').provenance[1]!.value;
}

describe('the accepted values of --kserve-config', () => {
  const named = (name: string, data: Fields = {}, kind = 'ConfigMap') => ({ apiVersion: 'v1', kind, metadata: { name }, data });

  test.each([
    ['the ConfigMap, by its name', named('inferenceservice-config'), true],
    ['a ConfigMap, by its deploy key', named('kserve', { deploy: '{}' }), true],
    ['the JSON of that key', { defaultDeploymentMode: 'Standard' }, true],
    ['an object with data and no kind, by its deploy key', { data: { deploy: '{}' } }, true],
    ['another ConfigMap', named('settings', { other: '{}' }), false],
    ['other data', { data: {} }, false],
    ['a Secret with that name', named('inferenceservice-config', { deploy: 'e30=' }, 'Secret'), false],
  ])('%s', (_, config, is) => {
    expect(isPlatformConfig(config)).toBe(is);
  });
});

describe('the selected ConfigMap', () => {
  const inOtherNamespace = { ...rolloutDefaults({ maxSurge: '10%' }), metadata: { name: 'inferenceservice-config', namespace: 'staging' } };
  const own = rolloutDefaults({ maxSurge: '40%' });
  test('is the one in namespace kserve before others with its name', () => {
    expect(surge(plan([inOtherNamespace, own, service()]))).toBe('40%');
    expect(surge(plan([inOtherNamespace, service()]))).toBe('10%');
  });

  test('is the one passed as an option before all others', () => {
    const kserveConfig = { defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout: { maxSurge: '70%' } } };
    expect(surge(plan([own, service()], '0.17', { kserveConfig }))).toBe('70%');
  });

  test('is missing: a service that is refused in every mode is not counted', () => {
    const refused = service({ minReplicas: 3, maxReplicas: 2 });
    const assumptionsOf = (services: Parameters<typeof plan>[0]) =>
      plan(services)
        .findings.filter(({ code }) => code === 'kserve/no-platform-config')
        .map(({ messageId, severity, data }) => [messageId, severity, data.services]);
    expect(assumptionsOf([refused, service()])).toEqual([['assumedMode', 'warning', 1]]);
    expect(assumptionsOf([refused])).toEqual([['assumed', 'info', 0]]);
  });

  test('is missing: the assumption is reported once', () => {
    expect(factsOf(plan([service(), service()]).findings.filter(({ code }) => code.startsWith('kserve/')))).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/no-platform-config",
    "data": {
      "configMap": "inferenceservice-config",
      "mode": "Knative",
      "namespace": "kserve",
      "services": 2,
    },
    "messageId": "assumedMode",
    "path": "data[deploy]",
    "severity": "warning",
  },
]
`);
    expect(plan([configMap({ defaultDeploymentMode: 'Standard' })]).findings).toEqual([]);
  });
});
