/**
 * The nonce of this page's answer, without which the browser takes no style sheet that is made
 * here. The library that holds the page behind a drawer reads it under the global name.
 */
export function readNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
