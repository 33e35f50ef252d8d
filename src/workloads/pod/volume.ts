import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../core/schema';
import { INT64, QUANTITY, TEXTS, atomic, filled, pointer, since, struct, structs } from './field';
import type { ApiFields } from './field';
import { PERSISTENT_VOLUME_CLAIM_TEMPLATE } from './claim';
import { LABEL_SELECTOR, LOCAL_OBJECT_REFERENCE } from './object-meta';
import { OBJECT_FIELD_SELECTOR, RESOURCE_FIELD_SELECTOR } from './reference';

/* Volumes and their sources. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const HOST_PATH_VOLUME = {
  path: STRING,
  type: filled('', pointer(STRING)),
} satisfies ApiFields;

const EMPTY_DIR_VOLUME = {
  medium: STRING,
  sizeLimit: pointer(QUANTITY),
  mode: since('1.37', pointer(INT32), 'never'),
} satisfies ApiFields;

const GCE_PERSISTENT_DISK_VOLUME = {
  pdName: STRING,
  fsType: STRING,
  partition: INT32,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const AWS_ELASTIC_BLOCK_STORE_VOLUME = {
  volumeID: STRING,
  fsType: STRING,
  partition: INT32,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const GIT_REPO_VOLUME = {
  repository: STRING,
  revision: STRING,
  directory: STRING,
} satisfies ApiFields;

const KEY_TO_PATH = {
  key: STRING,
  path: STRING,
  mode: pointer(INT32),
  user: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const SECRET_VOLUME = {
  secretName: STRING,
  items: structs(KEY_TO_PATH),
  defaultMode: filled(420, pointer(INT32)),
  optional: pointer(BOOLEAN),
  defaultUser: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const NFS_VOLUME = {
  server: STRING,
  path: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const ISCSI_VOLUME = {
  targetPortal: STRING,
  iqn: STRING,
  lun: INT32,
  iscsiInterface: filled('default', STRING),
  fsType: STRING,
  readOnly: BOOLEAN,
  portals: TEXTS,
  chapAuthDiscovery: BOOLEAN,
  chapAuthSession: BOOLEAN,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
  initiatorName: pointer(STRING),
} satisfies ApiFields;

const GLUSTERFS_VOLUME = {
  endpoints: STRING,
  path: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const PERSISTENT_VOLUME_CLAIM_VOLUME = {
  claimName: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const RBD_VOLUME = {
  monitors: TEXTS,
  image: STRING,
  fsType: STRING,
  pool: filled('rbd', STRING),
  user: filled('admin', STRING),
  keyring: filled('/etc/ceph/keyring', STRING),
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const FLEX_VOLUME = {
  driver: STRING,
  fsType: STRING,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
  options: STRING_MAP,
} satisfies ApiFields;

const CINDER_VOLUME = {
  volumeID: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const CEPH_FS_VOLUME = {
  monitors: TEXTS,
  path: STRING,
  user: STRING,
  secretFile: STRING,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const FLOCKER_VOLUME = {
  datasetName: STRING,
  datasetUUID: STRING,
} satisfies ApiFields;

const DOWNWARD_API_VOLUME_FILE = {
  path: STRING,
  fieldRef: atomic(pointer(struct(OBJECT_FIELD_SELECTOR))),
  resourceFieldRef: atomic(pointer(struct(RESOURCE_FIELD_SELECTOR))),
  mode: pointer(INT32),
  user: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const DOWNWARD_API_VOLUME = {
  items: structs(DOWNWARD_API_VOLUME_FILE),
  defaultMode: filled(420, pointer(INT32)),
  defaultUser: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const FC_VOLUME = {
  targetWWNs: TEXTS,
  lun: pointer(INT32),
  fsType: STRING,
  readOnly: BOOLEAN,
  wwids: TEXTS,
} satisfies ApiFields;

const AZURE_FILE_VOLUME = {
  secretName: STRING,
  shareName: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const CONFIG_MAP_VOLUME = {
  name: STRING,
  items: structs(KEY_TO_PATH),
  defaultMode: filled(420, pointer(INT32)),
  optional: pointer(BOOLEAN),
  defaultUser: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const VSPHERE_VIRTUAL_DISK_VOLUME = {
  volumePath: STRING,
  fsType: STRING,
  storagePolicyName: STRING,
  storagePolicyID: STRING,
} satisfies ApiFields;

const QUOBYTE_VOLUME = {
  registry: STRING,
  volume: STRING,
  readOnly: BOOLEAN,
  user: STRING,
  group: STRING,
  tenant: STRING,
} satisfies ApiFields;

const AZURE_DISK_VOLUME = {
  diskName: STRING,
  diskURI: STRING,
  cachingMode: filled('ReadWrite', pointer(STRING)),
  fsType: filled('ext4', pointer(STRING)),
  readOnly: filled(false, pointer(BOOLEAN)),
  kind: filled('Shared', pointer(STRING)),
} satisfies ApiFields;

const PHOTON_PERSISTENT_DISK_VOLUME = {
  pdID: STRING,
  fsType: STRING,
} satisfies ApiFields;

const SECRET_PROJECTION = {
  name: STRING,
  items: structs(KEY_TO_PATH),
  optional: pointer(BOOLEAN),
} satisfies ApiFields;

const DOWNWARD_API_PROJECTION = {
  items: structs(DOWNWARD_API_VOLUME_FILE),
} satisfies ApiFields;

const CONFIG_MAP_PROJECTION = {
  name: STRING,
  items: structs(KEY_TO_PATH),
  optional: pointer(BOOLEAN),
} satisfies ApiFields;

const SERVICE_ACCOUNT_TOKEN_PROJECTION = {
  audience: STRING,
  expirationSeconds: filled(3600, pointer(INT64)),
  path: STRING,
  user: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const CLUSTER_TRUST_BUNDLE_PROJECTION = {
  name: pointer(STRING),
  signerName: pointer(STRING),
  labelSelector: atomic(pointer(struct(LABEL_SELECTOR))),
  optional: pointer(BOOLEAN),
  path: STRING,
  user: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const POD_CERTIFICATE_PROJECTION = {
  signerName: STRING,
  keyType: STRING,
  maxExpirationSeconds: pointer(INT32),
  credentialBundlePath: STRING,
  keyPath: STRING,
  certificateChainPath: STRING,
  userAnnotations: since('1.35', STRING_MAP),
  user: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const VOLUME_PROJECTION = {
  secret: pointer(struct(SECRET_PROJECTION)),
  downwardAPI: pointer(struct(DOWNWARD_API_PROJECTION)),
  configMap: pointer(struct(CONFIG_MAP_PROJECTION)),
  serviceAccountToken: pointer(struct(SERVICE_ACCOUNT_TOKEN_PROJECTION)),
  clusterTrustBundle: since('1.29', pointer(struct(CLUSTER_TRUST_BUNDLE_PROJECTION)), '1.37'),
  podCertificate: since('1.34', pointer(struct(POD_CERTIFICATE_PROJECTION)), '1.37'),
} satisfies ApiFields;

const PROJECTED_VOLUME = {
  sources: structs(VOLUME_PROJECTION),
  defaultMode: filled(420, pointer(INT32)),
  defaultUser: since('1.37', pointer(INT64), 'never'),
} satisfies ApiFields;

const PORTWORX_VOLUME = {
  volumeID: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const SCALE_IO_VOLUME = {
  gateway: STRING,
  system: STRING,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
  sslEnabled: BOOLEAN,
  protectionDomain: STRING,
  storagePool: STRING,
  storageMode: filled('ThinProvisioned', STRING),
  volumeName: STRING,
  fsType: filled('xfs', STRING),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const STORAGE_OS_VOLUME = {
  volumeName: STRING,
  volumeNamespace: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
  secretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const CSI_VOLUME = {
  driver: STRING,
  readOnly: pointer(BOOLEAN),
  fsType: pointer(STRING),
  volumeAttributes: STRING_MAP,
  nodePublishSecretRef: atomic(pointer(struct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const EPHEMERAL_VOLUME = {
  volumeClaimTemplate: pointer(struct(PERSISTENT_VOLUME_CLAIM_TEMPLATE)),
} satisfies ApiFields;

const IMAGE_VOLUME = {
  reference: STRING,
  pullPolicy: STRING,
} satisfies ApiFields;

export const VOLUME = {
  name: STRING,
  hostPath: pointer(struct(HOST_PATH_VOLUME)),
  emptyDir: pointer(struct(EMPTY_DIR_VOLUME)),
  gcePersistentDisk: pointer(struct(GCE_PERSISTENT_DISK_VOLUME)),
  awsElasticBlockStore: pointer(struct(AWS_ELASTIC_BLOCK_STORE_VOLUME)),
  gitRepo: pointer(struct(GIT_REPO_VOLUME)),
  secret: pointer(struct(SECRET_VOLUME)),
  nfs: pointer(struct(NFS_VOLUME)),
  iscsi: pointer(struct(ISCSI_VOLUME)),
  glusterfs: pointer(struct(GLUSTERFS_VOLUME)),
  persistentVolumeClaim: pointer(struct(PERSISTENT_VOLUME_CLAIM_VOLUME)),
  rbd: pointer(struct(RBD_VOLUME)),
  flexVolume: pointer(struct(FLEX_VOLUME)),
  cinder: pointer(struct(CINDER_VOLUME)),
  cephfs: pointer(struct(CEPH_FS_VOLUME)),
  flocker: pointer(struct(FLOCKER_VOLUME)),
  downwardAPI: pointer(struct(DOWNWARD_API_VOLUME)),
  fc: pointer(struct(FC_VOLUME)),
  azureFile: pointer(struct(AZURE_FILE_VOLUME)),
  configMap: pointer(struct(CONFIG_MAP_VOLUME)),
  vsphereVolume: pointer(struct(VSPHERE_VIRTUAL_DISK_VOLUME)),
  quobyte: pointer(struct(QUOBYTE_VOLUME)),
  azureDisk: pointer(struct(AZURE_DISK_VOLUME)),
  photonPersistentDisk: pointer(struct(PHOTON_PERSISTENT_DISK_VOLUME)),
  projected: pointer(struct(PROJECTED_VOLUME)),
  portworxVolume: pointer(struct(PORTWORX_VOLUME)),
  scaleIO: pointer(struct(SCALE_IO_VOLUME)),
  storageos: pointer(struct(STORAGE_OS_VOLUME)),
  csi: pointer(struct(CSI_VOLUME)),
  ephemeral: pointer(struct(EPHEMERAL_VOLUME)),
  image: since('1.31', pointer(struct(IMAGE_VOLUME)), '1.35'),
} satisfies ApiFields;
