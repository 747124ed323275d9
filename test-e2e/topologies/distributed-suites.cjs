// Which suites run with separate services: `jest.config.cjs` reads it.
'use strict';

const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const SUITES = join(__dirname, '../suites');

/** What CI runs: chats, streams and their charges; the rest is run by hand, see the README. */
const SHORT = ['chat-completion'];

/** These are about one process, or about no topology at all; each with its reason. */
const ONE_PROCESS_ONLY = {
  bench: 'measures with programs of its own',
  canaries:
    'the card, log and data directory of one process; engine-suites/canaries does it for the others',
  commands: 'commands that work on the data directory and its embedded store',
  engines: 'the engines that tests start, without the product',
  'engine-mongodb': 'the same of MongoDB',
  readme: 'the commands of the README and the card of the first start',
  shutdown: 'how one process with everything in it ends',
  'survives-kill':
    'kill -9 of one process with everything in it; `npm run faults` kills the others',
  tokens: 'steals a signing key from the files of the embedded store',
};

/** Their files, as patterns of jest. */
function distributedSuites() {
  const isWhole = process.env.TOLLGATE_E2E_SUITES === 'all';
  const names = readdirSync(SUITES)
    .filter((file) => file.endsWith('.e2e.ts'))
    .map((file) => file.replace('.e2e.ts', ''))
    .filter((name) => (isWhole ? !(name in ONE_PROCESS_ONLY) : SHORT.includes(name)));
  return names.map((name) => `<rootDir>/test-e2e/suites/${name}.e2e.ts`);
}

module.exports = { distributedSuites };
