/** Builds an example of a Service with an image of this tag and with these targets of its traffic. */
export function writeServiceWithTraffic(tag: number, ...targets: readonly string[]): string {
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: hello }
spec:
  template: { spec: { containers: [{ image: registry.example.com/hello:${tag} }] } }
  traffic:
${targets.map((target) => `    - ${target}\n`).join('')}`;
}

/** Builds an example of a Service with these limits of its pods. */
export function writeScaledService(minimum: number, maximum: number): string {
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: hello }
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/min-scale: "${minimum}"
        autoscaling.knative.dev/max-scale: "${maximum}"
    spec: { containers: [{ image: registry.example.com/hello:1 }] }
`;
}
