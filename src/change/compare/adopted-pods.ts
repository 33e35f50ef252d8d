import { getValueAt } from '../../core/manifest/manifest';
import { matchesLabelSelector } from '../../core/values/label-selector';
import type { ObjectComparison } from './object-comparison';

/**
 * Reports whether a new StatefulSet would adopt the pods of the old one if that is deleted without them: its selector must match them. Otherwise it
 * cannot create pods of the same names either.
 */
export function canAdoptPods({ old, next }: Pick<ObjectComparison, 'old' | 'next'>): boolean {
  if (!old || next.kind !== 'StatefulSet') return true;
  return matchesLabelSelector(getValueAt(next, 'spec', 'selector'), getValueAt(old.stored, 'spec', 'template', 'metadata', 'labels'));
}
