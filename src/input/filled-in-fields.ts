import { groupOf, kindKeyOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { isProcessText } from './inline-manifests';

/** A text that Flux fills in after every check: a placeholder such as `${NAME:=strategy}`, or a value that SOPS encrypts. */
const FILLED_IN_LATER = /\$\{|ENC\[AES256_GCM,/;

/** Fields, by the path of their names, whose texts are for people or programs, and may contain the variables of a shell, by group and kind. */
const FREE_PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ['/ConfigMap', ['data']],
  ['helm.toolkit.fluxcd.io/HelmRelease', ['spec.values']],
  ['argoproj.io/Application', ['spec.source.helm.values', 'spec.sources.helm.values']],
  ['argoproj.io/ApplicationSet', ['spec.template.spec.source.helm.values', 'spec.template.spec.sources.helm.values']],
]);

/** Fields of the container of a model of KServe, which is in no list of containers. */
const MODEL_TEXTS: ReadonlySet<string> = new Set(['command', 'args', 'env']);

/** Reports whether the texts of a field may contain the variables of a shell. A variable of a container that refers to another object decides. */
function isFreeText(object: Manifest, path: readonly string[], name: string): boolean {
  const field = [...path, name].join('.');
  if (field === 'status' || field === 'description' || FREE_PATHS.get(kindKeyOf(object))?.includes(field) === true) return true;
  if (name === 'description') return object.kind === 'CustomResourceDefinition' && path[0] === 'spec';
  const isProcess = (of: readonly string[], each: string) =>
    isProcessText(of, each) || (groupOf(object) === 'serving.kserve.io' && of[0] === 'spec' && MODEL_TEXTS.has(each));
  if (name === 'value' && path.at(-1) === 'env') return isProcess(path.slice(0, -1), 'env');
  return name !== 'env' && isProcess(path, name);
}

/** The begin of a placeholder, up to the pattern that `${NAME/pattern/text}` replaces. */
const PLACEHOLDER_BEGIN = /\$\{#?\w*(\/\/?)?/y;

/**
 * Reports whether a placeholder of a text ends in another text, so that Flux removes the fields between them: it fills in the YAML of the whole
 * object. A pattern may contain `}`. Source: fluxcd/pkg envsubst v1.4 parse/parse.go.
 */
function isOpenEnded(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '}' && depth > 0) depth--;
    PLACEHOLDER_BEGIN.lastIndex = at;
    const begin = text[at] === '$' ? PLACEHOLDER_BEGIN.exec(text) : null;
    if (!begin) continue;
    depth++;
    at += begin[0].length;
    if (begin[1] !== undefined) at = text.indexOf('/', at) + 1 || text.length;
    at--;
  }
  return depth > 0;
}

/** Reports whether what Flux fills in may begin a text of YAML in quotes or brackets, which ends in another field: `${X#}'` becomes `'`. */
function mayBeginQuote(text: string): boolean {
  return /^\s*\$\{/.test(text) && !text.includes('\n') && /["'[{]/.test(text.replaceAll('${', ''));
}

function findFilledIn(object: Manifest, value: unknown, path: readonly string[], isFree: boolean): string | undefined {
  if (typeof value === 'string') {
    const isFilledIn = isFree ? isOpenEnded(value) || mayBeginQuote(value) : FILLED_IN_LATER.test(value);
    return isFilledIn ? path.join('.') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('${')) return [...path, name].join('.');
    const isList = Array.isArray(value);
    const found = findFilledIn(object, inner, isList ? path : [...path, name], isFree || (!isList && isFreeText(object, path, name)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the path, without indices, of the first field that Flux fills in after every check, in its name or its value; undefined if there is none.
 * No check reads what the API server then gets.
 */
export function findFilledInField(object: Manifest): string | undefined {
  return findFilledIn(object, object, [], false);
}

/** Returns the field that leaves the kind of an object to Flux, so that it may be any kind; undefined if there is none. */
export function findFilledInKind({ apiVersion, kind }: Manifest): string | undefined {
  if (FILLED_IN_LATER.test(kind)) return 'kind';
  return FILLED_IN_LATER.test(apiVersion) ? 'apiVersion' : undefined;
}
