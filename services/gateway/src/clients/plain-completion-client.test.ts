import { createSystemClock, silentLogger } from '@tollgate/core';
import { completionDefinition, createRpcClient } from '@tollgate/rpc';
import { TEST_SECRET } from '../testing/fake-service';
import { describeCompletionClient } from './completion-client-contract';
import { createPlainCompletionClient } from './plain-completion-client';

const clock = createSystemClock();

describeCompletionClient('one RPC per request', (address) =>
  createPlainCompletionClient(
    createRpcClient(completionDefinition, {
      address,
      caller: 'gateway',
      security: { serviceSecret: TEST_SECRET, plaintext: false },
      host: { clock, logger: silentLogger },
      deadlineMs: 10_000,
    }),
    clock,
  ),
);
