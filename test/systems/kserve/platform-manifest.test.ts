import * as fc from 'fast-check';
import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { buildPlatformConfigMap, parsePlatformProps } from '../../../src/systems/kserve/platform-manifest';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import type { PlatformConfigProps } from '../../../src/systems/kserve/types';
import { factsOf } from '../../facts';
import { configMap, listed } from './plan';

/** Passes props that JavaScript or JSON may contain, bypassing the compiler. */
function unchecked(props: unknown): PlatformConfigProps {
  return props as PlatformConfigProps;
}

describe('a platform level given as props', () => {
  test('has default mode Standard, and may contain numbers, which are written into each service', () => {
    const defaultRollout = { maxSurge: 1, maxUnavailable: '25%' } as const;
    expect(parsePlatformProps({ defaultRollout })).toEqual({ config: { defaultDeploymentMode: 'Standard', defaultRollout }, findings: [] });
    expect(parsePlatformProps({ defaultDeploymentMode: 'RawDeployment' }).config).toEqual({ defaultDeploymentMode: 'Standard' });
  });

  test.each([
    [{ defaultDeploymentMode: 'standard' }, ['error kserve/invalid-config at defaultDeploymentMode']],
    [{ defaultRollout: { mode: 'availability' } }, ['error kserve/invalid-config at defaultRollout.mode']],
    [{ defaultRollout: { maxSurge: '1' } }, ['error kubernetes/quoted-integer at defaultRollout.maxSurge']],
    [{ defaultRollout: { maxSurge: 0, maxUnavailable: '0%' } }, ['error kubernetes/invalid-strategy at defaultRollout.maxUnavailable']],
    [{ defaultRollout: { mode: 'Availability', maxSurge: 0 } }, ['error kubernetes/invalid-strategy at defaultRollout.maxUnavailable']],
    [{ defaultRollout: { maxUnavailable: '101%' } }, ['error kubernetes/invalid-strategy at defaultRollout.maxUnavailable']],
  ])('%j is refused', (props, findings) => {
    expect(listed(parsePlatformProps(unchecked(props)).findings)).toEqual(findings);
  });
});

/** Returns the JSON in the deploy key of a ConfigMap, and the findings about it. */
function deployOf(props: PlatformConfigProps, base?: Manifest) {
  const { manifest, findings } = buildPlatformConfigMap(props, base);
  return { deploy: JSON.parse((manifest.data as { deploy: string }).deploy) as unknown, findings: listed(findings) };
}

describe('the ConfigMap of a platform level', () => {
  test('is new without a base', () => {
    const { manifest } = buildPlatformConfigMap({ defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' } });
    expect(manifest).toMatchInlineSnapshot(`
{
  "apiVersion": "v1",
  "data": {
    "deploy": "{
  "defaultDeploymentMode": "Standard",
  "deploymentRolloutStrategy": {
    "defaultRollout": {
      "maxSurge": "25%",
      "maxUnavailable": "0%"
    }
  }
}",
  },
  "kind": "ConfigMap",
  "metadata": {
    "name": "inferenceservice-config",
    "namespace": "kserve",
  },
}
`);
  });

  test('is merged over the entire base', () => {
    const base = configMap({
      defaultDeploymentMode: 'Knative',
      futureField: 7,
      deploymentRolloutStrategy: { defaultRollout: { mode: 'Availability', maxSurge: '10%', maxUnavailable: '10%' } },
    });
    const ingress = '{"ingressGateway": "knative-serving/knative-ingress-gateway"}';
    const { manifest } = buildPlatformConfigMap(
      { defaultDeploymentMode: 'Standard', defaultRollout: { mode: 'ResourceAware', maxUnavailable: '30%' } },
      { ...base, metadata: { ...base.metadata, labels: { app: 'kserve' } }, data: { ...(base.data as object), ingress } },
    );
    expect(manifest).toMatchInlineSnapshot(`
{
  "apiVersion": "v1",
  "data": {
    "deploy": "{
  "defaultDeploymentMode": "Standard",
  "futureField": 7,
  "deploymentRolloutStrategy": {
    "defaultRollout": {
      "maxSurge": "0%",
      "maxUnavailable": "30%"
    }
  }
}",
    "ingress": "{"ingressGateway": "knative-serving/knative-ingress-gateway"}",
  },
  "kind": "ConfigMap",
  "metadata": {
    "labels": {
      "app": "kserve",
    },
    "name": "inferenceservice-config",
    "namespace": "kserve",
  },
}
`);
  });

  test('keeps values that the props omit', () => {
    const deploy = { defaultDeploymentMode: 'Knative', deploymentRolloutStrategy: { defaultRollout: { maxSurge: '10%' } } };
    expect(deployOf({}, configMap(deploy)).deploy).toEqual(deploy);
    expect(deployOf({ defaultRollout: { maxUnavailable: '30%' } }, configMap(deploy)).deploy).toEqual({
      defaultDeploymentMode: 'Knative',
      deploymentRolloutStrategy: { defaultRollout: { maxSurge: '10%', maxUnavailable: '30%' } },
    });
  });

  test('writes zero as a percentage', () => {
    expect(deployOf({ defaultRollout: { maxSurge: '25%', maxUnavailable: 0 } })).toEqual({
      deploy: {
        defaultDeploymentMode: 'Standard',
        deploymentRolloutStrategy: { defaultRollout: { maxSurge: '25%', maxUnavailable: '0%' } },
      },
      findings: [],
    });
  });

  test('cannot contain a fixed number of pods', () => {
    expect(factsOf(buildPlatformConfigMap({ defaultRollout: { maxSurge: 1 } }).findings)).toMatchInlineSnapshot(`
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

  test.each([
    ['a base that KServe cannot read', {}, configMap('{"defaultDeploymentMode"}'), ['error kserve/invalid-config at data[deploy]']],
    [
      'a base with quoted numbers',
      {},
      configMap({ defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout: { maxSurge: '1' } } }),
      ['error kserve/config-quoted-integer at data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge'],
    ],
    [
      'limits that are both 0 after merging',
      { defaultRollout: { maxSurge: '0%' } } as const,
      configMap({ defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout: { maxUnavailable: '0%' } } }),
      ['error kubernetes/invalid-strategy at data[deploy].deploymentRolloutStrategy.defaultRollout.maxUnavailable'],
    ],
    [
      'props that are refused',
      unchecked({ defaultDeploymentMode: 'raw' }),
      undefined,
      ['error kserve/invalid-config at defaultDeploymentMode'],
    ],
  ])('is refused for %s', (_, props, base, findings) => {
    expect(listed(buildPlatformConfigMap(props, base).findings)).toEqual(findings);
  });

  test('is read back by KServe with the intended values', () => {
    const percent = fc.integer({ min: 1, max: 100 }).map((value): IntOrPercent => `${value}%`);
    const props = fc.record({
      defaultDeploymentMode: fc.constantFrom('Standard' as const, 'Knative' as const, 'RawDeployment' as const),
      mode: fc.constantFrom('Availability' as const, 'ResourceAware' as const),
      maxSurge: percent,
      maxUnavailable: percent,
    });
    fc.assert(
      fc.property(props, ({ defaultDeploymentMode, mode, maxSurge, maxUnavailable }) => {
        const { manifest } = buildPlatformConfigMap({ defaultDeploymentMode, defaultRollout: { mode, maxSurge, maxUnavailable } });
        expect(readPlatformConfig(manifest).config).toEqual({
          defaultDeploymentMode: defaultDeploymentMode === 'Knative' ? 'Knative' : 'Standard',
          defaultRollout: mode === 'Availability' ? { maxSurge, maxUnavailable: '0%' } : { maxSurge: '0%', maxUnavailable },
        });
      }),
    );
  });
});
