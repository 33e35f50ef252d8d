import path from 'node:path';

const TESTS = path.resolve(__dirname, '..');
const SNAPSHOTS = path.join(TESTS, '__snapshots__');

/** Resolves snapshot paths, which mirror the tests: test/a/b.test.ts uses test/__snapshots__/a/b.test.ts.snap. */
export default {
  resolveSnapshotPath: (test: string, extension: string) => path.join(SNAPSHOTS, path.relative(TESTS, test) + extension),
  resolveTestPath: (snapshot: string, extension: string) =>
    path.join(TESTS, path.relative(SNAPSHOTS, snapshot).slice(0, -extension.length)),
  testPathForConsistencyCheck: path.join(TESTS, 'a', 'b.test.ts'),
};
