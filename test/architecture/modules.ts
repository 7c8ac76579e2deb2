import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

/** A source file as the rules see it; paths are relative to the repository's root, with `/`. */
export interface Module {
  readonly path: string;
  /** The whole file, including a component's markup. */
  readonly text: string;
  /** The scripts only. */
  readonly source: string;
  /** Imported files of the project, and packages by name (`rxdb`, `node:fs`). */
  readonly imports: readonly string[];
}

/** The sources of these folders; by default client, server and shared code. */
export function readSources(folders = '{src,shared,server}'): Map<string, string> {
  const paths = globSync(`${folders}/**/*.{ts,js,svelte}`, {
    exclude: ['src/lib/paraglide'],
  });
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
}

/** Reads each source's imports: static and dynamic ones, types and re-exports. */
export function modules(sources: ReadonlyMap<string, string>): Module[] {
  return [...sources].map(([path, text]) => {
    const source = path.endsWith('.svelte') ? scripts(text) : text;
    const { importedFiles } = ts.preProcessFile(source, true, true);
    const imports = importedFiles.map(({ fileName }) => resolve(fileName, path, sources));
    return { path, text, source, imports };
  });
}

function scripts(component: string): string {
  return [...component.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)]
    .map(([, script]) => script)
    .join('\n');
}

function resolve(specifier: string, from: string, sources: ReadonlyMap<string, string>): string {
  const path = projectPath(specifier, from);
  if (path === null) return packageName(specifier);
  const endings = ['', '.ts', '.svelte.ts', '/index.ts', '.js'];
  const found = endings.map((ending) => path + ending).find((file) => sources.has(file));
  return found ?? path;
}

function projectPath(specifier: string, from: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  if (specifier.startsWith('$lib')) return specifier.replace('$lib', 'src/lib');
  if (specifier.startsWith('#')) return specifier.slice(1);
  return null;
}

/** `rxdb` for `rxdb/plugins/core`; a scoped package keeps its scope. */
function packageName(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
