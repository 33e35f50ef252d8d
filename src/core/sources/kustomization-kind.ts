import { groupOf } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';

/** Reports whether an object is a kustomization, as kustomize reads it from a file. */
export function isKustomization(object: Pick<Manifest, 'apiVersion'>): boolean {
  return groupOf(object) === 'kustomize.config.k8s.io';
}
