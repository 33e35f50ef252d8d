import { ROOT_PATH, appendLazily } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Fields } from '../../core/manifest/manifest';
import type { LazyFieldPath } from '../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../core/text/join-lists';
import { validateClaimSpec } from '../pod/validation/claims';
import type { TemplateTraits } from '../pod/validation/pod';
import {
  listItems,
  asMap,
  validateRequiredFormat,
  validateOptionalFormat,
  validatePointerEnum,
  decodeString,
} from '../pod/validation/field-errors';

const RETENTION_POLICIES = ['Retain', 'Delete'];

function validateRetentionPolicy(policy: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(policy) ?? {};
  return collectFromEach(['whenDeleted', 'whenScaled'], (name) =>
    validatePointerEnum(fields[name] === '' ? undefined : fields[name], RETENTION_POLICIES, appendLazily(location, name)),
  );
}

/**
 * Reports what the API server refuses in a StatefulSet's claims and its service name. Source: k/k
 * pkg/apis/apps/validation/validation.go, `ValidateStatefulSetSpec`.
 */
export function validateStatefulSetClaims(spec: Fields, location: LazyFieldPath): readonly Finding[] {
  const templates = listItems(spec.volumeClaimTemplates, appendLazily(location, 'volumeClaimTemplates'));
  return joinLists(
    validateRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy, appendLazily(location, 'persistentVolumeClaimRetentionPolicy')),
    collectFromEach(templates, (template) =>
      joinLists(
        // The API server validates the name as the name of the resulting volume.
        validateRequiredFormat(
          asMap(template.value.metadata)?.name,
          'dns-label',
          appendLazily(appendLazily(template.location, 'metadata'), 'name'),
        ),
        validateClaimSpec(template.value.spec, appendLazily(template.location, 'spec')),
      ),
    ),
    validateOptionalFormat(spec.serviceName, 'dns-label', appendLazily(location, 'serviceName')),
  );
}

/**
 * Returns the traits of the pod template: each claim template becomes a volume of its name, and the controller writes hostname and
 * subdomain.
 */
export function getClaimTemplateTraits(spec: Fields): TemplateTraits {
  const names = listItems(spec.volumeClaimTemplates, ROOT_PATH).map(({ value }) => decodeString(asMap(value.metadata)?.name) ?? '');
  return { generatedVolumes: new Map(names.map((name) => [name, 'persistentVolumeClaim'])), writesHostname: true };
}
