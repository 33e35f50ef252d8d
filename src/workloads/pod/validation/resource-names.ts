import { TEXT_FORMATS } from './formats';

/* Names of resources. Source: k/k pkg/apis/core/helper/helpers.go. */

const HUGE_PAGES_PREFIX = 'hugepages-';
const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

export function isHugePageResource(name: string): boolean {
  return name.startsWith(HUGE_PAGES_PREFIX);
}

/** What stands behind `hugepages-`. */
export function parseHugePageSize(name: string): string {
  return name.slice(HUGE_PAGES_PREFIX.length);
}

export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A device plugin's, which has to be whole, and alike in requests and limits. */
export function isExtendedResourceName(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && TEXT_FORMATS['qualified-name'].matches(`requests.${name}`);
}

/** Of a container, without a domain in front. */
export function isPlainResource(name: string): boolean {
  return PLAIN_RESOURCES.includes(name) || isHugePageResource(name);
}

/** May a limit be more than what is requested? */
export function canOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePageResource(name);
}

/** What a quota counts. */
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

/** Of a quota, without a domain in front. */
export function isQuotaResource(name: string): boolean {
  return (
    COUNT_QUOTA_RESOURCES.includes(name) ||
    COMPUTE_QUOTA_RESOURCES.includes(name) ||
    name === 'requests.storage' ||
    isHugePageResource(name) ||
    name.startsWith('requests.hugepages-')
  );
}

/** Known at all, without a domain in front. */
export function isStandardResource(name: string): boolean {
  return name === 'storage' || isQuotaResource(name);
}

/** Has an amount of it to be whole? */
export function isIntegerResource(name: string): boolean {
  return COUNT_QUOTA_RESOURCES.includes(name) || isExtendedResourceName(name);
}
