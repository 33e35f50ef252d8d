import { FORMATS } from './formats';

/* Names of resources. Source: k/k pkg/apis/core/helper/helpers.go. */

const HUGE_PAGES = 'hugepages-';
const PLAIN_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** What stands behind `hugepages-`. */
export function pageSizeOf(name: string): string {
  return name.slice(HUGE_PAGES.length);
}

export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A device plugin's, which has to be whole, and alike in requests and limits. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && FORMATS['qualified-name'].fits(`requests.${name}`);
}

/** Of a container, without a domain in front. */
export function isPlainResource(name: string): boolean {
  return PLAIN_RESOURCES.includes(name) || isHugePages(name);
}

/** May a limit be more than what is requested? */
export function mayOvercommit(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** What a quota counts. */
const COUNTED = [
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
const MEASURED = PLAIN_RESOURCES.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

/** Of a quota, without a domain in front. */
export function isQuotaResource(name: string): boolean {
  return (
    COUNTED.includes(name) ||
    MEASURED.includes(name) ||
    name === 'requests.storage' ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-')
  );
}

/** Known at all, without a domain in front. */
export function isStandardResource(name: string): boolean {
  return name === 'storage' || isQuotaResource(name);
}

/** Has an amount of it to be whole? */
export function isWhole(name: string): boolean {
  return COUNTED.includes(name) || isExtended(name);
}
