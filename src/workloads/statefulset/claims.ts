import type { Finding } from '../../core/finding';
import type { Fields } from '../../core/manifest';
import type { TemplateTraits } from '../pod/validation/pod';
import { claimSpecFindings } from '../pod/validation/claims';
import { inside, itemsOf, mapOf, nameFindings, optionalNameFindings, pointedChoiceFindings, textOf } from '../pod/validation/refusal';
import type { Place } from '../pod/validation/refusal';

const RETENTIONS = ['Retain', 'Delete'];

function retentionFindings(policy: unknown, place: Place): Finding[] {
  const fields = mapOf(policy) ?? {};
  return ['whenDeleted', 'whenScaled'].flatMap((name) =>
    pointedChoiceFindings(fields[name] === '' ? undefined : fields[name], RETENTIONS, inside(place, name)),
  );
}

/** What the API server refuses about a StatefulSet's claims and its service. Source: k/k pkg/apis/apps/validation/validation.go, `ValidateStatefulSetSpec`. */
export function claimFindings(spec: Fields, place: Place): Finding[] {
  const templates = itemsOf(spec.volumeClaimTemplates, inside(place, 'volumeClaimTemplates'));
  return [
    ...retentionFindings(spec.persistentVolumeClaimRetentionPolicy, inside(place, 'persistentVolumeClaimRetentionPolicy')),
    ...templates.flatMap((template) => [
      // The server judges the name as that of the volume that it becomes.
      ...nameFindings(mapOf(template.value.metadata)?.name, 'dns-label', inside(template.place, 'metadata', 'name')),
      ...claimSpecFindings(template.value.spec, inside(template.place, 'spec')),
    ]),
    ...optionalNameFindings(spec.serviceName, 'dns-label', inside(place, 'serviceName')),
  ];
}

/** Each claim template becomes a volume of its name; hostname and subdomain are the controller's. */
export function claimTemplateTraits(spec: Fields): TemplateTraits {
  const names = itemsOf(spec.volumeClaimTemplates, () => '' as never).map(({ value }) => textOf(mapOf(value.metadata)?.name) ?? '');
  return { madeVolumes: new Map(names.map((name) => [name, 'persistentVolumeClaim'])), writesHostname: true };
}
