/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/setup/shared-modules.ts',
  // By default jest leaves one core idle, so it would use one of the two cores in CI.
  maxWorkers: '100%',
  // A busy machine takes several times as long as an idle one.
  testTimeout: 20_000,
  roots: ['<rootDir>/test'],
  // Test files share the modules of `src` and of packages, so a spy must not outlive its test.
  restoreMocks: true,
  globalSetup: '<rootDir>/test/setup/before-all.ts',
  setupFiles: ['<rootDir>/test/setup/properties.ts'],
  snapshotResolver: '<rootDir>/test/setup/snapshot-paths.ts',
  moduleNameMapper: {
    '^rolloutkit$': '<rootDir>/src/index.ts',
    '^rolloutkit/plan$': '<rootDir>/src/headless.ts',
    '^rolloutkit/pulumi$': '<rootDir>/src/pulumi/index.ts',
    '^rolloutkit/pulumi-policy$': '<rootDir>/src/pulumi/policy-pack.ts',
    '^rolloutkit/cdk8s-validation$': '<rootDir>/src/constructs/validation-plugin.ts',
  },
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, sourceMaps: true, module: { type: 'commonjs' } },
    ],
  },
  // Packages that are ES modules only must be transformed before jest can load them.
  transformIgnorePatterns: ['/node_modules/(?!(@ngrok/webernetes)/)'],
};
