function formatRole(name: string, replicas: number, limits: string): string {
  return `    - name: ${name}
      spec:
        replicas: ${replicas}
        ${limits}leaderWorkerTemplate:
          workerTemplate:
            spec:
              containers:
                - name: vllm
                  image: vllm/vllm-openai:v0.11.0
`;
}

/**
 * Formats a DisaggregatedSet with these roles.
 *
 * @param limits limits of the first role, as YAML fields
 */
export function formatRolesExample(prefill: number, decode: number, limits = ''): string {
  const line = limits === '' ? '' : `rolloutStrategy: { rollingUpdateConfiguration: { ${limits} } }\n        `;
  return `apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata:
  name: chat
spec:
  roles:
${formatRole('prefill', prefill, line)}${formatRole('decode', decode, '')}`;
}
