/**
 * Reports whether a path matches a pattern. `*` matches any part of one name, `?` one character, `**` any number of folders.
 * A pattern that matches a folder matches everything below it.
 * The time grows with pattern length times path length for any input, since both may be untrusted.
 *
 * @example
 * matchesPattern('apps/**', 'apps/shop/web.yaml'); // true
 * matchesPattern('*.yaml', 'apps/web.yaml'); // false: * does not match a slash
 */
export function matchesPattern(pattern: string, path: string): boolean {
  const segments = splitSegments(pattern);
  // Positions in the pattern that the names so far can reach.
  let reachable = expandGlobstars(new Set([0]), segments);
  for (const name of splitSegments(path)) {
    const next = new Set<number>();
    for (const position of reachable) {
      if (segments[position] === '**') next.add(position);
      else if (position < segments.length && matchesName(segments[position]!, name)) next.add(position + 1);
    }
    reachable = expandGlobstars(next, segments);
    if (reachable.has(segments.length)) return true;
  }
  return false;
}

function splitSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** Adds the positions after each `**`, which can match no folder at all. */
function expandGlobstars(positions: Set<number>, segments: readonly string[]): ReadonlySet<number> {
  for (const position of positions) if (segments[position] === '**') positions.add(position + 1);
  return positions;
}

/** Reports whether a name matches a pattern. On a mismatch, the last star matches one more character. */
function matchesName(pattern: string, name: string): boolean {
  let [inPattern, inName, star, afterStar] = [0, 0, -1, 0];
  while (inName < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      afterStar = inName;
    } else if (inPattern < pattern.length && (pattern[inPattern] === '?' || pattern[inPattern] === name[inName])) {
      inPattern++;
      inName++;
    } else if (star >= 0) {
      inPattern = star + 1;
      inName = ++afterStar;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
