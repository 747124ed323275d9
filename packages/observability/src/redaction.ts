/** Member names whose values are never logged, wherever they stand in the first levels of a line. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'Authorization',
  'cookie',
  'apiKey',
  'api_key',
  'password',
  'newPassword',
  'credential',
  'credentials',
  'secret',
  'serviceSecret',
  'previousServiceSecret',
  'previousSecret',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'pepper',
  'sealingKey',
]);

/** As far as the third name of a line: `{ request: { headers: { authorization } } }`. */
const LEVELS = 3;

/** Members that the logger describes itself, name by name. */
export const ERROR_MEMBERS = ['error', 'err', 'cause'] as const;
const DESCRIBED: ReadonlySet<string> = new Set(ERROR_MEMBERS);

const REDACTED = '[redacted]';

/**
 * The fields of a line without the values of secret members. Copies only what holds one: a library
 * that copied every line, and read the paths of all members anew, cost more than the rest of it.
 */
export function redactMembers<Fields extends object>(fields: Fields, levels = LEVELS): Fields {
  let redacted: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const kept = redactMember(name, value, levels);
    if (kept === value) continue;
    redacted ??= (Array.isArray(fields) ? [...fields] : { ...fields }) as Record<string, unknown>;
    redacted[name] = kept;
  }
  return redacted === undefined ? fields : (redacted as Fields);
}

function redactMember(name: string, value: unknown, levels: number): unknown {
  if (SECRET_MEMBERS.has(name)) return value === undefined ? value : REDACTED;
  const isNested = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  if (!isNested || levels === 1 || DESCRIBED.has(name)) return value;
  return redactMembers(value, levels - 1);
}

/** Secrets that have a form of their own are found wherever they stand, sentences included. */
const SECRET_FORMS: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/tg_live_[A-Za-z0-9_-]+/g, `tg_live_${REDACTED}`],
  [/tg_(refresh|reset)_[A-Za-z0-9_-]{32,}/g, `tg_$1_${REDACTED}`],
  [/whsec_[A-Za-z0-9+/=_-]{8,}/g, `whsec_${REDACTED}`],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, `sk-${REDACTED}`],
  [/\b(AIza|gsk_|xai-)[A-Za-z0-9_-]{32,}/g, `$1${REDACTED}`],
  [/\b([Bb]earer )[A-Za-z0-9._~+/=-]{8,}/g, `$1${REDACTED}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/g, `$1${REDACTED}@`],
  // Of an engine, whose path has no `@`: a password that is not percent-encoded may have a slash.
  [/(\b(?:mongodb(?:\+srv)?|rediss?):\/\/)[^\s"]*@/g, `$1${REDACTED}@`],
];
/** One cheap scan decides that most lines hold none of the forms. */
const MAY_HOLD_SECRET =
  /tg_(?:live|refresh|reset)_|whsec_|sk-|AIza|gsk_|xai-|earer |:\/\/[^\s/"]*@|(?:mongodb|redis)[a-z+]*:\/\/[^\s"]*@/;

/** Replaces every secret that can be told by its form. */
export function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  let redacted = text;
  for (const [form, replacement] of SECRET_FORMS) redacted = redacted.replace(form, replacement);
  return redacted;
}
