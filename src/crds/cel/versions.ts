/* Since which version of Kubernetes an expression may call what. Source: apiserver v0.34 pkg/cel/environment/base.go, `IntroducedVersion`. */

function since(version: string, names: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, version] as const);
}

const ALWAYS = '1.0';

/** The version that brought each function, and each macro that the parser leaves: `all` with two variables. */
export const SINCE: ReadonlyMap<string, string> = new Map([
  ...since(ALWAYS, 'size contains endsWith startsWith matches bool bytes double duration dyn int string timestamp type uint'),
  ...since(ALWAYS, 'getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds'),
  ...since(ALWAYS, 'charAt indexOf lastIndexOf join lowerAscii upperAscii replace split substring trim'),
  ...since(ALWAYS, 'url isURL getScheme getHost getHostname getPort getEscapedPath getQuery find findAll isSorted sum min max'),
  ...since('1.28', 'optional_field__ optional_index__ optional_entry__ optional.of optional.none optional.ofNonZeroValue'),
  ...since('1.28', 'hasValue value or orValue optMap optFlatMap'),
  ...since('1.28', 'quantity isQuantity sign isInteger asInteger asApproximateFloat add sub isGreaterThan isLessThan compareTo'),
  ...since('1.29', 'format strings.quote sets.contains sets.equivalent sets.intersects'),
  ...since('1.30', 'ip isIP ip.isCanonical family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast'),
  ...since('1.30', 'cidr isCIDR containsIP containsCIDR prefixLength masked'),
  ...since('1.31', 'validate format.named format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName'),
  ...since('1.31', 'format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue'),
  ...since('1.31', 'format.uri format.uuid format.byte format.date format.datetime'),
  ...since('1.32', 'all exists exists_one existsOne transformList transformMap transformMapEntry'),
  ...since('1.33', 'first last optional.unwrap unwrapOpt semver isSemver major minor patch'),
  ...since('1.34', 'slice flatten sort sortBy distinct reverse lists.range'),
]);
