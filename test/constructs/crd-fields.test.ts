import { RAY_FIELD_NAMES } from '../../src/systems/kuberay/crd-fields';
import { expectFields } from './crd-verdicts';

describe('the names of known fields are those of the CRDs', () => {
  const RAY_CLUSTER = new Map([
    ['spec', RAY_FIELD_NAMES.cluster],
    ['spec.headGroupSpec', RAY_FIELD_NAMES.head],
    ['spec.workerGroupSpecs', RAY_FIELD_NAMES.workers],
    ['spec.autoscalerOptions', RAY_FIELD_NAMES.autoscaler],
    ['spec.authOptions', RAY_FIELD_NAMES.auth],
    ['spec.gcsFaultToleranceOptions', RAY_FIELD_NAMES.faultTolerance],
  ]);

  test('of a RayCluster, and so of the cluster of a RayService', () => {
    const clusterOfService = new Map([...RAY_CLUSTER].map(([path, names]) => [path.replace('spec', 'spec.rayClusterConfig'), names]));
    expectFields('kuberay-v1.7.0', 'ray.io/v1 RayCluster', RAY_CLUSTER, []);
    expectFields('kuberay-v1.7.0', 'ray.io/v1 RayService', clusterOfService, []);
  });
});
