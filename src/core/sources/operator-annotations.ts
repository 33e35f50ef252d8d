import { getFieldsAt, groupOf } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';

/** Annotation by which several operators restart pods, as kubectl does for the pods of a Deployment. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** Reports whether the controller of a group defines an annotation, by its domain: `cnpg.io/hibernation` for `postgresql.cnpg.io`. */
function isDefinedByGroup(annotation: string, group: string): boolean {
  const [domain = ''] = annotation.split('/');
  return annotation.includes('/') && (group === domain || group.endsWith(`.${domain}`) || domain.endsWith(`.${group}`));
}

/** Reports whether an annotation differs that the controller of the object may act on: it restarts or stops pods, for example. */
export function hasOperatorAnnotationChange(old: Manifest, next: Manifest): boolean {
  const group = groupOf(next);
  const [before, after] = [old, next].map((object) => getFieldsAt(object, 'metadata', 'annotations'));
  return Object.keys({ ...before, ...after }).some(
    (name) => before![name] !== after![name] && (name === RESTARTED_AT || (group !== '' && isDefinedByGroup(name, group))),
  );
}
