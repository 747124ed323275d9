import { asText, type JsonObject } from '@tollgate/core';
import type { VendorCall, VendorWords } from '../domain/vendor';
import { isMemberName } from './protocol/request-faults';

const WORDS_LENGTH_MAX = 300;
const WORDS_MAX = 100;
/** Of longer texts of a client, its tools included, only the name of the error is told. */
const PROMPT_BYTES_MAX = 256 * 1024;
/** Parts of words that are looked for in a prompt; what follows is not told. */
const SEARCHES_MAX = 100;
const WORD = /^[\w.:-]{1,64}$/;

/** What a vendor says, without anything that might be the client's or a secret. */
export function wordsOf(
  error: JsonObject | undefined,
  credential: string,
  call: VendorCall,
): Omit<VendorWords, 'status'> {
  if (error === undefined) return { error: '', message: '' };
  const names = [error.type, error.code, error.status]
    .map(asText)
    .filter((name) => WORD.test(name) && !SECRET_FORM.test(name) && !hasPartOf(credential, name));
  // Every word is looked for in the prompt.
  const bytes = textsOf(call).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const isLong = bytes > PROMPT_BYTES_MAX;
  return {
    error: names[0] ?? '',
    message: isLong ? '' : redact(asText(error.message), credential, call),
  };
}

/** The name of a member or of a model, quoted. */
const QUOTED_NAME = /(["`'])([\w.:/@-]{1,128})\1/g;
/** What stands around a name in a sentence. */
const AROUND = /^\(|[.,:;)]+$/g;
/** A quotation begins; an apostrophe stands behind a letter. */
const QUOTATION = /["`“‘«]|(?<![A-Za-z])'/;
/** Words of a language that errors are written in, names of members, small numbers. */
const HARMLESS = /^(?:[A-Za-z_.,:;()[\]/'-]{1,40}|\(?\d{1,7}[.,:;)]?)$/;

/** Words that prompts and errors have in common, and that tell nothing of a prompt. */
const COMMON = new Set(
  (
    'a an and any are as at be been by can cannot could did does for from has have if in into is it ' +
    'its many may maximum minimum model more must no not of on one only or out request should than ' +
    'that the this to token tokens too was were which will with within you your'
  ).split(' '),
);

/** Letters that stand in every prompt, such as the s behind an apostrophe. */
const SAID_LENGTH_MIN = 3;

/** Characters in a row that nobody writes by chance as they stand in the credential. */
const CREDENTIAL_RUN = 5;
/** How the secrets of vendors, and our own, begin. */
const SECRET_FORM = /^\W*(?:sk-|whsec_|tg_live_|bearer$)/i;

/**
 * Words that have a part of the credential: a vendor may quote half of it, or spell it out. Blanks
 * between words are passed over. Words that all errors have are found too, and told all the same.
 */
function findPartsOf(credential: string, words: readonly string[]): ReadonlySet<number> {
  const secret = credential.toLowerCase();
  let text = '';
  /** Which word a character of the text is of. */
  const places: number[] = [];
  for (const [index, word] of words.entries()) {
    const lower = word.slice(0, WORDS_LENGTH_MAX).toLowerCase();
    text += lower;
    for (let at = 0; at < lower.length; at += 1) places.push(index);
  }
  const found = new Set<number>();
  for (let start = 0; start + CREDENTIAL_RUN <= text.length; start += 1) {
    if (!secret.includes(text.slice(start, start + CREDENTIAL_RUN))) continue;
    for (const place of places.slice(start, start + CREDENTIAL_RUN)) found.add(place);
  }
  return found;
}

function hasPartOf(credential: string, word: string): boolean {
  return findPartsOf(credential, [word]).size > 0;
}

/**
 * Vendors quote what they were sent, and prompts are kept nowhere: the first quotation but that of a
 * member's name, or of the model as the catalogue and the vendor call it, ends what is shown, and a
 * word that might be a part of a key, or stands in the prompt, goes.
 */
function redact(message: string, credential: string, call: VendorCall): string {
  const { model, upstreamName } = call.candidate;
  const models = new Set([model.name, upstreamName]);
  const known = credential === '' ? message : message.replaceAll(credential, '…');
  const named = known.replace(QUOTED_NAME, (all: string, _: string, name: string) =>
    isMemberName(name) || models.has(name) ? name : all,
  );
  const quoted = named.search(QUOTATION);
  const own = quoted < 0 ? named : `${named.slice(0, quoted)}…`;
  const isSaid = findSaidBy(call);
  const words = own.split(/\s+/, WORDS_MAX);
  const secret = findPartsOf(credential, words);
  const isModel = (word: string, index: number) =>
    models.has(word.replaceAll(AROUND, '')) && !secret.has(index);
  const isShown = (word: string, index: number) => isModel(word, index) || isPlain(word, index);
  const isPlain = (word: string, index: number) =>
    HARMLESS.test(word) &&
    !SECRET_FORM.test(word) &&
    (!secret.has(index) || COMMON.has(word.toLowerCase())) &&
    !isSaid(word);
  return words
    .map((word, index) => (isShown(word, index) ? word : '…'))
    .join(' ')
    .slice(0, WORDS_LENGTH_MAX);
}

/** All that a vendor is sent in the client's words. */
function textsOf({ messages, parameters }: VendorCall): readonly (Buffer | string)[] {
  const { capabilityMembers, stop, user } = parameters;
  return [messages, capabilityMembers, user, ...stop];
}

/** A vendor may write in another case what it was sent, so case is taken away, and never compared. */
function fold(text: string): string {
  // Capitals first, because that of ß is SS and that of ſ is S. İ becomes an i and a dot of its own.
  return text.toUpperCase().toLowerCase().replaceAll('\u0307', '');
}

/** Whether a part of a word was sent, in any case; what is not looked for may be. */
function findSaidBy(call: VendorCall): (word: string) => boolean {
  // Most words of an error tell nothing, and folding a long prompt takes milliseconds.
  let sent: string | undefined;
  const found = new Map<string, boolean>();
  const isPartSaid = (written: string): boolean => {
    const part = written.toLowerCase();
    const known = found.get(part);
    if (known !== undefined) return known;
    const tellsNothing = /^[a-z]/.test(part) && part.length < SAID_LENGTH_MIN;
    if (tellsNothing || COMMON.has(part)) return false;
    if (found.size >= SEARCHES_MAX) return true;
    sent ??= fold(textsOf(call).join('\n'));
    const said = sent.includes(part);
    found.set(part, said);
    return said;
  };
  return (word) => (word.match(/[A-Za-z]+|\d+/g) ?? []).some(isPartSaid);
}
