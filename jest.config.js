/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Jest leaves a core alone, so on two cores, as CI has them, it would use one.
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/setup/settle-seed.ts',
  setupFiles: ['<rootDir>/test/setup/properties.ts'],
  snapshotResolver: '<rootDir>/test/setup/snapshot-places.ts',
  moduleNameMapper: {
    '^rolloutkit$': '<rootDir>/src/index.ts',
    '^rolloutkit/plan$': '<rootDir>/src/headless.ts',
    '^rolloutkit/pulumi$': '<rootDir>/src/pulumi/index.ts',
    '^rolloutkit/pulumi-policy$': '<rootDir>/src/pulumi/policy-pack.ts',
    '^rolloutkit/cdk8s-validation$': '<rootDir>/src/constructs/validation-plugin.ts',
  },
  transform: {
    '^.+\\.(ts|js|mjs)$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }],
  },
  // Packages that ship ES modules only have to be transformed before jest can load them.
  transformIgnorePatterns: ['/node_modules/(?!(@ngrok/webernetes)/)'],
};
