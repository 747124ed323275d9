import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { promptTokensMax, promptTokensToReserve, tokensMinOf } from './estimate';

/** Text as the gateway sends it. */
function messagesOf(content: string): Buffer {
  return Buffer.from(JSON.stringify([{ role: 'user', content }]));
}

const PROSE = 'The quick brown fox doesn\'t jump over the lazy dog; "why" is what it asks.\n';

describe('a prompt of unknown tokens', () => {
  it('is estimated at half its bytes, with room for each message', () => {
    expect(promptTokensToReserve(101, 2)).toBe(51 + 16 + 8);
    expect(promptTokensMax(101, 2)).toBe(101 + 16 + 8);
  });

  it.each([
    ['words', PROSE.repeat(20)],
    [
      'code',
      'for (let i = 0; i < xs.length; i += 1) {\n        total += xs[i];\n    }\n'.repeat(9),
    ],
    ['German', 'Die Donaudampfschifffahrtsgesellschaft unterhält Rechtsschutzversicherungen. '],
    ['Chinese', '我们今天去公园散步，然后回家做饭。'.repeat(10)],
    ['Hindi', 'आज हम पार्क में टहलने जाते हैं और फिर घर आते हैं। '.repeat(10)],
    ['base64', Buffer.from(PROSE.repeat(9)).toString('base64')],
    ['zeros in base64', 'A'.repeat(3000)],
    ['hexadecimal digits', Buffer.from(PROSE).toString('hex')],
    ['lines', '----------------\n\n\n\n\t\t\t\t        ===================='.repeat(9)],
    ['emoji', '🙂🚀👩‍👩‍👧'.repeat(30)],
    ['rare letters', '𒀀𒀁𒀂'.repeat(30)],
  ])('has its tokens between the bounds when it is %s', (_what, text) => {
    const messages = messagesOf(text);
    const tokens = countTokens(text);
    const framing = tokensMinOf(messagesOf(''));
    expect(tokensMinOf(messages) - framing).toBeLessThanOrEqual(tokens);
    expect(promptTokensMax(messages.length, 1)).toBeGreaterThanOrEqual(tokens);
  });

  it('is known to be long when it has many words', () => {
    expect(tokensMinOf(messagesOf('one two three '.repeat(1000)))).toBeGreaterThan(3000);
  });
});
