import { Link, useRoute } from 'wouter';
import { Mark } from './mark';
import type { PageRoute } from './page-route';
import classes from './shell.module.css';
import { UserMenu } from './user-menu';

const GROUPS = [
  ['account', 'Account'],
  ['operator', 'Operator'],
] as const;

/** The side of the page: every page that the user may open, and the menu of the user. */
export function Rail(props: { readonly routes: readonly PageRoute[] }) {
  return (
    <div className={classes.rail}>
      <div className={classes.brand}>
        <Mark />
        Tollgate
      </div>
      <nav className={classes.groups} aria-label="Pages">
        <PageLinks routes={props.routes} />
      </nav>
      <UserMenu />
    </div>
  );
}

/** The pages by group; the bottom bar of a phone shows them too. */
export function PageLinks(props: {
  readonly routes: readonly PageRoute[];
  readonly onFollow?: () => void;
}) {
  const groups = GROUPS.map(([group, name]) => ({
    name,
    routes: props.routes.filter((route) => route.group === group),
  })).filter(({ routes }) => routes.length > 0);
  return groups.map(({ name, routes }) => (
    <div key={name}>
      {groups.length > 1 && <div className={classes.groupName}>{name}</div>}
      <ul className={classes.group}>
        {routes.map((route) => (
          <PageLink key={route.path} route={route} onFollow={props.onFollow} />
        ))}
      </ul>
    </div>
  ));
}

function PageLink(props: {
  readonly route: PageRoute;
  readonly onFollow?: (() => void) | undefined;
}) {
  const { path, label, icon: Icon, Badge } = props.route;
  const [isHere] = useRoute(path);
  return (
    <li>
      <Link
        href={path}
        className={classes.pageLink}
        aria-current={isHere ? 'page' : undefined}
        onClick={() => props.onFollow?.()}
      >
        <Icon size={17} strokeWidth={1.8} aria-hidden="true" />
        {label}
        {Badge !== undefined && <Badge />}
      </Link>
    </li>
  );
}
