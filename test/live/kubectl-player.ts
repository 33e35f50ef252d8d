import type { RecordedAnswer } from './recordings';

/** A resource type of a played API server. */
export interface PlayedType {
  readonly plural: string;
  readonly shortName?: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/** An event that a played watch prints. */
export interface PlayedEvent {
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR';
  readonly object: object;
}

/** What a played kubectl answers. */
export interface PlayedCluster {
  /** Recorded answers to the same commands. @default - those of the objects */
  readonly answers?: readonly RecordedAnswer[];
  /** Answers to the commands that contain a text, by that text. The others get those of the objects. @default - none */
  readonly failures?: Readonly<Record<string, PlayedAnswer>>;
  /** Current context. @default - none is set */
  readonly currentContext?: string;
  /** Namespace of the context. @default - the context names none */
  readonly namespace?: string;
  readonly serverVersion?: string;
  readonly types?: readonly PlayedType[];
  readonly objects?: readonly object[];
  /** Types that the user may not read; `*` as the namespace means all namespaces together. */
  readonly forbidden?: readonly { readonly resource: string; readonly namespace?: string }[];
  readonly isUnreachable?: boolean;
  readonly watches?: readonly PlayedEvent[];
  /** Whether watches stay open after their events. */
  readonly keepsWatching?: boolean;
  /** Text that each watch prints instead of events. @default - none */
  readonly watchText?: string;
  /** Signal that ends each watch at once. @default - none */
  readonly killedBy?: 'SIGKILL';
}

/** A played cluster with all of its defaults. */
export type PlayedRecording = PlayedCluster & {
  readonly serverVersion: string;
  readonly types: readonly PlayedType[];
  readonly objects: readonly object[];
};

/** What a played kubectl prints, and how it ends. */
export interface PlayedAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  /** Exit code. @default 0 */
  readonly status?: number;
  /** Whether it runs on until it is killed. @default false */
  readonly isOpen?: boolean;
  /** Whether it is ended by SIGKILL. @default false */
  readonly isKilled?: boolean;
}

interface PlayedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type?: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The arguments of a kubectl. Values of flags follow an equals sign. */
class Arguments {
  readonly words: readonly string[];

  constructor(private readonly all: readonly string[]) {
    this.words = all.filter((argument) => !argument.startsWith('--'));
  }

  valueOf(flag: string): string | undefined {
    return this.all.find((argument) => argument.startsWith(`--${flag}=`))?.slice(flag.length + 3);
  }

  has(flag: string): boolean {
    return this.all.includes(`--${flag}`);
  }
}

function fail(message: string): PlayedAnswer {
  return { stderr: `${message}\n`, status: 1 };
}

function isTypeOf({ plural, group, version }: PlayedType, resource: string): boolean {
  const [name, ...rest] = resource.split('.');
  return name === plural && [group, `${version}.${group}`].includes(rest.join('.'));
}

function isSelected(object: PlayedObject, selector: string | undefined): boolean {
  if (selector === 'type!=helm.sh/release.v1') return object.type !== 'helm.sh/release.v1';
  return !selector?.startsWith('metadata.name=') || object.metadata.name === selector.slice('metadata.name='.length);
}

function getObjects({ types, objects, forbidden = [] }: PlayedRecording, given: Arguments): PlayedAnswer {
  const [, resource = '', ...names] = given.words;
  const type = types.find((each) => isTypeOf(each, resource));
  if (!type) return fail(`error: the server doesn't have a resource type "${resource}"`);
  const { plural, group, kind } = type;
  const namespace = given.valueOf('namespace');
  if (forbidden.some((rule) => rule.resource === resource && (rule.namespace === undefined || rule.namespace === (namespace ?? '*')))) {
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const what = `User "jane" cannot list resource "${plural}" in API group "${group}" ${where}`;
    return fail(`Error from server (Forbidden): ${resource} is forbidden: ${what}`);
  }
  const selector = given.valueOf('field-selector');
  const found = (objects as readonly PlayedObject[]).filter((object) => {
    const groupOfObject = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
    if (object.kind !== kind || groupOfObject !== group || (namespace !== undefined && object.metadata.namespace !== namespace))
      return false;
    return isSelected(object, selector) && (names.length === 0 || names.includes(object.metadata.name));
  });
  if (names.length !== 1)
    return { stdout: JSON.stringify({ apiVersion: 'v1', items: found, kind: 'List', metadata: { resourceVersion: '' } }) };
  return found.length === 0 ? {} : { stdout: JSON.stringify(found[0]) };
}

/** Prints the events of a type. */
function watch({ watches = [], watchText = '', keepsWatching = false, killedBy }: PlayedRecording, given: Arguments): PlayedAnswer {
  const [, resource] = given.words;
  const namespace = given.valueOf('namespace');
  const events = watches.filter((event) => {
    const { metadata } = event.object as Partial<PlayedObject>;
    return event.resource === resource && (namespace === undefined || metadata?.namespace === namespace);
  });
  const text = events.map(({ type, object }) => `${JSON.stringify({ type, object }, undefined, 4)}\n`).join('');
  return { stdout: `${watchText}${text}`, isOpen: keepsWatching, isKilled: killedBy !== undefined };
}

const UNREACHABLE =
  'E1128 08:52:16.000000   42 memcache.go:265] "Unhandled Error" err="couldn\'t get current server API group list"\nThe connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?';

function getVersion({ currentContext, isUnreachable, serverVersion }: PlayedRecording, given: Arguments): PlayedAnswer {
  const context = given.valueOf('context') ?? currentContext;
  if (context !== currentContext) return fail(`error: context "${context}" does not exist`);
  if (isUnreachable) return fail(UNREACHABLE);
  return { stdout: JSON.stringify({ clientVersion: { gitVersion: 'v1.34.4' }, serverVersion: { gitVersion: serverVersion } }) };
}

function listTypes({ types }: PlayedRecording): PlayedAnswer {
  const lines = types.map(({ plural, shortName = '', group, version, kind, isNamespaced }) =>
    [plural, shortName, group === '' ? version : `${group}/${version}`, isNamespaced, kind].join('   '),
  );
  return { stdout: lines.join('\n') };
}

/** Answers as kubectl does to the arguments. Only commands that read have an answer. */
export function answerAsKubectl(recording: PlayedRecording, args: readonly string[]): PlayedAnswer {
  if (recording.answers) {
    const isSame = (recorded: readonly string[]) => JSON.stringify(recorded) === JSON.stringify(args);
    return recording.answers.find((answer) => isSame(answer.args)) ?? fail(`nothing is recorded for ${args.join(' ')}`);
  }
  const [failure] = Object.entries(recording.failures ?? {}).filter(([text]) => args.join(' ').includes(text));
  if (failure) return failure[1];
  const given = new Arguments(args);
  const [first, second] = given.words;
  switch (first === 'config' ? `config ${second}` : first) {
    case 'config current-context':
      return recording.currentContext === undefined
        ? fail('error: current-context is not set')
        : { stdout: `${recording.currentContext}\n` };
    case 'config view':
      return { stdout: recording.namespace ?? '' };
    case 'version':
      return getVersion(recording, given);
    case 'api-resources':
      return listTypes(recording);
    case 'get':
      return given.has('watch') ? watch(recording, given) : getObjects(recording, given);
    default:
      return fail(`the played kubectl does not write: ${args.join(' ')}`);
  }
}
