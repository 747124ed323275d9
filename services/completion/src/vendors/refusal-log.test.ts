import { silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { VendorCall } from '../domain/vendor';
import { chatCall, exampleCall } from '../testing/vendor-call';
import { createRefusalLog } from './refusal-log';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** What is kept of a refusal with this error. */
function wordsOf(error: object, call: VendorCall) {
  const log = createRefusalLog({ logger: silentLogger, clock: createFakeClock() });
  const body = Buffer.from(JSON.stringify({ error }));
  return log.note(call, { status: 400, headers: {}, body });
}

const messageOf = (message: string, call: VendorCall) => wordsOf({ message }, call).message;

function callWithTools(bytes: number): VendorCall {
  const { parameters } = exampleCall();
  const capabilityMembers = Buffer.from(JSON.stringify({ tools: ['x'.repeat(bytes)] }));
  return exampleCall({ parameters: { ...parameters, capabilityMembers } });
}

test('words are not looked for in tools that are as long as a book', () => {
  expect(messageOf('unexpected weather', callWithTools(1_000))).toBe('unexpected weather');
  expect(messageOf('unexpected weather', callWithTools(300_000))).toBe('');
});

test('no message makes us look for more than a hundred words', () => {
  const call = exampleCall({ messages: Buffer.from('["said"]') });
  const part = (number: number) =>
    [26, 1].map((place) => LETTERS.at((number / place) % 26)).join('');
  // Its last part stands in the prompt, so all of them are looked for, and the word goes.
  const word = (index: number) =>
    [...[0, 1, 2, 3, 4, 5, 6, 7].map((place) => `x${part(8 * index + place)}`), 'said'].join('.');
  const words = (count: number) => Array.from({ length: count }, (_, index) => word(index));
  const shownAfter = (count: number) => messageOf([...words(count), 'weather'].join(' '), call);
  expect(shownAfter(12)).toMatch(/^(… ){12}weather$/);
  expect(shownAfter(13)).toMatch(/^(… ){13}…$/);
});

test.each([
  ['in another case', 'Wilhelmina QUACKENBUSH', 'wilhelmina Quackenbush'],
  ['that grow in another case', 'Straße İstanbul', 'STRASSE istanbul'],
  ['in letters that are others in small', 'ſiren \u212aelvin', 'siren kelvin'],
])('words of the prompt are not told %s', (_how, content, told) => {
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content }]));
  const shown = messageOf(`request blocked: ${told} today`, exampleCall({ messages }));
  expect(shown).toMatch(/^request blocked: (… )+today$/);
});

test('words of the tools, of the user and of the stop sequences are not told', () => {
  const call = chatCall([], { tools: [{ function: { name: 'find_Syphilis' } }] });
  const parameters = { ...call.parameters, user: 'W.Quackenbush', stop: ['Regards', 'Yours'] };
  const words = 'request blocked: syphilis quackenbush regards yours today';
  expect(messageOf(words, { ...call, parameters })).toBe('request blocked: … … … … today');
  const long = { ...call.parameters, user: 'x'.repeat(300_000) };
  expect(messageOf(words, { ...call, parameters: long })).toBe('');
});

test('no piece of the credential is told, cut, spelled out or in another case', () => {
  const call = exampleCall({ messages: Buffer.from('[]') });
  const { candidate } = call;
  const credential = 'sk-VendorSecretCredential';
  const channel = { ...candidate.channel, credential };
  const called = { ...call, candidate: { ...candidate, channel } };
  const told = (message: string) => messageOf(message, called);
  const named = { type: 'sk-anothers', code: 'no_VendorSecret', status: 'bad_key_2' };
  expect(wordsOf(named, called).error).toBe('bad_key_2');
  expect(told('the key sk-VendorSecretCrede. is wrong')).toBe('the key … is wrong');
  expect(told('the end is Credential')).toBe('the end is …');
  expect(told('half of it: SECRETCRE')).toBe('half of it: …');
  expect(told('it spells s k - V e n d o r S now')).toBe('it spells … … … … … … … … … … now');
  expect(told('sk-OfSomebodyElse is wrong')).toBe('… is wrong');
  expect(told('the model is not there')).toBe('the model is not there');
});

test('a sentence goes on behind an apostrophe and the quoted name of a member', () => {
  const call = exampleCall({ messages: Buffer.from('[{"role":"user","content":"sing a song"}]') });
  expect(
    messageOf("Unsupported value: 'temperature' does not support 0.2 with this model.", call),
  ).toBe('Unsupported value: temperature does not support … with this model.');
  expect(messageOf("This model's maximum context length is 128000 tokens.", call)).toBe(
    "This model's maximum context length is 128000 tokens.",
  );
  expect(messageOf("The word 'secret' is not liked.", call)).toBe('The word …');
});

test('the model that a vendor does not have is named, and the sentence goes on', () => {
  const call = exampleCall({ messages: Buffer.from('[{"role":"user","content":"sing a song"}]') });
  const { upstreamName } = call.candidate;
  const missing = `The model \`${upstreamName}\` does not exist or you do not have access to it.`;
  expect(messageOf(missing, call)).toBe(missing.replaceAll('`', ''));
  expect(messageOf('The model `another-one` does not exist.', call)).toBe('The model …');
});
