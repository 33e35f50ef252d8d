'use strict';
// Starts real servers as process 1 of a PID namespace, as in a container, sends SIGTERM while a request runs, and records what happens.
//
//     python3 -m venv VENV && VENV/bin/pip install uvicorn==0.54.0 gunicorn==27.0.1 hypercorn==0.18.0
//     node oracle/servers/main.js VENV test/fixtures/upstream/server-termination.json
//
// It needs Linux, root, and dash and bash.
const { execFileSync, spawn } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const path = require('node:path');
const { CASES } = require('./cases');

const [venv, output, only] = process.argv.slice(2);
/** Seconds of the request that runs at SIGTERM. */
const REQUEST_SECONDS = 6;
/** Seconds after SIGTERM at which the processes are killed, like the end of a grace period. */
const GRACE_SECONDS = 9;
const BIN = path.resolve(venv, 'bin');

const ABOUT =
  'Real servers as process 1 of a PID namespace get SIGTERM one second after a request of 6 s began. request: whether it was answered with 200; ' +
  'seconds: how long it lived after SIGTERM; answersNewRequests: whether another request is answered 1.5 s after SIGTERM; exits: ' +
  'whether the process has ended 9 s after it.';

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const secondsSince = (start) => Math.round((Date.now() - start) / 1000);

function acceptsConnection(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const finish = (accepts) => {
      socket.destroy();
      resolve(accepts);
    };
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}

/** Requests a path; resolves with `finished` or, if the connection breaks or the status is not 200, `cut`. */
function request(port, url) {
  return new Promise((resolve) => {
    const sent = http.get({ port, host: '127.0.0.1', path: url, agent: false }, (response) => {
      response.on('error', () => resolve('cut')).on('end', () => resolve(response.statusCode === 200 ? 'finished' : 'cut'));
      response.resume();
    });
    sent.on('error', () => resolve('cut'));
  });
}

async function awaitListening(port) {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (await acceptsConnection(port)) return;
    await sleep(0.2);
  }
  throw new Error(`nothing listens on ${port}`);
}

function findFirstProcess(unshare) {
  return Number(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim().split(' ')[0]);
}

async function run({ name, container }, port) {
  const words = [...container.command, ...(container.args ?? [])].map((word) => word.replaceAll('8000', String(port)));
  const variables = Object.fromEntries((container.env ?? []).map(({ name: key, value }) => [key, value]));
  const env = { PATH: `${BIN}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1', HOME: '/tmp', PORT: String(port), ...variables };
  const isolated = ['--pid', '--fork', '--kill-child', '--mount-proc', '--', ...words];
  const child = spawn('unshare', isolated, { cwd: __dirname, env, stdio: ['ignore', 'ignore', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await awaitListening(port);
    // All workers have started.
    await sleep(1);
    const answer = request(port, `/${REQUEST_SECONDS}`);
    await sleep(1);
    const sentAt = Date.now();
    process.kill(findFirstProcess(child.pid), 'SIGTERM');
    let seconds;
    const outcome = answer.then((result) => {
      seconds = secondsSince(sentAt);
      return result;
    });
    let exitSeconds;
    void ended.then(() => (exitSeconds = secondsSince(sentAt)));
    await sleep(1.5);
    let answersNewRequests = false;
    void request(port, '/0').then((result) => (answersNewRequests = result === 'finished'));
    await sleep(GRACE_SECONDS - 1.5);
    const exits = exitSeconds !== undefined;
    child.kill('SIGKILL');
    return { name, container, request: await outcome, seconds, answersNewRequests, exits };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function listVersions() {
  const installed = execFileSync(path.join(BIN, 'pip'), ['list', '--format', 'freeze'], { encoding: 'utf8' });
  const versions = new Map(installed.split('\n').map((line) => line.toLowerCase().split('==')));
  const shellVersion = (shell) => execFileSync('dpkg-query', ['-W', '-f', '${Version}', shell], { encoding: 'utf8' });
  return {
    ...Object.fromEntries(['uvicorn', 'gunicorn', 'hypercorn'].map((name) => [name, versions.get(name)])),
    node: process.version,
    ...Object.fromEntries(['dash', 'bash'].map((shell) => [shell, shellVersion(shell)])),
  };
}

async function main() {
  const chosen = CASES.filter(({ name }) => only === undefined || name.includes(only));
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < chosen.length) {
      const index = next++;
      results[index] = await run(chosen[index], 21_000 + index);
    }
  };
  await Promise.all(Array.from({ length: 3 }, work));
  if (only !== undefined) return console.log(results.map((line) => JSON.stringify(line)).join('\n'));
  const lines = results.map((line) => JSON.stringify(line)).join(',\n');
  writeFileSync(output, `{\n"about": ${JSON.stringify(ABOUT)},\n"upstream": ${JSON.stringify(listVersions())},\n"cases": [\n${lines}\n]\n}\n`);
}

void main();
