import { annotationOf, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

/**
 * Reports whether an annotation asks for an older revision of a Deployment: its controller then replaces the pod template by the one of that
 * revision, and removes the annotation, which the next apply writes again. A manifest does not show that revision.
 *
 * Source: Kubernetes 1.36 pkg/controller/deployment/rollback.go, `getRollbackTo`.
 */
export function mayRollBack(object: Manifest): boolean {
  const revision = object.kind === 'Deployment' && groupOf(object) === 'apps' && annotationOf(object, 'deprecated.deployment.rollback.to');
  return typeof revision === 'string' && /^[+-]?\d+$/.test(revision);
}
