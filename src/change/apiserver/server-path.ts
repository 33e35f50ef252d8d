/**
 * Rules that translate our paths, which match the object so that its line in a file can be found, to those of the server.
 * The server names a map and not its entry, omits an index, names a template's metadata `template`, or misspells a field.
 */
const SERVER_PATH_RULES: readonly (readonly [ours: RegExp, server: string])[] = [
  [/^spec\.template\.metadata\.(labels|annotations)(?:\[.*\])?$/, 'spec.template.$1'],
  [/^spec\.jobTemplate\.spec\.template\.metadata\.(labels|annotations)(?:\[.*\])?$/, 'spec.jobTemplate.spec.template.$1'],
  [/(labels|annotations|nodeSelector|matchLabels|requests)\[[^[\]]*\]$/, '$1'],
  [/(ownerReferences)\[\d+\]/, '$1'],
  [/(finalizers|accessModes|envFrom)\[\d+\]$/, '$1'],
  [/(volumeMounts)\[\d+\]\.(subPath|subPathExpr|mountPropagation|recursiveReadOnly)$/, '$1.$2'],
  [/(httpHeaders)\[\d+\]\.name$/, '$1'],
  [/(fieldRef)\.fieldPath$/, '$1'],
  // Only of a volume with another source: the items below have the right name.
  [/(volumes\[\d+\])\.downwardAPI$/, '$1.downwarAPI'],
  [/(volumes\[\d+\]\.downwardAPI|sources\[\d+\]\.downwardAPI)\.items\[\d+\]/, '$1'],
  [/(schedulingGates\[\d+\]|options\[\d+\]|claims\[\d+\])\.name$/, '$1'],
  [/namespaces\[\d+\]$/, 'namespace'],
  [/resources\.requests(?:\.storage)?$/, 'resources[storage]'],
  [/(sleep)\.seconds$/, '$1'],
  [/(resizePolicy)(?:\[\d+\])?(?:\.\w+)?$/, '$1'],
  [/initiatorName$/, 'initiatorname'],
  [/gcePersistentDisk\./, 'persistentDisk.'],
  [/(projected)\.sources\[\d+\]\.serviceAccountToken\.path$/, '$1.path'],
  [/(projected)\.sources\[\d+\]$/, '$1'],
  [/(volumes\[\d+\])\.cephfs$/, '$1.cephFS'],
  [/(csi)\.nodePublishSecretRef\.name$/, '$1.name'],
  [/(tolerations\[\d+\])\.value$/, '$1.operator'],
  [/(securityContext)\.allowPrivilegeEscalation$/, '$1'],
  [/volumeClaimTemplate\.metadata\.uid$/, 'volumeClaimTemplate.metadata.uID'],
  [/volumeClaimTemplate\.spec\.dataSource$/, 'volumeClaimTemplate.spec'],
  [/(topologySpreadConstraints\[\d+\])\.topologyKey$/, '$1.{topologyKey, whenUnsatisfiable}'],
  [/overhead\[/, 'overhead.limits['],
  [/^spec\.template\.spec\.(shareProcessNamespace)$/, 'spec.template.spec.securityContext.$1'],
  [/(spec\.template\.spec)\.serviceAccount$/, '$1.serviceAccountName'],
  [/(spec\.template\.spec)\.host(PID|IPC)$/, '$1.Host$2'],
  [/(spec\.template\.spec\.os)\.name$/, '$1'],
  [/spec\.template\.spec\.resources\.containers\[\d+\]\[(.*)\]\.limits$/, 'spec.template.spec.resources.limits[$1]'],
];

/** Returns a path as the server writes it in an error. */
export function toServerPath(path: string): string {
  return SERVER_PATH_RULES.reduce((text, [ours, server]) => text.replace(ours, server), path);
}
