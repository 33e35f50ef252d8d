import * as fc from 'fast-check';
import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import type { RolloutIntent } from '../../../src/workloads/deployment/intent';
import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import type { InferenceServiceProps, PlatformConfig, ResolvedInferenceService } from '../../../src/systems/kserve/types';
import { CELLS, configMapOf, propsOf } from './matrix';
import { configMap, plan, rolloutOf } from './plan';
import { scaleRuns } from '../../setup/scale-runs';

const VERSIONS = ['0.16', '0.17', '0.18', '0.19', '0.20'] as const;

/** The strategies by component that the controller computes for an emitted service, as if a user had written its YAML. */
function plannedStrategies({ manifest }: ResolvedInferenceService, platform: PlatformConfig, version: string) {
  const { defaultDeploymentMode, defaultRollout } = platform;
  const config = configMap({ defaultDeploymentMode, ...(defaultRollout && { deploymentRolloutStrategy: { defaultRollout } }) });
  return plan([config, manifest], version).rollouts.map(({ resource, strategy }) => [resource.component, strategy]);
}

function promisedStrategies({ components }: ResolvedInferenceService) {
  return components.map(({ component, strategy }) => [component, strategy]);
}

describe('the controller does what the constructs resolve', () => {
  test.each(VERSIONS)('in every combination of levels, on head and worker, with KServe %s', (version) => {
    for (const cell of CELLS) {
      const platform = readPlatformConfig(configMapOf(cell), version).config!;
      const resolved = buildInferenceService('iris', { ...propsOf(cell), platform, kserve: version });
      // Leaving the platform's mode is reported, which has its own test.
      expect(resolved.findings.filter(({ messageId }) => messageId !== 'leavesMode')).toEqual([]);
      expect(plannedStrategies(resolved, platform, version)).toEqual(promisedStrategies(resolved));
      expect(promisedStrategies(resolved).map(([component]) => component)).toEqual(
        cell.multinode ? ['predictor', 'worker'] : ['predictor'],
      );
      expect(resolved.components.every(({ strategy }) => strategy !== null)).toBe(true);
    }
  });

  const percent = fc.integer({ min: 0, max: 100 }).map((value): IntOrPercent => `${value}%`);
  const limit = fc.oneof(percent, fc.integer({ min: 0, max: 50 }));
  const intent: fc.Arbitrary<RolloutIntent | undefined> = fc.oneof(
    fc.record({ mode: fc.constantFrom('Availability' as const, 'ResourceAware' as const), ratio: limit }),
    fc.record({ type: fc.constant('RollingUpdate' as const), maxSurge: limit, maxUnavailable: limit }, { requiredKeys: ['type'] }),
    fc.constant({ type: 'Recreate' as const }),
    fc.constant(undefined),
  );
  const rollout = fc.record(
    { mode: fc.constantFrom('Availability', 'ResourceAware', 'availability'), maxSurge: percent, maxUnavailable: percent },
    { requiredKeys: [] },
  );
  const platforms: fc.Arbitrary<PlatformConfig> = fc.record(
    { defaultDeploymentMode: fc.constantFrom('Standard' as const, 'Knative' as const, 'ModelMesh' as const), defaultRollout: rollout },
    { requiredKeys: ['defaultDeploymentMode'] },
  );
  const props: fc.Arbitrary<InferenceServiceProps> = fc
    .record({ predictor: intent, transformer: intent, explainer: intent, multinode: fc.boolean(), inherit: fc.boolean() })
    .map(({ predictor, transformer, explainer, multinode, inherit }) => ({
      predictor: {
        model: { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm' },
        rollout: predictor,
        ...(multinode && { workerSpec: { pipelineParallelSize: 2 } }),
      },
      transformer: { containers: [{ name: 'kserve-container' }], rollout: transformer },
      explainer: { containers: [{ name: 'kserve-container' }], rollout: explainer },
      inheritPlatformDefaults: inherit,
    }));

  test('for any intents on any platform, unless a finding reports that they are refused', () => {
    let acceptedCount = 0;
    fc.assert(
      fc.property(props, platforms, fc.constantFrom(...VERSIONS), (intents, platform, version) => {
        const resolved = buildInferenceService('iris', { ...intents, platform, kserve: version });
        if (resolved.findings.some(({ severity }) => severity === 'error')) return;
        acceptedCount++;
        // If the cluster decides and its defaults are refused, both strategies are null.
        expect(plannedStrategies(resolved, platform, version)).toEqual(promisedStrategies(resolved));
      }),
      { numRuns: scaleRuns(2_000) },
    );
    expect(acceptedCount).toBeGreaterThan(scaleRuns(1_000));
  });

  test('also if RAY_NODE_COUNT makes a service multinode, as the guide documents and KServe does not do', () => {
    const env = [{ name: 'RAY_NODE_COUNT', value: '2' }];
    const resolved = buildInferenceService('llm', { predictor: { model: { modelFormat: { name: 'huggingface' }, env } } });
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } };
    expect(resolved.components.map((component) => component.strategy)).toEqual([strategy]);
    expect(rolloutOf(plan([resolved.manifest]), 'predictor').strategy).toEqual(strategy);
  });
});
