import { getFieldsAt, getListAt, getValueAt, isFields, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { groupBy } from '../../../core/collections/group-by';
import { NANOS_PER_UNIT } from '../../../core/values/quantity';
import { isAtLeast } from '../../../core/values/versions';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import { findControllingOwner } from '../../kinds/ownership';
import type { Amounts } from '../../../core/values/quantity';
import type { RunningPod } from './running-pods';
import { toSafeNumber, toSafeText } from '../../../core/text/value-text';

/** A request of a claim for a number of devices of one class. */
interface DeviceRequest {
  readonly deviceClass: string;
  readonly count: number;
  /** Whether the number of devices is all that the request asks for. */
  readonly isExactCount: boolean;
}

/** The version from which a DeviceClass serves an extended resource by default (feature gate DRAExtendedResource). */
export const EXTENDED_RESOURCES_SINCE = '1.36';

/** Prefix of the resource that each DeviceClass serves without naming one. */
export const IMPLICIT_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Maximum number of devices in a claim, which a quota charges for a request of all devices. */
const MAX_DEVICES = 32;

/** Counts the devices that a quota charges for a request or an alternative. */
function countDevices({ allocationMode, count = 1 }: Fields): number {
  return allocationMode === 'All' ? MAX_DEVICES : toSafeNumber(count);
}

function readRequest(request: unknown): DeviceRequest[] {
  // The older API has the fields of `exactly` in the request itself.
  const exact = isFields(getValueAt(request, 'exactly')) ? getFieldsAt(request, 'exactly') : getFieldsAt({ request }, 'request');
  const alternatives = getListAt(request, 'firstAvailable');
  if (alternatives.length > 0) {
    const most = new Map<string, number>();
    for (const alternative of alternatives) {
      const fields = getFieldsAt({ alternative }, 'alternative');
      const deviceClass = toSafeText(fields.deviceClassName);
      most.set(deviceClass, Math.max(most.get(deviceClass) ?? 0, countDevices(fields)));
    }
    return [...most].map(([deviceClass, count]) => ({ deviceClass, count, isExactCount: false }));
  }
  const { deviceClassName, allocationMode, adminAccess, selectors, tolerations } = exact;
  if (typeof deviceClassName !== 'string') return [];
  const isAll = allocationMode === 'All';
  return [
    {
      deviceClass: deviceClassName,
      count: countDevices(exact),
      isExactCount: !isAll && adminAccess !== true && selectors === undefined && tolerations === undefined && exact.capacity === undefined,
    },
  ];
}

/** The claims that are created for each pod of a template. */
interface PodClaims {
  readonly claims: number;
  readonly requests: readonly DeviceRequest[];
  /** Whether all claims are known, and numbers of devices are all that they ask for. */
  readonly isCountable: boolean;
}

const NO_CLAIMS: PodClaims = { claims: 0, requests: [], isCountable: true };

/** The DeviceClasses, ResourceSlices and claim templates of the input. */
export class DeviceInventory {
  private readonly templates: ReadonlyMap<string, Manifest>;
  /** ResourceClaims by namespace and name. */
  private readonly claims: ReadonlyMap<string, Manifest>;
  private readonly driverOfClass = new Map<string, string | undefined>();
  private readonly devicesByNode = new Map<string, Map<string, bigint>>();
  /** The classes that serve an extended resource, by the resource that a quota names: `requests.example.com/gpu`. */
  private readonly classesOfResource: ReadonlyMap<string, readonly string[]>;
  /** Whether claims use the extended resources of their classes. */
  private readonly usesExtendedResources: boolean;
  /** Whether the devices of each node can be counted. */
  private isCountable = true;

  constructor(context: PlanContext) {
    const indexByName = (objects: readonly Manifest[]) =>
      new Map(objects.map((object) => [JSON.stringify([namespaceOf(object) ?? 'default', nameOf(object)]), object]));
    this.templates = indexByName(context.all(CONTEXT_KINDS.resourceClaimTemplate));
    this.claims = indexByName(context.all(CONTEXT_KINDS.resourceClaim));
    this.usesExtendedResources = isAtLeast(context.versions.kubernetes, EXTENDED_RESOURCES_SINCE);
    const byResource = groupBy(
      context.all(CONTEXT_KINDS.deviceClass),
      (deviceClass) => `requests.${toSafeText(getValueAt(deviceClass, 'spec', 'extendedResourceName'))}`,
    );
    this.classesOfResource = new Map([...byResource].map(([resource, classes]) => [resource, classes.map(nameOf)]));
    for (const deviceClass of context.all(CONTEXT_KINDS.deviceClass)) this.driverOfClass.set(nameOf(deviceClass), readDriver(deviceClass));
    for (const slice of context.all(CONTEXT_KINDS.resourceSlice)) this.addSlice(slice);
  }

  private addSlice(slice: Manifest): void {
    const { nodeName, driver } = getFieldsAt(slice, 'spec');
    const devices = getListAt(slice, 'spec', 'devices');
    const isShared = devices.some((device) => isFields(device) && (device.taints !== undefined || device.consumesCounters !== undefined));
    if (typeof nodeName !== 'string' || isShared) {
      this.isCountable = false;
      return;
    }
    const ofNode = this.devicesByNode.get(nodeName) ?? new Map<string, bigint>();
    this.devicesByNode.set(nodeName, ofNode);
    ofNode.set(toSafeText(driver), (ofNode.get(toSafeText(driver)) ?? 0n) + BigInt(devices.length) * NANOS_PER_UNIT);
  }

  private claimsOf(podSpec: unknown, namespace: string): PodClaims {
    const references = getListAt(podSpec, 'resourceClaims');
    if (references.length === 0) return NO_CLAIMS;
    const requests: DeviceRequest[] = [];
    let isCountable = true;
    let claims = 0;
    for (const reference of references) {
      const name = getValueAt(reference, 'resourceClaimTemplateName');
      const template = typeof name === 'string' ? this.templates.get(JSON.stringify([namespace, name])) : undefined;
      if (typeof name === 'string') claims++;
      if (!template || getListAt(template, 'spec', 'spec', 'devices', 'constraints').length > 0) isCountable = false;
      for (const request of getListAt(template, 'spec', 'spec', 'devices', 'requests').flatMap(readRequest)) requests.push(request);
    }
    return { claims, requests, isCountable: isCountable && requests.every(({ isExactCount }) => isExactCount) };
  }

  /** Returns the devices that a pod takes from its node, by driver. Returns undefined if files do not decide that. */
  devicesOf(podSpec: unknown, namespace: string): Amounts | undefined {
    const { requests, isCountable } = this.claimsOf(podSpec, namespace);
    if (requests.length === 0 && isCountable) return new Map();
    if (!isCountable || !this.isCountable) return undefined;
    const amounts = new Map<string, bigint>();
    for (const { deviceClass, count } of requests) {
      const driver = this.driverOfClass.get(deviceClass);
      if (driver === undefined) return undefined;
      const key = formatDriverResource(driver);
      amounts.set(key, (amounts.get(key) ?? 0n) + BigInt(count) * NANOS_PER_UNIT);
    }
    return amounts;
  }

  /**
   * Returns the devices that a running pod takes from its node, by driver: those that its claims of the input are allocated, or else those of
   * its template. Pods that share a claim share its devices, which count for the first one.
   */
  devicesOfRunning({ pod, spec, namespace }: RunningPod): Amounts | undefined {
    const claims = this.findClaimsOf(pod, namespace);
    if (!claims) return this.devicesOf(spec, namespace);
    const amounts = new Map<string, bigint>();
    for (const claim of claims) {
      if (getValueAt(getListAt(claim, 'status', 'reservedFor')[0], 'name') !== nameOf(pod)) continue;
      for (const result of getListAt(claim, 'status', 'allocation', 'devices', 'results')) {
        const key = formatDriverResource(toSafeText(getValueAt(result, 'driver')));
        amounts.set(key, (amounts.get(key) ?? 0n) + NANOS_PER_UNIT);
      }
    }
    return amounts;
  }

  /** Finds the claims of a running pod: those that its spec names, and those that were created for it. Returns undefined if one is not in the input. */
  private findClaimsOf(pod: Manifest, namespace: string): readonly Manifest[] | undefined {
    const created = new Map(
      getListAt(pod, 'status', 'resourceClaimStatuses').map((status) => [
        getValueAt(status, 'name'),
        getValueAt(status, 'resourceClaimName'),
      ]),
    );
    const found: Manifest[] = [];
    for (const reference of getListAt(pod, 'spec', 'resourceClaims')) {
      const name = getValueAt(reference, 'resourceClaimName') ?? created.get(getValueAt(reference, 'name'));
      const claim = this.claims.get(JSON.stringify([namespace, name]));
      if (!claim) return undefined;
      found.push(claim);
    }
    return found;
  }

  /** Returns the devices of a node, by driver. */
  devicesOn(nodeName: string): Amounts {
    const devices = this.devicesByNode.get(nodeName) ?? new Map<string, bigint>();
    return new Map([...devices].map(([driver, count]) => [formatDriverResource(driver), count]));
  }

  /**
   * Returns what the claims of a pod use of a resource named as in a quota.
   *
   * Source: k/k pkg/quota/v1/evaluator/core/resource_claims.go, since 1.34; `addExtendedResourceQuota`, since 1.36.
   */
  computeQuotaUse(podSpec: unknown, namespace: string, resource: string): bigint {
    return this.countQuotaUse(resource, () => this.claimsOf(podSpec, namespace));
  }

  /** Returns what the claims of a namespace use of a resource that no pod owns: those that users create. */
  computeQuotaUseOfClaims(namespace: string, resource: string): bigint {
    return this.countQuotaUse(resource, () => {
      const own = [...this.claims.values()].filter(
        (claim) => (namespaceOf(claim) ?? 'default') === namespace && findControllingOwner(claim)?.kind !== 'Pod',
      );
      return { claims: own.length, requests: own.flatMap((claim) => getListAt(claim, 'spec', 'devices', 'requests').flatMap(readRequest)) };
    });
  }

  /** Returns the classes whose devices a resource of a quota counts. */
  private listCountedClasses(resource: string): readonly string[] {
    const deviceClass = /^(.+)\.deviceclass\.resource\.k8s\.io\/devices$/.exec(resource)?.[1];
    if (deviceClass !== undefined) return [deviceClass];
    if (!this.usesExtendedResources) return [];
    const implicit = `requests.${IMPLICIT_PREFIX}`;
    return resource.startsWith(implicit) ? [resource.slice(implicit.length)] : (this.classesOfResource.get(resource) ?? []);
  }

  /** Counts what claims use of a resource named as in a quota. */
  private countQuotaUse(resource: string, listClaims: () => Omit<PodClaims, 'isCountable'>): bigint {
    if (resource === 'count/resourceclaims.resource.k8s.io') return BigInt(listClaims().claims) * NANOS_PER_UNIT;
    const classes = this.listCountedClasses(resource);
    if (classes.length === 0) return 0n;
    const requests = listClaims().requests.filter(({ deviceClass }) => classes.includes(deviceClass));
    return requests.reduce((total, { count }) => total + BigInt(count) * NANOS_PER_UNIT, 0n);
  }
}

/** Returns the name under which the devices of a driver are counted. */
function formatDriverResource(driver: string): string {
  return `devices of ${driver}`;
}

/** Returns the only driver whose devices a class selects. Returns undefined if the class may select by anything else. */
function readDriver(deviceClass: Manifest): string | undefined {
  const selectors = getListAt(deviceClass, 'spec', 'selectors');
  const expression = getValueAt(selectors[0], 'cel', 'expression');
  if (selectors.length !== 1 || typeof expression !== 'string') return undefined;
  return /^\s*device\.driver\s*==\s*(["'])([^"'\\]+)\1\s*$/.exec(expression)?.[2];
}

/** Returns the devices of the input. */
export const deviceInventoryOf = memoizePerPlan((context) => new DeviceInventory(context));
