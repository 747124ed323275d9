import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/** Where the keyboard goes on when what had the focus is gone, is off, or was replaced. */
export function useLostFocus(): void {
  const last = useRef<Element>(undefined);
  // Whoever points somewhere goes on from there, as the browser does by itself.
  useWindowEvent('pointerdown', () => {
    last.current = undefined;
  });
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Element) last.current = target;
  });
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Tab' || document.activeElement !== document.body) return;
      const next = placeAfter(last.current);
      next?.focus();
      // What is before a dialog is behind it.
      if (event.shiftKey && next?.role === 'dialog') event.preventDefault();
    },
    { capture: true },
  );
}

/** The same if it can have the focus again, and otherwise the dialog that is open, or the page. */
function placeAfter(last: Element | undefined): HTMLElement | null | undefined {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  const isThere = last?.isConnected === true && !last.matches(':disabled');
  if (last instanceof HTMLElement && isThere && (dialog?.contains(last) ?? true)) return last;
  return dialog ?? (last === undefined ? undefined : document.getElementById('content'));
}
