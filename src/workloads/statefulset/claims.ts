import { WHOLE_OBJECT } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Fields } from '../../core/manifest';
import { inside } from '../../core/place';
import type { Place } from '../../core/place';
import { ofEach, together } from '../../core/together';
import { claimSpecFindings } from '../pod/validation/claims';
import type { TemplateTraits } from '../pod/validation/pod';
import { itemsOf, mapOf, nameFindings, optionalNameFindings, pointedChoiceFindings, textOf } from '../pod/validation/refusal';

const RETENTIONS = ['Retain', 'Delete'];

function retentionFindings(policy: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(policy) ?? {};
  return ofEach(['whenDeleted', 'whenScaled'], (name) =>
    pointedChoiceFindings(fields[name] === '' ? undefined : fields[name], RETENTIONS, inside(place, name)),
  );
}

/** What the API server refuses about a StatefulSet's claims and its service. Source: k/k pkg/apis/apps/validation/validation.go, `ValidateStatefulSetSpec`. */
export function claimFindings(spec: Fields, place: Place): readonly Finding[] {
  const templates = itemsOf(spec.volumeClaimTemplates, inside(place, 'volumeClaimTemplates'));
  return together(
    retentionFindings(spec.persistentVolumeClaimRetentionPolicy, inside(place, 'persistentVolumeClaimRetentionPolicy')),
    ofEach(templates, (template) =>
      together(
        // The server judges the name as that of the volume that it becomes.
        nameFindings(mapOf(template.value.metadata)?.name, 'dns-label', inside(inside(template.place, 'metadata'), 'name')),
        claimSpecFindings(template.value.spec, inside(template.place, 'spec')),
      ),
    ),
    optionalNameFindings(spec.serviceName, 'dns-label', inside(place, 'serviceName')),
  );
}

/** Each claim template becomes a volume of its name; hostname and subdomain are the controller's. */
export function claimTemplateTraits(spec: Fields): TemplateTraits {
  const names = itemsOf(spec.volumeClaimTemplates, WHOLE_OBJECT).map(({ value }) => textOf(mapOf(value.metadata)?.name) ?? '');
  return { madeVolumes: new Map(names.map((name) => [name, 'persistentVolumeClaim'])), writesHostname: true };
}
