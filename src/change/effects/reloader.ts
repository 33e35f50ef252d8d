import type * as Re2 from 're2js';
import type { ConfigKind } from '../../core/document/change';
import { checkTime, checkTimeNow } from '../../core/budget/deadline';
import { getFieldsAt, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { BoundedMemo } from '../../core/collections/memoize';

const RELOADER_DOMAIN = 'reloader.stakater.com';

/** Strings that Go parses as true. */
const GO_TRUE_VALUES: ReadonlySet<unknown> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

const CONFIG_KINDS: readonly ConfigKind[] = ['ConfigMap', 'Secret'];

function toReloadAnnotation(kind: string): string {
  return `${kind.toLowerCase()}.${RELOADER_DOMAIN}/reload`;
}

/** Returns the annotations that make Reloader watch configurations of this kind: those of the workload, else those of its pods. */
function readAnnotations(workload: Manifest, kind: string): Fields {
  const names = [
    `${RELOADER_DOMAIN}/auto`,
    `${RELOADER_DOMAIN}/search`,
    `${kind.toLowerCase()}.${RELOADER_DOMAIN}/auto`,
    toReloadAnnotation(kind),
  ];
  const own = getFieldsAt(workload, 'metadata', 'annotations');
  return names.some((name) => Object.hasOwn(own, name)) ? own : getFieldsAt(workload, 'spec', 'template', 'metadata', 'annotations');
}

/** What a workload names to Reloader: names and expressions of one kind. */
interface ConfigNames {
  readonly all: ReadonlySet<string>;
  readonly expressions: readonly string[];
}

/** Names of each workload by kind. A change asks for them once for each configuration, and an annotation may have thousands. */
const configNames = new WeakMap<Manifest, Map<string, ConfigNames>>();

function readConfigNames(workload: Manifest, kind: string): ConfigNames {
  const ofWorkload = configNames.get(workload) ?? new Map<string, ConfigNames>();
  configNames.set(workload, ofWorkload);
  const known = ofWorkload.get(kind);
  if (known) return known;
  const value = readAnnotations(workload, kind)[toReloadAnnotation(kind)];
  const all = new Set(typeof value === 'string' ? value.split(',').map((name) => name.trim()) : []);
  const read = { all, expressions: [...all].filter(isConfigExpression) };
  ofWorkload.set(kind, read);
  return read;
}

/** A name that is no other expression. A dot is any character. */
const PLAIN_NAME = /^[a-z0-9-]*$/;

/** Maximum length of an expression that is compiled. A longer one may match any name. */
const MAX_EXPRESSION_LENGTH = 1_000;

/** Compiled expressions; false for one that Go cannot read, with which Reloader stops. */
const compiledExpressions = new BoundedMemo<Re2.RE2JS | false>();

function compileExpression(value: string): Re2.RE2JS | false {
  const { RE2JS } = require('re2js') as typeof Re2;
  try {
    return RE2JS.compile(`^${value}$`);
  } catch {
    return false;
  }
}

/** Reports whether a value that names a configuration to Reloader is an expression, such as `app-.*`. */
export function isConfigExpression(value: string): boolean {
  return !PLAIN_NAME.test(value);
}

/** Reports whether a value that names configurations to Reloader, which is an expression, matches a name. */
export function matchesConfigName(value: string, name: string): boolean {
  checkTime();
  if (value === name) return true;
  if (!isConfigExpression(value)) return false;
  if (value.length > MAX_EXPRESSION_LENGTH) return true;
  // A single expression can take a second.
  checkTimeNow();
  const expression = compiledExpressions.getOrCompute(value, compileExpression);
  return expression !== false && expression.matcher(name).find();
}

/**
 * Reports whether the annotations of a workload ask Stakater's Reloader to restart its pods when a ConfigMap or Secret changes.
 * Whether the Reloader runs is not known from files.
 *
 * Source: docs.stakater.com/reloader/1.4, annotations; internal/pkg/handler/upgrade.go, `PerformAction`.
 */
export function isWatchedByReloader(workload: Manifest, config: Manifest): boolean {
  const { kind } = config;
  checkTime();
  const annotations = readAnnotations(workload, kind);
  const { all, expressions } = readConfigNames(workload, kind);
  const isSet = (name: string) => GO_TRUE_VALUES.has(annotations[name]);
  const isMatch = getFieldsAt(config, 'metadata', 'annotations')[`${RELOADER_DOMAIN}/match`] === 'true';
  return (
    isSet(`${RELOADER_DOMAIN}/auto`) ||
    isSet(`${kind.toLowerCase()}.${RELOADER_DOMAIN}/auto`) ||
    all.has(nameOf(config)) ||
    expressions.some((value) => matchesConfigName(value, nameOf(config))) ||
    (annotations[`${RELOADER_DOMAIN}/search`] === 'true' && isMatch)
  );
}

/**
 * Lists the configurations that a workload names to Reloader, by expressions of their names. It restarts the pods for each, also if no container reads it.
 *
 * Source: internal/pkg/handler/upgrade.go, `getContainerUsingResource`.
 */
export function listConfigsNamedToReloader(workload: Manifest): { readonly kind: ConfigKind; readonly name: string }[] {
  return CONFIG_KINDS.flatMap((kind) => [...readConfigNames(workload, kind).all].map((name) => ({ kind, name })));
}
