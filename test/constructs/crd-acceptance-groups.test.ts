import { App, Chart, Testing } from 'cdk8s';
import {
  ApplicationSetRollout,
  DisaggregatedSetRollout,
  Inventory,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  Rollout,
} from 'rolloutkit';
import type { Manifest } from '../../src/core/manifest/manifest';
import { expectRefused, expectTaken } from './crd-verdicts';

const template = { containers: [{ name: 'main', image: 'vllm:1' }] };
const leaderWorkerTemplate = {
  workerTemplate: { spec: template },
  leaderTemplate: { metadata: { labels: { role: 'leader' } }, spec: template },
};
const ROLLOUTS = {
  defaults: undefined,
  surge: Rollout.groups({ surge: 1 }),
  unavailable: Rollout.groups({ unavailable: '50%' }),
  both: { maxSurge: 1, maxUnavailable: 1 },
};

function charted(): Chart {
  return new Chart(new App(), 'models', { namespace: 'models', labels: { team: 'vision' } });
}

function leaderWorkerSets(): Manifest[] {
  const chart = charted();
  for (const [name, rollout] of Object.entries(ROLLOUTS)) {
    new LeaderWorkerSetRollout(chart, name, { replicas: 4, size: 2, leaderWorkerTemplate, partition: 1, ...(rollout && { rollout }) });
  }
  return Testing.synth(chart);
}

function disaggregatedSets(): Manifest[] {
  const chart = charted();
  for (const [name, rollout] of Object.entries(ROLLOUTS)) {
    const roles = ['prefill', 'decode'].map((role) => ({ name: role, replicas: 4, leaderWorkerTemplate, ...(rollout && { rollout }) }));
    new DisaggregatedSetRollout(chart, name, { roles });
  }
  return Testing.synth(chart);
}

function llmServices(): Manifest[] {
  const chart = charted();
  const model = { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' };
  new LLMInferenceServiceRollout(chart, 'single', { model, replicas: 4, template, kserve: '0.20' });
  new LLMInferenceServiceRollout(chart, 'whole', {
    model,
    template,
    worker: template,
    parallelism: { pipeline: 2 },
    prefill: { replicas: 2, template },
    router: { scheduler: {} },
    kserve: '0.20',
  });
  return Testing.synth(chart);
}

function applicationSets(): Manifest[] {
  const chart = new Chart(new App(), 'delivery', { namespace: 'argocd' });
  const inventory = Inventory.of({ clusters: ['lab', 'oslo'].map((name) => ({ name, labels: { env: name === 'lab' ? 'dev' : 'prod' } })) });
  for (const goTemplate of [true, false]) {
    const label = goTemplate ? '{{.metadata.labels.env}}' : '{{metadata.labels.env}}';
    new ApplicationSetRollout(chart, goTemplate ? 'go' : 'plain', {
      generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
      template: {
        metadata: { name: goTemplate ? 'shop-{{.name}}' : 'shop-{{name}}', labels: { env: label } },
        spec: {
          project: 'default',
          source: { repoURL: 'https://git.example.com/shop.git', path: 'deploy' },
          destination: { server: goTemplate ? '{{.server}}' : '{{server}}', namespace: 'shop' },
        },
      },
      steps: [{ match: { env: ['dev', 'test'] } }, { match: { env: 'prod' }, maxUpdate: '67%' }],
      deletionOrder: 'Reverse',
      goTemplate,
      inventory,
    });
  }
  return Testing.synth(chart);
}

test.each([
  ['ApplicationSets', 'argo-cd-v3.5.1', applicationSets],
  ['LeaderWorkerSets', 'lws-v0.9.0', leaderWorkerSets],
  ['DisaggregatedSets', 'lws-v0.9.0', disaggregatedSets],
  ['LLMInferenceServices', 'kserve-v0.20.0', llmServices],
] as const)('the CRD of %s of %s takes every object that the construct emits', (_kind, crds, objects) => {
  expectTaken(crds, objects());
});

test('and refuses a field that it does not have', () => {
  const [set] = leaderWorkerSets();
  const mistaken = { ...set!, spec: { ...(set!.spec as object), strategy: {} } };
  expectRefused('lws-v0.9.0', mistaken, [{ field: 'spec.strategy', type: 'unknown field' }]);
});
