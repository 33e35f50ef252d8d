import type { FieldChange } from '../../../core/document/change';
import { getFieldsAt, getListAt, groupOf, isFields } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { buildKserveDeployments } from '../../../systems/kserve/deployments';
import type { ComponentDeployment } from '../../../systems/kserve/deployments';
import { buildPodSpec } from '../../../systems/kserve/pod-template';
import { isServiceStopped, readKserveService, withModel } from '../../../systems/kserve/service';
import type { KserveService } from '../../../systems/kserve/service';
import { resolveServiceMode } from '../../../systems/kserve/system';
import type { RowMatch, UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { findServiceRuntime } from './service-runtime';
import type { ServiceRuntime } from './service-runtime';

/*
 * Differences between the Deployments that versions of KServe write for the same InferenceService.
 * Source: KServe v0.15.2 to v0.20.0, pkg/controller/v1beta1/inferenceservice/components/{predictor,transformer,explainer}.go,
 * utils/utils.go, reconcilers/deployment, and pkg/webhook/admission/pod. 0.15.2, 0.16.0, 0.17.0, 0.19.0 and 0.20.0 were run
 * (`oracle/kserve/upgrades.go`).
 */

/** A service as both versions see it. */
interface ServiceSides {
  readonly service: KserveService;
  readonly deployments: readonly ComponentDeployment[];
  /** Runtime before the upgrade, and after it. */
  readonly before: ServiceRuntime | undefined;
  readonly after: ServiceRuntime | undefined;
  readonly sides: UpgradeSides;
}

export function readSides(object: Manifest, sides: UpgradeSides): ServiceSides | undefined {
  if (object.kind !== 'InferenceService' || groupOf(object) !== 'serving.kserve.io') return undefined;
  const read = readKserveService(object, sides.to);
  const service = { ...read, predictor: withModel(read.predictor) };
  const [before, after] = [findServiceRuntime(service, sides.old, sides.from), findServiceRuntime(service, sides.next, sides.to)];
  const deployments = buildKserveDeployments(service, getFieldsAt(after?.runtime, 'spec'));
  const isStandard = resolveServiceMode(service, sides.next) === 'Standard';
  // In mode Knative a service has neither workers nor canaries.
  const written = isStandard
    ? deployments
    : deployments.filter(({ component }) => service.components.some(({ name }) => name === component));
  return { service, deployments: written, before, after, sides };
}

/** Creates the matcher of a row about InferenceServices. */
export function matchService(match: (service: ServiceSides) => readonly RowMatch[]): UpgradeRow['match'] {
  return (object, sides) => {
    const read = readSides(object, sides);
    // A stopped service has no workloads.
    return read && !isServiceStopped(read.service, resolveServiceMode(read.service, sides.next)) ? match(read) : [];
  };
}

export const isPredictor = ({ component }: ComponentDeployment) => component === 'predictor' || component.startsWith('canary/');

export function toContainerPath(container: string, rest: string): string {
  return `spec.template.spec.containers[${container}].${rest}`;
}

/** Returns the names of the containers that KServe writes for a component. */
export function listWrittenContainers({ podSpec }: ComponentDeployment, runtime: Fields): readonly Fields[] {
  return getListAt(buildPodSpec(podSpec, runtime), 'containers').filter(isFields);
}

/** Returns the field with the image of a predictor whose runtime changes it. */
export function changeImage(old: string | undefined, next: string | undefined): FieldChange[] {
  return old === undefined || next === undefined || old === next
    ? []
    : [{ path: toContainerPath('kserve-container', 'image'), old, new: next }];
}
