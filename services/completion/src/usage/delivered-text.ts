/** The text handed to the client so far. Its tokens are counted at the end, if anybody asks. */
export interface DeliveredText {
  add(text: string, choice?: number): void;
  /** UTF-8 bytes of all choices. */
  readonly bytes: number;
  /** One text for each choice. */
  texts(): readonly string[];
}

/** Starts at nothing. */
export function createDeliveredText(): DeliveredText {
  const byChoice: string[] = [];
  let bytes = 0;
  return {
    add(text, choice = 0) {
      if (text === '') return;
      bytes += Buffer.byteLength(text);
      byChoice[choice] = (byChoice[choice] ?? '') + text;
    },
    get bytes() {
      return bytes;
    },
    // A vendor numbers its choices as it likes: holes are left out.
    texts: () => Object.values(byChoice),
  };
}
