import { BOOLEAN, INT32, STRING, STRING_MAP } from '../../core/values/schema';
import {
  API_INT64,
  QUANTITY,
  API_STRING_LIST,
  asAtomic,
  withDefault,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from './field';
import type { ApiFields } from './field';
import { PERSISTENT_VOLUME_CLAIM_TEMPLATE } from './claim';
import { LABEL_SELECTOR, LOCAL_OBJECT_REFERENCE } from './object-meta';
import { OBJECT_FIELD_SELECTOR, RESOURCE_FIELD_SELECTOR } from './reference';

/* Volumes and their sources. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const HOST_PATH_VOLUME = {
  path: STRING,
  type: withDefault('', asPointer(STRING)),
} satisfies ApiFields;

const EMPTY_DIR_VOLUME = {
  medium: STRING,
  sizeLimit: asPointer(QUANTITY),
  mode: addInVersion('1.37', asPointer(INT32), 'never'),
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
  mode: asPointer(INT32),
  user: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const SECRET_VOLUME = {
  secretName: STRING,
  items: defineStructList(KEY_TO_PATH),
  defaultMode: withDefault(420, asPointer(INT32)),
  optional: asPointer(BOOLEAN),
  defaultUser: addInVersion('1.37', asPointer(API_INT64), 'never'),
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
  iscsiInterface: withDefault('default', STRING),
  fsType: STRING,
  readOnly: BOOLEAN,
  portals: API_STRING_LIST,
  chapAuthDiscovery: BOOLEAN,
  chapAuthSession: BOOLEAN,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
  initiatorName: asPointer(STRING),
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
  monitors: API_STRING_LIST,
  image: STRING,
  fsType: STRING,
  pool: withDefault('rbd', STRING),
  user: withDefault('admin', STRING),
  keyring: withDefault('/etc/ceph/keyring', STRING),
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const FLEX_VOLUME = {
  driver: STRING,
  fsType: STRING,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
  options: STRING_MAP,
} satisfies ApiFields;

const CINDER_VOLUME = {
  volumeID: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const CEPH_FS_VOLUME = {
  monitors: API_STRING_LIST,
  path: STRING,
  user: STRING,
  secretFile: STRING,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const FLOCKER_VOLUME = {
  datasetName: STRING,
  datasetUUID: STRING,
} satisfies ApiFields;

const DOWNWARD_API_VOLUME_FILE = {
  path: STRING,
  fieldRef: asAtomic(asPointer(defineStruct(OBJECT_FIELD_SELECTOR))),
  resourceFieldRef: asAtomic(asPointer(defineStruct(RESOURCE_FIELD_SELECTOR))),
  mode: asPointer(INT32),
  user: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const DOWNWARD_API_VOLUME = {
  items: defineStructList(DOWNWARD_API_VOLUME_FILE),
  defaultMode: withDefault(420, asPointer(INT32)),
  defaultUser: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const FC_VOLUME = {
  targetWWNs: API_STRING_LIST,
  lun: asPointer(INT32),
  fsType: STRING,
  readOnly: BOOLEAN,
  wwids: API_STRING_LIST,
} satisfies ApiFields;

const AZURE_FILE_VOLUME = {
  secretName: STRING,
  shareName: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const CONFIG_MAP_VOLUME = {
  name: STRING,
  items: defineStructList(KEY_TO_PATH),
  defaultMode: withDefault(420, asPointer(INT32)),
  optional: asPointer(BOOLEAN),
  defaultUser: addInVersion('1.37', asPointer(API_INT64), 'never'),
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
  cachingMode: withDefault('ReadWrite', asPointer(STRING)),
  fsType: withDefault('ext4', asPointer(STRING)),
  readOnly: withDefault(false, asPointer(BOOLEAN)),
  kind: withDefault('Shared', asPointer(STRING)),
} satisfies ApiFields;

const PHOTON_PERSISTENT_DISK_VOLUME = {
  pdID: STRING,
  fsType: STRING,
} satisfies ApiFields;

const SECRET_PROJECTION = {
  name: STRING,
  items: defineStructList(KEY_TO_PATH),
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

const DOWNWARD_API_PROJECTION = {
  items: defineStructList(DOWNWARD_API_VOLUME_FILE),
} satisfies ApiFields;

const CONFIG_MAP_PROJECTION = {
  name: STRING,
  items: defineStructList(KEY_TO_PATH),
  optional: asPointer(BOOLEAN),
} satisfies ApiFields;

const SERVICE_ACCOUNT_TOKEN_PROJECTION = {
  audience: STRING,
  expirationSeconds: withDefault(3600, asPointer(API_INT64)),
  path: STRING,
  user: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const CLUSTER_TRUST_BUNDLE_PROJECTION = {
  name: asPointer(STRING),
  signerName: asPointer(STRING),
  labelSelector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  optional: asPointer(BOOLEAN),
  path: STRING,
  user: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const POD_CERTIFICATE_PROJECTION = {
  signerName: STRING,
  keyType: STRING,
  maxExpirationSeconds: asPointer(INT32),
  credentialBundlePath: STRING,
  keyPath: STRING,
  certificateChainPath: STRING,
  userAnnotations: addInVersion('1.35', STRING_MAP),
  user: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const VOLUME_PROJECTION = {
  secret: asPointer(defineStruct(SECRET_PROJECTION)),
  downwardAPI: asPointer(defineStruct(DOWNWARD_API_PROJECTION)),
  configMap: asPointer(defineStruct(CONFIG_MAP_PROJECTION)),
  serviceAccountToken: asPointer(defineStruct(SERVICE_ACCOUNT_TOKEN_PROJECTION)),
  clusterTrustBundle: addInVersion('1.29', asPointer(defineStruct(CLUSTER_TRUST_BUNDLE_PROJECTION)), '1.37'),
  podCertificate: addInVersion('1.34', asPointer(defineStruct(POD_CERTIFICATE_PROJECTION)), '1.37'),
} satisfies ApiFields;

const PROJECTED_VOLUME = {
  sources: defineStructList(VOLUME_PROJECTION),
  defaultMode: withDefault(420, asPointer(INT32)),
  defaultUser: addInVersion('1.37', asPointer(API_INT64), 'never'),
} satisfies ApiFields;

const PORTWORX_VOLUME = {
  volumeID: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
} satisfies ApiFields;

const SCALE_IO_VOLUME = {
  gateway: STRING,
  system: STRING,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
  sslEnabled: BOOLEAN,
  protectionDomain: STRING,
  storagePool: STRING,
  storageMode: withDefault('ThinProvisioned', STRING),
  volumeName: STRING,
  fsType: withDefault('xfs', STRING),
  readOnly: BOOLEAN,
} satisfies ApiFields;

const STORAGE_OS_VOLUME = {
  volumeName: STRING,
  volumeNamespace: STRING,
  fsType: STRING,
  readOnly: BOOLEAN,
  secretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const CSI_VOLUME = {
  driver: STRING,
  readOnly: asPointer(BOOLEAN),
  fsType: asPointer(STRING),
  volumeAttributes: STRING_MAP,
  nodePublishSecretRef: asAtomic(asPointer(defineStruct(LOCAL_OBJECT_REFERENCE))),
} satisfies ApiFields;

const EPHEMERAL_VOLUME = {
  volumeClaimTemplate: asPointer(defineStruct(PERSISTENT_VOLUME_CLAIM_TEMPLATE)),
} satisfies ApiFields;

const IMAGE_VOLUME = {
  reference: STRING,
  pullPolicy: STRING,
} satisfies ApiFields;

export const VOLUME = {
  name: STRING,
  hostPath: asPointer(defineStruct(HOST_PATH_VOLUME)),
  emptyDir: asPointer(defineStruct(EMPTY_DIR_VOLUME)),
  gcePersistentDisk: asPointer(defineStruct(GCE_PERSISTENT_DISK_VOLUME)),
  awsElasticBlockStore: asPointer(defineStruct(AWS_ELASTIC_BLOCK_STORE_VOLUME)),
  gitRepo: asPointer(defineStruct(GIT_REPO_VOLUME)),
  secret: asPointer(defineStruct(SECRET_VOLUME)),
  nfs: asPointer(defineStruct(NFS_VOLUME)),
  iscsi: asPointer(defineStruct(ISCSI_VOLUME)),
  glusterfs: asPointer(defineStruct(GLUSTERFS_VOLUME)),
  persistentVolumeClaim: asPointer(defineStruct(PERSISTENT_VOLUME_CLAIM_VOLUME)),
  rbd: asPointer(defineStruct(RBD_VOLUME)),
  flexVolume: asPointer(defineStruct(FLEX_VOLUME)),
  cinder: asPointer(defineStruct(CINDER_VOLUME)),
  cephfs: asPointer(defineStruct(CEPH_FS_VOLUME)),
  flocker: asPointer(defineStruct(FLOCKER_VOLUME)),
  downwardAPI: asPointer(defineStruct(DOWNWARD_API_VOLUME)),
  fc: asPointer(defineStruct(FC_VOLUME)),
  azureFile: asPointer(defineStruct(AZURE_FILE_VOLUME)),
  configMap: asPointer(defineStruct(CONFIG_MAP_VOLUME)),
  vsphereVolume: asPointer(defineStruct(VSPHERE_VIRTUAL_DISK_VOLUME)),
  quobyte: asPointer(defineStruct(QUOBYTE_VOLUME)),
  azureDisk: asPointer(defineStruct(AZURE_DISK_VOLUME)),
  photonPersistentDisk: asPointer(defineStruct(PHOTON_PERSISTENT_DISK_VOLUME)),
  projected: asPointer(defineStruct(PROJECTED_VOLUME)),
  portworxVolume: asPointer(defineStruct(PORTWORX_VOLUME)),
  scaleIO: asPointer(defineStruct(SCALE_IO_VOLUME)),
  storageos: asPointer(defineStruct(STORAGE_OS_VOLUME)),
  csi: asPointer(defineStruct(CSI_VOLUME)),
  ephemeral: asPointer(defineStruct(EPHEMERAL_VOLUME)),
  image: addInVersion('1.31', asPointer(defineStruct(IMAGE_VOLUME)), '1.35'),
} satisfies ApiFields;
