// Makes src/api/gen from the document that the gateway serves: `node generate.cjs`. The gateway has
// to be compiled for that.
const { execFileSync } = require('node:child_process');
const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { createOpenApiDocument } = require('../gateway/dist/pages/openapi.js');
const { ROUTES } = require('../gateway/dist/routes/table.js');

const folder = join(__dirname, 'src/api/gen');
mkdirSync(folder, { recursive: true });
execFileSync(
  process.execPath,
  [
    join(require.resolve('openapi-typescript/package.json'), '../bin/cli.js'),
    // A member with a default may be left out: components do not tell what is sent from what comes.
    '--default-non-nullable=false',
    '--output',
    join(folder, 'openapi.d.ts'),
  ],
  // The version of the deployment changes nothing in the types.
  {
    input: JSON.stringify(createOpenApiDocument(ROUTES, '1')),
    stdio: ['pipe', 'ignore', 'inherit'],
  },
);
