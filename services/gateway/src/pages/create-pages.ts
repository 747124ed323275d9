import { dirname } from 'node:path';
import type { Logger } from '@tollgate/core';
import type { Readiness } from '@tollgate/lifecycle';
import type { RequestHandler } from 'express';
import { createExchange, JSON_TYPE } from '../http/exchange';
import type { Page } from '../routes/create-application';
import type { Route } from '../routes/route';
import { createConsoleProxy } from './console-proxy';
import { createOpenApiDocument } from './openapi';

/** What the pages beside the API need. */
export interface PagesOptions {
  readonly routes: readonly Route[];
  readonly readiness: () => Readiness;
  /** Undefined when no console runs. */
  readonly consoleAddress: string | undefined;
  readonly logger: Logger;
}

const VERSION = '1.0.0';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

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
  let document: string | undefined;
  const openApi = () => {
    // Made when it is first asked for: few processes ever are, and starting should be quick.
    document ??= JSON.stringify(createOpenApiDocument(options.routes, VERSION));
    return { status: 200, type: JSON_TYPE, body: document };
  };
  const { consoleAddress } = options;
  const pages: Page[] = [
    page('/v1/openapi.json', openApi),
    page('/livez', () => ({ status: 200, type: JSON_TYPE, body: '{"live":true}' })),
    page('/readyz', () => {
      const { ready } = options.readiness();
      return { status: ready ? 200 : 503, type: JSON_TYPE, body: JSON.stringify({ ready }) };
    }),
    page('/', () => ({ status: 302, type: HTML, body: '', location: '/console/' })),
    page('/docs', docsPage),
    page('/docs/open.js', () => ({ status: 200, type: SCRIPT, body: DOCS_SCRIPT })),
    asset('swagger-ui.css'),
    asset('swagger-ui-bundle.js'),
  ];
  if (consoleAddress !== undefined) {
    const handler = createConsoleProxy(consoleAddress, options.logger);
    pages.push({ path: '/console', below: true, handler });
  }
  return pages;
}

/** One file of the viewer; its own index page would load an example from elsewhere. */
function asset(name: string): Page {
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  const handler: RequestHandler = (_request, response) => {
    response.sendFile(name, { root, maxAge: '1h' });
  };
  return { path: `/docs/${name}`, below: false, handler };
}

interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
  readonly policy?: string;
}

function docsPage(): PageAnswer {
  return { status: 200, type: HTML, body: DOCS_PAGE, policy: DOCS_POLICY };
}

function page(path: string, answer: () => PageAnswer): Page {
  const handler: RequestHandler = (request, response) => {
    const exchange = createExchange(request, response, path.startsWith('/v1/'));
    const { status, type, body, location, policy } = answer();
    exchange.headers['X-Content-Type-Options'] = 'nosniff';
    if (location !== undefined) exchange.headers.Location = location;
    if (policy !== undefined) exchange.headers['Content-Security-Policy'] = policy;
    exchange.send(status, type, body);
  };
  return { path, below: false, handler };
}
