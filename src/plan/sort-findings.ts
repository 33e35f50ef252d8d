import type { Finding } from '../core/finding';

/** Sorts findings by their position in the input. Findings without a position come last, in their order. */
export function sortByInputOrder(findings: readonly Finding[], fileOrder: readonly string[]): Finding[] {
  const positions = new Map(fileOrder.map((file, position) => [file, position]));
  const fileOf = ({ source }: Finding) => (source && positions.get(source.file)) ?? fileOrder.length;
  return findings.toSorted((a, b) => {
    const byFile = fileOf(a) - fileOf(b);
    if (byFile !== 0 || fileOf(a) === fileOrder.length) return byFile;
    return a.source!.line - b.source!.line || (a.source!.column ?? 0) - (b.source!.column ?? 0);
  });
}
