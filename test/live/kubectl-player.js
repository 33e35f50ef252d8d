#!/usr/bin/env node
// Plays kubectl from the recording that KUBECTL_RECORDING names, so that a test needs no cluster. Only commands that read have an answer.
const { readFileSync, appendFileSync } = require('node:fs');

const recording = JSON.parse(readFileSync(process.env.KUBECTL_RECORDING, 'utf8'));
const args = process.argv.slice(2);
if (process.env.KUBECTL_LOG) appendFileSync(process.env.KUBECTL_LOG, `${args.join(' ')}\n`);

const valueOf = (flag) => args.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);
const has = (flag) => args.includes(`--${flag}`);
const words = args.filter((arg) => !arg.startsWith('--'));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function print(text) {
  process.stdout.write(text);
}

/** Repeats what kubectl answered to the same command, in any context. */
function repeatAnswer(answers) {
  const isSame = ({ args: recorded }) => recorded.length === args.length && recorded.every((arg, index) => arg === args[index]);
  const answer = answers.find(isSame);
  if (!answer) fail(`nothing is recorded for ${args.join(' ')}`);
  process.stderr.write(answer.stderr);
  process.stdout.write(answer.stdout, () => process.exit(answer.status));
}

const context = valueOf('context') ?? recording.currentContext;

function getObjects() {
  const [, resource, ...names] = words;
  const [plural, ...rest] = resource.split('.');
  const type = recording.types.find(
    (each) => each.plural === plural && (rest.join('.') === each.group || rest.join('.') === `${each.version}.${each.group}`),
  );
  if (!type) fail(`error: the server doesn't have a resource type "${resource}"`);
  const namespace = valueOf('namespace');
  const isForbidden = (recording.forbidden ?? []).some(
    (rule) => rule.resource === resource && (rule.namespace === undefined || rule.namespace === (namespace ?? '*')),
  );
  if (isForbidden) {
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    fail(
      `Error from server (Forbidden): ${resource} is forbidden: User "jane" cannot list resource "${plural}" in API group "${type.group}" ${where}`,
    );
  }
  const selector = valueOf('field-selector');
  const found = recording.objects.filter((object) => {
    const [group] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
    if (object.kind !== type.kind || group !== type.group) return false;
    if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
    if (selector?.startsWith('metadata.name=') && object.metadata.name !== selector.slice('metadata.name='.length)) return false;
    if (selector === 'type!=helm.sh/release.v1' && object.type === 'helm.sh/release.v1') return false;
    return names.length === 0 || names.includes(object.metadata.name);
  });
  if (names.length === 1) return found.length === 0 ? undefined : found[0];
  return { apiVersion: 'v1', items: found, kind: 'List', metadata: { resourceVersion: '' } };
}

/** Prints the recorded events of a type. With `wait`, the watch stays open until it is killed. */
function watch() {
  const [, resource] = words;
  const namespace = valueOf('namespace');
  const events = (recording.watches ?? []).filter(
    (event) => event.resource === resource && (namespace === undefined || event.object.metadata.namespace === namespace),
  );
  if (recording.watchText) print(recording.watchText);
  if (recording.killedBy) process.kill(process.pid, recording.killedBy);
  for (const { type, object } of events) print(`${JSON.stringify({ type, object }, undefined, 4)}\n`);
  if (recording.keepsWatching) setTimeout(() => undefined, 600_000);
}

const unreachable = () =>
  fail(
    'E1128 08:52:16.000000   42 memcache.go:265] "Unhandled Error" err="couldn\'t get current server API group list"\nThe connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?',
  );

const command = words[0] === 'config' ? `config ${words[1]}` : words[0];
const contextError = () => fail(`error: context "${context}" does not exist`);

if (recording.answers) repeatAnswer(recording.answers);
else answerFromObjects();

function answerFromObjects() {
  switch (command) {
    case 'config current-context':
      if (recording.currentContext === undefined) fail('error: current-context is not set');
      print(`${recording.currentContext}\n`);
      break;
    case 'config view':
      print(recording.namespace ?? '');
      break;
    case 'version':
      if (context !== recording.currentContext) contextError();
      if (recording.isUnreachable) unreachable();
      print(JSON.stringify({ clientVersion: { gitVersion: 'v1.34.4' }, serverVersion: { gitVersion: recording.serverVersion } }));
      break;
    case 'api-resources':
      print(
        recording.types
          .map(({ plural, shortName = '', group, version, kind, isNamespaced }) =>
            [plural, shortName, group === '' ? version : `${group}/${version}`, isNamespaced, kind].join('   '),
          )
          .join('\n'),
      );
      break;
    case 'get': {
      if (has('watch')) {
        watch();
        break;
      }
      const answer = getObjects();
      if (answer !== undefined) print(JSON.stringify(answer));
      break;
    }
    default:
      fail(`the played kubectl does not write: ${args.join(' ')}`);
  }
}
