import { appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, getOwnValue, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { PlanContext } from '../../../cluster/context/context';
import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { AUTOSCALER_CLASS_ANNOTATION, autoscalerClassOf } from '../service';
import type { KserveService } from '../service';
import { isDeletingExternalAutoscaler } from '../versions';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';
import { toSafeText } from '../../../core/text/value-text';

interface SwitchData {
  /** Name of the Deployment and of its autoscaler. */
  readonly name: string;
  /** Namespace of the service. @default - it names none */
  readonly namespace?: string;
}

interface ExternalData extends SwitchData {
  readonly version: string;
}

function formatDelete(kind: string, { name, namespace }: SwitchData): string {
  return `kubectl delete ${kind} ${name}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}

const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata: { name: inferenceservice-config, namespace: kserve }
data:
  deploy: '{"defaultDeploymentMode": "Standard"}'
`;

function renderSwitch(next: string): string {
  const old = renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] });
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${old}---
${CONFIG}# new.yaml
${next}---
${CONFIG}`;
}

/** Autoscalers of a service that hinder each other, or that KServe deletes. */
export const kserveAutoscalerConflict = defineRule({
  code: 'kserve/autoscaler-conflict',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'The autoscaler class of a running service in mode Standard changes from or to keda, or it is external, and KServe before 0.15.1 deletes the HorizontalPodAutoscaler with the name of the Deployment.',
  why:
    'KServe creates the autoscaler of the new class and does not delete that of the old one. KEDA refuses a ScaledObject for a Deployment that has an autoscaler, ' +
    'so the service stays in a reconcile error. A HorizontalPodAutoscaler next to a ScaledObject stops both (AmbiguousSelector). Source: KServe 0.17, autoscaler_reconciler.go.',
  fix: 'Delete the old autoscaler once the annotation has changed, or stop the service for the change.',
  example: renderSwitch(renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION, `${AUTOSCALER_CLASS_ANNOTATION}: keda`] })),
  fixedExample: renderSwitch(renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION, `${AUTOSCALER_CLASS_ANNOTATION}: hpa`] })),
  messages: {
    'hpa-to-keda': defineMessage<SwitchData>({
      text: ({ name }) =>
        `The autoscaler class changes to keda, but KServe does not delete HorizontalPodAutoscaler "${name}": KEDA refuses the ScaledObject ("is already managed by the hpa"), and the service stays in a reconcile error.`,
      help: (data) => `After the apply, run "${formatDelete('hpa', data)}".`,
      sample: { name: 'iris-predictor', namespace: 'models' },
    }),
    'keda-to-hpa': defineMessage<SwitchData>({
      text: ({ name }) =>
        `The autoscaler class changes to hpa, but KServe does not delete ScaledObject "${name}": its autoscaler and the new HorizontalPodAutoscaler control the same pods, and neither scales (AmbiguousSelector).`,
      help: (data) => `After the apply, run "${formatDelete('scaledobject', data)}".`,
      sample: { name: 'iris-predictor', namespace: 'models' },
    }),
    'keda-stays': defineMessage<SwitchData>({
      text: ({ name }) =>
        `The autoscaler class is no longer keda, but KServe does not delete ScaledObject "${name}": KEDA keeps scaling the pods.`,
      help: (data) => `After the apply, run "${formatDelete('scaledobject', data)}".`,
      sample: { name: 'iris-predictor' },
    }),
    'external-deleted': defineMessage<ExternalData>({
      text: ({ name, version }) =>
        `The autoscaler class is external, but KServe ${version} deletes HorizontalPodAutoscaler "${name}" at every reconcile, because it has the name of the Deployment.`,
      help: () => 'Give the HorizontalPodAutoscaler another name, or use KServe 0.15.1 or later.',
      sample: { name: 'iris-predictor', version: '0.15.0' },
    }),
  },
});

const CLASS_PATH = toFieldPath`metadata.annotations[${AUTOSCALER_CLASS_ANNOTATION}]`;

function classOf(service: KserveService, component: string): unknown {
  const spec = service.components.find(({ name }) => name === component)?.spec;
  return spec && (autoscalerClassOf(service, spec) ?? 'hpa');
}

const SWITCHES: Readonly<Record<string, 'hpa-to-keda' | 'keda-to-hpa' | 'keda-stays'>> = {
  'hpa keda': 'hpa-to-keda',
  'keda hpa': 'keda-to-hpa',
  'keda external': 'keda-stays',
  'keda none': 'keda-stays',
};

/** Warns about a component of a running service that gets another class of autoscaler. */
export function checkAutoscalerSwitch(old: KserveService, next: KserveService, component: string, name: string): Finding[] {
  const messageId = getOwnValue(SWITCHES, `${toSafeText(classOf(old, component))} ${toSafeText(classOf(next, component))}`);
  if (messageId === undefined) return [];
  const namespace = namespaceOf(next.object);
  const own = next.components.find((one) => one.name === component);
  const isOwn = own && getFieldsAt(own.spec, 'annotations')[AUTOSCALER_CLASS_ANNOTATION] !== undefined;
  const path = isOwn ? appendToPath(toFieldPath`${own.path}.annotations`, AUTOSCALER_CLASS_ANNOTATION) : CLASS_PATH;
  return [kserveAutoscalerConflict.createFinding(messageId, { path, data: { name, ...(namespace !== undefined && { namespace }) } })];
}

/** Warns about an autoscaler of the user that an early version deletes. */
export function checkExternalAutoscaler(service: KserveService, component: string, name: string, context: PlanContext): Finding[] {
  const version = context.versions.kserve;
  if (classOf(service, component) !== 'external' || !isDeletingExternalAutoscaler(version)) return [];
  const namespace = namespaceOf(service.object);
  const exists = context
    .all(CONTEXT_KINDS.horizontalPodAutoscaler)
    .some((autoscaler) => nameOf(autoscaler) === name && namespaceOf(autoscaler) === namespace);
  return exists ? [kserveAutoscalerConflict.createFinding('external-deleted', { path: CLASS_PATH, data: { name, version } })] : [];
}
