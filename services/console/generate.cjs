// Makes src/api/gen: the types of the paths that the sources name, from the document that the gateway
// serves: `node generate.cjs`. The gateway has to be compiled for that.
const { execFileSync } = require('node:child_process');
const { globSync, mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { createOpenApiDocument } = require('../gateway/dist/pages/openapi.js');
const { ROUTES } = require('../gateway/dist/routes/table.js');

const source = join(__dirname, 'src');
const folder = join(source, 'api/gen');

/** The routes of every path that stands in the sources as a text of its own, as in a call. */
function namedRoutes() {
  const files = globSync('**/*.{ts,tsx}', { cwd: source, exclude: ['api/gen/**'] });
  const texts = files.map((file) => readFileSync(join(source, file), 'utf8'));
  const named = new Set(texts.flatMap((text) => text.match(/(?<=')\/v1\/[^']+(?=')/g) ?? []));
  const served = new Set(ROUTES.map(({ path }) => path));
  const missing = [...named].filter((path) => !served.has(path));
  if (missing.length > 0) throw new Error(`no route of the gateway: ${missing.join(', ')}`);
  return ROUTES.filter(({ path }) => named.has(path));
}

/** Leaves out what makes no type: texts for a reader, and refusals, which `ApiError` reads itself. */
function onlyTypes(name, value) {
  if (name === 'example' || name === 'examples') return undefined;
  if (name === 'description' || name === 'summary') {
    return typeof value === 'string' ? undefined : value;
  }
  if (name !== 'responses') return value;
  return Object.fromEntries(Object.entries(value).filter(([status]) => status.startsWith('2')));
}

// The version of the deployment changes nothing in the types.
const document = createOpenApiDocument(namedRoutes(), '1');

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
  { input: JSON.stringify(document, onlyTypes), stdio: ['pipe', 'ignore', 'inherit'] },
);
