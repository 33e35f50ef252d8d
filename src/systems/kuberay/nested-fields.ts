import { parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createUnknownFieldFindings } from '../../core/rules/unknown-field';
import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { ANY, defineList, defineMap, findSchemaProblems } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';
import { CONTAINER } from '../../workloads/pod/container';
import { ENV_VAR } from '../../workloads/pod/environment';
import { checkPodFieldNames } from '../../workloads/pod/field-names';

/*
 * The maps below those whose fields crd-fields.ts lists, with all fields that any supported version of KubeRay has. The spec of a Service, and the
 * ports and peers of a network policy, are those of Kubernetes and are not checked.
 *
 * Source: the CRDs of v1.5.1 and v1.7.0.
 */

const METADATA = defineClosedMap(listNames('annotations', 'finalizers', 'labels', 'name', 'namespace'));

/** A Service that KubeRay creates. */
export const CREATED_SERVICE: FieldSchema = defineClosedMap({ ...listNames('apiVersion', 'kind', 'spec', 'status'), metadata: METADATA });

const TEMPLATE = defineClosedMap({ metadata: METADATA, spec: ANY });

const CREDENTIAL = defineClosedMap(listNames('value', 'valueFrom'));

const NETWORK_RULES = {
  ingressRules: defineClosedList(listNames('from', 'ports')),
  egressRules: defineClosedList(listNames('to', 'ports')),
};

/** The fields of KubeRay itself. */
const OWN_FIELDS = defineMap({
  headGroupSpec: defineMap({
    template: TEMPLATE,
    headService: CREATED_SERVICE,
    ingressOptions: defineClosedMap({ ...listNames('host', 'path', 'pathType'), tls: defineClosedList(listNames('hosts', 'secretName')) }),
  }),
  workerGroupSpecs: defineList({ template: TEMPLATE, scaleStrategy: defineClosedMap(listNames('workersToDelete')) }),
  gcsFaultToleranceOptions: defineMap({
    redisUsername: CREDENTIAL,
    redisPassword: CREDENTIAL,
    storage: defineClosedMap(listNames('accessModes', 'claimName', 'deletionPolicy', 'size', 'storageClassName', 'subPath')),
  }),
  historyServerOptions: defineClosedMap({ collectorOptions: defineClosedMap(listNames('env', 'image', 'imagePullPolicy', 'resources')) }),
  networkPolicy: defineClosedMap({
    mode: ANY,
    head: defineClosedMap(NETWORK_RULES),
    worker: defineClosedMap(NETWORK_RULES),
    workerGroups: defineClosedList({ groupName: ANY, ...NETWORK_RULES }),
  }),
  tlsOptions: defineClosedMap(listNames('enabled')),
  upgradeStrategy: defineClosedMap(listNames('type')),
});

const { env, envFrom, resources, securityContext, volumeMounts } = CONTAINER;

const CREDENTIAL_SOURCE = defineMap({ valueFrom: ENV_VAR.valueFrom });

/** The fields of containers, which depend on the version of Kubernetes. */
const CONTAINER_FIELDS = defineMap({
  autoscalerOptions: defineMap({ env, envFrom, resources, securityContext, volumeMounts }),
  gcsFaultToleranceOptions: defineMap({ redisUsername: CREDENTIAL_SOURCE, redisPassword: CREDENTIAL_SOURCE }),
  historyServerOptions: defineMap({ collectorOptions: defineMap({ env, resources }) }),
});

/** Reports the fields of a part of an object that its schema lacks. Generators write a null for a time that is not set. */
export function checkFieldNames(object: Manifest, path: FieldPath, schema: FieldSchema): Finding[] {
  const value = getValueAt(object, ...parseFieldPath(path));
  return createUnknownFieldFindings(findSchemaProblems(value, schema, path).filter((problem) => problem.value !== null));
}

/** Reports misspelled fields in the maps of a cluster, except its pods. */
export function checkNestedFields(object: Manifest, clusterPath: FieldPath): Finding[] {
  const cluster = getValueAt(object, ...parseFieldPath(clusterPath));
  return [...checkFieldNames(object, clusterPath, OWN_FIELDS), ...checkPodFieldNames(cluster, clusterPath, CONTAINER_FIELDS)];
}
