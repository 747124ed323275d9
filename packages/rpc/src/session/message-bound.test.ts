import { completionV1 } from '@tollgate/protos';
import { MESSAGE_OPTIONS } from '../message-stream';
import { completionDefinition, payloadOfRequest } from './codec';
import { FrameQueue } from './frame-queue';

const { requestSerialize } = completionDefinition.session;
const MESSAGE_BYTES_MAX = MESSAGE_OPTIONS['grpc.max_receive_message_length'];
const EMPTY = Buffer.alloc(0);
const caller = completionV1.Caller.decode(EMPTY);
const parameters = completionV1.Parameters.decode(EMPTY);

const namesOf = (count: number, length: number) =>
  Array.from({ length: count }, () => 'x'.repeat(length));
/** Characters of three bytes. */
const longest = (length: number) => '€'.repeat(length);

it.each<[number, string, Partial<completionV1.CompletionInput>]>([
  [
    100,
    'callers who may use some models alone',
    {
      caller: {
        ...caller,
        models: namesOf(100, 128),
        pools: namesOf(100, 128),
        grantedGroups: namesOf(500, 200),
        accountModels: namesOf(500, 200),
      },
    },
  ],
  [
    2_000,
    'the longest texts that a request may have beside its prompt',
    {
      model: longest(256),
      fallbackModels: Array.from({ length: 8 }, () => longest(256)),
      parameters: {
        ...parameters,
        user: longest(512),
        stop: Array.from({ length: 4 }, () => longest(256)),
      },
    },
  ],
])(
  '%i short prompts that waited, with %s, leave in messages of bounded size',
  (count, _what, changes) => {
    const sizes: number[] = [];
    const queue = new FrameQueue<completionV1.SessionRequestFrame>({
      write(frames) {
        sizes.push(requestSerialize({ frames }).length);
        return true;
      },
    });
    queue.hold();
    const messages = Buffer.from('[{"role":"user","content":"hi"}]');
    const input = { ...completionV1.CompletionInput.decode(EMPTY), messages, ...changes };
    for (let number = 1; number <= count; number += 1) {
      const frame: completionV1.SessionRequestFrame = {
        number,
        action: { $case: 'open', value: { input, stream: true } },
      };
      queue.push(frame, payloadOfRequest(frame));
    }
    queue.resume();
    expect(Math.max(...sizes)).toBeLessThan(MESSAGE_BYTES_MAX);
  },
);
