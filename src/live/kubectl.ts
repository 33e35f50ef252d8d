import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { formatTimeout } from '../core/budget/timeout-message';
import type { TimeoutDetails } from '../core/budget/timeout-message';
import { cleanUpAtEnd } from '../input/clean-up-at-end';

/** Error of a cluster that cannot be read. Its message is one line that says what is wrong and what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/** Commands of kubectl that this program runs. All of them only read. */
export type ReadCommand = 'get' | 'version' | 'api-resources' | 'config current-context' | 'config view';

/** Limit of the time for all commands, with what to do about it. */
export interface KubectlLimit extends Omit<TimeoutDetails, 'effect'> {
  readonly seconds: number;
}

/** Environment in which kubectl runs. */
export interface KubectlEnvironment {
  /** Path of kubectl; undefined if it is not installed. */
  readonly program: string | undefined;
  /** What to do without kubectl, other than to install it: `name a snapshot`. @default - nothing */
  readonly instead?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each command before it runs: `kubectl --context=prod get pods …`. */
  readonly log: (command: string) => void;
  /** Limit of the time from the first kubectl of the environment until each command must have ended, watches excepted. */
  readonly limit: KubectlLimit;
}

/** Outcome of one command. */
export interface KubectlResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Whether the command succeeded. */
  readonly succeeded: boolean;
  /** Signal that ended it. @default - none did */
  readonly signal?: string;
}

/** A watch that runs until it is stopped or the connection ends. */
export interface KubectlWatch {
  /** Settles when kubectl ends. */
  readonly ended: Promise<KubectlResult>;
  readonly stop: () => void;
}

/** Maximum output of one command, in bytes. JavaScript strings cannot be much longer. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Longest delay of a timer of JavaScript, in milliseconds. */
const MAX_TIMER_MILLISECONDS = 2_147_483_647;

/** Prefix of a klog line: severity, date, time, process, position. It is removed so that a message is the same on every run. */
const KLOG_PREFIX = /^[EFIW]\d{4} [\d:.]+ +\d+ [^\]]*\] /;

/** Returns a line of the error output of kubectl, or of a program like it, without the prefix of klog. */
export function stripKlogPrefix(line: string): string {
  return line.replace(KLOG_PREFIX, '');
}

/** Reports whether a line of the error output says that the user may not do something. */
export function isForbidden(line: string): boolean {
  return line.includes('(Forbidden)');
}

/** Returns the last line of an error output. kubectl repeats a connection error several times and prints the summary last. */
export function getLastErrorLine(stderr: string): string {
  return stripKlogPrefix(stderr.trim().split('\n').at(-1) ?? '').replace(/^error: /, '');
}

/** Describes how a command failed: by its last line, or by how it ended. */
export function describeFailure({ stderr, signal }: KubectlResult): string {
  if (signal !== undefined) return `kubectl was ended by ${signal}`;
  return getLastErrorLine(stderr) || 'kubectl fails';
}

/** Returns the home folder of the user of the process, or the root of the file system if the user has none. */
function findHome(): string {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : resolve('/');
  } catch {
    return resolve('/');
  }
}

/**
 * Returns an environment with a home folder. Without one, kubectl reads `.kube/config` in its working directory, and runs the programs that it names.
 *
 * Source: client-go util/homedir/homedir.go `HomeDir`, tools/clientcmd/loader.go `RecommendedConfigDir`; Kubernetes 1.34
 */
function withHome(env: KubectlEnvironment['env']): KubectlEnvironment['env'] {
  const { HOME, HOMEDRIVE, HOMEPATH, USERPROFILE } = env;
  const isSet = process.platform === 'win32' ? [HOME, HOMEDRIVE && HOMEPATH, USERPROFILE].some(Boolean) : Boolean(HOME);
  return isSet ? env : { ...env, HOME: findHome() };
}

function createStartError({ message }: Error): ClusterError {
  return new ClusterError(`kubectl cannot be run: ${message}`);
}

/** @throws ClusterError for arguments that are too long: Node.js emits no event for them */
function spawnProgram(program: string, args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>) {
  try {
    return spawn(program, args, { ...options, shell: false, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw createStartError(error as Error);
  }
}

/** Runs kubectl in one context. */
export class Kubectl {
  /** @param context - the context; undefined for commands that need none */
  constructor(
    private readonly environment: KubectlEnvironment,
    readonly context?: string,
    private readonly startedAt = Date.now(),
  ) {}

  /** Returns this kubectl with another context, and the same time left. */
  withContext(context: string): Kubectl {
    return new Kubectl(this.environment, context, this.startedAt);
  }

  private createTimeoutError(command: string): ClusterError {
    const { seconds, ...advice } = this.environment.limit;
    return new ClusterError(formatTimeout('reading the cluster', seconds, { ...advice, effect: `and ${command} was not finished` }));
  }

  /**
   * Runs a command to its end.
   *
   * @throws ClusterError if kubectl is not installed, or if the time is over
   */
  async run(command: ReadCommand, args: readonly string[] = []): Promise<KubectlResult> {
    const remaining = this.startedAt + this.environment.limit.seconds * 1_000 - Date.now();
    const createTimeoutError = () => this.createTimeoutError(['kubectl', command, ...args.slice(0, 1)].join(' '));
    if (remaining <= 0) throw createTimeoutError();
    const chunks: Buffer[] = [];
    let size = 0;
    let isLate = false;
    const { ended, stop } = this.start(command, args, (chunk) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) stop();
      else chunks.push(chunk);
    });
    const expire = () => {
      isLate = true;
      stop();
    };
    const timer = setTimeout(expire, Math.min(remaining, MAX_TIMER_MILLISECONDS));
    const result = await ended.finally(() => clearTimeout(timer));
    if (isLate) throw createTimeoutError();
    if (size > MAX_OUTPUT_BYTES) throw new ClusterError(`kubectl ${command} prints more than 512 MB; name fewer namespaces`);
    return { ...result, stdout: Buffer.concat(chunks) };
  }

  /** Starts a command and passes on its output as it arrives. */
  start(command: ReadCommand, args: readonly string[], onOutput: (chunk: Buffer) => void): KubectlWatch {
    const all = [...(this.context === undefined ? [] : [`--context=${this.context}`]), ...command.split(' '), ...args];
    // Node.js would fail with an internal error.
    if (all.some((arg) => arg.includes('\0')))
      throw new ClusterError('a name or namespace of the input contains a NUL character, so no command can name it; correct it');
    const { program, cwd, env, instead } = this.environment;
    if (program === undefined)
      throw new ClusterError(`kubectl is not installed; install it${instead === undefined ? '' : `, or ${instead}`}`);
    this.environment.log(['kubectl', ...all].join(' '));
    const child = spawnProgram(program, all, { cwd, env: withHome(env) });
    let stderr = '';
    child.stdout.on('data', onOutput);
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 65_536) stderr += chunk.toString('utf8');
    });
    const stop = () => {
      // Each command only reads, and one that ignores SIGTERM must not keep the run from ending.
      child.kill('SIGKILL');
      // A program that kubectl started, such as one for credentials, may keep its output open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const cancelStop = cleanUpAtEnd(stop);
    const ended = new Promise<KubectlResult>((done, fail) => {
      child.on('error', (error) => fail(createStartError(error)));
      child.on('close', (code, signal) => done({ stdout: Buffer.alloc(0), stderr, succeeded: code === 0, ...(signal && { signal }) }));
    }).finally(cancelStop);
    return { ended, stop };
  }
}
