import type { Role } from '../api/schemas';
import {
  describeNoPage,
  firstPageOf,
  hrefOfStory,
  mayOpen,
  type PageRoute,
  pagesInBar,
} from './page-route';

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

test('an operator begins with health and has it in the bar, a customer with the account', () => {
  const customers = ['/', '/requests', '/keys', '/usage', '/billing'];
  const operators = ['health', 'alerts', 'channels', 'models', 'requests'];
  const routes = [...customers, ...operators.map((name) => `/operator/${name}`)].map((path) =>
    route({ path }),
  );
  const pathsOf = (role: Role) => pagesInBar(routes, role).map(({ path }) => path);
  expect(pathsOf('owner')).toEqual(customers.slice(0, 4));
  expect(pathsOf('operator')).toEqual(
    ['health', 'alerts', 'channels', 'requests'].map((name) => `/operator/${name}`),
  );
  expect([firstPageOf('operator'), firstPageOf('member')]).toEqual(['/operator/health', '/']);
});

test('the address of a request leads to its story among those that somebody may see', () => {
  expect(hrefOfStory('member', 'req_1')).toBe('/requests?open=req_1');
  expect(hrefOfStory('operator', 'job 7&8')).toBe('/operator/requests?open=job%207%268');
});

test('an address without a page says so, and one of a page for others whom to ask', () => {
  const routes = [
    route({ path: '/team', label: 'Team' }),
    route({ path: '/operator/health', label: 'Health', group: 'operator' }),
  ];
  expect(describeNoPage('/nope', routes).title).toBe('There is no such page');
  expect(describeNoPage('/operator/health', routes).text).toContain('who run this Tollgate');
  expect(describeNoPage('/team', routes).text).toContain('owners and admins');
});
