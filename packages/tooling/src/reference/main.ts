import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../repository';
import { REFERENCE_FOLDER, renderReferencePages } from './reference-pages';

/** Writes the reference anew, so that a page that is no longer made does not stay behind. */
const folder = join(ROOT, REFERENCE_FOLDER);
const pages = renderReferencePages();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
