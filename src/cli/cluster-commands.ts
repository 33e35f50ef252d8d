import type { Command } from 'commander';
import { formatExamples } from './commands/command';
import type { CommandContext } from './commands/command';
import { EXIT_CODES } from './output/exit-codes';
import { BUDGET_TEXT, addFormatOptions, appendValue, splitAtCommas } from './options/option-groups';
import type { SnapshotCommandOptions } from './commands/snapshot';
import type { VerifyCommandOptions } from './commands/verify';

export function addSnapshot(program: Command, { io, load, setResult }: CommandContext): void {
  program
    .command('snapshot')
    .description('Save what a cluster runs, as kubectl reads it, for plans that need no cluster. Changes nothing.')
    .argument('[PATH...]', 'manifests to apply: their objects are read, and what surrounds them (default: everything in the namespaces)')
    .option('--context <CONTEXT>', 'context of kubectl (default: the current one)')
    .option(
      '--namespace <NAMESPACE>',
      'read this namespace too; repeatable (default: those of the manifests, else that of the context)',
      appendValue,
    )
    .option('--output <FILE>', 'write the snapshot to this file, completely or not at all')
    .option('--exclude <GLOB>', 'exclude files and folders below a PATH; repeatable', appendValue)
    .option('--render', 'run kustomize build (or kubectl kustomize) and helm template on their folders, and read the output')
    .option('--values <FILE>', 'values file for the charts that --render renders; repeatable', appendValue)
    .option('--budget <NAME=N,...>', `limits of a run: ${BUDGET_TEXT}`, splitAtCommas)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit snapshot dist/ --output snapshot.json',
        'rolloutkit snapshot --context prod --namespace shop --namespace models --output snapshot.json',
        'rolloutkit plan --from snapshot.json dist/',
      ) +
        `
${EXIT_CODES.snapshot}`,
    )
    .action(async (paths: string[], options: SnapshotCommandOptions) => {
      const { runSnapshotCommand } = load().snapshot();
      setResult(await runSnapshotCommand(paths, options, io), options.output);
    });
}

export function addVerify(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('verify')
    .description('Follow the rollouts of a plan in the cluster, and compare them with it wave by wave. Changes nothing.')
    .argument('<PLAN>', 'the output of plan --format json, or - for standard input')
    .allowExcessArguments(false)
    .option('--context <CONTEXT>', 'context of kubectl (default: that of the plan, else the current one)')
    .option('--events <FILE>', 'compare with recorded events: the output of kubectl get --watch --output-watch-events --output=json, or -')
    .option('--timeout <DURATION>', 'stop following after this time', '30m')
    .option('--write-startup <FILE>', 'write how long new pods took to become ready to this file, for --startup-seconds of later plans');
  addFormatOptions(command, 'verify')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit plan --from cluster --format json --output plan.json dist/',
        'kubectl apply -f dist/ && rolloutkit verify plan.json',
        'rolloutkit verify plan.json --events events.json --format json',
      ) + `\n${EXIT_CODES.verify}`,
    )
    .action(async (plan: string, options: VerifyCommandOptions) => {
      const { runVerifyCommand } = load().verify();
      setResult(await runVerifyCommand(plan, options, io), options.output);
    });
}
