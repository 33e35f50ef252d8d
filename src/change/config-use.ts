import type { ConfigUse } from '../core/change';
import { annotationOf, isFields, listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** A ConfigMap or Secret as pods name it. */
type ConfigKind = 'ConfigMap' | 'Secret';

const KEYS: Readonly<
  Record<ConfigKind, { readonly env: string; readonly envFrom: string; readonly volume: string; readonly name: string }>
> = {
  ConfigMap: { env: 'configMapKeyRef', envFrom: 'configMapRef', volume: 'configMap', name: 'name' },
  Secret: { env: 'secretKeyRef', envFrom: 'secretRef', volume: 'secret', name: 'secretName' },
};

function isConfigKind(kind: string): kind is ConfigKind {
  return kind === 'ConfigMap' || kind === 'Secret';
}

function keyOf(namespace: string | undefined, kind: string, name: unknown): string {
  return `${namespace ?? ''}\u0000${kind}\u0000${String(name)}`;
}

/** What a workload's pods read, and how. */
export interface ConfigReader {
  readonly object: Manifest;
  readonly reads: Set<ConfigUse>;
}

/** Where pod templates stand in the kinds that have them. */
function podSpecsOf(object: Manifest): unknown[] {
  return [
    valueAt(object, 'spec', 'template', 'spec'),
    valueAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
    valueAt(object, 'spec', 'predictor'),
    valueAt(object, 'spec', 'transformer'),
    valueAt(object, 'spec', 'explainer'),
    valueAt(object, 'spec', 'rayClusterConfig', 'headGroupSpec', 'template', 'spec'),
    ...listAt(object, 'spec', 'rayClusterConfig', 'workerGroupSpecs').map((group) => valueAt(group, 'template', 'spec')),
  ].filter(isFields);
}

function containersOf(podSpec: unknown): unknown[] {
  return [...listAt(podSpec, 'initContainers'), ...listAt(podSpec, 'containers'), valueAt(podSpec, 'model')].filter(isFields);
}

type Note = (kind: ConfigKind, name: unknown, use: ConfigUse) => void;

function noteContainers(podSpec: unknown, note: Note): void {
  for (const container of containersOf(podSpec)) {
    for (const kind of ['ConfigMap', 'Secret'] as const) {
      for (const variable of listAt(container, 'env')) note(kind, valueAt(variable, 'valueFrom', KEYS[kind].env, 'name'), 'env');
      for (const source of listAt(container, 'envFrom')) note(kind, valueAt(source, KEYS[kind].envFrom, 'name'), 'envFrom');
    }
  }
}

/** A volume counts as mounted by subPath too, where any container does so: that part of it never follows. */
function volumeUses(podSpec: unknown, volume: unknown): ConfigUse[] {
  const mounts = containersOf(podSpec)
    .flatMap((container) => listAt(container, 'volumeMounts'))
    .filter((mount) => valueAt(mount, 'name') === valueAt(volume, 'name'));
  const isPartial = (mount: unknown) => Boolean(valueAt(mount, 'subPath')) || Boolean(valueAt(mount, 'subPathExpr'));
  const uses: ConfigUse[] = [];
  if (mounts.some(isPartial)) uses.push('subPath');
  if (mounts.length === 0 || mounts.some((mount) => !isPartial(mount))) uses.push('volume');
  return uses;
}

function noteVolumes(podSpec: unknown, note: Note): void {
  for (const volume of listAt(podSpec, 'volumes')) {
    for (const use of volumeUses(podSpec, volume)) {
      for (const kind of ['ConfigMap', 'Secret'] as const) {
        const { volume: field, name } = KEYS[kind];
        note(kind, valueAt(volume, field, name), use);
        for (const source of listAt(volume, 'projected', 'sources')) note(kind, valueAt(source, field, 'name'), use);
      }
    }
  }
}

/** Whose pods read which ConfigMaps and Secrets, by name. */
export class ConfigReaders {
  private readonly byConfig = new Map<string, Map<Manifest, Set<ConfigUse>>>();

  constructor(objects: Iterable<Manifest>) {
    for (const object of objects) {
      const note: Note = (kind, name, use) => {
        if (typeof name !== 'string' || name === '') return;
        const key = keyOf(namespaceOf(object), kind, name);
        const readers = this.byConfig.get(key) ?? new Map<Manifest, Set<ConfigUse>>();
        this.byConfig.set(key, readers);
        readers.set(object, (readers.get(object) ?? new Set<ConfigUse>()).add(use));
      };
      for (const podSpec of podSpecsOf(object)) {
        noteContainers(podSpec, note);
        noteVolumes(podSpec, note);
      }
    }
  }

  /** The objects whose pods read a ConfigMap or Secret, in their order. */
  of(config: Manifest): ConfigReader[] {
    if (!isConfigKind(config.kind)) return [];
    const readers = this.byConfig.get(keyOf(namespaceOf(config), config.kind, nameOf(config))) ?? [];
    return [...readers].map(([object, reads]) => ({ object, reads }));
  }
}

/** Is an object a ConfigMap or Secret of the core group? */
export function isConfig({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && isConfigKind(kind);
}

const RELOADER = 'reloader.stakater.com';

/**
 * Do the annotations of a workload ask Stakater's Reloader to restart its pods where a ConfigMap or Secret changes? Whether it runs no file tells.
 *
 * Source: docs.stakater.com/reloader/1.4, annotations.
 */
export function asksReloader(workload: Manifest, config: Manifest): boolean {
  const isSet = (object: Manifest, name: string) => annotationOf(object, name) === 'true';
  const own = `${config.kind.toLowerCase()}.${RELOADER}`;
  const named = (annotationOf(workload, `${own}/reload`) ?? '').split(',').map((name) => name.trim());
  return (
    isSet(workload, `${RELOADER}/auto`) ||
    isSet(workload, `${own}/auto`) ||
    named.includes(nameOf(config)) ||
    (isSet(workload, `${RELOADER}/search`) && isSet(config, `${RELOADER}/match`))
  );
}
