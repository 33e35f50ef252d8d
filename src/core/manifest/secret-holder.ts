import type { PathPart } from './field-path';
import { isFields } from './manifest';
import type { Fields } from './manifest';

/** The kind of the target of a patch, a regular expression, that matches no Secret and nothing that contains a template of one. */
const OTHER_KIND = /^(?![A-Za-z]*Secret$)[A-Za-z]+$/;

/**
 * The kinds with values of Secrets: kustomize generates one, and a SealedSecret or an ExternalSecret contains the template of one. A tool may
 * also complete a kind when it applies it.
 */
const SECRET_KIND = /Secret(?:Generator|List)?$|\$\{|\{\{/;

/** Fields with the template or the values of a Secret in an object of any kind, such as a Certificate or a policy that changes Secrets. */
const SECRET_FIELD = /^(?:secretTemplates?|stringData)$/;

/** Reports whether a field contains what becomes part of a Secret, whatever contains it. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** Returns a field whose name Go reads in any case, as kustomize does. */
function getFieldInAnyCase(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : Object.entries(fields).find(([key]) => key.toLowerCase() === name)?.[1];
}

function maySelectSecrets(target: unknown): boolean {
  if (!isFields(target)) return false;
  const kind = getFieldInAnyCase(target, 'kind');
  return typeof kind !== 'string' || !OTHER_KIND.test(kind);
}

/** Returns what a target of a replacement selects, or one of a ValueAddTransformer, which is each object by default. */
function selectorOf(target: Fields): unknown {
  const isOfValue = getFieldInAnyCase(target, 'fieldpath') !== undefined;
  return getFieldInAnyCase(target, 'select') ?? (isOfValue ? (getFieldInAnyCase(target, 'selector') ?? {}) : undefined);
}

/** Reports whether a map is a patch, a replacement or an added value of kustomize that may be for Secrets. */
function isPatchOfSecret(value: Fields): boolean {
  const names = Object.keys(value).map((key) => key.toLowerCase());
  if (names.includes('patch') || names.includes('jsonop')) return maySelectSecrets(getFieldInAnyCase(value, 'target'));
  const targets = names.includes('sourcevalue') || names.includes('value') ? getFieldInAnyCase(value, 'targets') : undefined;
  return Array.isArray(targets) && targets.some((target) => isFields(target) && maySelectSecrets(selectorOf(target)));
}

/** Reports whether a map is a file whose text is encoded, such as one of a Bundle of Fleet, so that it may contain a Secret that a reader cannot see. */
export function isEncodedFile({ content, encoding }: Fields): boolean {
  return content !== undefined && encoding !== undefined && encoding !== null && encoding !== '';
}

/**
 * Reports whether a map is a Secret inside of another object, an encoded file, or what gives values to a Secret: a template, or a generator, a
 * patch or a replacement of kustomize.
 */
export function isSecretHolder(value: Fields): boolean {
  return (typeof value.kind === 'string' && SECRET_KIND.test(value.kind)) || isEncodedFile(value) || isPatchOfSecret(value);
}

/** Reports whether a value is or contains a Secret, or what gives values to one. */
export function containsSecretHolder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsSecretHolder);
  if (!isFields(value)) return false;
  return isSecretHolder(value) || Object.entries(value).some(([name, inner]) => isSecretField(name) || containsSecretHolder(inner));
}

/** Fields with the values of a Secret by their names. */
const VALUES_FIELD = /^(?:data|stringData)$/;

/** Returns the number of parts of a trail up to the value of a Secret, which it may not reach. */
function countPartsToValue(trail: readonly PathPart[]): number {
  const index = trail.findIndex((part) => typeof part === 'string' && VALUES_FIELD.test(part));
  return index < 0 ? Infinity : index + 2;
}

/** Returns the beginning of a trail that ends at the value of a Secret: the keys of a map that is written in place of a text are part of the value. */
export function endTrailAtSecretValue<Part extends PathPart>(trail: readonly Part[]): readonly Part[] {
  return trail.slice(0, countPartsToValue(trail));
}

/** Reports whether a trail leads to the value of a Secret, or into it. */
export function isSecretValue(trail: readonly PathPart[]): boolean {
  return trail.length >= countPartsToValue(trail);
}

/** Returns the beginning of a trail in an object that may be shown. */
export function toShownTrail<Part extends PathPart>(object: unknown, trail: readonly Part[]): readonly Part[] {
  return containsSecretHolder(object) ? endTrailAtSecretValue(trail) : trail;
}
