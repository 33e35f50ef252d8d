import { KNOWN_LATER_PREFIX, isKnownLater } from '../../core/manifest/known-later';
import { getListAt, getValueAt, isClassInstance, isFields } from '../../core/manifest/manifest';
import { compareVersions } from '../../core/values/versions';
import { getFlag, getProgramName, getVariable, parseContainerCommand } from './command-words';
import type { ContainerCommand } from './command-words';

/** Server programs whose reaction to SIGTERM is known. */
export type ServerName =
  | 'vLLM'
  | 'SGLang'
  | 'Text Generation Inference'
  | 'Triton'
  | 'the model server of KServe'
  | 'uvicorn'
  | 'gunicorn'
  | 'hypercorn'
  | 'nginx';

/** How long a server finishes its running requests after SIGTERM. */
export interface ServerDrain {
  readonly server: ServerName;
  /** Seconds until it ends although requests run: 0 if it aborts them, Infinity if it waits for all. Undefined if the manifest does not show it. */
  readonly seconds: number | undefined;
  /** Flag that sets it: `--shutdown-timeout`. */
  readonly option?: string;
  /** Version of the server that added the flag. @default - all known versions have it */
  readonly optionSince?: string;
  /** Whether the version of the image does not know the flag. */
  readonly isTooOld: boolean;
  /** Whether the user sets it, rather than the server's own default. */
  readonly isSet: boolean;
  /** Whether it stops listening at SIGTERM, so that new connections are refused. */
  readonly stopsListening: boolean;
}

interface Server {
  readonly name: ServerName;
  /** Programs, and modules of `python -m`. */
  readonly programs: readonly string[];
  /** Repositories of images that start it. */
  readonly images?: readonly string[];
  /** What such an image runs: the server with the arguments, the arguments as a command, or the server only without arguments. @default server */
  readonly imageRuns?: 'server' | 'args' | 'server-without-args';
  readonly option?: string;
  /** Version of the server that added the flag. @default - all known versions have it */
  readonly optionSince?: string;
  /** Environment variable about the drain. */
  readonly variable?: string;
  /** What the variable has: the seconds, further flags, or whether requests are aborted. @default seconds */
  readonly variableHas?: 'seconds' | 'flags' | 'abort';
  /** Flags that name a file, which may set the option too. A flag counts before the file. */
  readonly configFlag?: { readonly long: string; readonly short?: string };
  /** Whether it ends requests early if it has several workers, so that no limit is known. */
  readonly needsOneWorker?: true;
  /** Default in seconds. */
  readonly seconds: number;
  readonly stopsListening: boolean;
}

/** Names of the servers that KServe ships, which are images of `kserve/` and Python modules. */
const KSERVE_SERVERS: readonly string[] = ['sklearnserver', 'xgbserver', 'lgbserver', 'pmmlserver', 'paddleserver', 'huggingfaceserver'];

/**
 * Servers by what they do at SIGTERM.
 *
 * Sources: vLLM pull requests 34730 and 36666; SGLang 0.5.23 tokenizer_manager.py; Text Generation Inference launcher/src/main.rs; Triton
 * src/command_line_parser.h; KServe python/kserve model_server.py and rest/server.py; the Dockerfile of nginx has STOPSIGNAL SIGQUIT.
 * uvicorn 0.54, gunicorn 27.0 and hypercorn 0.18 were run: `oracle/servers`.
 */
const SERVERS: readonly Server[] = [
  {
    name: 'vLLM',
    programs: ['vllm', 'vllm.entrypoints.openai.api_server'],
    images: ['vllm/vllm-openai'],
    option: '--shutdown-timeout',
    optionSince: '0.18.0',
    configFlag: { long: '--config' },
    seconds: 0,
    stopsListening: true,
  },
  {
    name: 'SGLang',
    programs: ['sglang.launch_server'],
    variable: 'SGL_FORCE_SHUTDOWN',
    variableHas: 'abort',
    seconds: Infinity,
    stopsListening: false,
  },
  {
    name: 'Text Generation Inference',
    programs: ['text-generation-launcher'],
    images: ['ghcr.io/huggingface/text-generation-inference'],
    seconds: 90,
    stopsListening: false,
  },
  {
    name: 'Triton',
    programs: ['tritonserver'],
    images: ['nvcr.io/nvidia/tritonserver'],
    imageRuns: 'args',
    option: '--exit-timeout-secs',
    seconds: 30,
    stopsListening: false,
  },
  {
    name: 'the model server of KServe',
    programs: KSERVE_SERVERS,
    images: KSERVE_SERVERS.map((name) => `kserve/${name}`),
    seconds: 30,
    stopsListening: true,
  },
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
    variableHas: 'flags',
    configFlag: { long: '--config', short: '-c' },
    seconds: 30,
    stopsListening: true,
  },
  {
    name: 'hypercorn',
    programs: ['hypercorn'],
    option: '--graceful-timeout',
    configFlag: { long: '--config', short: '-c' },
    needsOneWorker: true,
    seconds: 3,
    stopsListening: true,
  },
  {
    name: 'nginx',
    programs: [],
    images: ['nginx', 'library/nginx'],
    imageRuns: 'server-without-args',
    seconds: Infinity,
    stopsListening: false,
  },
];

/** Hosts of Docker Hub, which the name of an image may leave out. */
const DOCKER_HUB_HOSTS: readonly string[] = ['', 'docker.io/', 'index.docker.io/', 'registry-1.docker.io/'];

/** Servers by each name of the repository of their images. */
const SERVERS_BY_REPOSITORY: ReadonlyMap<string, Server> = new Map(
  SERVERS.flatMap((server) =>
    (server.images ?? []).flatMap((image) => DOCKER_HUB_HOSTS.map((host) => [`${host}${image}`, server] as const)),
  ),
);

/** Returns the server that an image starts, and the tag of the image. */
function findServerOfImage(image: unknown): { readonly server: Server | undefined; readonly tag: string } {
  if (typeof image !== 'string') return { server: undefined, tag: '' };
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  const [repository, tag] = colon < 0 ? [name, ''] : [name.slice(0, colon), name.slice(colon + 1)];
  return { server: SERVERS_BY_REPOSITORY.get(repository), tag };
}

const PYTHON = /^python(?:3(?:\.\d+)?)?$/;

/** Programs that start another one and pass SIGTERM on to it. */
const INIT_PROGRAMS: ReadonlySet<string> = new Set(['tini', 'dumb-init']);

/** The program that words run, and its arguments. */
interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

/** Returns the program that words run: the module of `python -m`, what `tini --` starts, or the name of the first word. */
function findProgram(words: readonly string[]): Program | undefined {
  let start = 0;
  while (start < words.length && INIT_PROGRAMS.has(getProgramName(words[start]!))) start += words[start + 1] === '--' ? 2 : 1;
  const [first, ...rest] = words.slice(start);
  if (first === undefined) return undefined;
  const name = getProgramName(first);
  if (!PYTHON.test(name)) return { name, args: rest };
  // Options of Python without a value, such as `-u`.
  const module = rest.findIndex((word) => !/^-[bBdEiIOPqsSuv]+$/.test(word));
  const moduleName = rest[module] === '-m' ? rest[module + 1] : undefined;
  return moduleName === undefined ? undefined : { name: moduleName, args: rest.slice(module + 2) };
}

/** The server of a container, and the arguments that it gets. */
interface FoundServer {
  readonly server: Server;
  readonly args: readonly string[];
}

function findServer(container: unknown, { words, isEntrypoint }: ContainerCommand): FoundServer | undefined {
  if (isEntrypoint) {
    const { server } = findServerOfImage(getValueAt(container, 'image'));
    if (server?.imageRuns !== 'args') return server && (!server.imageRuns || words.length === 0) ? { server, args: words } : undefined;
  }
  return findServerByProgram(words);
}

function findServerByProgram(words: readonly string[]): FoundServer | undefined {
  const program = findProgram(words);
  const server = program && SERVERS.find(({ programs }) => programs.includes(program.name));
  // `vllm bench` is no server.
  return server && !(program.name === 'vllm' && program.args[0] !== 'serve') ? { server, args: program.args } : undefined;
}

function parseSeconds(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Reports whether arguments name a file of options: `--config FILE`, `-c FILE`, `-cFILE`, or a beginning of the long flag. */
function hasConfigFile(args: readonly string[], { configFlag }: Server): boolean {
  if (configFlag === undefined) return false;
  const hasLong = getFlag(args, configFlag.long) !== null;
  return hasLong || (configFlag.short !== undefined && args.some((word) => word.startsWith(configFlag.short!)));
}

/** Reports whether arguments ask for several workers, or do not show how many: `--workers 2`, `-w2`. */
function mayHaveWorkers(args: readonly string[]): boolean {
  const long = getFlag(args, '--workers');
  const short = args.findIndex((word) => word.startsWith('-w'));
  const words = short < 0 ? null : args[short]!.length > 2 ? args[short]!.slice(2) : args[short + 1];
  return (long !== null && long !== '1') || (words !== null && words !== '1');
}

/** Reports whether commands before the server may set a variable of it. */
function maySetVariable(setup: string, variable: string): boolean {
  return setup.includes(variable) || /(?:^|[\s;&|])(?:source|\.|export\s+\$|set\s+-a)\s/.test(setup);
}

/** Returns a variable of the server: its text, null if there is none, undefined if the manifest does not show it. */
function readVariable(container: unknown, { variable }: Server, setup: string): string | null | undefined {
  if (variable === undefined) return null;
  return maySetVariable(setup, variable) ? undefined : getVariable(container, variable);
}

/** Returns the drain limit that flags or a variable set; null if neither sets it, undefined if the manifest does not show it. */
function findSetSeconds(container: unknown, args: readonly string[], server: Server, setup: string): number | null | undefined {
  const { option } = server;
  if (server.needsOneWorker && (mayHaveWorkers(args) || hasConfigFile(args, server))) return undefined;
  if (option !== undefined) {
    const value = getFlag(args, option);
    if (value !== null) return value === undefined ? undefined : parseSeconds(value);
  }
  const variable = readVariable(container, server, setup);
  if (variable === undefined) return undefined;
  if (server.variableHas === 'flags' && option !== undefined && variable !== null) {
    const flags = variable.split(/\s+/);
    const value = getFlag(flags, option);
    if (value !== null) return value === undefined ? undefined : parseSeconds(value);
    if (hasConfigFile(flags, server)) return undefined;
  }
  if (hasConfigFile(args, server)) return undefined;
  if (variable === null || server.variableHas === 'flags') return null;
  if (server.variableHas === 'abort') return ['1', 'true'].includes(variable.toLowerCase()) ? 0 : null;
  return parseSeconds(variable);
}

/** Reports whether the image has a version of the server that does not know its option. Only the server's own images show a version. */
function isBeforeOption(container: unknown, server: Server): boolean {
  const { optionSince } = server;
  const image = findServerOfImage(getValueAt(container, 'image'));
  const version = /^v?(\d+\.\d+(?:\.\d+)?)$/.exec(image.tag)?.[1];
  return optionSince !== undefined && version !== undefined && image.server === server && compareVersions(version, optionSince) < 0;
}

/** Reports whether a container gets another signal than SIGTERM. */
function hasOtherSignal(container: unknown): boolean {
  const signal = getValueAt(container, 'lifecycle', 'stopSignal');
  return signal !== undefined && signal !== null && signal !== 'SIGTERM';
}

/** Returns a container with a text in place of each word that is a token, so that the other words can be read. */
function withReadableWords(container: unknown): unknown {
  if (!isFields(container)) return container;
  const fields = ['command', 'args'].filter((field) => getListAt(container, field).some(isClassInstance));
  if (fields.length === 0) return container;
  const words = fields.map((field) => [
    field,
    getListAt(container, field).map((word) => (isClassInstance(word) ? KNOWN_LATER_PREFIX : word)),
  ]);
  return { ...container, ...Object.fromEntries(words) };
}

/** Reports whether the word that would show the server of a container is known only later. */
export function isServerKnownLater(container: unknown): boolean {
  const readable = withReadableWords(container);
  const command = parseContainerCommand(readable);
  if (!command) return false;
  const { server } = findServerOfImage(getValueAt(container, 'image'));
  // The words of such a container are arguments of a known program.
  if (command.isEntrypoint && server?.imageRuns !== 'args') return false;
  const { name, args } = findProgram(command.words) ?? {};
  return isKnownLater(name) || (name === 'vllm' && isKnownLater(args?.[0]));
}

/** Returns how a container's server drains; undefined if the manifest does not show which server it is. */
export function getServerDrain(written: unknown): ServerDrain | undefined {
  const container = withReadableWords(written);
  const command = parseContainerCommand(container);
  const found = command && findServer(container, command);
  if (!found || hasOtherSignal(container)) return undefined;
  const { server, args } = found;
  const { name, option, optionSince, seconds, stopsListening } = server;
  const isTooOld = isBeforeOption(container, server);
  const set = findSetSeconds(container, args, server, command.setup ?? '');
  return {
    server: name,
    // A version without the option refuses to start with it.
    seconds: set === null ? seconds : isTooOld ? undefined : set,
    ...(option !== undefined && { option }),
    ...(option !== undefined && optionSince !== undefined && { optionSince }),
    isTooOld,
    isSet: typeof set === 'number' && !isTooOld,
    stopsListening,
  };
}
