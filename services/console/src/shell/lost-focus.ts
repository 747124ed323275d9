import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/** Moves the focus on when the element that had it is gone, is off, or was replaced. */
export function useLostFocus(): void {
  const last = useRef<Element>(undefined);
  // After a click the focus goes on from there, as the browser does by itself.
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

/** The element if it can have the focus again, otherwise the open dialog, or the page. */
function placeAfter(last: Element | undefined): HTMLElement | null | undefined {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  const isThere = last?.isConnected === true && !last.matches(':disabled');
  if (last instanceof HTMLElement && isThere && (dialog?.contains(last) ?? true)) return last;
  return dialog ?? (last === undefined ? undefined : document.getElementById('content'));
}
