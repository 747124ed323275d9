import type { Disk } from './disk';
import { encodeFrame, scanFrames } from './frame';

/** Who this spool is, for ever, and how often it was opened. */
interface SpoolIdentity {
  readonly spoolId: string;
  readonly epoch: number;
}

const FILE = 'identity.spool';
const TEMPORARY_FILE = 'identity.spool.tmp';

/** Undefined for a new directory, or when the file is broken (the segments know the id too). */
export async function readIdentity(disk: Disk): Promise<SpoolIdentity | undefined> {
  const names = await disk.list();
  if (!names.includes(FILE)) return undefined;
  const payload = scanFrames(await disk.read(FILE)).frames[0]?.payload;
  if (payload === undefined) return undefined;
  const { spoolId, epoch } = JSON.parse(payload.toString()) as SpoolIdentity;
  return { spoolId, epoch };
}

/** Replaces the identity atomically and durably. */
export async function writeIdentity(disk: Disk, identity: SpoolIdentity): Promise<void> {
  const names = await disk.list();
  if (names.includes(TEMPORARY_FILE)) await disk.remove(TEMPORARY_FILE);
  const file = await disk.open(TEMPORARY_FILE);
  try {
    await file.append([encodeFrame(Buffer.from(JSON.stringify(identity)))]);
    await file.fdatasync();
  } finally {
    await file.close();
  }
  await disk.rename(TEMPORARY_FILE, FILE);
}
