import { isDeepStrictEqual } from 'node:util';
import type { SettingDescription } from '@tollgate/config';

/** A setting with everyone who reads its variable. */
export interface ReadSetting extends SettingDescription {
  /** In the order of the schemas that were given. */
  readonly readers: readonly string[];
}

/** The settings that one reader declares. */
export interface ReaderSettings {
  readonly reader: string;
  readonly settings: readonly SettingDescription[];
}

/**
 * One entry for each variable. Throws when two readers disagree about what a variable may hold: a
 * page could only be right about one of them.
 */
export function mergeReaders(all: readonly ReaderSettings[]): readonly ReadSetting[] {
  const merged = new Map<string, ReadSetting>();
  for (const { reader, settings } of all) {
    for (const setting of settings) {
      const known = merged.get(setting.name);
      if (known !== undefined && !isSameValue(known, setting)) {
        throw new Error(
          `${setting.name}: ${reader} and ${known.readers.join(', ')} disagree about it`,
        );
      }
      const readers = [...(known?.readers ?? []), reader];
      merged.set(setting.name, { ...(known ?? setting), readers });
    }
  }
  return [...merged.values()];
}

/** The sentence may differ, because each reader may use the value for something of its own. */
function isSameValue(a: SettingDescription, b: SettingDescription): boolean {
  const value = ({ kind, unit, accepts, required, secret, ...rest }: SettingDescription) => [
    kind,
    unit,
    accepts,
    rest.default,
    required,
    secret,
    rest.alternatives,
  ];
  return isDeepStrictEqual(value(a), value(b));
}
