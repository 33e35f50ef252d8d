import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { defineMap, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { CONTAINER } from '../../workloads/pod/container';
import { checkPodFieldNames } from '../../workloads/pod/field-names';
import { POD_SPEC } from '../../workloads/pod/pod-spec';

/** The fields of the pods of a runtime: a part of those that a pod has. */
const { affinity, containers, hostIPC, imagePullSecrets, nodeSelector, resourceClaims, schedulerName, tolerations, volumes } = POD_SPEC;
const PODS = { affinity, containers, hostIPC, imagePullSecrets, nodeSelector, resourceClaims, schedulerName, tolerations, volumes };

const POD_NAMES = listNames(...Object.keys(PODS), 'labels', 'annotations');

/**
 * The names of all fields that KServe itself defines in the spec of a ServingRuntime or ClusterServingRuntime.
 *
 * Source: KServe pkg/apis/serving/v1alpha1/servingruntime_types.go of 0.20 and later, and the CRDs of 0.17 and 0.20. `resourceClaims` is later.
 */
export const RUNTIME_SPEC: FieldSchema = defineClosedMap({
  ...POD_NAMES,
  ...listNames('disabled', 'multiModel', 'protocolVersions', 'replicas', 'grpcEndpoint', 'grpcDataEndpoint', 'httpDataEndpoint'),
  supportedModelFormats: defineClosedList(listNames('name', 'version', 'autoSelect', 'priority')),
  storageHelper: defineClosedMap(listNames('disabled')),
  builtInAdapter: defineClosedMap(listNames('serverType', 'runtimeManagementPort', 'memBufferBytes', 'modelLoadingTimeoutMillis', 'env')),
  workerSpec: defineClosedMap({ ...POD_NAMES, ...listNames('pipelineParallelSize', 'tensorParallelSize') }),
});

/** Reports the fields of a ServingRuntime or ClusterServingRuntime that the API server drops. */
export function checkRuntimeFields({ spec }: Manifest): Finding[] {
  return [
    ...createUnknownFieldFindings(findSchemaProblems(spec, RUNTIME_SPEC, toFieldPath`spec`)),
    ...checkPodFieldNames(spec, toFieldPath`spec`, defineMap({ ...PODS, builtInAdapter: defineMap({ env: CONTAINER.env }) })),
    ...checkPodFieldNames(getValueAt(spec, 'workerSpec'), toFieldPath`spec.workerSpec`, defineMap(PODS)),
  ];
}
