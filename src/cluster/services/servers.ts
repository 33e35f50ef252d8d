import { getListAt, getValueAt } from '../../core/manifest';
import { getFlag, getProgramName, parseContainerCommand } from './command-words';
import type { ContainerCommand } from './command-words';

/** Server programs whose reaction to SIGTERM is known. */
export type ServerName = 'vLLM' | 'SGLang' | 'Text Generation Inference' | 'Triton' | 'uvicorn' | 'gunicorn' | 'hypercorn' | 'nginx';

/** How long a server finishes its running requests after SIGTERM. */
export interface ServerDrain {
  readonly server: ServerName;
  /** Seconds until it ends although requests run: 0 if it aborts them, Infinity if it waits for all. Undefined if the manifest does not show it. */
  readonly seconds: number | undefined;
  /** Flag or variable that sets it: `--shutdown-timeout`. */
  readonly option?: string;
  /** Whether the user sets it, rather than the server's own default. */
  readonly isSet: boolean;
  /** Whether it stops listening at SIGTERM, so that new connections are refused. */
  readonly stopsListening: boolean;
}

interface Server {
  readonly name: ServerName;
  /** Programs, and modules of `python -m`. */
  readonly programs: readonly string[];
  /** Repositories of images whose entrypoint it is. */
  readonly images?: readonly string[];
  readonly option?: string;
  /** Environment variable with the same meaning, or with more flags. */
  readonly variable?: string;
  /** Flags that name a file, which may set the option too. */
  readonly configFlags?: readonly string[];
  /** Default in seconds. */
  readonly seconds: number;
  readonly stopsListening: boolean;
}

/**
 * Servers by what they do at SIGTERM.
 *
 * Sources: vLLM pull requests 34730 and 36666; SGLang 0.5.23 tokenizer_manager.py; Text Generation Inference launcher/src/main.rs; Triton
 * src/command_line_parser.h; uvicorn 0.54, gunicorn 27.0 and hypercorn 0.18 were run; the Dockerfile of nginx has STOPSIGNAL SIGQUIT.
 */
const SERVERS: readonly Server[] = [
  {
    name: 'vLLM',
    programs: ['vllm', 'vllm.entrypoints.openai.api_server'],
    images: ['vllm/vllm-openai'],
    option: '--shutdown-timeout',
    configFlags: ['--config'],
    seconds: 0,
    stopsListening: true,
  },
  { name: 'SGLang', programs: ['sglang.launch_server'], variable: 'SGL_FORCE_SHUTDOWN', seconds: Infinity, stopsListening: false },
  {
    name: 'Text Generation Inference',
    programs: ['text-generation-launcher'],
    images: ['ghcr.io/huggingface/text-generation-inference'],
    seconds: 90,
    stopsListening: false,
  },
  { name: 'Triton', programs: ['tritonserver'], option: '--exit-timeout-secs', seconds: 30, stopsListening: false },
  {
    name: 'uvicorn',
    programs: ['uvicorn'],
    option: '--timeout-graceful-shutdown',
    variable: 'UVICORN_TIMEOUT_GRACEFUL_SHUTDOWN',
    seconds: Infinity,
    stopsListening: true,
  },
  {
    name: 'gunicorn',
    programs: ['gunicorn'],
    option: '--graceful-timeout',
    variable: 'GUNICORN_CMD_ARGS',
    configFlags: ['--config', '-c'],
    seconds: 30,
    stopsListening: true,
  },
  {
    name: 'hypercorn',
    programs: ['hypercorn'],
    option: '--graceful-timeout',
    configFlags: ['--config', '-c'],
    seconds: 3,
    stopsListening: true,
  },
  { name: 'nginx', programs: [], images: ['nginx', 'library/nginx'], seconds: Infinity, stopsListening: false },
];

/** Returns the repository of an image without registry defaults, tag and digest: `vllm/vllm-openai`. */
function parseRepository(image: unknown): string {
  if (typeof image !== 'string') return '';
  const [name = ''] = image.split('@');
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  return (colon < 0 ? name : name.slice(0, colon)).replace(/^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io)\//, '');
}

function isPython(word: string): boolean {
  return /^python(?:3(?:\.\d+)?)?$/.test(getProgramName(word));
}

/** Returns the program that words run: the module of `python -m`, or the name of the first word. */
function findProgram([first, second, third]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return isPython(first) ? (second === '-m' ? third : undefined) : getProgramName(first);
}

function findServer(container: unknown, { words, isEntrypoint }: ContainerCommand): Server | undefined {
  if (isEntrypoint) {
    const repository = parseRepository(getValueAt(container, 'image'));
    return SERVERS.find(({ images }) => images?.includes(repository));
  }
  const program = findProgram(words);
  const server = program === undefined ? undefined : SERVERS.find(({ programs }) => programs.includes(program));
  // `vllm bench` is no server.
  return program === 'vllm' && words[1] !== 'serve' ? undefined : server;
}

/** Returns an environment variable: its text, null if there is none, undefined if its value is not in the manifest. */
function getVariable(container: unknown, name: string): string | null | undefined {
  if (getListAt(container, 'envFrom').length > 0) return undefined;
  const entry = getListAt(container, 'env').find((one) => getValueAt(one, 'name') === name);
  if (entry === undefined) return null;
  const value = getValueAt(entry, 'value');
  return typeof value === 'string' ? value : undefined;
}

function parseSeconds(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Returns the drain limit that flags or a variable set; null if neither sets it, undefined if the manifest does not show it. */
function findSetSeconds(
  container: unknown,
  words: readonly string[],
  { option, variable, configFlags = [] }: Server,
): number | null | undefined {
  if (option !== undefined) {
    const value = getFlag(words, option);
    if (value !== null) return value === undefined ? undefined : parseSeconds(value);
  }
  if (configFlags.some((flag) => words.some((word) => word === flag || word.startsWith(`${flag}=`)))) return undefined;
  const value = variable === undefined ? null : getVariable(container, variable);
  if (value === null || value === undefined) return value;
  if (variable === 'SGL_FORCE_SHUTDOWN') return ['1', 'true'].includes(value.toLowerCase()) ? 0 : null;
  const flag = variable === 'GUNICORN_CMD_ARGS' && option !== undefined ? getFlag(value.split(/\s+/), option) : value;
  return flag === null || flag === undefined ? flag : parseSeconds(flag);
}

/** Returns how a container's server drains; undefined if the manifest does not show which server it is. */
export function getServerDrain(container: unknown): ServerDrain | undefined {
  const command = parseContainerCommand(container);
  const server = command && findServer(container, command);
  if (!server) return undefined;
  const { name, option, seconds, stopsListening } = server;
  const set = findSetSeconds(container, command.words, server);
  return {
    server: name,
    seconds: set === null ? seconds : set,
    ...(option !== undefined && { option }),
    isSet: typeof set === 'number',
    stopsListening,
  };
}
