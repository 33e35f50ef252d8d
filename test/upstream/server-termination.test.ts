import { parseContainerCommand } from '../../src/cluster/services/command-words';
import { getServerDrain } from '../../src/cluster/services/servers';
import { recorded } from './recording';

interface Case {
  readonly name: string;
  readonly container: { readonly command: readonly string[] };
  readonly request: 'finished' | 'cut';
  /** Seconds that the request lived after SIGTERM. */
  readonly seconds: number;
  readonly answersNewRequests: boolean;
  readonly exits: boolean;
}

const cases = recorded('server-termination') as readonly Case[];

/** Seconds for which the recorded request still ran at SIGTERM. */
const REMAINING_SECONDS = 5;

const withDrain = cases.flatMap((recording) => {
  const drain = getServerDrain(recording.container);
  return drain?.seconds === undefined ? [] : [{ ...recording, drain, limit: drain.seconds }];
});

test('a request lives as long as the flags of its server say', () => {
  const ours = withDrain.map(({ name, limit }) => ({ name, request: limit >= REMAINING_SECONDS ? 'finished' : 'cut' }));
  expect(withDrain.length).toBeGreaterThan(40);
  expect(ours).toEqual(withDrain.map(({ name, request }) => ({ name, request })));
  // A supervisor of several workers passes the signal on within a second.
  const differing = withDrain.filter(({ limit, seconds }) => Math.abs(Math.min(limit, REMAINING_SECONDS) - seconds) > 1);
  expect(differing).toEqual([]);
});

test('a server that stops listening answers no new request', () => {
  expect(withDrain.filter(({ drain, answersNewRequests }) => drain.stopsListening && answersNewRequests)).toEqual([]);
});

test('a server behind a shell that keeps the signal is not known, and the shell is', () => {
  const hidden = cases.filter(({ exits, container }) => !exits && container.command[0] !== 'node');
  expect(hidden.map(({ container }) => getServerDrain(container))).toEqual(hidden.map(() => undefined));
  expect(hidden.map(({ container }) => parseContainerCommand(container)?.shell)).not.toContain(undefined);
});

test('nothing is said about these commands, whose limit their text does not show', () => {
  const silent = cases.filter(({ name, exits }) => exits && !withDrain.some((known) => known.name === name));
  expect(silent.map(({ name }) => name)).toMatchInlineSnapshot(`
[
  "uvicorn after exec with a variable of the script",
  "uvicorn after exec with two branches",
  "uvicorn after exec with a variable as the value",
  "uvicorn in bash after a command",
  "gunicorn with an abbreviated flag",
  "gunicorn with a file of options in a variable",
  "gunicorn with a file of options",
  "gunicorn with a file of options after an equals sign",
  "gunicorn with a file of options in the same word",
  "gunicorn with an abbreviated file of options",
  "hypercorn with two workers",
  "hypercorn with two workers and a limit",
  "hypercorn with two workers and a limit above the time of the request",
  "hypercorn with two workers in a short flag",
  "hypercorn with a file of options",
  "hypercorn with a flag and a file of options",
  "Node that closes its server",
  "Node after exec",
  "Node in bash",
]
`);
});
