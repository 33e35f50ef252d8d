/** Describes the consequence for the cluster if KServe's parser refuses its configuration. */
export function formatConfigurationError(reason: string): string {
  return `KServe cannot read its configuration and refuses every InferenceService of the cluster: ${reason}.`;
}

/** The prefix of KServe's error for JSON of the wrong form. */
export const PARSE_ERROR_PREFIX = 'unable to parse deploy config json';
