/**
 * The nonce of this page's answer, without which the browser takes no style sheet that is made
 * here; empty where the page was served without a policy.
 */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}
