import * as fc from 'fast-check';
import type { IntOrPercent } from '../../../src/core/int-or-percent';
import type { RolloutIntent } from '../../../src/workloads/deployment/intent';
import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import type { InferenceServiceProps, PlatformConfig, ResolvedInferenceService } from '../../../src/systems/kserve/types';
import { CELLS, configMapOf, propsOf } from './matrix';
import { configMap, plan, rolloutOf } from './plan';

const VERSIONS = ['0.16', '0.17', '0.18', '0.19', '0.20'] as const;

/** What the controller makes of an emitted service, as if it were anybody's YAML: every strategy by component. */
function planned({ manifest }: ResolvedInferenceService, platform: PlatformConfig, version: string) {
  const { defaultDeploymentMode, defaultRollout } = platform;
  const config = configMap({ defaultDeploymentMode, ...(defaultRollout && { deploymentRolloutStrategy: { defaultRollout } }) });
  return plan([config, manifest], version).rollouts.map(({ resource, strategy }) => [resource.component, strategy]);
}

function promised({ components }: ResolvedInferenceService) {
  return components.map(({ component, strategy }) => [component, strategy]);
}

describe('what the constructs settle is what the controller does', () => {
  test.each(VERSIONS)('in every combination of levels, on head and worker, with KServe %s', (version) => {
    for (const cell of CELLS) {
      const platform = readPlatformConfig(configMapOf(cell), version).config!;
      const settled = buildInferenceService('iris', { ...propsOf(cell), platform, kserve: version });
      // That a service leaves the platform's mode is told, and is a test of its own.
      expect(settled.findings.filter(({ messageId }) => messageId !== 'leavesMode')).toEqual([]);
      expect(planned(settled, platform, version)).toEqual(promised(settled));
      expect(promised(settled).map(([component]) => component)).toEqual(cell.multinode ? ['predictor', 'worker'] : ['predictor']);
      expect(settled.components.every(({ strategy }) => strategy !== null)).toBe(true);
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

  test('for any intents over any platform, unless a finding says that they are refused', () => {
    let kept = 0;
    fc.assert(
      fc.property(props, platforms, fc.constantFrom(...VERSIONS), (given, platform, version) => {
        const settled = buildInferenceService('iris', { ...given, platform, kserve: version });
        if (settled.findings.some(({ severity }) => severity === 'error')) return;
        kept++;
        // Where the cluster decides and its own defaults are refused, so is the promise: both say null.
        expect(planned(settled, platform, version)).toEqual(promised(settled));
      }),
      { numRuns: 2_000 },
    );
    expect(kept).toBeGreaterThan(1_000);
  });

  test('also where RAY_NODE_COUNT makes a service multinode, as the guide says and KServe does not', () => {
    const env = [{ name: 'RAY_NODE_COUNT', value: '2' }];
    const settled = buildInferenceService('llm', { predictor: { model: { modelFormat: { name: 'huggingface' }, env } } });
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } };
    expect(settled.components.map((component) => component.strategy)).toEqual([strategy]);
    expect(rolloutOf(plan([settled.manifest]), 'predictor').strategy).toEqual(strategy);
  });
});
