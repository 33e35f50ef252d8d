import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { findingLine } from '../core/finding';
import { ownedGatewayName, ownedRouteName } from '../systems/kuberay/objects';
import { ownedNameFinding } from '../systems/kuberay/rules';

/** The RayServices of each app whose Gateway and HTTPRoute belong to the operator. */
const owners = new WeakMap<IConstruct, ApiObject[]>();

/**
 * Lets synth fail where the app holds a Gateway or an HTTPRoute that bears a name which the operator takes for its own.
 *
 * cdk8s runs a validation once for every chart and once more, so there is one for a whole app, which looks at each object once.
 */
export function refuseOwnedNames(construct: IConstruct, rayService: ApiObject): void {
  const app = construct.node.root;
  const known = owners.get(app);
  if (known) {
    known.push(rayService);
    return;
  }
  const services = [rayService];
  owners.set(app, services);
  app.node.addValidation({ validate: () => ownedNameLines(app, services) });
}

function ownedNameLines(app: IConstruct, services: readonly ApiObject[]): string[] {
  const owned = new Map(
    services.flatMap((service) => [
      [placeOf('Gateway', service, ownedGatewayName(service.name)), service.name] as const,
      [placeOf('HTTPRoute', service, ownedRouteName(service.name)), service.name] as const,
    ]),
  );
  return app.node.findAll().flatMap((object) => {
    if (!ApiObject.isApiObject(object) || object.apiGroup !== 'gateway.networking.k8s.io') return [];
    const service = owned.get(placeOf(object.kind, object, object.name));
    return service === undefined ? [] : [findingLine({ ...ownedNameFinding(object.kind, object.name, service), path: object.node.path })];
  });
}

function placeOf(kind: string, object: ApiObject, name: string): string {
  return [kind, object.metadata.namespace, name].join('/');
}
