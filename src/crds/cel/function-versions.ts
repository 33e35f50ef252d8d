/* Versions of Kubernetes that introduced functions. Source: apiserver v0.34 pkg/cel/environment/base.go, `IntroducedVersion`. */

function tagWithVersion(version: string, names: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, version] as const);
}

const FIRST_VERSION = '1.0';

/** Version that introduced each function, and each macro that the parser does not expand, such as `all` with two variables. */
export const FUNCTION_SINCE: ReadonlyMap<string, string> = new Map([
  ...tagWithVersion(
    FIRST_VERSION,
    'size contains endsWith startsWith matches bool bytes double duration dyn int string timestamp type uint',
  ),
  ...tagWithVersion(
    FIRST_VERSION,
    'getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds',
  ),
  ...tagWithVersion(FIRST_VERSION, 'charAt indexOf lastIndexOf join lowerAscii upperAscii replace split substring trim'),
  ...tagWithVersion(
    FIRST_VERSION,
    'url isURL getScheme getHost getHostname getPort getEscapedPath getQuery find findAll isSorted sum min max',
  ),
  ...tagWithVersion('1.28', 'optional_field__ optional_index__ optional_entry__ optional.of optional.none optional.ofNonZeroValue'),
  ...tagWithVersion('1.28', 'hasValue value or orValue optMap optFlatMap'),
  ...tagWithVersion('1.28', 'quantity isQuantity sign isInteger asInteger asApproximateFloat add sub isGreaterThan isLessThan compareTo'),
  ...tagWithVersion('1.29', 'format strings.quote sets.contains sets.equivalent sets.intersects'),
  ...tagWithVersion(
    '1.30',
    'ip isIP ip.isCanonical family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
  ),
  ...tagWithVersion('1.30', 'cidr isCIDR containsIP containsCIDR prefixLength masked'),
  ...tagWithVersion('1.31', 'validate format.named format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName'),
  ...tagWithVersion('1.31', 'format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue'),
  ...tagWithVersion('1.31', 'format.uri format.uuid format.byte format.date format.datetime'),
  ...tagWithVersion('1.32', 'all exists exists_one existsOne transformList transformMap transformMapEntry'),
  ...tagWithVersion('1.33', 'first last optional.unwrap unwrapOpt semver isSemver major minor patch'),
  ...tagWithVersion('1.34', 'slice flatten sort sortBy distinct reverse lists.range'),
]);
