import { CodeBlock } from './copy';
import classes from './side-drawer.module.css';

/** What the form sends, to be done by a program. */
export function ApiCall(props: {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}) {
  const { method, path, body } = props;
  const text = [
    `curl -X ${method} ${window.location.origin}${path} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].join('\n');
  return (
    <details className={classes.json}>
      <summary>The same as an API call</summary>
      <CodeBlock text={text} what="API call" />
    </details>
  );
}
