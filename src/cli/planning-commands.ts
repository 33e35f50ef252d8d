import { PREFERENCES } from '../core/document/advice';
import { APPLY_MODES } from '../core/document/change';
import type { Command } from 'commander';
import { FAIL_THRESHOLDS } from '../core/findings/severity';
import { joinWords } from '../core/text/text-format';
import { UPGRADABLE_PRODUCTS } from '../core/values/versions';
import type { AdviseCommandOptions } from './commands/advise';
import type { CheckCommandOptions } from './commands/check';
import { formatExamples } from './commands/command';
import type { CommandContext } from './commands/command';
import type { DiffCommandOptions } from './commands/diff';
import { EXIT, EXIT_CODES } from './output/exit-codes';
import type { ExplainCommandOptions } from './commands/explain';
import type { FixCommandOptions } from './commands/fix';
import { listFormats } from './options/formats';
import {
  MIN_SEVERITY_TEXT,
  addChangeOptions,
  addDisplayOptions,
  addFormatOptions,
  addFromOption,
  addInputOptions,
  addPaths,
  addPolicyOption,
  addViewOptions,
  appendValue,
} from './options/option-groups';
import type { PlanCommandOptions } from './commands/plan';
import type { UpgradeCommandOptions } from './commands/upgrade';

export function addPlan(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program.command('plan').description('Show how the rollouts of manifests will proceed, before they are applied.');
  addFormatOptions(addPolicyOption(addDisplayOptions(addChangeOptions(addInputOptions(addPaths(command))))), 'plan')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit plan dist/',
        'kubectl kustomize overlays/prod | rolloutkit plan -',
        'rolloutkit plan --from git:origin/main dist/',
        'rolloutkit plan --from cluster:staging dist/',
        'rolloutkit plan --format json --output plan.json manifests/',
      ) + `\n${EXIT_CODES.plan}`,
    )
    .action(async (paths: string[], options: PlanCommandOptions) => {
      const { runPlanCommand } = load().plan();
      setResult(await runPlanCommand(paths, options, io), options.output);
    });
}

export function addCheck(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program.command('check').description('List the findings, and fail if one is at or above a threshold.');
  addPolicyOption(addChangeOptions(addInputOptions(addPaths(command))))
    .option('--format <FORMAT[=FILE]>', `${listFormats('check')}, printed or written to the file; repeatable`, appendValue)
    .option('--output <FILE>', 'write the printed output to this file, completely or not at all')
    .option('--baseline <FILE>', 'ignore the findings that this file lists')
    .option('--write-baseline <FILE>', 'write the current findings to this file, and ignore them')
    .option('--plan <FILE>', 'also fail if the objects are not those of this output of plan --format json')
    .option('--min-severity <SEVERITY>', MIN_SEVERITY_TEXT)
    .option('--show-suppressed', 'also list suppressed findings, each with its reason')
    .option(
      '--fail-on <SEVERITY>',
      `exit with ${EXIT.failed} at this severity or above: ${joinWords(FAIL_THRESHOLDS, 'or')}`,
      FAIL_THRESHOLDS[0],
    )
    .option(
      '--require-planned',
      'also fail if the input contains workload kinds that rolloutkit does not support, and plan every file, whatever its name or folder',
    )
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit check dist/',
        'rolloutkit check --from git:origin/main --fail-on warning dist/',
        'rolloutkit check --fail-on warning --versions kubernetes=1.35 manifests/',
        'rolloutkit check --format text --format sarif=rolloutkit.sarif --baseline baseline.json manifests/',
      ) + `\n${EXIT_CODES.check}`,
    )
    .action(async (paths: string[], options: CheckCommandOptions) => {
      const { runCheckCommand } = load().check();
      setResult(await runCheckCommand(paths, options, io), options.output);
    });
}

export function addExplain(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('explain')
    .description('Show which level of configuration decides each field of a rollout, and which levels are overridden.');
  addFormatOptions(addInputOptions(addPaths(command)), 'explain')
    .option('--resource <KIND/[NAMESPACE/]NAME>', 'the resource to explain (default: every planned resource)')
    .option('--component <NAME>', 'one component: predictor, worker, transformer, …')
    .option('--field <NAME>', 'one field: maxSurge')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit explain dist/',
        'rolloutkit explain dist/ --resource InferenceService/models/iris --component predictor --field maxSurge',
        'rolloutkit explain --format json dist/',
      ) + `\n${EXIT_CODES.explain}`,
    )
    .action(async (paths: string[], options: ExplainCommandOptions) => {
      const { runExplainCommand } = load().explain();
      setResult(await runExplainCommand(paths, options, io), options.output);
    });
}

export function addDiff(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('diff')
    .description('Show what applying NEW over OLD does, and which rollouts become riskier or safer.')
    .argument(
      '<OLD>',
      'a file, a folder, git:REVISION[:PATH], cluster[:CONTEXT], the output of plan --format json, or - for standard input',
    )
    .argument('<NEW>', 'a file, a folder, the output of plan --format json if OLD is one, or - for standard input unless OLD is -')
    .allowExcessArguments(false);
  addFormatOptions(addInputOptions(command), 'diff')
    .option('--apply <MODE>', `how the change reaches the cluster: ${APPLY_MODES.join(', ')} (default: as OLD and the repository show)`)
    .option('--prune', 'delete objects that are in OLD but not in NEW')
    .option('--fail-on-riskier', `exit with ${EXIT.failed} if a rollout becomes riskier, or if a side cannot be read completely`)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit diff main/dist/ dist/',
        'kubectl get deployments -A -o yaml | rolloutkit diff - dist/',
        'rolloutkit diff --format markdown --fail-on-riskier old.yaml new.yaml',
      ) + `\n${EXIT_CODES.diff}`,
    )
    .action(async (oldPath: string, newPath: string, options: DiffCommandOptions) => {
      const { runDiffCommand } = load().diff();
      setResult(await runDiffCommand(oldPath, newPath, options, io), options.output);
    });
}

export function addFix(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('fix')
    .description('Apply suggested fixes to the files: only those that need no decision and that a new plan shows to be harmless.')
    .argument('<PATH...>', 'files and folders');
  addFormatOptions(addPolicyOption(addChangeOptions(addInputOptions(command))), 'fix')
    .option('--rule <CODE>', 'fix only the findings of this rule; repeatable', appendValue)
    .option('--dry-run', 'show the differences without writing them')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit fix dist/',
        'rolloutkit fix --dry-run manifests/',
        'rolloutkit fix --rule kubernetes/quoted-integer apps/',
      ) + `\n${EXIT_CODES.fix}`,
    )
    .action(async (paths: string[], options: FixCommandOptions) => {
      const { runFixCommand } = load().fix();
      setResult(await runFixCommand(paths, options, io), options.output);
    });
}

export function addAdvise(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('advise')
    .description('Show which rollout strategy meets a goal, under the quotas, nodes, budgets and autoscalers in view.');
  addFormatOptions(addFromOption(addInputOptions(addPaths(command))), 'advise')
    .option('--available <N|P%>', 'fewest pods (or groups of pods) available at any time: 6, or 75% of the replicas')
    .option('--extra-pods <N|P%>', 'most extra pods: 2, or 25% of all pods')
    .option('--extra-gpus <N>', 'most GPUs that extra pods request')
    .option('--within <DURATION>', 'longest time: 15m, 1h30m, 90s')
    .option('--prefer <WHAT>', `what decides among strategies that meet the goal: ${joinWords(PREFERENCES, 'or')}`, PREFERENCES[0])
    .option('--resource <KIND/[NAMESPACE/]NAME>', 'advise only on this resource; repeatable', appendValue)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit advise dist/',
        'rolloutkit advise --from cluster dist/',
        'rolloutkit advise dist/ --resource Deployment/models/llm --available 6 --extra-gpus 2 --within 15m --startup-seconds 90',
        'rolloutkit advise --available 75% --extra-pods 25% --prefer cheap --format markdown manifests/',
      ) + `\n${EXIT_CODES.advise}`,
    )
    .action(async (paths: string[], options: AdviseCommandOptions) => {
      const { runAdviseCommand } = load().advise();
      setResult(await runAdviseCommand(paths, options, io), options.output);
    });
}

export function addUpgrade(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('upgrade')
    .description('Show which pods roll when an operator or Kubernetes itself is upgraded, although no manifest changes.')
    .argument('<OPERATOR=FROM..TO>', `kserve=0.17..0.20; the operators are ${joinWords(UPGRADABLE_PRODUCTS)}`)
    .argument('[PATH...]', 'files, folders (every .yaml, .yml and .json below), or - for standard input')
    .option(
      '--from <CLUSTER>',
      'plan what runs in cluster[:CONTEXT], in all namespaces or each --namespace, or what a snapshot contains',
      appendValue,
    )
    .option('--old-config <PATH>', "the operator's own ConfigMaps, presets and runtimes before the upgrade; repeatable", appendValue)
    .option(
      '--new-config <PATH>',
      'the same after the upgrade; repeatable (default: those that the versions ship, where known)',
      appendValue,
    )
    .option('--fail-on <SEVERITY>', `exit with ${EXIT.failed} at this severity or above: ${joinWords(FAIL_THRESHOLDS, 'or')}`, 'never');
  addFormatOptions(addPolicyOption(addViewOptions(addInputOptions(command))), 'upgrade')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit upgrade kserve=0.17..0.20 models/',
        'rolloutkit upgrade kserve=0.17..0.20 --from cluster:prod --namespace models',
        'rolloutkit upgrade kserve=0.17..0.20 models/ --old-config kserve-0.17.yaml --new-config kserve-0.20.yaml',
        'rolloutkit upgrade lws=0.7..0.9 --capacity nodes.json --fail-on warning sets/',
      ) + `\n${EXIT_CODES.upgrade}`,
    )
    .action(async (upgrade: string, paths: string[], options: UpgradeCommandOptions) => {
      const { runUpgradeCommand } = load().upgrade();
      setResult(await runUpgradeCommand(upgrade, paths, options, io), options.output);
    });
}
