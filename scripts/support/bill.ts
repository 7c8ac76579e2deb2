import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Parse } from 'typebox/value';
import manifest from '../../package.json' with { type: 'json' };
import { CLIENT_PACKAGES } from './client-build.ts';
import { SERVER_PACKAGES } from './server-build.ts';
import type { Build } from './commit.ts';

export interface Material {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier; absent if only a text states the licence. */
  readonly licence?: string;
  readonly author?: string;
  readonly parts?: readonly string[];
  readonly texts?: readonly string[];
  readonly inside?: readonly Material[];
}

export const LICENCE_FILE = /^(?:license|licence|copying|notice|copyright)/i;

const Versions = Type.Record(Type.String(), Type.String());
const Person = Type.Union([Type.String(), Type.Object({ name: Type.String() })]);
const Package = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.String(),
  author: Type.Optional(Person),
  devDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type Package = Static<typeof Package>;

/**
 * The contents of an archive by name: packages bundled into client and service, and those of the archive's own
 * `node_modules`.
 *
 * @param folder the staged archive
 */
export function materialsOf(folder: string): Material[] {
  const own = globSync(join(folder, 'node_modules/{*,@*/*}/package.json')).map(dirname);
  const lists: Readonly<Record<string, readonly string[]>> = {
    client: readLines(CLIENT_PACKAGES),
    server: readLines(SERVER_PACKAGES),
    node_modules: own,
  };
  const found = new Map<string, Material>();
  for (const [part, folders] of Object.entries(lists))
    for (const one of folders.map(readPackage)) {
      const key = `${one.name}@${one.version}`;
      found.set(key, { ...one, parts: [...(found.get(key)?.parts ?? []), part] });
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, material]) => material);
}

const readLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

function readPackage(folder: string): Material {
  const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const said = Parse(Package, read);
  const { name, version, license: licence, author } = said;
  return {
    name,
    version,
    licence,
    ...(author !== undefined && { author: typeof author === 'string' ? author : author.name }),
    texts: licenceTexts(folder),
    inside: insideOf(said, folder),
  };
}

/** `libvips` has a table of its libraries and their licences. */
function licenceTexts(folder: string): string[] {
  const isTold = folder.includes('sharp-libvips') ? /^readme/i : LICENCE_FILE;
  const files = readdirSync(folder).filter((file) => isTold.test(file));
  return files.sort().map((file) => ownPart(readFileSync(join(folder, file), 'utf8')));
}

/** Removes the licences of code that a build tool bundles into itself, but not into its output. */
const ownPart = (text: string): string => text.split(/^# Licenses of bundled/m)[0]?.trim() ?? '';

/** Code compiled or copied into a package, which no other manifest lists. */
function insideOf({ name, devDependencies }: Package, folder: string): Material[] {
  const found = (path: string, version: RegExp): string =>
    version.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  if (name.includes('sharp-libvips'))
    return Object.entries(
      Parse(Versions, JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8'))),
    ).map(([library, version]) => ({ name: library, version }));
  if (name === 'better-sqlite3') {
    const header = 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h';
    const version = found(header, /^#define SQLITE_VERSION +"([^"]+)"/m);
    return [{ name: 'sqlite', version, licence: 'blessing' }];
  }
  if (name === 'zxing-wasm') {
    const version = found(join(folder, 'dist/es/share.js'), /"([0-9a-f]{40})"/);
    return [{ name: 'zxing-cpp', version, licence: 'Apache-2.0' }];
  }
  const page = devDependencies?.['swagger-ui-dist'];
  return page === undefined
    ? []
    : [{ name: 'swagger-ui-dist', version: page, licence: 'Apache-2.0' }];
}

/** A bill of materials in CycloneDX; the same for two archives of one build. */
export function billOf({ version, date }: Build, materials: readonly Material[]): string {
  const { name, license, description } = manifest;
  return JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: date,
        component: {
          type: 'application',
          'bom-ref': name,
          name,
          version,
          description,
          licenses: [{ license: { id: license } }],
        },
      },
      components: materials.map((material) => component(material)),
      dependencies: [{ ref: name, dependsOn: materials.map(refOf) }],
    },
    null,
    2,
  );
}

/** The package URL of npm; material inside another package is named after that. */
const refOf = ({ name, version }: Material): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component(material: Material, within = ''): object {
  const { name, version, licence, parts = [], inside = [] } = material;
  const ref = within === '' ? refOf(material) : `${within}#${name}`;
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    ...(within === '' && { purl: ref }),
    ...(licence !== undefined && { licenses: [{ license: { id: licence } }] }),
    ...(parts.length > 0 && {
      properties: parts.map((value) => ({ name: 'rayonnage:part', value })),
    }),
    ...(inside.length > 0 && { components: inside.map((each) => component(each, ref)) }),
  };
}
