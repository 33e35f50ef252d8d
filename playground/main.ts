import path from 'node:path';
import { buildPlayground } from './build';

const target = path.resolve('build/playground');

buildPlayground(target).then(
  () => console.log(`The playground is built: open ${path.relative('.', target)}/index.html`),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);
