import { Webhook } from 'standardwebhooks';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PROVIDER = 'shop';

/** A payment system that signs what it sends with the library that such systems use. */
export const PAYMENTS = {
  provider: PROVIDER,
  /** For TOLLGATE_TOPUP_SECRETS. */
  configured: `${PROVIDER}:${SECRET}`,
  /** The headers with which it sends the body now. */
  sign(body: unknown, id: string, secret = SECRET): Readonly<Record<string, string>> {
    const at = new Date();
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, JSON.stringify(body)),
    };
  },
} as const;
