import { byChoice, plainly, set } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { GoTypeError } from '../go-json';
import { DEPLOYMENT_MODE_PATH, deploymentModeOf, modeInAnyCase, normalisedMode, unknownModeOf } from '../mode';
import type { ModeSources } from '../mode';
import { documentedMode } from '../platform-limits';
import type { DeploymentMode, PlatformRolloutProps } from '../types';
import { UNPARSED, blockedText } from './blocked';
import { configMap, service, together } from './examples';

interface SyntaxData {
  /** In the words of Go's encoding/json. */
  readonly error: string;
}

interface TypeData extends SyntaxData {
  /** The field of another type; undefined for the whole JSON. */
  readonly field?: string;
  readonly value: Seen;
  readonly wanted: 'object' | 'text';
}

interface WordData {
  readonly value: Seen;
}

interface AnnotationData {
  readonly annotation: string;
  /** The mode in which the service runs all the same. */
  readonly mode: DeploymentMode;
}

/** Where nothing that is written can be read, the least that can. */
const LEAST = JSON.stringify({ defaultDeploymentMode: 'Standard' });

const MODE_HELP = 'Write "defaultDeploymentMode": "Standard", or "Knative", or "ModelMesh".';

const WANTED = { object: 'an object', text: 'text in quotes' } as const;

/** What may stand in the place of a value of another type. */
function wantedValue({ field, wanted }: TypeData): unknown {
  if (field === undefined) return LEAST;
  if (wanted === 'object') return {};
  return field === 'defaultDeploymentMode' ? 'Standard' : '25%';
}

/** What follows for a service whose annotation names no mode. */
function annotationOutcome({ annotation, mode }: AnnotationData): string {
  return mode === 'Standard'
    ? `fails when it makes the Deployment: unsupported deployment mode for workload: ${annotation}`
    : `runs the service in mode ${mode}`;
}

/** A platform level that KServe can't read, or a deployment mode that does not exist. */
export const invalidConfig = rule({
  code: 'kserve/invalid-config',
  since: '0.1.0',
  severity: 'error',
  fires: 'KServe cannot parse the `deploy` key of its ConfigMap, or an annotation names a deployment mode that does not exist.',
  why:
    'The key must be JSON with a defaultDeploymentMode of Standard, Knative or ModelMesh (or the old names RawDeployment ' +
    'and Serverless). If it is not, the webhook refuses every InferenceService and the controller reconciles none. ' +
    'An annotation with another word is skipped when the mode is looked up, and then refused when the Deployment is made.',
  fix: 'Repair the JSON, or write one of the three modes.',
  example: together(configMap('{', '  "defaultDeploymentMode": "Raw"', '}'), service({})),
  fixed: together(configMap('{', '  "defaultDeploymentMode": "Standard"', '}'), service({})),
  messages: {
    syntax: message<SyntaxData>({
      text: ({ error }) => blockedText(`${UNPARSED}: ${error}`),
      help: () => 'Repair the JSON. It takes no comments and no comma behind the last entry.',
      sample: { error: "invalid character '}' looking for beginning of object key string (line 1)" },
    }),
    jsonNull: message<object>({
      text: () => blockedText('the JSON is null, and its parser crashes on that (nil pointer dereference)'),
      help: () => MODE_HELP,
      advice: (_data, path) => byChoice(set(path, LEAST)),
      sample: {},
    }),
    type: message<TypeData>({
      text: ({ error }) => blockedText(`${UNPARSED}: ${error}`),
      help: ({ field = 'The value', value, wanted }) => `${field} is ${show(value)}: write ${WANTED[wanted]}.`,
      advice: (data, path) => byChoice(set(path, wantedValue(data))),
      sample: {
        error: 'json: cannot unmarshal bool into Go struct field DeployConfig.defaultDeploymentMode of type string',
        field: 'defaultDeploymentMode',
        value: true,
        wanted: 'text',
      },
      variants: [
        {
          error: 'json: cannot unmarshal array into Go value of type v1beta1.DeployConfig',
          value: { described: 'a list' },
          wanted: 'object',
        },
      ],
    }),
    noMode: message<object>({
      text: () => blockedText('invalid deploy config, defaultDeploymentMode is required'),
      help: () => MODE_HELP,
      advice: (_data, path) => byChoice(set(path, 'Standard')),
      sample: {},
    }),
    unknownMode: message<WordData>({
      text: ({ value }) =>
        blockedText(
          `invalid deployment mode. Supported modes are Knative, Standard and ModelMesh; defaultDeploymentMode is ${show(value)}`,
        ),
      help: ({ value }) => {
        const meant = modeInAnyCase(value);
        return meant ? `Write "defaultDeploymentMode": "${meant}".` : MODE_HELP;
      },
      advice: ({ value }, path) => {
        const meant = modeInAnyCase(value);
        return meant ? plainly(set(path, meant)) : byChoice(set(path, 'Standard'));
      },
      sample: { value: 'Raw' },
      variants: [{ value: 'knative' }],
    }),
    unknownAnnotation: message<AnnotationData>({
      text: (data) =>
        `The annotation is not the name of a deployment mode: ${show(seen(data.annotation))}. ` +
        `KServe skips it when it looks up the mode, and ${annotationOutcome(data)}.`,
      help: () => 'Write Standard, Knative or ModelMesh, in exactly this spelling.',
      advice: ({ mode }, path) => byChoice(set(path, mode)),
      sample: { annotation: 'standard', mode: 'Standard' },
      variants: [{ annotation: 'standard', mode: 'Knative' }],
    }),
    unknownProp: message<WordData>({
      text: ({ value }) =>
        `defaultDeploymentMode is ${show(value)}, which is not the name of a deployment mode: KServe refuses such a configuration.`,
      help: () => 'Write Standard, Knative or ModelMesh.',
      sample: { value: 'raw' },
    }),
    unknownRolloutMode: message<WordData>({
      text: ({ value }) => `mode is ${show(value)}, which is not one of the documented words; their case counts.`,
      help: () => 'Write Availability or ResourceAware.',
      sample: { value: 'availability' },
    }),
  },
});

/** A value of another type than KServe's struct has, which its parser refuses. */
export function typeErrorFinding({ path: parts, value, reason }: GoTypeError, path: FieldPath): Finding {
  const field = parts.at(-1);
  const holdsObject = field === undefined || (parts.length < 3 && field !== 'defaultDeploymentMode');
  const data = {
    error: reason,
    ...(field !== undefined && { field }),
    value: seen(value),
    wanted: holdsObject ? 'object' : 'text',
  } as const;
  return invalidConfig.finding('type', { path, data });
}

/** A default mode that KServe's parser does not take. */
export function defaultModeFindings(word: unknown, path: FieldPath): Finding[] {
  if (!word) return [invalidConfig.finding('noMode', { path, data: {} })];
  return normalisedMode(word) ? [] : [invalidConfig.finding('unknownMode', { path, data: { value: seen(word) } })];
}

/** An annotation that names no deployment mode. */
export function unknownAnnotationFindings(sources: ModeSources): Finding[] {
  const annotation = unknownModeOf(sources);
  if (annotation === undefined) return [];
  const data = { annotation, mode: deploymentModeOf(sources) };
  return [invalidConfig.finding('unknownAnnotation', { path: DEPLOYMENT_MODE_PATH, data })];
}

/** A mode of rollout defaults that the guide does not have, given as a prop. */
export function rolloutModeFindings({ mode }: PlatformRolloutProps, path: FieldPath): Finding[] {
  if (mode === undefined || documentedMode(mode)) return [];
  return [invalidConfig.finding('unknownRolloutMode', { path, data: { value: seen(mode) } })];
}
