import { REFERENCE_FIELDS } from '../../cluster/pods/config-reference-fields';
import type { PlanContext } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { annotationOf, getFieldsAt, getListAt, getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/*
 * ConfigMaps and Secrets of a target. A change of their data starts an analysis as a new template does, unless Flagger runs with
 * `-enable-config-tracking=false`. Source: Flagger v1.44.0, pkg/canary/config_tracker.go.
 */

const CONFIG_KINDS = ['ConfigMap', 'Secret'] as const;

type ConfigKind = (typeof CONFIG_KINDS)[number];

/** Types of Secrets that Flagger looks at. Without a type a Secret is Opaque. */
const SECRET_TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  '',
  'Opaque',
  'kubernetes.io/basic-auth',
  'kubernetes.io/ssh-auth',
  'kubernetes.io/tls',
]);

function listNames(target: Manifest, kind: ConfigKind): ReadonlySet<unknown> {
  const podSpec = getFieldsAt(target, 'spec', 'template', 'spec');
  const { env, envFrom, volume: field, name } = REFERENCE_FIELDS[kind];
  const containers = [...getListAt(podSpec, 'containers'), ...getListAt(podSpec, 'initContainers')];
  const volumes = getListAt(podSpec, 'volumes');
  return new Set([
    ...containers.flatMap((container) => getListAt(container, 'env').map((variable) => getValueAt(variable, 'valueFrom', env, 'name'))),
    ...containers.flatMap((container) => getListAt(container, 'envFrom').map((source) => getValueAt(source, envFrom, 'name'))),
    ...volumes.map((volume) => getValueAt(volume, field, name)),
    ...volumes.flatMap((volume) => getListAt(volume, 'projected', 'sources').map((source) => getValueAt(source, field, 'name'))),
  ]);
}

function isTracked(config: Manifest): boolean {
  if (annotationOf(config, 'flagger.app/config-tracking')?.startsWith('disable') === true) return false;
  return config.kind !== 'Secret' || SECRET_TYPES.has(getValueAt(config, 'type'));
}

function dataOf(config: Manifest): unknown {
  return { ...getFieldsAt(config, 'data'), ...getFieldsAt(config, 'stringData') };
}

/** Returns what Flagger compares of a configuration; undefined if it does not track it. */
function getTrackedData(config: Manifest | undefined): unknown {
  return config && isTracked(config) ? dataOf(config) : undefined;
}

/**
 * Lists the ConfigMaps and Secrets of a target whose data differs between the two sides. Flagger also compares which ones it tracks, so one
 * counts that an annotation or its type excludes on one side, or that exists on one side only.
 */
export function listChangedConfigs(target: Manifest, old: PlanContext, next: PlanContext): readonly Manifest[] {
  return CONFIG_KINDS.flatMap((kind) => {
    const names = listNames(target, kind);
    const configsOf = (context: PlanContext) =>
      context.all({ group: '', kind }).filter((config) => names.has(nameOf(config)) && namespaceOf(config) === namespaceOf(target));
    const [before, after] = [old, next].map((context) => new Map(configsOf(context).map((config) => [nameOf(config), config])));
    const changed = [...new Set([...after!.keys(), ...before!.keys()])].filter(
      (name) => !isDeepEqual(getTrackedData(before!.get(name)), getTrackedData(after!.get(name))),
    );
    return changed.map((name) => (after!.get(name) ?? before!.get(name))!);
  });
}
