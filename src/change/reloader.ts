import type { ConfigKind } from '../core/change';
import { getFieldsAt, nameOf } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

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

function listNames(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [];
}

/**
 * Reports whether the annotations of a workload ask Stakater's Reloader to restart its pods when a ConfigMap or Secret changes.
 * Whether the Reloader runs is not known from files.
 *
 * Source: docs.stakater.com/reloader/1.4, annotations; internal/pkg/handler/upgrade.go, `PerformAction`.
 */
export function isWatchedByReloader(workload: Manifest, config: Manifest): boolean {
  const { kind } = config;
  const annotations = readAnnotations(workload, kind);
  const isSet = (name: string) => GO_TRUE_VALUES.has(annotations[name]);
  const isMatch = getFieldsAt(config, 'metadata', 'annotations')[`${RELOADER_DOMAIN}/match`] === 'true';
  return (
    isSet(`${RELOADER_DOMAIN}/auto`) ||
    isSet(`${kind.toLowerCase()}.${RELOADER_DOMAIN}/auto`) ||
    listNames(annotations[toReloadAnnotation(kind)]).includes(nameOf(config)) ||
    (annotations[`${RELOADER_DOMAIN}/search`] === 'true' && isMatch)
  );
}

/**
 * Lists the configurations that a workload names to Reloader. It restarts the pods for each, also if no container reads it.
 *
 * Source: internal/pkg/handler/upgrade.go, `getContainerUsingResource`.
 */
export function listConfigsNamedToReloader(workload: Manifest): { readonly kind: ConfigKind; readonly name: string }[] {
  return CONFIG_KINDS.flatMap((kind) =>
    listNames(readAnnotations(workload, kind)[toReloadAnnotation(kind)]).map((name) => ({ kind, name })),
  );
}
