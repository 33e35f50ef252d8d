import type { Command } from 'commander';
import { APPLY_MODES } from '../../core/document/change';
import type { Severity } from '../../core/findings/finding';
import { FAIL_THRESHOLDS, SEVERITIES } from '../../core/findings/severity';
import type { FailThreshold } from '../../core/findings/severity';
import { joinWords } from '../../core/text/text-format';
import { ASSUMED_STARTUP_SECONDS } from '../../core/values/startup-seconds';
import { PRODUCTS, getProduct } from '../../core/values/versions';
import type { Product } from '../../core/values/versions';
import { BUDGET_NAMES, DEFAULT_BUDGET } from '../../input/read-budget';
import { OUTPUT_FORMATS, listFormats } from './formats';
import type { FormattedCommand } from './formats';
import { UsageError } from '../output/io';

export function splitAtCommas(value: string, previous: readonly string[] = []): string[] {
  return [
    ...previous,
    ...value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ];
}

/** Splits pairs such as `seconds=60,file-megabytes=5`. @throws UsageError for two values of one name */
export function splitPairs(value: string, previous: readonly string[] = []): string[] {
  const pairs = splitAtCommas(value, previous);
  const nameOf = (pair: string) => pair.split('=')[0]!.trim();
  for (const [index, pair] of pairs.entries()) {
    const other = pairs.slice(0, index).find((each) => nameOf(each) === nameOf(pair) && each !== pair);
    if (other !== undefined) throw new UsageError(`${other} and ${pair} contradict each other; write only one of them`);
  }
  return pairs;
}

export function appendValue(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

export function addPaths(command: Command): Command {
  return command.argument('<PATH...>', 'files, folders (every .yaml, .yml and .json below), or - for standard input');
}

/** Formats the supported versions of a product: `kserve (0.15 to 0.20)`. */
function formatVersionRange(product: Product): string {
  const { oldest, newest } = getProduct(product);
  return `${product} (${oldest} to ${newest})`;
}

/** Each budget with its default: `file-megabytes (100), …`. */
export const BUDGET_TEXT = BUDGET_NAMES.map((name) => `${name} (${DEFAULT_BUDGET[name]})`).join(', ');

export function addInputOptions(command: Command): Command {
  return command
    .option(
      '--clusters <FILE>',
      'Fleet inventory: Cluster and ClusterGroup objects, or {"clusters": […], "groups": […]}; repeatable',
      appendValue,
    )
    .option('--kserve-config <FILE>', 'the ConfigMap inferenceservice-config, or the JSON of its deploy key')
    .option('--versions <PRODUCT=VERSION,...>', `versions to plan for: ${PRODUCTS.map(formatVersionRange).join(', ')}`, splitPairs)
    .option('--never-ready <NAME,...>', 'clusters that never become ready after the update, but are ready before it', splitAtCommas)
    .option('--not-ready-now <NAME,...>', 'clusters that are down before the update and stay down', splitAtCommas)
    .option(
      '--startup-seconds <N|FILE>',
      `seconds until a pod is ready, or a file that verify --write-startup wrote (default: ${command.name() === 'advise' ? ASSUMED_STARTUP_SECONDS : 0})`,
    )
    .option(
      '--config <FILE>',
      'configuration file (default: rolloutkit.yaml next to the PATH or above it, else in the working directory or above it, up to the root of the repository)',
    )
    .option('--no-config', 'use no configuration file')
    .option('--budget <NAME=N,...>', `limits of a run: ${BUDGET_TEXT}`, splitPairs)
    .option(
      '--crds <PATH>',
      'validate objects against the CustomResourceDefinitions of a file or folder, as the API server does; repeatable',
      appendValue,
    )
    .option('--capacity <FILE>', 'capacity of the cluster: {"total": …, "free": …, "nodePools": […]}, or its Nodes as kubectl lists them')
    .option('--render', 'run kustomize build (or kubectl kustomize) and helm template on their folders, and plan the output')
    .option('--values <FILE>', 'values file for the charts that --render renders; repeatable', appendValue)
    .option('--exclude <GLOB>', 'exclude files and folders below a PATH: testdata, **/*.test.yaml; repeatable', appendValue);
}

export function addFromOption(command: Command): Command {
  return command.option(
    '--from <OLD>',
    'plan the change from OLD: a file, a folder, - (such as kubectl get -o yaml), git:REVISION[:PATH], or cluster[:CONTEXT]; repeatable',
    appendValue,
  );
}

export function addChangeOptions(command: Command): Command {
  return addFromOption(command)
    .option(`--apply <MODE>`, `how the change reaches the cluster: ${APPLY_MODES.join(', ')} (default: as OLD and the repository show)`)
    .option('--prune', 'delete objects that are in OLD but not in the new manifests');
}

export const MIN_SEVERITY_TEXT = 'minimum severity to show: error, warning or info (default: info)';

/** Adds the options that select what a plan shows. */
export function addViewOptions(command: Command): Command {
  return command
    .option('--details <LEVEL>', 'rollouts to show the waves of: none, findings or all (default: all for up to 10 rollouts, else findings)')
    .option('--resource <KIND/[NAMESPACE/]NAME>', 'show only this resource; repeatable', appendValue)
    .option('--namespace <NAMESPACE>', 'show only this namespace; repeatable', appendValue)
    .option('--min-severity <SEVERITY>', MIN_SEVERITY_TEXT);
}

export function addDisplayOptions(command: Command): Command {
  return addViewOptions(command).option('--width <PIXELS>', 'width of --format svg (default: 760)');
}

export function addPolicyOption(command: Command): Command {
  return command.option(
    '--policy <FILE>',
    'guardrails of a platform team that every rollout must keep; plans every file, whatever its name or folder',
  );
}

export function addFormatOptions(command: Command, name: FormattedCommand): Command {
  return command
    .option('--format <FORMAT>', listFormats(name), OUTPUT_FORMATS[name][0])
    .option('--output <FILE>', 'write to this file, completely or not at all, and print nothing');
}

/** Options of a command that plans a change if it gets an OLD. */
export interface ChangeOptionsOfCommand {
  readonly from?: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
}

/** @throws UsageError for an option about a change without an OLD */
export function assertChangeOptions({ from = [], apply, prune = false }: ChangeOptionsOfCommand): void {
  if (from.length > 0 || (apply === undefined && !prune)) return;
  throw new UsageError(`${prune ? '--prune' : '--apply'} applies only to a change; name the current manifests with --from`);
}

/** @throws UsageError with the supported severities */
export function parseMinSeverity(given: string | undefined): Severity {
  const severity = SEVERITIES.find((known) => known === (given ?? 'info'));
  if (!severity) throw new UsageError(`--min-severity ${given} is not a severity; write ${joinWords(SEVERITIES, 'or')}`);
  return severity;
}

/** @throws UsageError with the supported thresholds */
export function parseThreshold(given: string): FailThreshold {
  const threshold = FAIL_THRESHOLDS.find((known) => known === given);
  if (!threshold) throw new UsageError(`--fail-on ${given} is not a threshold; write ${joinWords(FAIL_THRESHOLDS, 'or')}`);
  return threshold;
}
