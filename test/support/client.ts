import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from './database.ts';

export const POLICY = "default-src 'self'; script-src 'self' 'sha256-abc='";
export const SHELL = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${POLICY}"><title>Rayonnage</title><meta name="application-name" content="Rayonnage" /></head><body><div id="skeleton" aria-hidden="true"><p>Rayonnage</p></div>${'<br>'.repeat(300)}</body></html>`;

/** The HTML of the client's English build. */
export const ENGLISH_SHELL = SHELL.replace('lang="fr"', 'lang="en"').replace(
  'sha256-abc=',
  'sha256-def=',
);

export function builtClient(version?: unknown): string {
  const folder = temporaryFolder();
  const files: Record<string, string> = {
    'shell.html': SHELL,
    'service-worker.js': 'self;',
    'shell.en.html': ENGLISH_SHELL,
    'manifest.webmanifest':
      '{"id":"/","name":"Rayonnage","lang":"locale","shortcuts":[{"name":"manifest_scan"}]}',
    '_app/version.json': '{}',
    '_app/immutable/entry.[hash].js': 'export {};'.repeat(100),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    writeFileSync(`${path}.br`, brotliCompressSync(text));
    writeFileSync(`${path}.gz`, gzipSync(text));
  }
  if (version !== undefined)
    writeFileSync(
      join(folder, 'version.json'),
      typeof version === 'string' ? version : JSON.stringify(version),
    );
  return folder;
}
