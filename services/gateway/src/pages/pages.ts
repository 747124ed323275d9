import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Logger, toAppError } from '@tollgate/core';
import type { Readiness } from '@tollgate/lifecycle';
import type { RequestHandler } from 'express';
import { createHttpExchange, type HttpExchange, JSON_TYPE } from '../http/exchange';
import type { Page } from '../routes/application';
import type { Route } from '../routes/table';
import { createConsoleProxy } from './console-proxy';
import { createOpenApiDocument } from './openapi';

/** What the pages beside the API need. */
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
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

// Everything comes from our own origin; the viewer styles itself with inline attributes.
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tollgate API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/open.js"></script>
</body>
</html>
`;
const DOCS_SCRIPT =
  "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#docs', deepLinking: true });\n";

/** Probes, the document and its page, and the console. */
export function createPages(options: PagesOptions): readonly Page[] {
  const { admit, consoleAddress, logger, readiness, routes } = options;
  const openApi = once(() => JSON.stringify(createOpenApiDocument(routes, VERSION)));
  const counted = (path: string, answer: () => PageAnswer) => page(path, answer, admit);
  const pages: Page[] = [
    counted('/v1/openapi.json', () => ({ type: JSON_TYPE, body: openApi() })),
    page('/livez', () => ({ type: JSON_TYPE, body: '{"live":true}' })),
    page('/readyz', () => {
      const { ready } = readiness();
      return { status: ready ? 200 : 503, type: JSON_TYPE, body: JSON.stringify({ ready }) };
    }),
    page('/', () => ({ status: 302, type: HTML, body: '', headers: { Location: '/console/' } })),
    counted('/docs', () => ({
      type: HTML,
      body: DOCS_PAGE,
      headers: { 'Content-Security-Policy': DOCS_POLICY },
    })),
    counted('/docs/open.js', () => ({ type: SCRIPT, body: DOCS_SCRIPT })),
    counted('/docs/swagger-ui.css', asset('swagger-ui.css', STYLE)),
    counted('/docs/swagger-ui-bundle.js', asset('swagger-ui-bundle.js', SCRIPT)),
  ];
  if (consoleAddress !== undefined) {
    const handler = createConsoleProxy(consoleAddress, admit, logger);
    pages.push({ path: '/console', below: true, handler });
  }
  return pages;
}

/** One file of the viewer; its own index page would load an example from elsewhere. */
function asset(name: string, type: string): () => PageAnswer {
  const read = once(() =>
    readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name)),
  );
  return () => ({ type, body: read(), headers: { 'Cache-Control': 'public, max-age=3600' } });
}

/** Made when it is first asked for: few processes ever are, and starting should be quick. */
function once<Value>(make: () => Value): () => Value {
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

function page(path: string, answer: () => PageAnswer, admit?: PagesOptions['admit']): Page {
  const serve = async (exchange: HttpExchange) => {
    try {
      await admit?.(exchange);
      const { status = 200, type, body, headers } = answer();
      Object.assign(exchange.headers, headers);
      exchange.send(status, type, body);
    } catch (error) {
      exchange.sendFailure(toAppError(error));
    }
  };
  const handler: RequestHandler = (request, response) =>
    void serve(createHttpExchange(request, response, path.startsWith('/v1/')));
  return { path, below: false, handler };
}
