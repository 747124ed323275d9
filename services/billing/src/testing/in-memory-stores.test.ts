import { createInMemoryStores } from './in-memory-stores';
import {
  ACCOUNT_STORE_CONTRACT,
  LEDGER_STORE_CONTRACT,
  OUTBOX_STORE_CONTRACT,
} from './store-contract';

describe('the account store in memory', () => {
  it.each(ACCOUNT_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().accounts));
});

describe('the ledger store in memory', () => {
  it.each(LEDGER_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().ledger));
});

describe('the outbox in memory', () => {
  it.each(OUTBOX_STORE_CONTRACT)('$title', ({ run }) => run(createInMemoryStores().outbox));
});
