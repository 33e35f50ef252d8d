import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import type { FormatName } from './formats';
import { VALUE_SOURCES } from './references';
import { formatFindings, isGiven, itemsOf, mapOf, nameFindings, oneOfFindings, refused, textOf } from './refusal';
import type { VolumeSources } from './volumes';

/* What the server refuses in variables. Source: k/k pkg/apis/core/validation/validation.go, `ValidateEnv`, `ValidateEnvFrom`. */

const SOURCE_NAMES = Object.keys(VALUE_SOURCES);

/** Files of variables are in an emptyDir of the pod. */
function fileVolumeFindings(reference: Fields | undefined, volumes: VolumeSources, place: Place): readonly Finding[] {
  const name = textOf(reference?.volumeName);
  if (!reference || !name) return [];
  const source = volumes.get(name);
  if (source === 'emptyDir') return [];
  if (source !== undefined) return [refused('notEmptyDir', name, inside(place, 'volumeName'))];
  const path = pathOf(inside(place, 'volumeName'));
  return [invalidWorkload.finding('notDeclared', { path, data: { field: fieldName(path), value: name, known: [...volumes.keys()] } })];
}

function valueFromFindings(variable: Fields, volumes: VolumeSources, place: Place): readonly Finding[] {
  const source = mapOf(variable.valueFrom);
  if (!source) return [];
  const present = SOURCE_NAMES.filter((name) => isGiven(source[name]));
  const found = ofEach(present, (name) => {
    const fields = mapOf(source[name]);
    return fields ? VALUE_SOURCES[name]!(fields, inside(place, name)) : [];
  });
  const files = fileVolumeFindings(mapOf(source.fileKeyRef), volumes, inside(place, 'fileKeyRef'));
  if (present.length > 0 && textOf(variable.value) !== '') return [...found, ...files, refused('valueAndSource', variable.value, place)];
  return together(found, files, oneOfFindings(source, SOURCE_NAMES, place));
}

export function variableFindings(variables: unknown, format: FormatName, volumes: VolumeSources, place: Place): readonly Finding[] {
  return ofEach(itemsOf(variables, place), (item) =>
    together(
      nameFindings(item.value.name, format, inside(item.place, 'name')),
      valueFromFindings(item.value, volumes, inside(item.place, 'valueFrom')),
    ),
  );
}

const FROM_SOURCES = ['configMapRef', 'secretRef'];

export function variablesFromFindings(sources: unknown, format: FormatName, place: Place): readonly Finding[] {
  return ofEach(itemsOf(sources, place), (item) => {
    const prefix = textOf(item.value.prefix);
    return together(
      prefix ? formatFindings(prefix, format, inside(item.place, 'prefix')) : [],
      ofEach(FROM_SOURCES, (name) => {
        const reference = mapOf(item.value[name]);
        return reference ? nameFindings(withoutDash(reference.name), 'dns-subdomain', inside(inside(item.place, name), 'name')) : [];
      }),
      oneOfFindings(item.value, FROM_SOURCES, item.place),
    );
  });
}

/** The server takes these names for prefixes, which may end in a dash. */
function withoutDash(name: unknown): unknown {
  return typeof name === 'string' && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
