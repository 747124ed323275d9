import { collectReaders } from '../reference/collect-configuration';
import { mergeReaders } from '../reference/read-settings';
import { readFromRoot } from '../repository';
import { listProductSources } from '../tidy/tidy';

const page = readFromRoot('docs/operations.md');

/** The text below a heading. */
function section(heading: string): string {
  const found = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`docs/operations.md has no part "${heading}"`);
  return found;
}

/** Names of collections, as stores and migrations write them. */
const COLLECTION_NAMES = [
  /\bcollection(?:<\w+>)?\('([a-z_]+)'\)/g,
  /\bcollection: '([a-z_]+)'/g,
  /[=:] '((?:identity|billing|routing|webhook|usage)_[a-z_]+)'/g,
];

function collectionsIn(text: string): readonly string[] {
  return COLLECTION_NAMES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
}

/** A file of nothing but names. */
function allTextsIn(text: string): readonly string[] {
  return [...text.matchAll(/: '([a-z_]+)'/g)].map(([, name = '']) => name);
}

const files = listProductSources().filter((file) =>
  /^(services\/[^/]+\/src\/(storage\/.*|service)|packages\/mongo\/src\/.*)\.ts$/.test(file),
);
const names = new Set(
  files.flatMap((file) => {
    const text = readFromRoot(file);
    return file.endsWith('/collections.ts') ? allTextsIn(text) : collectionsIn(text);
  }),
);

function unnamedIn(text: string): readonly string[] {
  return [...names].filter((name) => !text.includes(`\`${name}\``)).sort();
}

test('the page says of every collection how long it is kept', () => {
  expect(names.size).toBeGreaterThan(30);
  expect(unnamedIn(section('What is kept, and for how long'))).toEqual([]);
});

test('the page says of every collection with something of an account what an erasure leaves', () => {
  expect(unnamedIn(section('Erasing an account'))).toEqual([
    'billing_idempotency',
    'identity_oauth_states',
    'identity_signing_keys',
    'usage_retention',
  ]);
});

test('collections are found however a store names them', () => {
  const text =
    "of.collection<Doc>('a_b'); { collection: 'c_d' }; const X = 'billing_x'; k: 'usage_y'";
  expect(collectionsIn(text)).toEqual(['a_b', 'c_d', 'billing_x', 'usage_y']);
});

test('the page says of every secret how it is rotated', () => {
  const secrets = mergeReaders(collectReaders()).filter(({ secret }) => secret);
  expect(secrets.length).toBeGreaterThan(6);
  const rotated = section('Rotating secrets');
  const missing = secrets.filter(({ name }) => !rotated.includes(`\`${name}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
