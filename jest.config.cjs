const { distributedSuites } = require('./test-e2e/topologies/distributed-suites.cjs');

// Tests run from source: the custom export condition points every workspace package at src/.
const esmOnly = [
  'ulid',
  'ipaddr.js',
  'gpt-tokenizer',
  'eventsource-parser',
  'openid-client',
  'oauth4webapi',
  'jose',
  'http-proxy-middleware',
  'httpxy',
  'is-plain-obj',
  'commander',
  'ioredis',
  'marked',
  'is-plain-object',
  '@opentelemetry\\+otlp-exporter-base',
];
const common = {
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['tollgate-source', 'node', 'require', 'default'],
  },
  transform: {
    '^.+\\.(ts|tsx|js|mjs|cjs)$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/packages/tooling/jest-fast-check.cjs' },
  transformIgnorePatterns: [`/node_modules/\\.pnpm/(?!(${esmOnly.join('|')})@)`],
};
/** These start the product as people do, so it is bundled first when a source is newer. */
const onProduct = { globalSetup: '<rootDir>/packages/tooling/jest-bundle-product.cjs' };
module.exports = {
  testTimeout: 30_000,
  maxWorkers: 2,
  testSequencer: '<rootDir>/packages/tooling/jest-longest-first.cjs',
  projects: [
    {
      ...common,
      // Node loads what a thread or another process runs, and only the compiled file.
      globalSetup: '<rootDir>/packages/tooling/jest-transpile.cjs',
      displayName: 'unit',
      testMatch: [
        '<rootDir>/(packages|services|protos)/**/src/**/*.test.ts',
        '<rootDir>/test-e2e/**/*.test.ts',
      ],
    },
    {
      ...common,
      ...onProduct,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test-e2e/**/*.e2e.ts'],
    },
    {
      ...common,
      ...onProduct,
      displayName: 'engines',
      testMatch: ['<rootDir>/test-e2e/engine-suites/**/*.engines.ts'],
    },
    {
      ...common,
      ...onProduct,
      displayName: 'distributed',
      globals: { isDistributed: true },
      testMatch: distributedSuites(),
    },
  ],
};
