/** Formats an example LeaderWorkerSet with these values in its spec. */
export function formatLwsExample(replicas: number, rolloutStrategy: string, size = 4): string {
  return `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: llama
spec:
  replicas: ${replicas}
  rolloutStrategy: ${rolloutStrategy}
  leaderWorkerTemplate:
    size: ${size}
    workerTemplate:
      spec:
        containers:
          - name: vllm
            image: vllm/vllm-openai:v0.11.0
            resources: { limits: { nvidia.com/gpu: 8 } }
`;
}

/** Formats a rolloutStrategy with these limits. */
export function formatLwsLimits(limits: string): string {
  return `{ rollingUpdateConfiguration: { ${limits} } }`;
}
