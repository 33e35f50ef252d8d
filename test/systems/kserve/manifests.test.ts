import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import type { ComponentProps, InferenceServiceProps, PlatformConfig } from '../../../src/systems/kserve/types';
import { factsOf } from '../../facts';
import { listed, plan, rolloutOf } from './plan';

const MODEL = { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' } };
const AVAILABILITY: PlatformConfig = {
  defaultDeploymentMode: 'Standard',
  defaultRollout: { mode: 'Availability', maxSurge: '40%', maxUnavailable: '20%' },
};

/** Passes props that JavaScript or JSON may contain, bypassing the compiler. */
function unchecked(props: unknown): InferenceServiceProps {
  return props as InferenceServiceProps;
}

describe('the InferenceService of an intent', () => {
  test('has every resolved value written out, and passes other fields of a component through', () => {
    const { manifest } = buildInferenceService('iris', {
      metadata: { namespace: 'models', labels: { team: 'flowers' } },
      platform: AVAILABILITY,
      predictor: {
        ...MODEL,
        minReplicas: 4,
        maxReplicas: 8,
        podSpec: { tolerations: [{ key: 'gpu' }] },
        rollout: { mode: 'Availability', ratio: '25%' },
      },
      transformer: { containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }] },
    });
    expect(manifest).toMatchInlineSnapshot(`
{
  "apiVersion": "serving.kserve.io/v1beta1",
  "kind": "InferenceService",
  "metadata": {
    "annotations": {
      "serving.kserve.io/deploymentMode": "Standard",
    },
    "labels": {
      "team": "flowers",
    },
    "name": "iris",
    "namespace": "models",
  },
  "spec": {
    "predictor": {
      "deploymentStrategy": {
        "rollingUpdate": {
          "maxSurge": "25%",
          "maxUnavailable": 0,
        },
        "type": "RollingUpdate",
      },
      "maxReplicas": 8,
      "minReplicas": 4,
      "model": {
        "modelFormat": {
          "name": "sklearn",
        },
        "storageUri": "s3://my-bucket/model",
      },
      "tolerations": [
        {
          "key": "gpu",
        },
      ],
    },
    "transformer": {
      "containers": [
        {
          "image": "my-transformer:latest",
          "name": "kserve-container",
        },
      ],
      "deploymentStrategy": {
        "rollingUpdate": {
          "maxSurge": "40%",
          "maxUnavailable": 0,
        },
        "type": "RollingUpdate",
      },
    },
  },
}
`);
  });

  test('lists for each value the level that decided and the overridden levels', () => {
    const { components } = buildInferenceService('iris', {
      platform: AVAILABILITY,
      predictor: { ...MODEL, rollout: { type: 'RollingUpdate', maxSurge: 2 } },
    });
    expect(components).toMatchInlineSnapshot(`
[
  {
    "component": "predictor",
    "provenance": [
      {
        "field": "type",
        "layer": "user",
        "overridden": [
          {
            "layer": "kserve-default",
            "reason": "the component sets its own value",
            "value": "RollingUpdate",
          },
        ],
        "reason": "The component sets it.",
        "value": "RollingUpdate",
      },
      {
        "field": "maxSurge",
        "layer": "user",
        "overridden": [
          {
            "layer": "platform-config",
            "reason": "the component sets its own value",
            "value": "40%",
          },
          {
            "layer": "kserve-default",
            "reason": "the component sets its own value",
            "value": "25%",
          },
        ],
        "reason": "The component sets it.",
        "value": 2,
      },
      {
        "field": "maxUnavailable",
        "layer": "platform-config",
        "overridden": [
          {
            "layer": "kserve-default",
            "reason": "the ConfigMap has rollout defaults, which take precedence",
            "value": "25%",
          },
        ],
        "reason": "The component does not set it, and the default deployment mode is Standard; mode Availability is applied as documented.",
        "value": 0,
      },
    ],
    "strategy": {
      "rollingUpdate": {
        "maxSurge": 2,
        "maxUnavailable": 0,
      },
      "type": "RollingUpdate",
    },
  },
]
`);
  });

  test('for a multinode predictor has the override on head and workers, and the autoscaler class that the webhook requires', () => {
    const { manifest, components, findings } = buildInferenceService('llm', {
      predictor: {
        model: { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm' },
        workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 1 },
        rollout: { type: 'Recreate' },
      },
    });
    expect(findings).toEqual([]);
    expect(manifest.metadata?.annotations).toEqual({
      'serving.kserve.io/deploymentMode': 'Standard',
      'serving.kserve.io/autoscalerClass': 'none',
    });
    expect(components.map(({ component, strategy, provenance }) => [component, strategy, provenance[0]])).toMatchInlineSnapshot(`
[
  [
    "predictor",
    {
      "rollingUpdate": {
        "maxSurge": "100%",
        "maxUnavailable": "0%",
      },
      "type": "RollingUpdate",
    },
    {
      "field": "type",
      "layer": "multinode-override",
      "overridden": [
        {
          "layer": "user",
          "reason": "a multinode service keeps all of its nodes until their replacements are ready",
          "value": "Recreate",
        },
        {
          "layer": "kserve-default",
          "reason": "a multinode service keeps all of its nodes until their replacements are ready",
          "value": "RollingUpdate",
        },
      ],
      "reason": "A multinode service keeps all of its nodes until their replacements are ready, whatever other levels set.",
      "value": "RollingUpdate",
    },
  ],
  [
    "worker",
    {
      "rollingUpdate": {
        "maxSurge": "100%",
        "maxUnavailable": "0%",
      },
      "type": "RollingUpdate",
    },
    {
      "field": "type",
      "layer": "multinode-override",
      "overridden": [
        {
          "layer": "user",
          "reason": "a multinode service keeps all of its nodes until their replacements are ready",
          "value": "Recreate",
        },
        {
          "layer": "kserve-default",
          "reason": "a multinode service keeps all of its nodes until their replacements are ready",
          "value": "RollingUpdate",
        },
      ],
      "reason": "A multinode service keeps all of its nodes until their replacements are ready, whatever other levels set.",
      "value": "RollingUpdate",
    },
  ],
]
`);
  });

  test('leaves components without their own strategy to the cluster on request', () => {
    const { manifest, components } = buildInferenceService('iris', {
      platform: AVAILABILITY,
      inheritPlatformDefaults: true,
      predictor: MODEL,
      transformer: { containers: [{ name: 'kserve-container' }], rollout: { mode: 'ResourceAware', ratio: 1 } },
    });
    expect(manifest.spec).toEqual({
      predictor: MODEL,
      transformer: {
        containers: [{ name: 'kserve-container' }],
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      },
    });
    // The limits that the controller uses from the ConfigMap, ignoring its mode.
    expect(components[0]!.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '40%', maxUnavailable: '20%' } });
  });

  test.each([
    [
      'a fixed number, which the ConfigMap cannot contain',
      { maxSurge: 1 },
      'error kserve/config-bare-number at platform.defaultRollout.maxSurge',
    ],
    [
      'a quoted number, which the API server refuses',
      { maxSurge: '1' },
      'error kubernetes/quoted-integer at platform.defaultRollout.maxSurge',
    ],
  ])('does not leave a component to a cluster whose default is %s', (_, defaultRollout, expected) => {
    const platform = { defaultDeploymentMode: 'Standard', defaultRollout } as const;
    const { findings } = buildInferenceService('iris', { platform, inheritPlatformDefaults: true, predictor: MODEL });
    expect(listed(findings)).toEqual([expected]);
    expect(listed(buildInferenceService('iris', { platform, predictor: MODEL }).findings)).toEqual([]);
  });

  test('promises no strategy if the API server refuses that of the cluster, and reports the number that the ConfigMap cannot contain', () => {
    const resolveInherited = (
      defaultRollout: PlatformConfig['defaultRollout'],
      defaultDeploymentMode: 'Standard' | 'Knative' = 'Standard',
    ) => {
      const platform = { defaultDeploymentMode, ...(defaultRollout && { defaultRollout }) };
      const { components, findings } = buildInferenceService('iris', { platform, inheritPlatformDefaults: true, predictor: MODEL });
      return { strategy: components[0]!.strategy, findings: factsOf(findings) };
    };
    expect(resolveInherited({ maxSurge: '1' })).toMatchObject({ strategy: null, findings: [{ code: 'kubernetes/quoted-integer' }] });
    expect(resolveInherited({ maxSurge: 1 }).findings).toEqual([
      {
        code: 'kserve/config-bare-number',
        severity: 'error',
        messageId: 'inherited',
        data: { limit: 'maxSurge', value: 1 },
        path: 'platform.defaultRollout.maxSurge',
      },
    ]);
    // With another default mode the ConfigMap decides nothing.
    const quarter = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
    expect(resolveInherited({ maxSurge: 1 }, 'Knative')).toMatchObject({ strategy: quarter, findings: [{ messageId: 'leavesMode' }] });
    expect(resolveInherited({ maxSurge: 1 }, 'Knative').findings).toHaveLength(1);
  });

  test('writes the provenance into annotations on request', () => {
    const { manifest } = buildInferenceService('iris', { platform: AVAILABILITY, predictor: MODEL, provenanceAnnotations: true });
    expect(manifest.metadata?.annotations).toMatchInlineSnapshot(`
{
  "rolloutkit/predictor.maxSurge": ""40%" from platform-config, over kserve-default "25%"",
  "rolloutkit/predictor.maxUnavailable": "0 from platform-config, over kserve-default "25%"",
  "rolloutkit/predictor.type": ""RollingUpdate" from kserve-default",
  "serving.kserve.io/deploymentMode": "Standard",
}
`);
  });

  test.each([
    ['a canary', null, 'spec.canary[0]'],
    ['the predictor of one', { trafficPercent: 5, predictor: null }, 'spec.canary[0].predictor'],
  ])('writes %s that JavaScript leaves null, which the API server refuses', (_, canary, path) => {
    const { manifest, findings } = buildInferenceService('iris', unchecked({ kserve: '0.20', predictor: MODEL, canary: [canary] }));
    expect(manifest.spec).toMatchObject({ canary: [canary] });
    expect(listed(findings)).toEqual([`error input/wrong-type at ${path}`]);
  });

  test('keeps canaries, since KServe 0.20', () => {
    const props: InferenceServiceProps = {
      predictor: { ...MODEL, minReplicas: 4 },
      canary: [{ trafficPercent: 25, predictor: { name: 'v2', ...MODEL } }],
    };
    expect(listed(buildInferenceService('iris', props).findings)).toEqual(['warning input/unknown-field at spec.canary']);
    const { manifest, findings } = buildInferenceService('iris', { ...props, kserve: '0.20' });
    expect(findings).toEqual([]);
    expect(rolloutOf(plan([manifest], '0.20'), 'canary/v2').creates![0]!.replicas).toBe(1);
  });
});

describe('an invalid intent is reported as a finding', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a quoted ratio', { rollout: { mode: 'Availability', ratio: '1' } }, 'kubernetes/quoted-integer at predictor.rollout.ratio'],
    ['a quoted limit', { rollout: { type: 'RollingUpdate', maxSurge: '1' } }, 'kubernetes/quoted-integer at predictor.rollout.maxSurge'],
    [
      'a quoted number in a deploymentStrategy',
      { deploymentStrategy: { rollingUpdate: { maxSurge: '1' } } },
      'kubernetes/quoted-integer at predictor.deploymentStrategy.rollingUpdate.maxSurge',
    ],
    ['a mode in lower case', { rollout: { mode: 'availability', ratio: 1 } }, 'kubernetes/invalid-strategy at predictor.rollout.mode'],
    ['an unknown type', { rollout: { type: 'OnDelete' } }, 'kubernetes/invalid-strategy at predictor.rollout.type'],
    ['a string instead of an intent', { rollout: '25%' }, 'kubernetes/invalid-strategy at predictor.rollout'],
    ['a ratio of 0', { rollout: { mode: 'Availability', ratio: '0%' } }, 'kubernetes/invalid-strategy at predictor.rollout.ratio'],
    ['no ratio', { rollout: { mode: 'ResourceAware' } }, 'kubernetes/invalid-strategy at predictor.rollout.ratio'],
    ['a ratio above 100%', { rollout: { mode: 'ResourceAware', ratio: '150%' } }, 'kubernetes/invalid-strategy at predictor.rollout.ratio'],
    [
      'both limits 0',
      { rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
      'kubernetes/invalid-strategy at predictor.rollout.maxUnavailable',
    ],
    [
      'two user levels',
      { rollout: { type: 'Recreate' }, deploymentStrategy: { type: 'Recreate' } },
      'kubernetes/invalid-strategy at predictor.rollout',
    ],
    ['minReplicas above maxReplicas', { minReplicas: 3, maxReplicas: 2 }, 'kserve/invalid-service at spec.predictor.minReplicas'],
  ])('%s', (_, predictor, finding) => {
    const result = buildInferenceService('iris', unchecked({ predictor: { ...MODEL, ...predictor } }));
    expect(listed(result.findings)).toEqual([`error ${finding}`]);
  });

  test('the component with the error has no strategy', () => {
    const predictor = { ...MODEL, rollout: { mode: 'Availability', ratio: '1' } };
    const { components } = buildInferenceService(
      'iris',
      unchecked({ predictor, transformer: { containers: [], rollout: { type: 'Recreate' } } }),
    );
    expect(components).toMatchObject([
      { component: 'predictor', strategy: null, provenance: [] },
      { component: 'transformer', strategy: { type: 'Recreate' }, provenance: [{ field: 'type' }] },
    ]);
  });

  test('a surge of more than 100% is valid', () => {
    expect(buildInferenceService('iris', { predictor: { ...MODEL, rollout: { mode: 'Availability', ratio: '150%' } } }).findings).toEqual(
      [],
    );
  });

  test('a 0 of the component and a 0 of the platform', () => {
    const predictor: ComponentProps = { ...MODEL, rollout: { type: 'RollingUpdate', maxSurge: 0 } };
    const { components, findings } = buildInferenceService('iris', { platform: AVAILABILITY, predictor });
    expect(components[0]!.strategy).toBeNull();
    expect(factsOf(findings)).toMatchInlineSnapshot(`
[
  {
    "code": "kubernetes/invalid-strategy",
    "data": {
      "component": "predictor",
      "limits": [
        {
          "field": "maxSurge",
          "layer": "user",
          "value": 0,
        },
        {
          "field": "maxUnavailable",
          "layer": "platform-config",
          "value": 0,
        },
      ],
    },
    "messageId": "zerosFromDifferentLevels",
    "path": "predictor.rollout.maxSurge",
    "severity": "error",
  },
]
`);
  });

  test('a value of the platform that the API server refuses', () => {
    const platform: PlatformConfig = { defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: 'abc' } };
    expect(listed(buildInferenceService('iris', { platform, predictor: MODEL }).findings)).toEqual([
      'error kubernetes/invalid-strategy at platform.defaultRollout.maxSurge',
    ]);
  });

  test('a strategy for a service that is annotated Knative', () => {
    const metadata = { annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } };
    const { findings } = buildInferenceService('iris', { metadata, predictor: { ...MODEL, rollout: { type: 'Recreate' } } });
    expect(listed(findings)).toEqual(['error kserve/strategy-outside-standard at spec.predictor.deploymentStrategy']);
  });

  test('a multinode predictor that the webhook refuses', () => {
    const { findings } = buildInferenceService('llm', { predictor: { ...MODEL, workerSpec: {} } });
    expect(listed(findings)).toEqual(['error kserve/invalid-service at spec.predictor.model.storageUri']);
  });
});

test('quoted numbers in the ConfigMap become the intended numbers', () => {
  const platform: PlatformConfig = { defaultDeploymentMode: 'Standard', defaultRollout: { maxSurge: '1', maxUnavailable: '0' } };
  const { components, findings } = buildInferenceService('iris', { platform, predictor: MODEL });
  expect(findings).toEqual([]);
  expect(components[0]!.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
});
