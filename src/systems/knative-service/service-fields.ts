import type { Finding } from '../../core/findings/finding';
import { toFieldPath } from '../../core/manifest/field-path';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { ANY, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { CONTAINER } from '../../workloads/pod/container';
import { checkPodFieldNames } from '../../workloads/pod/field-names';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { VOLUME } from '../../workloads/pod/volume';
import { POD_PATH } from './service';

/* Source: knative/serving pkg/apis/serving/v1 and config/core/300-resources/service.yaml of 1.15 to 1.23. */

/** The names of all fields of a Service of Knative outside its pods. The CRD preserves unknown fields in the metadata of the template. */
export const KNATIVE_SERVICE_SPEC: FieldSchema = defineClosedMap({
  template: defineClosedMap(listNames('metadata', 'spec')),
  traffic: defineClosedList(listNames('configurationName', 'latestRevision', 'percent', 'revisionName', 'tag', 'url')),
});

/** The fields of the pods of a Revision, with any value where the CRD preserves unknown fields. */
const REVISION_SPEC: FieldSchema = defineClosedMap({
  ...POD_SPEC,
  ...listNames('affinity', 'dnsConfig', 'hostAliases', 'initContainers', 'securityContext', 'tolerations', 'topologySpreadConstraints'),
  ...listNames('containerConcurrency', 'idleTimeoutSeconds', 'responseStartTimeoutSeconds', 'timeoutSeconds'),
  containers: defineClosedList({ ...CONTAINER, env: defineClosedList({ ...listNames('name', 'value'), valueFrom: ANY }) }),
  volumes: defineClosedList({
    ...VOLUME,
    ...listNames('csi', 'emptyDir', 'ephemeral', 'hostPath', 'image', 'persistentVolumeClaim'),
  }),
});

/** Reports the fields of a Service of Knative that the API server drops. */
export function checkKnativeServiceFields(object: Manifest): Finding[] {
  return [
    ...createUnknownFieldFindings(findSchemaProblems(object.spec, KNATIVE_SERVICE_SPEC, toFieldPath`spec`)),
    ...checkPodFieldNames(getValueAt(object, 'spec', 'template', 'spec'), POD_PATH, REVISION_SPEC),
  ];
}
