import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { escapeForTerminal } from '../core/text/escape-output';
import { buildInputSchema, toCommandLine } from './tools';
import type { Tool, ToolCommand, ToolLimits } from './tools';

/** What a command printed. */
export interface CommandOutput {
  /** 0 or 1 for a result, 2 if the command could not run. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a server offers. */
export interface ServerOptions extends ToolLimits {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Runs a command in the first root. */
  readonly run: (command: ToolCommand) => Promise<CommandOutput>;
}

/** Thrown if the requests of the agent cannot be read. The cause is the error of the operating system. */
export class StandardInputError extends Error {
  override readonly name = 'StandardInputError';
}

const CANNOT_RUN = 2;

/** Errors that the agent can fix, by name, since a bundle has its own copies of classes. */
const INPUT_ERRORS: ReadonlySet<string> = new Set(['RootError', 'ToolInputError', 'UsageError']);

const toResult = (text: string, isError: boolean): CallToolResult => ({ content: [{ type: 'text', text }], ...(isError && { isError }) });

async function callTool(name: string, input: Readonly<Record<string, unknown>>, options: ServerOptions): Promise<CallToolResult> {
  const tool = options.tools.find((known) => known.name === name);
  if (!tool) return toResult(escapeForTerminal(`there is no tool ${name.slice(0, 100)}`), true);
  try {
    const { exitCode, stdout, stderr } = await options.run(toCommandLine(tool, input, options));
    if (exitCode === CANNOT_RUN) return toResult(stderr.trim(), true);
    const { content } = toResult(stdout, false);
    // Standard error has the configuration that is used, and the commands of git and kubectl.
    return { content: stderr === '' ? content : [...content, { type: 'text', text: stderr.trim() }] };
  } catch (error) {
    const isInputError = error instanceof Error && INPUT_ERRORS.has(error.name);
    if (isInputError) return toResult(escapeForTerminal(error.message), true);
    throw error;
  }
}

/** Creates a server whose tools only read. */
export function createServer(options: ServerOptions): Server {
  const server = new Server({ name: 'rolloutkit', version: options.version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: options.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: buildInputSchema(tool),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: options.allowsCluster },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(params.name, params.arguments ?? {}, options));
  return server;
}

/**
 * Serves on standard input and output until the agent closes them.
 *
 * @throws StandardInputError if standard input cannot be read
 */
export async function connectStdio(options: ServerOptions): Promise<void> {
  const server = createServer(options);
  const closed = new Promise<void>((done, fail) => {
    process.stdin
      .once('end', done)
      .once('close', done)
      .once('error', (cause) => fail(new StandardInputError(cause.message, { cause })));
    // An agent that ends may close its side of the pipe first.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? done() : fail(error)));
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
