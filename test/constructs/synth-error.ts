import { App, Chart } from 'cdk8s';

/** Returns the error when synth refuses the chart that `build` fills. */
export function synthError(build: (chart: Chart) => void): string {
  const app = new App();
  build(new Chart(app, 'shop'));
  return errorOf(() => app.synthYaml());
}

/** Returns the message of the thrown error. */
export function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing: the chart was synthesized';
}

/** Returns the message without the lines of code, which any edit of a test moves. */
export function withoutPlaces(message: string): string {
  return message.replaceAll(/ \((?:created|called) at [^)]*\)/g, '');
}
