import { Drawer, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ellipsis } from 'lucide-react';
import { Link, useLocation, useRoute } from 'wouter';
import { useUser } from '../session/session';
import { type PageRoute, pagesInBar } from './page-route';
import { PageLinks } from './rail';
import classes from './shell.module.css';
import { UserMenu } from './user-menu';

/** The main pages within a thumb's reach, and all of them behind More. */
export function BottomBar(props: { readonly routes: readonly PageRoute[] }) {
  const [isOpen, more] = useDisclosure(false);
  const [path] = useLocation();
  const inBar = pagesInBar(props.routes, useUser().role);
  return (
    <>
      <nav className={classes.bar} aria-label="Main pages">
        {inBar.map((route) => (
          <Tab key={route.path} route={route} />
        ))}
        <UnstyledButton
          className={classes.tab}
          data-here={!inBar.some((route) => route.path === path)}
          onClick={more.open}
          aria-expanded={isOpen}
        >
          <Ellipsis size={20} aria-hidden="true" />
          More
          {props.routes
            .filter((route) => !inBar.includes(route))
            .map(({ path: hidden, Badge }) => Badge !== undefined && <Badge key={hidden} />)}
        </UnstyledButton>
      </nav>
      <Drawer
        opened={isOpen}
        onClose={more.close}
        position="bottom"
        size="auto"
        title="All pages"
        classNames={{ content: classes.sheet, body: classes.allPages }}
      >
        <nav className={classes.groups} aria-label="All pages">
          <PageLinks routes={props.routes} onFollow={more.close} />
        </nav>
        <UserMenu onFollow={more.close} />
      </Drawer>
    </>
  );
}

function Tab(props: { readonly route: PageRoute }) {
  const { path, label, icon: Icon, Badge } = props.route;
  const [isHere] = useRoute(path);
  return (
    <Link href={path} className={classes.tab} aria-current={isHere ? 'page' : undefined}>
      <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
      {label}
      {Badge !== undefined && <Badge />}
    </Link>
  );
}
