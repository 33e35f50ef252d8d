import { posix as node } from 'node:path';
import { constantFrom, array, assert, property } from 'fast-check';
import { basename, posix } from '../../playground/paths';
import { scaleRuns } from '../setup/scale-runs';

const paths = array(constantFrom('/', '.', '..', 'a', 'web.yaml', ' ', '\\'), { maxLength: 9 }).map((parts) => parts.join(''));

test('the path functions for browsers return the same as those of Node.js', () => {
  assert(
    property(paths, paths, (path, other) => {
      const found = {
        basename: basename(path),
        dirname: posix.dirname(path),
        join: posix.join(path, other),
        normalize: posix.normalize(path),
      };
      expect({ path, other, ...found }).toEqual({
        path,
        other,
        basename: node.basename(path),
        dirname: node.dirname(path),
        join: node.join(path, other),
        normalize: node.normalize(path),
      });
    }),
    { numRuns: scaleRuns(5000) },
  );
});
