const OPTIONS_TEXT = `clusterUpgradeOptions:
      gatewayClassName: istio
      maxSurgePercent: 20
      stepSizePercent: 5
      intervalSeconds: 10`;

/** The fields under `spec.upgradeStrategy` of an incremental upgrade. */
export const INCREMENTAL_STRATEGY_TEXT = `type: NewClusterWithIncrementalUpgrade
    ${OPTIONS_TEXT}`;

const HEAD_TEXT = `headGroupSpec:
      template:
        spec:
          containers:
            - { name: ray-head, image: rayproject/ray:2.51.0 }`;

const WORKERS_TEXT = `workerGroupSpecs:
      - groupName: gpu
        replicas: 5
        minReplicas: 0
        maxReplicas: 10
        template:
          spec:
            containers:
              - { name: ray-worker, image: rayproject/ray:2.51.0, resources: { limits: { nvidia.com/gpu: 1 } } }`;

/** A Ray cluster with a head and five workers. */
export const RAY_CLUSTER_TEXT = `rayClusterConfig:
    enableInTreeAutoscaling: true
    ${HEAD_TEXT}
    ${WORKERS_TEXT}`;

/**
 * Formats a RayService as YAML text.
 *
 * @param upgradeStrategy the fields under `spec.upgradeStrategy`
 * @param rest the other fields of the spec
 */
export function formatRayServiceExample(upgradeStrategy: string, rest = RAY_CLUSTER_TEXT, name = 'llm'): string {
  return `apiVersion: ray.io/v1
kind: RayService
metadata:
  name: ${name}
spec:
  upgradeStrategy:
    ${upgradeStrategy}
  ${rest}
`;
}

/** Returns a RayService with an incremental upgrade and one replacement in its options. */
export function withUpgradeOption(from: string, to: string): string {
  return formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT.replace(from, to));
}

/** Returns a RayService with an incremental upgrade and one replacement in its cluster. */
export function withRayCluster(from: string, to: string): string {
  return formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT, RAY_CLUSTER_TEXT.replace(from, to));
}

/** A RayService with an incremental upgrade that has no findings. */
export const VALID_RAY_SERVICE_TEXT = formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT);
