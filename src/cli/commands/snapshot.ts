import { EXIT } from '../output/exit-codes';
import { readSnapshot } from '../input/cluster-input';
import { readPlannableInput } from '../input/input';
import type { InputOptions } from '../options/input-options';
import { parseBudget } from '../options/plan-options';
import { assertAllRead } from '../input/unread-input';
import { UsageError } from '../output/io';
import type { CommandResult, Io } from '../output/io';

export interface SnapshotCommandOptions extends InputOptions {
  readonly context?: string;
  readonly namespace?: readonly string[];
  readonly output?: string;
}

/** Runs `rolloutkit snapshot`: reads from a cluster what the paths name and what surrounds it, and writes it to a file. */
export async function runSnapshotCommand(paths: readonly string[], options: SnapshotCommandOptions, io: Io): Promise<CommandResult> {
  const { context, namespace = [], output } = options;
  if (output === undefined) throw new UsageError('no file for the snapshot is given; name one with --output FILE');
  const budget = parseBudget(options.budget ?? []);
  const { objects, findings } = paths.length === 0 ? { objects: [], findings: [] } : (await readPlannableInput(paths, options, io)).input;
  assertAllRead(findings);
  const text = await readSnapshot(objects, { namespaces: namespace, budget, ...(context !== undefined && { context }) }, io);
  return { text, exitCode: EXIT.done };
}
