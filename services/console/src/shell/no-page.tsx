import { Anchor, Text, Title } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useUser } from '../session/session';
import { describeNoPage, firstPageOf, type PageRoute } from './page-route';
import classes from './shell.module.css';

/** An address that leads nowhere stays as it was written, so that it can be mended. */
export function NoPage({ routes }: { readonly routes: readonly PageRoute[] }) {
  const [path] = useLocation();
  const { role } = useUser();
  const first = routes.find((route) => route.path === firstPageOf(role));
  const { title, text } = describeNoPage(path, routes);
  return (
    <div className={classes.away}>
      <title>{`${title} · Tollgate`}</title>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      <Anchor component={Link} href={first?.path ?? '/'}>
        Go to {first?.label ?? 'the first page'}
      </Anchor>
    </div>
  );
}
