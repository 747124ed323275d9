/** `operator` is the platform role; in the own account it counts as owner. */
export const ROLES = ['owner', 'admin', 'member', 'operator'] as const;

export type Role = (typeof ROLES)[number];
