/** Member names whose values are never logged, wherever they stand in the first levels of a line. */
const SECRET_MEMBERS = [
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
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'pepper',
  'sealingKey',
] as const;

/** Two levels of nesting: a line that carries `{ request: { headers: { authorization } } }`. */
export const REDACTED_PATHS: readonly string[] = SECRET_MEMBERS.flatMap((member) => [
  member,
  `*.${member}`,
  `*.*.${member}`,
]);

export const REDACTED = '[redacted]';

/** Secrets that have a form of their own are found wherever they stand, sentences included. */
const SECRET_FORMS: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/tg_live_[A-Za-z0-9_-]+/g, `tg_live_${REDACTED}`],
  [/whsec_[A-Za-z0-9+/=_-]{8,}/g, `whsec_${REDACTED}`],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, `sk-${REDACTED}`],
  [/\b([Bb]earer )[A-Za-z0-9._~+/=-]{8,}/g, `$1${REDACTED}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/g, `$1${REDACTED}@`],
];
/** One cheap scan decides that most lines hold none of the forms. */
const MAY_HOLD_SECRET = /tg_live_|whsec_|sk-|earer |:\/\/[^\s/"]*@/;

/** Replaces every secret that can be told by its form. */
export function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  let redacted = text;
  for (const [form, replacement] of SECRET_FORMS) redacted = redacted.replace(form, replacement);
  return redacted;
}
