import type { Finding } from '../core/finding';
import { isFields, listAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { describeValue } from '../core/shape';
import { kubernetesFinding } from './catalogue';

/** The owner that writes an object: its ownerReference with `controller: true`. */
export function controllingOwner(object: Manifest): Fields | undefined {
  return listAt(object, 'metadata', 'ownerReferences')
    .filter(isFields)
    .find((owner) => owner.controller === true);
}

/** Warns of a strategy written into an object that another controller writes. */
export function foreignOwnerFindings(object: Manifest, strategyPath: string): Finding[] {
  const owner = controllingOwner(object);
  if (!owner) return [];
  return [
    kubernetesFinding('kubernetes/foreign-owner', {
      path: strategyPath,
      message:
        `This ${object.kind} is owned by the ${String(owner.kind)} ${describeValue(owner.name)}, whose controller writes it whole: ` +
        'a strategy set here is undone at its next reconcile.',
      help: `Set the strategy on the ${String(owner.kind)}, or leave it to that controller.`,
    }),
  ];
}
