import { TEXT_FORMATS } from './formats';

/* Names of resources. Source: k/k pkg/apis/core/helper/helpers.go. */

const HUGE_PAGES_PREFIX = 'hugepages-';
const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

export function isHugePageResource(name: string): boolean {
  return name.startsWith(HUGE_PAGES_PREFIX);
}

/** Returns the part of the name after `hugepages-`. */
export function parseHugePageSize(name: string): string {
  return name.slice(HUGE_PAGES_PREFIX.length);
}

export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Reports whether a name is a resource of a device plugin, whose amount must be whole and equal in requests and limits. */
export function isExtendedResourceName(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && TEXT_FORMATS['qualified-name'].matches(`requests.${name}`);
}

/** Reports whether a name is a container resource without a domain. */
export function isPlainResource(name: string): boolean {
  return PLAIN_RESOURCES.includes(name) || isHugePageResource(name);
}

/** Reports whether a limit may exceed the request. */
export function canOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePageResource(name);
}

/** The resources that a quota counts as objects. */
const COUNT_QUOTA_RESOURCES = [
  'pods',
  'resourcequotas',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
];
const COMPUTE_QUOTA_RESOURCES = PLAIN_RESOURCES.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

/** Reports whether a name is a quota resource without a domain. */
export function isQuotaResource(name: string): boolean {
  return (
    COUNT_QUOTA_RESOURCES.includes(name) ||
    COMPUTE_QUOTA_RESOURCES.includes(name) ||
    name === 'requests.storage' ||
    isHugePageResource(name) ||
    name.startsWith('requests.hugepages-')
  );
}

/** Reports whether a name is any known resource without a domain. */
export function isStandardResource(name: string): boolean {
  return name === 'storage' || isQuotaResource(name);
}

/** Reports whether an amount of the resource must be whole. */
export function isIntegerResource(name: string): boolean {
  return COUNT_QUOTA_RESOURCES.includes(name) || isExtendedResourceName(name);
}
