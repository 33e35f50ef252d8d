import { App, Chart } from 'cdk8s';

/** What a user reads when synth refuses the chart that `build` fills. */
export function synthError(build: (chart: Chart) => void): string {
  const app = new App();
  build(new Chart(app, 'shop'));
  return errorOf(() => app.synthYaml());
}

/** The message of what is thrown. */
export function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing: the chart was synthesized';
}

/** The message without the lines of this code that made what is refused, which any edit of a test moves. */
export function withoutPlaces(message: string): string {
  return message.replaceAll(/ \(made at [^)]*\)/g, '');
}
