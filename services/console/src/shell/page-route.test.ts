import type { Role } from '../api/schemas';
import { mayOpen, type PageRoute } from './page-route';

const route = (more: Partial<PageRoute>) =>
  ({ path: '/a', label: 'A', group: 'account', ...more }) as PageRoute;

const rolesOf = (one: PageRoute) =>
  (['owner', 'admin', 'member', 'operator'] satisfies Role[]).filter((role) => mayOpen(one, role));

test('a page of the account is for everybody in it, unless it names roles', () => {
  expect(rolesOf(route({}))).toEqual(['owner', 'admin', 'member', 'operator']);
  expect(rolesOf(route({ roles: ['owner', 'operator'] }))).toEqual(['owner', 'operator']);
});

test("a page of the operator's is for nobody else, whatever roles it names", () => {
  expect(rolesOf(route({ group: 'operator' }))).toEqual(['operator']);
  expect(rolesOf(route({ group: 'operator', roles: ['owner'] }))).toEqual(['operator']);
});
