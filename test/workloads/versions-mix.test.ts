import { versionsMix } from '../../src/workloads/leader-worker-set/rules/versions-mix';
import { testRule } from '../rule-tester';

const role = (name: string, replicas: number) =>
  `    - { name: ${name}, spec: { replicas: ${replicas}, leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: v, image: "v:1" }] } } } } }
`;
const set = (roles: string) => `apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata: { name: chat }
spec:
  roles:
${roles}`;
const llm = (decode: string, prefill: string) => `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: { name: llm }
spec:
  replicas: 2
  template: { containers: [{ name: main, image: "vllm/vllm-openai:${decode}" }] }
  ${prefill === '' ? '' : `prefill: { replicas: 4, template: { containers: [{ name: main, image: "vllm/vllm-openai:${prefill}" }] } }`}
`;

testRule(versionsMix, {
  valid: [
    { name: 'one role', yaml: set(role('both', 4)) },
    { name: 'a service without a prefill', yaml: llm('v0.18.0', '') },
    { name: 'only one role changes', old: llm('v0.18.0', 'v0.18.0'), yaml: llm('v0.19.0', 'v0.18.0') },
  ],
  invalid: [
    {
      yaml: set(role('prefill', 4) + role('decode', 2)),
      findings: [
        {
          messageId: 'pairs',
          severity: 'info',
          path: 'spec.roles',
          data: { roles: ['prefill', 'decode'], wave: 4, mixed: 50, allNew: 25 },
        },
      ],
    },
    {
      name: 'both roles of an LLMInferenceService',
      old: llm('v0.18.0', 'v0.18.0'),
      yaml: llm('v0.19.0', 'v0.19.0'),
      findings: [{ messageId: 'pairs', path: 'spec.prefill' }],
    },
  ],
});
