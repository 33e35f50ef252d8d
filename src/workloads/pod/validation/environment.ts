import { getFieldName, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import type { FormatName } from './formats';
import { VALUE_SOURCES } from './references';
import {
  validateFormat,
  isNonNil,
  listItems,
  asMap,
  validateRequiredFormat,
  validateExactlyOne,
  reportInvalid,
  decodeString,
} from './field-errors';
import type { VolumeSources } from './volumes';

/* Validation of environment variables. Source: k/k pkg/apis/core/validation/validation.go, `ValidateEnv`, `ValidateEnvFrom`. */

const VALUE_SOURCE_NAMES = Object.keys(VALUE_SOURCES);

/** Validates that a file reference of a variable is in an emptyDir of the pod. */
function validateFileVolume(reference: Fields | undefined, volumes: VolumeSources, location: LazyFieldPath): readonly Finding[] {
  const name = decodeString(reference?.volumeName);
  if (!reference || !name) return [];
  const source = volumes.get(name);
  if (source === 'emptyDir') return [];
  if (source !== undefined) return [reportInvalid('notEmptyDir', name, appendLazily(location, 'volumeName'))];
  const path = resolveLazyPath(appendLazily(location, 'volumeName'));
  return [
    invalidWorkload.createFinding('notDeclared', { path, data: { field: getFieldName(path), value: name, declared: [...volumes.keys()] } }),
  ];
}

function validateValueFrom(variable: Fields, volumes: VolumeSources, location: LazyFieldPath): readonly Finding[] {
  const source = asMap(variable.valueFrom);
  if (!source) return [];
  const present = VALUE_SOURCE_NAMES.filter((name) => isNonNil(source[name]));
  const found = collectFromEach(present, (name) => {
    const fields = asMap(source[name]);
    return fields ? VALUE_SOURCES[name]!(fields, appendLazily(location, name)) : [];
  });
  const files = validateFileVolume(asMap(source.fileKeyRef), volumes, appendLazily(location, 'fileKeyRef'));
  if (present.length > 0 && decodeString(variable.value) !== '')
    return [...found, ...files, reportInvalid('valueAndSource', variable.value, location)];
  return joinLists(found, files, validateExactlyOne(source, VALUE_SOURCE_NAMES, location));
}

export function validateVariables(
  variables: unknown,
  format: FormatName,
  volumes: VolumeSources,
  location: LazyFieldPath,
): readonly Finding[] {
  return collectFromEach(listItems(variables, location), (item) =>
    joinLists(
      validateRequiredFormat(item.value.name, format, appendLazily(item.location, 'name')),
      validateValueFrom(item.value, volumes, appendLazily(item.location, 'valueFrom')),
    ),
  );
}

const ENV_FROM_SOURCES = ['configMapRef', 'secretRef'];

export function validateVariableSources(sources: unknown, format: FormatName, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(sources, location), (item) => {
    const prefix = decodeString(item.value.prefix);
    return joinLists(
      prefix ? validateFormat(prefix, format, appendLazily(item.location, 'prefix')) : [],
      collectFromEach(ENV_FROM_SOURCES, (name) => {
        const reference = asMap(item.value[name]);
        return reference
          ? validateRequiredFormat(
              trimTrailingDash(reference.name),
              'dns-subdomain',
              appendLazily(appendLazily(item.location, name), 'name'),
            )
          : [];
      }),
      validateExactlyOne(item.value, ENV_FROM_SOURCES, item.location),
    );
  });
}

/** Trims a trailing dash. The API server validates these names as prefixes, which may end in a dash. */
function trimTrailingDash(name: unknown): unknown {
  return typeof name === 'string' && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
