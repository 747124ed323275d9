/** Members that are never undefined: those that could be may be absent instead. */
type Present<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/**
 * The members that are not undefined. A store would look for, or write, null in place of undefined;
 * a spread of it would overwrite a value.
 */
export function withoutUndefined<Members extends object>(members: Members): Present<Members> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<Members>;
}
