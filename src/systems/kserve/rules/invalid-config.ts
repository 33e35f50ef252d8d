import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { GoTypeError } from '../go-json';
import { DEPLOYMENT_MODE_PATH, deploymentModeOf, findModeIgnoringCase, normalizeMode, findUnknownMode } from '../mode';
import type { ModeSources } from '../mode';
import { findModeMeaning } from '../platform-limits';
import type { DeploymentMode, PlatformRolloutProps } from '../types';
import { PARSE_ERROR_PREFIX, formatConfigurationError } from './configuration-error';
import { renderKserveConfigMap, renderInferenceService, joinExampleDocuments } from './examples';

interface SyntaxData {
  /** The error of Go's encoding/json. */
  readonly error: string;
}

interface TypeData extends SyntaxData {
  /** The field of the wrong type; undefined for the entire JSON. */
  readonly field?: string;
  readonly value: DisplayValue;
  readonly expected: 'object' | 'text';
}

interface ModeNameData {
  readonly value: DisplayValue;
}

interface AnnotationData {
  readonly annotation: string;
  /** The mode in which the service still runs. */
  readonly mode: DeploymentMode;
}

/** The minimal valid configuration, for JSON that cannot be read at all. */
const MINIMAL_CONFIG = JSON.stringify({ defaultDeploymentMode: 'Standard' });

const MODE_HELP = 'Write "defaultDeploymentMode": "Standard", "Knative" or "ModelMesh".';

const TYPE_NAMES = { object: 'an object', text: 'a quoted string' } as const;

/** Suggests a value of the expected type. */
function suggestValue({ field, expected }: TypeData): unknown {
  if (field === undefined) return MINIMAL_CONFIG;
  if (expected === 'object') return {};
  return field === 'defaultDeploymentMode' ? 'Standard' : '25%';
}

/** Describes the consequence for a service whose annotation is not a mode. */
function describeAnnotationOutcome({ annotation, mode }: AnnotationData): string {
  return mode === 'Standard'
    ? `fails when it creates the Deployment: unsupported deployment mode for workload: ${annotation}`
    : `runs the service in mode ${mode}`;
}

/** Reports a platform level that KServe cannot read, or a deployment mode that does not exist. */
export const invalidConfig = defineRule({
  code: 'kserve/invalid-config',
  since: '0.1.0',
  severity: 'error',
  fires: 'KServe cannot parse the `deploy` key of its ConfigMap, or an annotation has a deployment mode that does not exist.',
  why:
    'The key must be JSON with a defaultDeploymentMode of Standard, Knative or ModelMesh (or the old names RawDeployment ' +
    'and Serverless). If it is not, the webhook refuses every InferenceService and the controller reconciles none. ' +
    'An annotation with another value is skipped when the mode is looked up, and then refused when the Deployment is created.',
  fix: 'Fix the JSON, or write one of the three modes.',
  example: joinExampleDocuments(renderKserveConfigMap('{', '  "defaultDeploymentMode": "Raw"', '}'), renderInferenceService({})),
  fixedExample: joinExampleDocuments(renderKserveConfigMap('{', '  "defaultDeploymentMode": "Standard"', '}'), renderInferenceService({})),
  messages: {
    syntax: defineMessage<SyntaxData>({
      text: ({ error }) => formatConfigurationError(`${PARSE_ERROR_PREFIX}: ${error}`),
      help: () => 'Fix the JSON. It must not have comments or a comma after the last entry.',
      sample: { error: "invalid character '}' looking for beginning of object key string (line 1)" },
    }),
    jsonNull: defineMessage<object>({
      text: () => formatConfigurationError('the JSON is null, and its parser crashes on that (nil pointer dereference)'),
      help: () => MODE_HELP,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, MINIMAL_CONFIG)),
      sample: {},
    }),
    type: defineMessage<TypeData>({
      text: ({ error }) => formatConfigurationError(`${PARSE_ERROR_PREFIX}: ${error}`),
      help: ({ field = 'The value', value, expected }) => `${field} is ${formatDisplayValue(value)}: write ${TYPE_NAMES[expected]}.`,
      suggestedFix: (data, path) => suggestManualFix(setField(path, suggestValue(data))),
      sample: {
        error: 'json: cannot unmarshal bool into Go struct field DeployConfig.defaultDeploymentMode of type string',
        field: 'defaultDeploymentMode',
        value: true,
        expected: 'text',
      },
      variants: [
        {
          error: 'json: cannot unmarshal array into Go value of type v1beta1.DeployConfig',
          value: { described: 'a list' },
          expected: 'object',
        },
      ],
    }),
    noMode: defineMessage<object>({
      text: () => formatConfigurationError('invalid deploy config, defaultDeploymentMode is required'),
      help: () => MODE_HELP,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 'Standard')),
      sample: {},
    }),
    unknownMode: defineMessage<ModeNameData>({
      text: ({ value }) =>
        formatConfigurationError(
          `invalid deployment mode. Supported modes are Knative, Standard and ModelMesh; defaultDeploymentMode is ${formatDisplayValue(value)}`,
        ),
      help: ({ value }) => {
        const mode = findModeIgnoringCase(value);
        return mode ? `Write "defaultDeploymentMode": "${mode}".` : MODE_HELP;
      },
      suggestedFix: ({ value }, path) => {
        const mode = findModeIgnoringCase(value);
        return mode ? suggestAutomaticFix(setField(path, mode)) : suggestManualFix(setField(path, 'Standard'));
      },
      sample: { value: 'Raw' },
      variants: [{ value: 'knative' }],
    }),
    unknownAnnotation: defineMessage<AnnotationData>({
      text: (data) =>
        `The annotation ${formatDisplayValue(toDisplayValue(data.annotation))} is not a deployment mode. ` +
        `KServe skips it when it looks up the mode, and ${describeAnnotationOutcome(data)}.`,
      help: () => 'Write Standard, Knative or ModelMesh with exactly this spelling.',
      suggestedFix: ({ mode }, path) => suggestManualFix(setField(path, mode)),
      sample: { annotation: 'standard', mode: 'Standard' },
      variants: [{ annotation: 'standard', mode: 'Knative' }],
    }),
    unknownProp: defineMessage<ModeNameData>({
      text: ({ value }) =>
        `defaultDeploymentMode is ${formatDisplayValue(value)}, which is not a deployment mode: KServe refuses such a configuration.`,
      help: () => 'Write Standard, Knative or ModelMesh.',
      sample: { value: 'raw' },
    }),
    unknownRolloutMode: defineMessage<ModeNameData>({
      text: ({ value }) => `mode is ${formatDisplayValue(value)}, which is not one of the documented values; they are case-sensitive.`,
      help: () => 'Write Availability or ResourceAware.',
      sample: { value: 'availability' },
    }),
  },
});

/** Reports a value whose type differs from KServe's struct, which its parser refuses. */
export function reportGoTypeError({ path: parts, value, reason }: GoTypeError, path: FieldPath): Finding {
  const field = parts.at(-1);
  const expectsObject = field === undefined || (parts.length < 3 && field !== 'defaultDeploymentMode');
  const data = {
    error: reason,
    ...(field !== undefined && { field }),
    value: toDisplayValue(value),
    expected: expectsObject ? 'object' : 'text',
  } as const;
  return invalidConfig.createFinding('type', { path, data });
}

/** Reports a default mode that KServe's parser refuses. */
export function checkDefaultMode(modeName: unknown, path: FieldPath): Finding[] {
  if (!modeName) return [invalidConfig.createFinding('noMode', { path, data: {} })];
  return normalizeMode(modeName) ? [] : [invalidConfig.createFinding('unknownMode', { path, data: { value: toDisplayValue(modeName) } })];
}

/** Reports an annotation that is not a deployment mode. */
export function checkUnknownAnnotation(sources: ModeSources): Finding[] {
  const annotation = findUnknownMode(sources);
  if (annotation === undefined) return [];
  const data = { annotation, mode: deploymentModeOf(sources) };
  return [invalidConfig.createFinding('unknownAnnotation', { path: DEPLOYMENT_MODE_PATH, data })];
}

/** Reports a mode of rollout defaults, given as a prop, that the guide does not document. */
export function checkRolloutMode({ mode }: PlatformRolloutProps, path: FieldPath): Finding[] {
  if (mode === undefined || findModeMeaning(mode)) return [];
  return [invalidConfig.createFinding('unknownRolloutMode', { path, data: { value: toDisplayValue(mode) } })];
}
