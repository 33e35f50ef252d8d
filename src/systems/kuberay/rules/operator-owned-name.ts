import { addToGroup } from '../../../core/collections/group-by';
import { memoizePerPlan } from '../../../cluster/context/context';
import type { PlanContext } from '../../../cluster/context/context';
import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { annotationOf, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { operatorGatewayNameOf, operatorRouteNameOf } from '../objects';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { VALID_RAY_SERVICE_TEXT } from './examples';

/** Returns a service together with a route of this name. */
function formatRouteExample(name: string): string {
  return `${VALID_RAY_SERVICE_TEXT}---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: ${name}
spec:
  hostnames: [llm.example.com]
`;
}

interface OwnedNameData {
  /** Kind of the object: Gateway or HTTPRoute. */
  readonly kind: string;
  readonly name: string;
  readonly rayService: string;
}

/** Rule about an object that the operator treats as its own because of its name. */
export const operatorOwnedName = defineRule({
  code: 'kuberay/operator-owned-name',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A Gateway or HTTPRoute in the input has the name `<name>-gateway` or `<name>-httproute` of a RayService with an incremental upgrade.',
  why:
    'The operator treats objects with these two names as its own. ' +
    'It overwrites their spec at every reconcile, which removes hostnames, filters and further rules, ' +
    'and deletes them when the service is suspended. Each time the file is applied again, the two changes conflict.',
  fix:
    'Give the Gateway or HTTPRoute another name. ' +
    'If the object is a preview that is never applied, add the annotation `config.kubernetes.io/local-config: "true"`.',
  example: formatRouteExample('llm-httproute'),
  fixedExample: formatRouteExample('llm-front-door'),
  messages: {
    taken: defineMessage<OwnedNameData>({
      text: ({ kind, name, rayService }) =>
        `${kind} ${name} has the name of the ${kind} that KubeRay creates for RayService ${rayService}. ` +
        'The operator overwrites its spec at every reconcile and deletes it when the service is suspended.',
      help: ({ kind, rayService }) => `Give the ${kind} another name, such as ${rayService}-front-door.`,
      sample: { kind: 'HTTPRoute', name: 'llm-httproute', rayService: 'llm' },
    }),
  },
});

/** Creates the finding about one such object. */
export function createOwnedNameFinding(kind: string, name: string, rayService: string, source?: Source): Finding {
  return operatorOwnedName.createFinding('taken', {
    path: toFieldPath`metadata.name`,
    data: { kind, name, rayService },
    ...(source && { source }),
  });
}

function resourceKeyOf(kind: string, namespace: string | undefined, name: string): string {
  return [kind, namespace, name].join('/');
}

/** Reports whether the object's local-config annotation keeps it from being applied. */
function isPreview(object: Manifest): boolean {
  return annotationOf(object, 'config.kubernetes.io/local-config') === 'true';
}

/** Groups every Gateway and HTTPRoute that will be applied by kind, namespace and name. */
const groupGatewayObjects = memoizePerPlan((context) => {
  const byKey = new Map<string, Manifest[]>();
  for (const object of [CONTEXT_KINDS.gateway, CONTEXT_KINDS.httpRoute].flatMap((kind) => context.all(kind))) {
    if (isPreview(object)) continue;
    const key = resourceKeyOf(object.kind, namespaceOf(object), nameOf(object));
    addToGroup(byKey, key, object);
  }
  return byKey;
});

/** Reports Gateways and HTTPRoutes with the two names that the operator treats as its own. Only an incremental upgrade uses them. */
export function checkOperatorOwnedName({ type, name, namespace }: ParsedRayService, context: PlanContext): Finding[] {
  if (type !== INCREMENTAL_UPGRADE) return [];
  const index = groupGatewayObjects(context);
  return [
    resourceKeyOf('Gateway', namespace, operatorGatewayNameOf(name)),
    resourceKeyOf('HTTPRoute', namespace, operatorRouteNameOf(name)),
  ]
    .flatMap((key) => index.get(key) ?? [])
    .map((object) => createOwnedNameFinding(object.kind, nameOf(object), name, context.locate(object, 'metadata.name')));
}
