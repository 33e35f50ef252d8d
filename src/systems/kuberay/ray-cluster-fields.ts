import { appendToPath, parseFieldPath, toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { checkPodFieldNames } from '../../workloads/pod/field-names';
import { MANIFEST_PATHS } from './field-paths';
import { checkNestedFields } from './nested-fields';
import { checkKuberayUnknownField } from './rules/unknown-field';

/** Reports misspelled fields of the pods of the head and of each group of workers. */
function checkClusterPodFields(object: Manifest, clusterPath: FieldPath): Finding[] {
  const groups = getListAt(object, ...parseFieldPath(clusterPath), 'workerGroupSpecs');
  const paths = [
    toFieldPath`${clusterPath}.headGroupSpec`,
    ...groups.map((_, index) => toFieldPath`${clusterPath}.workerGroupSpecs[${index}]`),
  ];
  return paths.flatMap((path) => {
    const podPath = appendToPath(path, 'template', 'spec');
    return checkPodFieldNames(getValueAt(object, ...parseFieldPath(podPath)), podPath);
  });
}

/**
 * Reports misspelled fields of the parts of a cluster, such as its pods.
 *
 * @param clusterPath path of the cluster: `spec.rayClusterConfig` of a RayService
 */
export function checkClusterParts(object: Manifest, clusterPath: FieldPath): Finding[] {
  return [...checkNestedFields(object, clusterPath), ...checkClusterPodFields(object, clusterPath)];
}

/**
 * Reports the fields of a RayCluster that the API server drops: no RayCluster has them, or not one of this apiVersion or version of KubeRay.
 *
 * Source: the CRDs of v1.5.1 and v1.7.0, where the spec of a RayCluster equals the `rayClusterConfig` of a RayService.
 *
 * @param version KubeRay version
 */
export function checkRayClusterFields(object: Manifest, version: string): Finding[] {
  const manifest = { ...object, spec: { rayClusterConfig: object.spec } };
  const paths = { ...MANIFEST_PATHS, cluster: toFieldPath`spec` };
  return [...checkKuberayUnknownField({ manifest, paths, version }), ...checkClusterParts(object, toFieldPath`spec`)];
}
