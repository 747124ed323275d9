/** The text to print and the exit code: 0 only when it was done and all is well. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly message: string;
}

/** What a command found out, as one JSON object or as a text for people. */
export function toOutcome(
  exitCode: number,
  found: object,
  { json, text }: { readonly json: boolean; readonly text: string },
): CommandOutcome {
  return { exitCode, message: `${json ? JSON.stringify(found) : text}\n` };
}
