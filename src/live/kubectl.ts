import { spawn } from 'node:child_process';

/** Error of a cluster that cannot be read. Its message is one line that says what is wrong and what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/** Commands of kubectl that this program runs. All of them only read. */
export type ReadCommand = 'get' | 'version' | 'api-resources' | 'config current-context' | 'config view';

/** Environment in which kubectl runs. */
export interface KubectlEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each command before it runs: `kubectl --context=prod get pods …`. */
  readonly log: (command: string) => void;
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

/** Prefix of a klog line: severity, date, time, process, position. It is removed so that a message is the same on every run. */
const KLOG_PREFIX = /^[EFIW]\d{4} [\d:.]+ +\d+ [^\]]*\] /;

/** Returns the last line of an error output. kubectl repeats a connection error several times and prints the summary last. */
export function getLastErrorLine(stderr: string): string {
  return (stderr.trim().split('\n').at(-1) ?? '').replace(KLOG_PREFIX, '').replace(/^error: /, '');
}

/** Runs kubectl in one context. */
export class Kubectl {
  /** @param context - the context; undefined for commands that need none */
  constructor(
    private readonly environment: KubectlEnvironment,
    readonly context?: string,
  ) {}

  /** Returns this kubectl with another context. */
  withContext(context: string): Kubectl {
    return new Kubectl(this.environment, context);
  }

  /**
   * Runs a command to its end.
   *
   * @throws ClusterError if kubectl is not installed
   */
  async run(command: ReadCommand, args: readonly string[] = []): Promise<KubectlResult> {
    const chunks: Buffer[] = [];
    let size = 0;
    const { ended, stop } = this.start(command, args, (chunk) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) stop();
      else chunks.push(chunk);
    });
    const result = await ended;
    if (size > MAX_OUTPUT_BYTES) throw new ClusterError(`kubectl ${command} prints more than 512 MB; name fewer namespaces`);
    return { ...result, stdout: Buffer.concat(chunks) };
  }

  /** Starts a command and passes on its output as it arrives. */
  start(command: ReadCommand, args: readonly string[], onOutput: (chunk: Buffer) => void): KubectlWatch {
    const all = [...(this.context === undefined ? [] : [`--context=${this.context}`]), ...command.split(' '), ...args];
    this.environment.log(['kubectl', ...all].join(' '));
    const child = spawn('kubectl', all, {
      cwd: this.environment.cwd,
      env: this.environment.env,
      shell: false,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stdout.on('data', onOutput);
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 65_536) stderr += chunk.toString('utf8');
    });
    const ended = new Promise<KubectlResult>((done, fail) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        fail(
          new ClusterError(
            error.code === 'ENOENT'
              ? 'kubectl is not installed; install it, or name a file that rolloutkit snapshot wrote elsewhere'
              : `kubectl cannot be run: ${error.message}`,
          ),
        ),
      );
      child.on('close', (code, signal) => done({ stdout: Buffer.alloc(0), stderr, succeeded: code === 0, ...(signal && { signal }) }));
    });
    const stop = () => {
      child.kill();
      // A program that kubectl started, such as one for credentials, may keep its output open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    return { ended, stop };
  }
}
