import { SCALED_OBJECT_SPEC } from '../../src/cluster/autoscaling/scaled-object-fields';
import type { FieldSchema } from '../../src/core/values/schema';
import { GIT_REPO_SPEC } from '../../src/systems/fleet/git-repo-fields';
import { KNATIVE_SERVICE_SPEC } from '../../src/systems/knative-service/service-fields';
import { RUNTIME_SPEC } from '../../src/systems/kserve/runtime-fields';
import { RAY_FIELD_NAMES } from '../../src/systems/kuberay/crd-fields';
import { expectFields } from './crd-verdicts';

/** Returns the names of the fields of each map with known fields, by its path. */
function namesByPath({ fields = {} }: FieldSchema, path = 'spec'): Map<string, string[]> {
  const below = Object.entries(fields).flatMap(([name, field]) => (field.fields ? [...namesByPath(field, `${path}.${name}`)] : []));
  return new Map([[path, Object.keys(fields)], ...below]);
}

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

  test('of a GitRepo, except a field of Fleet 0.12', () => {
    expectFields('fleet-v0.16.1', 'fleet.cattle.io/v1alpha1 GitRepo', namesByPath(GIT_REPO_SPEC), ['spec.ociRegistry is not in the CRD']);
  });

  test('of a ScaledObject', () => {
    expectFields('keda-v2.20.1', 'keda.sh/v1alpha1 ScaledObject', namesByPath(SCALED_OBJECT_SPEC), []);
  });

  test.each(['ServingRuntime', 'ClusterServingRuntime'])('of a %s, except fields of a later KServe', (kind) => {
    expectFields('kserve-v0.20.0', `serving.kserve.io/v1alpha1 ${kind}`, namesByPath(RUNTIME_SPEC), [
      'spec.resourceClaims is not in the CRD',
      'spec.workerSpec.resourceClaims is not in the CRD',
    ]);
  });

  test('of a Service of Knative, outside its pods', () => {
    expectFields('knative-v1.23.0', 'serving.knative.dev/v1 Service', namesByPath(KNATIVE_SERVICE_SPEC), []);
  });
});
