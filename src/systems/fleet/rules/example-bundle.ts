/** Three clusters: one for staging, two for production. */
export const EXAMPLE_CLUSTERS = `---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging-1
  labels:
    env: staging
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: prod-1
  labels:
    env: prod
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: prod-2
  labels:
    env: prod
`;

/** Formats a Bundle for all clusters with these lines as its rolloutStrategy. */
export function formatBundleExample(...rolloutStrategy: readonly string[]): string {
  return `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata:
  name: shop
spec:
  targets:
    - clusterSelector: {}
  rolloutStrategy:
${rolloutStrategy.map((line) => `    ${line}\n`).join('')}`;
}

/** Formats a partition by one label, as lines. */
export function formatPartitionExample(name: string, env: string, ...more: readonly string[]): string[] {
  return [`  - name: ${name}`, '    clusterSelector:', '      matchLabels:', `        env: ${env}`, ...more.map((line) => `    ${line}`)];
}
