import { isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { isKnown, isPersisted } from '../../core/values/schema';
import { CONTAINER } from '../../workloads/pod/container';
import { getPodBehaviour } from '../../workloads/pod/validation/versions';
import { VOLUME } from '../../workloads/pod/volume';
import { gateOf } from './field-gates';
import type { FieldGates } from './field-gates';

/* Fields of a pod's spec that the API server fills in or drops depending on other fields. Source: k/k pkg/apis/core/v1/defaults.go, conversion.go, pkg/api/pod/util.go. */

/** Reports whether an image has the tag latest as docker reads it. No tag counts as latest, unless the image has a digest. */
function isLatestTag(image: string): boolean {
  const [name = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  return tag === undefined ? digest === undefined : tag === 'latest';
}

function defaultContainer(container: Fields): Fields {
  const image = typeof container.image === 'string' ? container.image : '';
  const pulls = container.imagePullPolicy ?? (isLatestTag(image) ? 'Always' : 'IfNotPresent');
  return { ...container, imagePullPolicy: pulls };
}

function dropEmptyHooks(container: Fields, sentContainer: unknown): Fields {
  const { lifecycle, ...rest } = container;
  const hooks = isFields(sentContainer) ? sentContainer.lifecycle : undefined;
  const isSent = isFields(hooks) && Object.values(hooks).some((hook) => hook !== null);
  const isDropped = isFields(lifecycle) && Object.keys(lifecycle).length === 0 && isSent;
  return isDropped ? rest : container;
}

function dropGatedRestartPolicy(container: Fields, list: string, { version, keepsDisabled }: FieldGates): Fields {
  const isSidecar = list === 'initContainers' && container.restartPolicy === 'Always';
  if (container.restartPolicy === undefined || isSidecar || getPodBehaviour(version).restartRules !== 'dropped') return container;
  if (keepsDisabled(gateOf(CONTAINER.restartPolicyRules))) return container;
  const { restartPolicy: _, ...rest } = container;
  return rest;
}

function mapContainers(spec: Fields, change: (container: Fields, list: string, index: number) => Fields): Fields {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'].filter((list) => Array.isArray(spec[list]));
  const changed = lists.map((list) => [
    list,
    getListAt(spec, list).map((container, index) => (isFields(container) ? change(container, list, index) : container)),
  ]);
  return { ...spec, ...Object.fromEntries(changed) };
}

function defaultVolume(volume: unknown): unknown {
  return isFields(volume) && Object.keys(volume).every((name) => name === 'name') ? { ...volume, emptyDir: {} } : volume;
}

/** Drops image volumes and their mounts if the server does not support them. */
function dropImageVolumes(spec: Fields, { version, keepsDisabled }: FieldGates): Fields {
  if (isPersisted(VOLUME.image, version)) return spec;
  const isImage = (volume: unknown) => isFields(volume) && isFields(volume.image);
  const dropped = new Set(
    getListAt(spec, 'volumes')
      .filter(isImage)
      .map((volume) => (volume as Fields).name),
  );
  if (dropped.size === 0 || (isKnown(VOLUME.image, version) && keepsDisabled(gateOf(VOLUME.image)))) return spec;
  const left = { ...spec, volumes: getListAt(spec, 'volumes').filter((volume) => !isImage(volume)) };
  return mapContainers(left, (container) => ({
    ...container,
    volumeMounts: getListAt(container, 'volumeMounts').filter((mount) => !(isFields(mount) && dropped.has(mount.name))),
  }));
}

/** Copies the service account name: serviceAccount is another name of serviceAccountName, which wins. The server stores both. */
function withBothAccounts(spec: Fields): Fields {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  return name === undefined ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** Normalizes a pod's spec before it is decoded. */
export function normalizeSentPodSpec(spec: unknown, gates: FieldGates): unknown {
  return isFields(spec) ? dropImageVolumes(spec, gates) : spec;
}

/** Fills in the defaults of a decoded pod's spec that depend on its other fields. */
export function defaultPodSpec(spec: Fields, sent: unknown, gates: FieldGates): Fields {
  const defaulted = mapContainers(withBothAccounts(spec), (container, list, index) =>
    defaultContainer(dropGatedRestartPolicy(dropEmptyHooks(container, getListAt(sent, list)[index]), list, gates)),
  );
  return Array.isArray(defaulted.volumes) ? { ...defaulted, volumes: defaulted.volumes.map(defaultVolume) } : defaulted;
}

/** Annotations of a pod template that the server drops. */
const DROPPED_ANNOTATIONS = ['alpha', 'beta'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
]);

/** Returns the metadata of a pod template without the dropped annotations. */
export function dropObsoleteAnnotations(metadata: Fields): Fields {
  if (!isFields(metadata.annotations)) return metadata;
  const { annotations, ...rest } = metadata;
  const remaining = Object.entries(annotations).filter(([name]) => !DROPPED_ANNOTATIONS.includes(name));
  return remaining.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(remaining) };
}
