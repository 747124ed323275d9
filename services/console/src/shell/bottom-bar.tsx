import { Drawer, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ellipsis } from 'lucide-react';
import { Link, useLocation, useRoute } from 'wouter';
import { useUser } from '../session/session';
import { type PageRoute, placesInBar } from './page-route';
import { Places } from './rail';
import classes from './shell.module.css';
import { UserMenu } from './user-menu';

/** The main pages within a thumb's reach, and all of them behind More. */
export function BottomBar(props: { readonly routes: readonly PageRoute[] }) {
  const [isOpen, more] = useDisclosure(false);
  const [path] = useLocation();
  const places = placesInBar(props.routes, useUser().role);
  return (
    <>
      <nav className={classes.bar} aria-label="Main pages">
        {places.map((route) => (
          <Tab key={route.path} route={route} />
        ))}
        <UnstyledButton
          className={classes.tab}
          data-here={!places.some((place) => place.path === path)}
          onClick={more.open}
          aria-expanded={isOpen}
        >
          <Ellipsis size={20} aria-hidden="true" />
          More
          {props.routes
            .filter((route) => !places.includes(route))
            .map(({ path: hidden, Mark }) => Mark !== undefined && <Mark key={hidden} />)}
        </UnstyledButton>
      </nav>
      <Drawer
        opened={isOpen}
        onClose={more.close}
        position="bottom"
        size="auto"
        title="All pages"
        closeButtonProps={{ 'aria-label': 'Close' }}
        classNames={{ content: classes.sheet, body: classes.allPages }}
      >
        <nav className={classes.groups} aria-label="All pages">
          <Places routes={props.routes} onFollow={more.close} />
        </nav>
        <UserMenu onFollow={more.close} />
      </Drawer>
    </>
  );
}

function Tab(props: { readonly route: PageRoute }) {
  const { path, label, icon: Icon, Mark } = props.route;
  const [isHere] = useRoute(path);
  return (
    <Link href={path} className={classes.tab} aria-current={isHere ? 'page' : undefined}>
      <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
      {label}
      {Mark !== undefined && <Mark />}
    </Link>
  );
}
