import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import { joinTruncatedNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';

interface ReferenceData {
  /** Object that pods need: `ServiceAccount shop/web`. */
  readonly object: string;
  /** The Secret that its controller writes of it and that is deleted with it. @default - pods need the object itself */
  readonly secret?: string;
  /** Objects whose pods need it: `Deployment shop/web`. */
  readonly consumers: TruncatedNames;
  /** Whether this change creates pods that need it. */
  readonly createsPods: boolean;
  /** What pods need it for that may start without it. @default - they do not start */
  readonly isOnlyFor?: 'image' | 'claim' | 'data';
  /** Whether the cluster is deleting it already, whatever the apply does. @default - the apply deletes it */
  readonly isBeingDeleted?: true;
  /** Whether the apply only changes the object, whose controller then deletes the Secret. @default - the apply deletes it */
  readonly isChanged?: true;
}

interface RecreatedClaimData {
  /** `PersistentVolumeClaim shop/data` */
  readonly object: string;
  /** Objects whose pods need it: `Deployment shop/web`. */
  readonly consumers: TruncatedNames;
}

interface ServiceData {
  /** `Service shop/web` */
  readonly object: string;
  /** Objects whose running pods it selects: `Deployment shop/web`. */
  readonly consumers: TruncatedNames;
  /** Whether the apply creates it again. @default false */
  readonly isRecreated?: true;
}

interface KeyData extends ReferenceData {
  readonly keys: TruncatedNames;
  /** Whether the ConfigMap keeps the keys in binaryData, which no variable reads. @default false */
  readonly isMoved?: true;
}

function renderSettings(data: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { ${data} }
---
`;
}

function renderWorkload(image: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: ${image}
          env: [{ name: URL, valueFrom: { configMapKeyRef: { name: settings, key: url } } }]
          readinessProbe: { tcpSocket: { port: 80 } }
`;
}

function renderChange(data: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderSettings('url: https://example.com')}${renderWorkload('web:1')}# new.yaml
${renderSettings(data)}${renderWorkload('web:2')}`;
}

function describePods(createsPods: boolean): string {
  return createsPods ? 'This change creates such pods, so its rollout may never finish.' : 'The running pods stay until they are replaced.';
}

const LESSER_FAULTS = {
  image: 'do not start unless their images are public or on the node',
  claim: 'do not start unless their claims exist',
  data: 'start with a new, empty claim',
} as const;

function countOf({ names, omitted = 0 }: TruncatedNames): number {
  return names.length + omitted;
}

/** Reports objects that pods need and that the apply deletes, and keys that it removes from a ConfigMap or Secret. */
export const referenceRemoved = defineRule({
  code: 'change/reference-removed',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'The apply deletes, or the cluster is deleting, a ServiceAccount, PriorityClass, RuntimeClass, DeviceClass, CSIDriver, ClusterTrustBundle, ConfigMap, Secret, claim, claim template or StorageClass that pods of NEW need, a serving runtime or another object with the pod template of one, a Service that selects running pods, or removes a key of a ConfigMap or Secret, also of a Secret that a SealedSecret or an ExternalSecret writes, ' +
    'that they name. Such a claim or Service may also be recreated. A key that moves to binaryData of a ConfigMap is lost to variables. An object that becomes a hook and that nothing creates after the apply is deleted too. Optional references are left out. The claims of the volumeClaimTemplates of a StatefulSet are such objects. It is an error if the same change creates such pods, unless they may start without it, as without a Secret for images, or with an empty claim.',
  why:
    'The API server refuses a pod whose ServiceAccount, PriorityClass or RuntimeClass does not exist, the scheduler does not place one whose claim does not exist or is being deleted, ' +
    'and the kubelet does not start one without its ConfigMap, its Secret or a key that it names. Running pods stay, so the fault shows up at the next rollout, or when a node is drained. ' +
    'Source: Kubernetes 1.36 plugin/pkg/admission/serviceaccount, plugin/pkg/admission/priority, pkg/kubelet/kubelet_pods.go, `makeEnvironmentVariables`.',
  fix: 'Keep the object or the key until no pod template names it.',
  example: renderChange('address: https://example.com'),
  fixedExample: renderChange('url: https://example.org'),
  messages: {
    object: defineMessage<ReferenceData>({
      text: ({ object, secret, consumers, createsPods, isOnlyFor, isBeingDeleted, isChanged }) =>
        `${isChanged ? `The apply changes ${object} so that its controller deletes` : `The ${isBeingDeleted ? 'cluster is deleting' : 'apply deletes'} ${object}${secret === undefined ? '' : ' with'}`}${secret === undefined ? '' : ` ${secret}`}, which ${joinTruncatedNames(consumers)} still ${countOf(consumers) === 1 ? 'needs' : 'need'}: new pods ${isOnlyFor === undefined ? 'do not start' : LESSER_FAULTS[isOnlyFor]}. ${isOnlyFor === 'data' && createsPods ? 'This change creates such pods.' : describePods(createsPods)}`,
      help: ({ object, secret, isBeingDeleted, isChanged }) =>
        isBeingDeleted
          ? `Wait until ${object} is gone, and create it again.`
          : `Keep ${isChanged ? secret : object}, or remove it from the pod templates first.`,
      sample: { object: 'ServiceAccount shop/web', consumers: { names: ['Deployment shop/web'] }, createsPods: true },
      variants: [
        { object: 'Secret shop/db', consumers: { names: ['Deployment shop/web'] }, createsPods: true, isBeingDeleted: true },
        {
          object: 'ConfigMap shop/settings',
          consumers: { names: ['Deployment shop/api', 'Deployment shop/web'] },
          createsPods: false,
        },
        { object: 'Secret shop/registry', consumers: { names: ['Deployment shop/web'] }, createsPods: true, isOnlyFor: 'image' },
        { object: 'SealedSecret shop/db', secret: 'Secret shop/db', consumers: { names: ['Deployment shop/web'] }, createsPods: true },
        {
          object: 'ExternalSecret shop/database',
          secret: 'Secret shop/db',
          consumers: { names: ['Deployment shop/web'] },
          createsPods: false,
          isChanged: true,
        },
        {
          object: 'PersistentVolumeClaim shop/data-db-0',
          consumers: { names: ['StatefulSet shop/db'] },
          createsPods: false,
          isOnlyFor: 'data',
        },
        {
          object: 'PersistentVolumeClaim shop/data-db-0',
          consumers: { names: ['StatefulSet shop/db'] },
          createsPods: true,
          isOnlyFor: 'data',
        },
        { object: 'StorageClass fast', consumers: { names: ['StatefulSet shop/db'] }, createsPods: false, isOnlyFor: 'claim' },
      ],
    }),
    template: defineMessage<ReferenceData>({
      text: ({ object, consumers, createsPods }) =>
        `The apply deletes ${object}, which has the pod template of ${joinTruncatedNames(consumers)}: running pods stay, and the controller writes no change of them until it exists again.${createsPods ? ' This change is one.' : ''}`,
      help: ({ object }) => `Keep ${object}, or name another one first.`,
      sample: { object: 'ClusterServingRuntime sklearn', consumers: { names: ['InferenceService shop/iris'] }, createsPods: false },
      variants: [{ object: 'Deployment shop/web', consumers: { names: ['Rollout shop/web'] }, createsPods: true }],
    }),
    claimRecreated: defineMessage<RecreatedClaimData>({
      text: ({ object, consumers }) =>
        `The apply deletes and recreates ${object}, which ${joinTruncatedNames(consumers)} ${countOf(consumers) === 1 ? 'needs' : 'need'}: it is gone only once no pod uses it, and the new claim does not have its data.`,
      help: ({ object }) => `Let ${object} be updated instead of recreated, or create a claim with another name and copy the data.`,
      sample: { object: 'PersistentVolumeClaim shop/data', consumers: { names: ['Deployment shop/web'] } },
      variants: [{ object: 'PersistentVolumeClaim shop/data', consumers: { names: ['Deployment shop/api', 'Deployment shop/web'] } }],
    }),
    service: defineMessage<ServiceData>({
      text: ({ object, consumers, isRecreated }) =>
        isRecreated
          ? `The apply deletes and recreates ${object}, which selects the running pods of ${joinTruncatedNames(consumers)}: clients that use it lose these pods until it exists again, perhaps with another address.`
          : `The apply deletes ${object}, which selects the running pods of ${joinTruncatedNames(consumers)}: its DNS name no longer resolves, and clients that use it lose these pods.`,
      help: ({ object, isRecreated }) =>
        isRecreated
          ? `Let ${object} be updated instead of recreated.`
          : `Keep ${object} until no client uses its name, or delete it together with the pods.`,
      sample: { object: 'Service shop/web', consumers: { names: ['Deployment shop/web'] } },
      variants: [{ object: 'Service shop/web', consumers: { names: ['Deployment shop/web'] }, isRecreated: true }],
    }),
    key: defineMessage<KeyData>({
      text: ({ object, consumers, createsPods, keys, isMoved }) =>
        `${object} ${isMoved ? 'moves' : 'loses'} the ${countOf(keys) === 1 ? 'key' : 'keys'} ${joinTruncatedNames(keys)}${isMoved ? ' to binaryData' : ''}, which ${joinTruncatedNames(consumers)} still ${countOf(consumers) === 1 ? 'names' : 'name'}${isMoved ? ' in a variable' : ''}: ${isMoved ? 'the kubelet reads variables from data only, so ' : ''}new pods do not start. ${describePods(createsPods)}`,
      help: ({ object, isMoved }) =>
        `Keep the keys in ${isMoved ? 'data of ' : ''}${object}, or ${isMoved ? 'mount them as files instead' : 'remove them from the pod templates first'}.`,
      sample: {
        object: 'ConfigMap shop/settings',
        consumers: { names: ['Deployment shop/web'] },
        createsPods: false,
        keys: { names: ['url'] },
      },
      variants: [
        {
          object: 'Secret shop/tokens',
          consumers: { names: ['Deployment shop/api', 'Deployment shop/web'] },
          createsPods: true,
          keys: { names: ['api', 'web'] },
        },
        {
          object: 'ConfigMap shop/settings',
          consumers: { names: ['Deployment shop/web'] },
          createsPods: true,
          keys: { names: ['url'] },
          isMoved: true,
        },
      ],
    }),
  },
});

/** Creates the finding about an object that the apply deletes. */
export function createDeletedReferenceFinding(data: ReferenceData): Finding {
  return referenceRemoved.createFinding('object', {
    path: ROOT_PATH,
    data,
    severity: data.createsPods && data.isOnlyFor === undefined ? 'error' : 'warning',
  });
}

/** Creates the finding about an object that has the pod template of others and that the apply deletes. */
export function createDeletedTemplateFinding(data: ReferenceData): Finding {
  return referenceRemoved.createFinding('template', { path: ROOT_PATH, data, severity: data.createsPods ? 'error' : 'warning' });
}

/** Creates the finding about a claim that the apply deletes and creates again. */
export function createRecreatedClaimFinding(data: RecreatedClaimData, source: Source | undefined): Finding {
  return referenceRemoved.createFinding('claimRecreated', { path: ROOT_PATH, data, ...(source && { source }), severity: 'warning' });
}

/** Creates the finding about a Service that the apply deletes although its pods stay. */
export function createDeletedServiceFinding(data: ServiceData): Finding {
  return referenceRemoved.createFinding('service', { path: ROOT_PATH, data, severity: 'warning' });
}

/** Creates the finding about keys that the apply removes. @param source of the object */
export function createRemovedKeysFinding(data: KeyData, source: Source | undefined): Finding {
  const base = { path: toFieldPath`data`, data, ...(source && { source }) };
  return referenceRemoved.createFinding('key', { ...base, severity: data.createsPods ? 'error' : 'warning' });
}
