/** Renders an LLMInferenceService with these lines in its spec. */
export function renderLlmService(lines: string): string {
  return `apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata:
  name: chat
spec:
  model:
    uri: hf://Qwen/Qwen3-8B
  replicas: 4
${lines}`;
}
