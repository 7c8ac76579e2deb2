import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** The folder of a module’s package, in the deepest `node_modules` of its path. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Code that tools generate, by the beginning of its path. */
const WRITTEN: readonly (readonly [path: string, folder: string])[] = [
  ['\0vite/', 'node_modules/vite'],
  ['\0rolldown/', 'node_modules/rolldown'],
  ['src/lib/paraglide/', 'node_modules/@inlang/paraglide-js'],
  ['.cache/messages/', 'node_modules/@inlang/paraglide-js'],
];

/**
 * Writes the folders of the packages that contribute to a bundle into a file, one per line: by code that is left in
 * the bundle, or by an emitted file.
 */
export function noteMaterials(file: string): Plugin {
  return {
    name: 'note-materials',
    generateBundle(_options, bundle) {
      const paths = Object.values(bundle).flatMap((part) =>
        part.type === 'asset'
          ? part.originalFileNames
          : Object.keys(part.modules).filter((path) => part.modules[path]?.renderedLength !== 0),
      );
      const folders = new Set(paths.map(packageOf).filter((folder) => folder !== null));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, [...folders].sort().join('\n'));
    },
  };
}

function packageOf(path: string): string | null {
  const here = path.startsWith('\0') ? path : relative('.', path);
  const written = WRITTEN.find(([start]) => here.startsWith(start));
  return written?.[1] ?? PACKAGE.exec(`/${here}`)?.[0].slice(1) ?? null;
}
