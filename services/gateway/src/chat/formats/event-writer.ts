import type { JsonObject } from '@tollgate/core';

/** Writes events of a stream under their names, until they are taken together. */
export function createEventWriter() {
  let frames = '';
  return {
    write(event: JsonObject & { readonly type: string }): void {
      frames += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    },
    take(): Buffer {
      const bytes = Buffer.from(frames);
      frames = '';
      return bytes;
    },
  };
}
