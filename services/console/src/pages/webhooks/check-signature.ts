/** How a receiver checks that a delivery is signed with its secret, as the guide has it. */
export const SIGNATURE_CHECKS = [
  {
    language: 'JavaScript',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`body\` is what arrived, as a Buffer or text; header names in small letters. */
export function isFromTollgate(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return given.split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    const bytes = Buffer.from(signature, 'base64');
    return version === 'v1' && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
}`,
  },
  {
    language: 'Python',
    text: `import base64, hashlib, hmac, time


def is_from_tollgate(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """\`body\` is what arrived; header names in small letters."""
    identifier, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{identifier}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(one, wanted) for one in headers["webhook-signature"].split(" "))`,
  },
] as const;
