import { parsePlanDocument } from '../../change/diff/previous-plan';
import { escapeForTerminal } from '../../core/text/escape-output';
import { parseGoDuration } from '../../core/values/go-duration';
import { getValueAt } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import type { VerifiedRollout, VerifyReport } from '../../core/document/verify-report';
import { DEFAULT_BUDGET } from '../../input/read-budget';
import { readContext } from '../../live/collect-snapshot';
import { followCluster } from '../../live/verify/follow-cluster';
import { formatStartupFile } from '../../live/verify/startup-file';
import { PlanVerifier } from '../../live/verify/verify-plan';
import { EventReader, EventStreamError } from '../../live/verify/watch-events';
import type { WatchEvent } from '../../live/verify/watch-events';
import { formatResourceLabel } from '../../render/findings/text-findings';
import { renderVerifyJson, renderVerifyText } from '../../render/text/verify';
import { createKubectl, withClusterErrors } from '../input/cluster-input';
import { limitSeconds } from '../input/time-limit';
import { EXIT } from '../output/exit-codes';
import { getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import { readStdin, withUsageErrors } from '../input/input';
import { selectMedium, UsageError } from '../output/io';
import type { CommandResult, Io } from '../output/io';
import { readOptionFile, STDIN } from '../options/option-file';
import { toSafeNumber } from '../../core/text/value-text';

export interface VerifyCommandOptions {
  readonly context?: string;
  readonly events?: string;
  readonly timeout: string;
  readonly format: string;
  readonly writeStartup?: string;
  readonly output?: string;
}

const RENDERERS: Renderers<'verify', VerifyReport> = { text: renderVerifyText, json: renderVerifyJson };

const NANOS_PER_MILLISECOND = 1_000_000n;

/** @throws UsageError for a text that is not a duration above 0 */
function parseTimeout(text: string): number {
  const nanos = parseGoDuration(text);
  if (nanos === undefined || nanos <= 0n) throw new UsageError(`--timeout ${text} is not a duration; write one such as 90s, 30m or 1h30m`);
  return Number(nanos / NANOS_PER_MILLISECOND);
}

/** Reads a file, or standard input if it is `-`. */
async function readText(path: string, role: string, io: Io): Promise<string> {
  const content = path === STDIN ? (await readStdin([STDIN], io, DEFAULT_BUDGET))!.content : readOptionFile(path, io.cwd, role);
  return Buffer.from(content as Uint8Array).toString('utf8');
}

async function readPlan(path: string, io: Io): Promise<PlanDocument> {
  if (path === '')
    throw new UsageError(
      'the PLAN is empty, perhaps because a shell variable is not set; name the output of rolloutkit plan --format json',
    );
  const plan = await withUsageErrors(async () => parsePlanDocument(await readText(path, 'the plan to verify', io), path));
  if (plan) return plan;
  throw new UsageError(`${path} is not a plan document; name the output of rolloutkit plan --format json`);
}

/**
 * Sorts events by the version that the server gives each change of any object, since kubectl records one type per file. Without these
 * versions they stay as they are.
 */
function sortByResourceVersion(events: readonly WatchEvent[]): readonly WatchEvent[] {
  const versionOf = ({ object }: WatchEvent) => toSafeNumber(getValueAt(object, 'metadata', 'resourceVersion') ?? NaN);
  return events.some((event) => Number.isNaN(versionOf(event))) ? events : events.toSorted((a, b) => versionOf(a) - versionOf(b));
}

/** Compares the plan with recorded events, one after the other. @throws UsageError if that takes longer than the timeout */
async function replayEvents(verifier: PlanVerifier, path: string, timeout: number, io: Io): Promise<void> {
  const text = await readText(path, 'given with --events', io);
  const replay = () => {
    for (const event of sortByResourceVersion(new EventReader().read(text))) {
      verifier.load([event]);
      verifier.compare();
    }
  };
  try {
    limitSeconds(timeout / 1_000, 'comparing the plan with the recorded events', replay, { raise: 'raise --timeout' });
  } catch (error) {
    if (!(error instanceof EventStreamError)) throw error;
    throw new UsageError(
      `${path}, given with --events: ${error.message}; record them with kubectl get --watch --output-watch-events --output=json`,
    );
  }
}

/** Follows the rollouts in a cluster, and logs each change of a result. */
function followRollouts(plan: PlanDocument, { context, timeout }: VerifyCommandOptions, io: Io): Promise<PlanVerifier> {
  const milliseconds = parseTimeout(timeout);
  return withClusterErrors(async () => {
    const limit = { seconds: milliseconds / 1_000, raise: 'raise --timeout' };
    const limited = createKubectl(io, limit, 'name events that were recorded elsewhere with --events');
    const { kubectl, defaultNamespace } = await readContext(limited, context ?? plan.cluster?.context);
    const verifier = new PlanVerifier(plan, defaultNamespace);
    const onNote = (text: string) => io.stderr.write(`rolloutkit: ${escapeForTerminal(text)}\n`);
    const onChange = ({ resource, message }: VerifiedRollout) => onNote(`${formatResourceLabel(resource)}: ${message}`);
    if (verifier.size > 0) await followCluster(kubectl, verifier, { timeout: milliseconds, onChange, onNote });
    return verifier;
  });
}

/** Runs `rolloutkit verify`, which fails if a rollout does not end as planned. */
export async function runVerifyCommand(path: string, options: VerifyCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const { events, writeStartup } = options;
  const timeout = parseTimeout(options.timeout);
  if (path === STDIN && events === STDIN) throw new UsageError('- is given for the plan and for --events; name a file for one of them');
  const plan = await readPlan(path, io);
  const recorded = new PlanVerifier(plan);
  if (recorded.size === 0 && recorded.report().rollouts.length > 0) {
    throw new UsageError(`${path} plans no Deployment, StatefulSet or DaemonSet, and verify follows only those`);
  }
  if (events !== undefined) await replayEvents(recorded, events, timeout, io);
  const verifier = events === undefined && recorded.size > 0 ? await followRollouts(plan, options, io) : recorded;
  const report = verifier.report();
  return {
    text: render(report, selectMedium(io, options.output)),
    ...(writeStartup !== undefined && { files: [{ path: writeStartup, text: formatStartupFile(report) }] }),
    exitCode: report.endedAsPlanned ? EXIT.done : EXIT.failed,
  };
}
