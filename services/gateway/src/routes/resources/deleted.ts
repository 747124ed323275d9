import { z } from 'zod';

/** What every DELETE answers. */
export const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export function toDeleted(id: string): z.infer<typeof deletedSchema> {
  return { id, deleted: true };
}
