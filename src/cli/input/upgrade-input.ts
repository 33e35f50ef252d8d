import { compareVersions, getProduct } from '../../core/values/versions';
import type { PlanDocument } from '../../core/document/plan-document';
import { escapeForTerminal } from '../../core/text/escape-output';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { SourceMap } from '../../input/source-map';
import type { VersionPair } from '../../upgrade/upgrade-row';
import type { Product } from '../../core/values/versions';
import { applyGuardrailPolicy } from '../../change/compare/apply-guardrails';
import { alignWithSnapshot, isClusterSource, readClusterSources, reportDetectedVersions, withCluster } from './cluster-input';
import { joinFiles } from './change-input';
import { readInputFiles, readSide, readStdin, resolveRunOptions, withUsageErrors } from './input';
import type { InputOptions } from '../options/input-options';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { assertAllRead } from './unread-input';

/** Options about the objects of an upgrade. */
export interface UpgradeInputOptions extends InputOptions {
  readonly from?: readonly string[];
  readonly namespace?: readonly string[];
  readonly oldConfig?: readonly string[];
  readonly newConfig?: readonly string[];
}

/** Everything that an upgrade is planned from. */
export interface UpgradeInput {
  /** Objects that do not change. */
  readonly input: PlanInput;
  /** The operator's own objects of each version. Undefined if none are given. */
  readonly configs: { readonly old?: PlanInput; readonly next?: PlanInput };
  readonly planOptions: PlanOptions;
  /** Applies the configuration and the guardrails to a plan. */
  readonly finish: (plan: PlanDocument) => PlanDocument;
}

type ProductUpgrade = VersionPair & { readonly product: Product };

/** Warns if the cluster runs another version than the one that the upgrade is planned from. */
function warnOfOtherVersion(running: string | undefined, { product, from }: ProductUpgrade, io: Io): void {
  if (running === undefined || compareVersions(running, from) === 0) return;
  const { name } = getProduct(product);
  io.stderr.write(escapeForTerminal(`rolloutkit: the cluster runs ${name} ${running}, and the upgrade is planned from ${from}`) + '\n');
}

/**
 * Reads the objects of an upgrade: those of the paths, or those of a cluster. With both, the paths name what is read from the cluster.
 *
 * @throws UsageError if the command cannot run
 */
export function readUpgradeInput(
  paths: readonly string[],
  upgrade: ProductUpgrade,
  options: UpgradeInputOptions,
  io: Io,
): Promise<UpgradeInput> {
  return withUsageErrors(async () => {
    const { from = [], namespace = [], oldConfig, newConfig } = options;
    if (paths.length > 0 && from.length > 0 && !from.some(isClusterSource))
      throw new UsageError('a PATH names what is read from a cluster, and --from names no cluster; omit one of them');
    const locations = new SourceMap();
    const run = resolveRunOptions(paths, options, io, locations);
    const { budget, configured, definitions, trustsInput, planOptions, policy } = run;
    const named = [...paths, ...from, ...(oldConfig ?? []), ...(newConfig ?? [])];
    const stdin = await readStdin(named, io, budget);
    const read = (files: Parameters<typeof readSide>[0], names: readonly string[]) =>
      readSide(files, options, { paths: names, locations, budget, configured, definitions, trustsInput }, io);
    const readPaths = (names: readonly string[]) => read(readInputFiles(names, stdin, io, run), names);
    const manifests = paths.length === 0 ? undefined : readPaths(paths);
    if (from.length > 0) assertAllRead(manifests?.findings);
    const clusters = await readClusterSources(from, () => manifests?.objects ?? [], io, {
      namespaces: namespace,
      readsAllNamespaces: true,
      budget,
    });
    const live =
      from.length === 0
        ? undefined
        : read(
            joinFiles(
              from.map((value) => ({
                files: isClusterSource(value) ? [clusters.get(value)!] : readInputFiles([value], stdin, io, run),
              })),
            ),
            from,
          );
    // What is not read may roll, and no manifest names it.
    const { old, header } = alignWithSnapshot(live ?? manifests!, { objects: [] }, [...paths, ...from], 'warning');
    const { isSurrounding: _, isUnread: __, refuseNewObject: ___, ...input } = old;
    if (header) reportDetectedVersions(header, io);
    warnOfOtherVersion(header?.detectedVersions[upgrade.product], upgrade, io);
    return {
      input,
      configs: { ...(oldConfig && { old: readPaths(oldConfig) }), ...(newConfig && { next: readPaths(newConfig) }) },
      planOptions: header ? { ...planOptions, versions: { ...header.detectedVersions, ...planOptions.versions } } : planOptions,
      finish: (plan) => {
        const settled = withCluster(run.applySettings(plan), header);
        return applyGuardrailPolicy(settled, input, policy, budget);
      },
    };
  });
}
