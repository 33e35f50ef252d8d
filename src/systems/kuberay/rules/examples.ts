const OPTIONS = `clusterUpgradeOptions:
      gatewayClassName: istio
      maxSurgePercent: 20
      stepSizePercent: 5
      intervalSeconds: 10`;

/** What stands under `spec.upgradeStrategy` of an incremental upgrade. */
export const INCREMENTAL_TEXT = `type: NewClusterWithIncrementalUpgrade
    ${OPTIONS}`;

const HEAD = `headGroupSpec:
      template:
        spec:
          containers:
            - { name: ray-head, image: rayproject/ray:2.51.0 }`;

const WORKERS = `workerGroupSpecs:
      - groupName: gpu
        replicas: 5
        minReplicas: 0
        maxReplicas: 10
        template:
          spec:
            containers:
              - { name: ray-worker, image: rayproject/ray:2.51.0, resources: { limits: { nvidia.com/gpu: 1 } } }`;

/** A Ray cluster with a head and five workers. */
export const CLUSTER_TEXT = `rayClusterConfig:
    enableInTreeAutoscaling: true
    ${HEAD}
    ${WORKERS}`;

/** A RayService as text: its name, what stands under `spec.upgradeStrategy`, and the rest of the spec. */
export function serviceText(upgradeStrategy: string, rest = CLUSTER_TEXT, name = 'llm'): string {
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

/** A RayService with an incremental upgrade in whose options one thing is replaced. */
export function withOption(from: string, to: string): string {
  return serviceText(INCREMENTAL_TEXT.replace(from, to));
}

/** A RayService with an incremental upgrade in whose cluster one thing is replaced. */
export function withCluster(from: string, to: string): string {
  return serviceText(INCREMENTAL_TEXT, CLUSTER_TEXT.replace(from, to));
}

/** A RayService with an incremental upgrade of which there is nothing to say. */
export const WHOLE_SERVICE = serviceText(INCREMENTAL_TEXT);
