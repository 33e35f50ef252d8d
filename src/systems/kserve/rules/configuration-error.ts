/** What follows for the cluster where KServe's parser refuses its configuration, whatever the reason. */
export function formatConfigurationError(reason: string): string {
  return `KServe cannot read its configuration and refuses every InferenceService of the cluster: ${reason}.`;
}

/** The beginning of what KServe says of JSON that does not fit. */
export const PARSE_ERROR_PREFIX = 'unable to parse deploy config json';
