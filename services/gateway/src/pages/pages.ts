import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { AppError, type Logger, toAppError } from '@tollgate/core';
import type { Readiness } from '@tollgate/lifecycle';
import type { RequestHandler } from 'express';
import { HTML_TYPE, JSON_TYPE } from '../http/content-types';
import { createHttpExchange, type HttpExchange } from '../http/exchange';
import type { PathBeside } from '../routes/application';
import type { Route } from '../routes/table';
import { createConsoleProxy } from './console-proxy';
import { createGuide, GUIDE_STYLE, guideMenuOf } from './guide';
import { createOpenApiDocument } from './openapi';

export interface PagesOptions {
  readonly routes: readonly Route[];
  readonly readiness: () => Readiness;
  /** Undefined when no console runs. */
  readonly consoleAddress: string | undefined;
  /** Throws when a network asks for too many files; probes and redirects are not counted. */
  readonly admit: (exchange: HttpExchange) => Promise<void>;
  readonly logger: Logger;
}

const VERSION = '1.0.0';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

// Everything comes from our own origin; the viewer styles itself with inline attributes.
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const DOCS_HEADERS = { 'Content-Security-Policy': DOCS_POLICY };
const KEPT_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tollgate API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/guide.css">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
${guideMenuOf('')}
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/open.js"></script>
</body>
</html>
`;
const DOCS_SCRIPT =
  "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#docs', deepLinking: true });\n";

/** Probes, the document and its page, and the console. */
export function createPages(options: PagesOptions): readonly PathBeside[] {
  const { admit, consoleAddress, logger, readiness, routes } = options;
  const openApi = lazy(() => JSON.stringify(createOpenApiDocument(routes, VERSION)));
  const counted = (path: string, answer: () => PageAnswer) => page(path, answer, { admit });
  const pages: PathBeside[] = [
    counted('/v1/openapi.json', () => ({ type: JSON_TYPE, body: openApi() })),
    page('/livez', () => ({ type: JSON_TYPE, body: '{"live":true}' })),
    page('/readyz', () => {
      const { ready } = readiness();
      return { status: ready ? 200 : 503, type: JSON_TYPE, body: JSON.stringify({ ready }) };
    }),
    page('/', () => redirectTo('/console/')),
    counted('/docs', () => ({ type: HTML_TYPE, body: DOCS_PAGE, headers: DOCS_HEADERS })),
    counted('/docs/open.js', () => ({ type: SCRIPT, body: DOCS_SCRIPT })),
    counted('/docs/swagger-ui.css', asset('swagger-ui.css', STYLE)),
    counted('/docs/swagger-ui-bundle.js', asset('swagger-ui-bundle.js', SCRIPT)),
    counted('/docs/guide.css', () => ({ type: STYLE, body: GUIDE_STYLE, headers: KEPT_AN_HOUR })),
    guidePages(admit),
  ];
  if (consoleAddress !== undefined) {
    const handler = createConsoleProxy(consoleAddress, admit, logger);
    pages.push({ path: '/console', below: true, handler });
  }
  return pages;
}

/** One file of the viewer; its own index page would load an example from elsewhere. */
function asset(name: string, type: string): () => PageAnswer {
  const read = lazy(() =>
    readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name)),
  );
  return () => ({ type, body: read(), headers: KEPT_AN_HOUR });
}

/** The pages of docs/ below `/docs/`, by their path there. */
function guidePages(admit: PagesOptions['admit']): PathBeside {
  const guide = createGuide();
  const answer = (request: IncomingMessage): PageAnswer => {
    const path = (request.url ?? '').replace(/^\/|[?#].*$/g, '');
    if (path === '') return redirectTo('/docs');
    const body = guide.read(path);
    if (body !== undefined) return { type: HTML_TYPE, body, headers: DOCS_HEADERS };
    throw new AppError('NOT_FOUND', {
      publicMessage: 'This page does not exist. /docs has a list of all.',
    });
  };
  return page('/docs', answer, { admit, below: true });
}

function redirectTo(path: string): PageAnswer {
  return { status: 302, type: HTML_TYPE, body: '', headers: { Location: path } };
}

/** Made when it is first asked for: few processes ever are, and starting should be quick. */
function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface PageAnswer {
  /** 200 when absent. */
  readonly status?: number;
  readonly type: string;
  /** From memory: a file that is read for each answer is one more thing that a client holds. */
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface PageRules {
  readonly admit?: PagesOptions['admit'];
  /** Whether everything below the path is answered too; `request.url` is relative to it then. */
  readonly below?: boolean;
}

function page(
  path: string,
  answer: (request: IncomingMessage) => PageAnswer,
  { admit, below = false }: PageRules = {},
): PathBeside {
  const serve = async (request: IncomingMessage, exchange: HttpExchange) => {
    try {
      await admit?.(exchange);
      if (!READS.has(request.method ?? '')) throw new AppError('METHOD_NOT_ALLOWED');
      const { status = 200, type, body, headers } = answer(request);
      Object.assign(exchange.headers, headers);
      exchange.send(status, type, body);
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === 'METHOD_NOT_ALLOWED') exchange.headers.Allow = [...READS].join(', ');
      exchange.sendFailure(failure);
    }
  };
  const handler: RequestHandler = (request, response) =>
    void serve(request, createHttpExchange(request, response, path.startsWith('/v1/')));
  return { path, below, handler };
}
