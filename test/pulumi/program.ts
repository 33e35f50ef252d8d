import * as pulumi from '@pulumi/pulumi';

/** A registered resource. */
export interface Registered {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Object that the provider gets. Empty for a component. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the resources that it depends on. */
  readonly dependsOn: readonly string[];
  readonly ignoreChanges: readonly string[];
  /** Set only if Pulumi keeps the object when the resource is deleted. */
  readonly retainOnDelete?: true;
}

/** What Pulumi's engine gets from a program. */
export interface ProgramRun {
  readonly resources: readonly Registered[];
  /** `level urn: message` for every line of the log. */
  readonly logged: readonly string[];
}

interface Request {
  getType(): string;
  getName(): string;
  getIgnorechangesList(): string[];
  getRetainondelete(): boolean;
  getDependenciesList(): string[];
}

interface Response {
  getUrn(): string;
}

type Callback = (error: unknown, response?: Response) => void;

interface Monitor {
  registerResource(request: Request, callback: Callback): Promise<void>;
}

type Log = (message: string, resource?: pulumi.Resource) => Promise<void>;

const nameIn = (urn: string) => urn.slice(urn.lastIndexOf('::') + 2);

/** Runs a program without the CLI, as a preview of stack `dev` of project `shop`, or as an update with `{ preview: false }`. */
export async function run(program: () => unknown, { preview = true } = {}): Promise<ProgramRun> {
  const resources: Registered[] = [];
  const logged: string[] = [];
  const inputsOf = new Map<string, Registered['inputs']>();
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        inputsOf.set(`${type} ${name}`, inputs as Registered['inputs']);
        return { id: `${name}-id`, state: inputs as object };
      },
      call: () => ({}),
    },
    'shop',
    'dev',
    preview,
  );

  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) =>
    register(request, (error, response) => {
      if (response) {
        const [type, name] = [request.getType(), request.getName()];
        resources.push({
          urn: response.getUrn(),
          type,
          name,
          inputs: inputsOf.get(`${type} ${name}`)!,
          dependsOn: request.getDependenciesList().map(nameIn),
          ignoreChanges: request.getIgnorechangesList(),
          ...(request.getRetainondelete() && { retainOnDelete: true }),
        });
      }
      callback(error, response);
    });

  const logs: Promise<void>[] = [];
  const levels = (['info', 'warn', 'error'] as const).map((level) =>
    jest.spyOn(pulumi.log as Record<typeof level, Log>, level).mockImplementation((message, resource) => {
      const place = resource ? valueOf(resource.urn) : Promise.resolve('');
      logs.push(place.then((urn) => void logged.push(`${level} ${nameIn(urn)}: ${message}`)));
      return Promise.resolve();
    }),
  );
  try {
    await program();
  } finally {
    // Requests from before an error are answered too. Otherwise the next run would get them, which does not know them.
    await pulumi.runtime.disconnect();
    await Promise.all(logs);
    levels.forEach((spy) => spy.mockRestore());
  }
  return { resources, logged };
}

/** Resolves an output. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => void output.apply(resolve));
}
