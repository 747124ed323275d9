// Layers of docs/architecture.md as errors. Tests may reach further (testkit); nothing else may.
const layers = {
  contract: '^protos/',
  0: '^packages/core/',
  1: '^packages/(config|observability|jobs)/',
  2: '^packages/lifecycle/',
  3: '^packages/(rpc|events|mongo|embedded-mongo|egress)/',
};
const test = '(\\.test\\.ts$|/testing/|contract\\.ts$)';
const source = (pattern) => ({ path: pattern, pathNot: test });
const owner = (name, comment, packagePattern, owners) => ({
  name: `owner-${name}`,
  comment,
  severity: 'error',
  from: { pathNot: `${owners}|${test}|^test-e2e/|^packages/(testkit|tooling|money-model)/` },
  to: { path: `node_modules/${packagePattern}(/|$)`, dependencyTypesNot: ['type-only'] },
});

module.exports = {
  forbidden: [
    {
      name: 'contract-is-a-leaf',
      comment: 'The contract must be readable without any of our code.',
      severity: 'error',
      from: { path: layers.contract },
      to: { path: '^(packages|services|test-e2e)/' },
    },
    {
      name: 'core-knows-nothing',
      comment: 'Everything imports core; core importing anything would make a cycle of everything.',
      severity: 'error',
      from: source(layers[0]),
      to: { path: '^(protos|packages/(?!core/)|services|test-e2e)' },
    },
    {
      name: 'core-needs-only-ulid',
      comment: 'A library in core is a library in every process.',
      severity: 'error',
      from: source(layers[0]),
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(\\.pnpm/)?ulid|node_modules/(\\.pnpm/)?@types[+/]node',
      },
    },
    {
      name: 'layer-1-knows-0',
      comment: 'Configuration, observability and jobs must work before anything else exists.',
      severity: 'error',
      from: source(layers[1]),
      to: { path: '^(protos|services|test-e2e|packages/(?!core/))', pathNot: layers[1] },
    },
    {
      name: 'layer-1-siblings-are-strangers',
      comment: 'Each must be replaceable without the others.',
      severity: 'error',
      from: source(layers[1]),
      to: { path: layers[1], pathNot: '^packages/$1/' },
    },
    {
      name: 'layer-2-knows-0-and-1',
      comment: 'The lifecycle runs modules; it knows none of them.',
      severity: 'error',
      from: source(layers[2]),
      to: {
        path: `${layers[3]}|^(protos|services|test-e2e|packages/(testkit|tooling|money-model))`,
      },
    },
    {
      name: 'layer-3-siblings-are-strangers',
      comment: 'Each adapter package must be replaceable alone.',
      severity: 'error',
      from: source(layers[3]),
      to: { path: layers[3], pathNot: '^packages/$1/' },
    },
    {
      name: 'packages-know-no-service',
      comment: 'A package that knows a service is part of that service.',
      severity: 'error',
      from: { path: '^packages/(?!tooling/|money-model/)' },
      to: { path: '^services/' },
    },
    {
      name: 'services-are-strangers',
      comment: 'Services meet at contracts and events, never in code.',
      severity: 'error',
      from: { path: '^services/(?!all-in-one/)([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'all-in-one-uses-front-doors',
      comment: 'The module table may know a service only by what it exports.',
      severity: 'error',
      from: { path: '^services/all-in-one/' },
      to: { path: '^services/(?!all-in-one/)[^/]+/src/(?!index\\.ts$)' },
    },
    {
      name: 'workspace-by-front-door',
      comment: 'Another package is what its index exports.',
      severity: 'error',
      from: { path: '^((?:packages|services)/[^/]+|protos)/', pathNot: test },
      to: {
        path: '^packages/[^/]+/src/(?!index\\.ts$)',
        pathNot: '^$1/',
      },
    },
    {
      name: 'testkit-is-for-tests',
      comment: 'Product code that leans on a test tool is not the product.',
      severity: 'error',
      from: { path: '^(protos|packages|services)/', pathNot: `${test}|^packages/testkit/` },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'nobody-imports-tooling',
      comment: 'Tools may import everything, so nothing may import tools.',
      severity: 'error',
      from: { pathNot: '^packages/(tooling|money-model)/' },
      to: { path: '^packages/(tooling|money-model)/' },
    },
    {
      name: 'e2e-is-black-box',
      comment: 'End-to-end tests see the product as its users do.',
      severity: 'error',
      from: { path: '^test-e2e/' },
      // It compares documents, and knows nothing of the product.
      to: {
        path: '^(protos|packages|services)/',
        pathNot: '^packages/testkit/src/generated-block',
      },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules know only core and each other: no I/O, no edge.',
      severity: 'error',
      from: { path: '^services/([^/]+/src/domain|completion/src/routing)/', pathNot: test },
      to: {
        path: '^(packages/(?!core/)|protos/|services/[^/]+/src/(?!domain/|routing/)|node_modules/)',
        pathNot: '@types[+/]node',
      },
    },
    {
      name: 'operations-know-the-domain',
      comment: 'One operation per RPC or event, driven through ports.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/operations/', pathNot: test },
      to: {
        path: '^services/[^/]+/src/(grpc|http|routes|events|storage|vendors|oauth|secrets|clients|service|main)',
      },
    },
    {
      name: 'jobs-drive-operations',
      comment:
        'A job says when; what it does is an operation, and an edge is given to it as a port.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/jobs/', pathNot: test },
      to: {
        path: '^services/[^/]+/src/(grpc|http|routes|events|storage|vendors|oauth|secrets|clients|service|main)',
      },
    },
    {
      name: 'edges-are-strangers',
      comment: 'An edge that calls another edge hides a decision; it belongs in an operation.',
      severity: 'error',
      from: {
        path: '^services/[^/]+/src/(grpc|http|events|storage|vendors|oauth|secrets|clients)/',
        pathNot: test,
      },
      to: {
        path: '^services/[^/]+/src/(grpc|http|events|storage|vendors|oauth|secrets|clients)/',
        pathNot: '^services/[^/]+/src/$1/',
      },
    },
    {
      name: 'credit-spool-and-usage-know-no-edge',
      comment: 'Operations work with them: they know the domain and each other, and no caller.',
      severity: 'error',
      from: source('^services/completion/src/(credit|spool|usage)/'),
      to: {
        path: '^services/completion/src/(grpc|vendors|clients|operations|commands|config|service)',
      },
    },
    {
      name: 'completion-threads-know-nobody',
      comment: 'A thread does any long work; what work it is says whoever starts it.',
      severity: 'error',
      from: source('^services/completion/src/threads/'),
      to: { path: '^services/completion/src/', pathNot: '^services/completion/src/threads/' },
    },
    {
      name: 'spool-disk-is-given',
      comment: 'What a disk does when it fails or tears a write is tried without one.',
      severity: 'error',
      from: {
        path: '^services/completion/src/(credit|spool|usage)/',
        pathNot: `${test}|^services/completion/src/spool/disk\\.ts$`,
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?fs' },
    },
    {
      name: 'gateway-bounds-and-money-know-nobody',
      comment: 'Every folder of the gateway may use them, so they may use none.',
      severity: 'error',
      from: source('^services/gateway/src/(bounds|money)/'),
      to: { path: '^services/gateway/src/', pathNot: '^services/gateway/src/$1/' },
    },
    {
      name: 'gateway-http-knows-no-operation',
      comment: 'An exchange is the same for every answer; it needs a bound and who is asking.',
      severity: 'error',
      from: source('^services/gateway/src/http/'),
      to: {
        path: '^services/gateway/src/',
        pathNot:
          '^services/gateway/src/(http/|bounds/byte-bound\\.ts|auth/address-list\\.ts|metrics\\.ts)',
      },
    },
    {
      name: 'gateway-clients-know-no-operation',
      comment: 'A client maps what it is answered and decides nothing.',
      severity: 'error',
      from: source('^services/gateway/src/clients/'),
      to: {
        path: '^services/gateway/src/',
        pathNot: '^services/gateway/src/(clients/|bounds/|auth/|limits/|config\\.ts)',
      },
    },
    {
      name: 'gateway-rules-know-no-operation',
      comment: 'Who is let in is decided in the same way whatever was asked.',
      severity: 'error',
      from: source('^services/gateway/src/(auth|limits|refusals)/'),
      to: { path: '^services/gateway/src/(chat|routes|pages)/' },
    },
    owner(
      'grpc',
      'gRPC is replaceable in one folder.',
      '@grpc/grpc-js',
      '^(packages/rpc/|protos/|services/[^/]+/src/grpc/)',
    ),
    owner(
      'kafka',
      'kafkajs is unmaintained: one folder must be enough to replace it.',
      'kafkajs',
      '^packages/events/',
    ),
    owner(
      'mongoose',
      'The driver lives where documents live.',
      'mongoose',
      '^(packages/mongo/|services/[^/]+/src/storage/)',
    ),
    owner('undici', 'Every outbound byte passes the address guard.', 'undici', '^packages/egress/'),
    owner('opossum', 'One breaker for each client of a service.', 'opossum', '^packages/rpc/'),
    owner(
      'prom-client',
      'Metrics are declared through one facade.',
      'prom-client',
      '^packages/observability/',
    ),
    owner('pino', 'Redaction happens in one place.', 'pino', '^packages/observability/'),
    owner(
      'express',
      'HTTP routing belongs to the gateway.',
      '(express|http-proxy-middleware)',
      '^services/gateway/',
    ),
    owner(
      'jsonwebtoken',
      'Tokens are made in identity and checked at the gateway.',
      'jsonwebtoken',
      '^services/(identity|gateway)/',
    ),
    {
      name: 'no-cycles',
      comment: 'A cycle has no first file to read.',
      severity: 'error',
      from: { pathNot: '/gen/' },
      to: { circular: true },
    },
    {
      name: 'declared-dependencies',
      comment: 'What is imported is declared where it is imported.',
      severity: 'error',
      from: { path: '^(protos|packages|services|test-e2e)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that resolves to nothing is not checked by any rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|/gen/|^services/console/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['tollgate-source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.d.ts'],
    },
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
