import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Parse } from 'typebox/value';

/**
 * `npm run prove -- licences`: the licence of every installed package, and whether a program under the AGPL, version 3
 * or later, may be distributed with it.
 */

/** Licences that require a notice at most, or that are compatible with the AGPL. */
const COMPATIBLE =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|BSD|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|Zlib|OFL-1\.1|CC-BY-[34]\.0|MPL-2\.0|LGPL-[23].*|AGPL-3\.0.*|GPL-3\.0.*|WTFPL)$/;

/** Tools without a licence text, or with another one; no part of them is distributed. */
const TOOLS = new Set([
  '@cspell/dict-en-common-misspellings',
  '@inlang/plugin-message-format',
  'sqlite-wasm-kysely',
]);

const Kind = Type.Object({ type: Type.Optional(Type.String()) });
const Package = Type.Object({
  license: Type.Optional(Type.Union([Type.String(), Kind])),
  licenses: Type.Optional(Type.Array(Kind)),
});
const Lock = Type.Object({
  packages: Type.Record(Type.String(), Type.Object({ dev: Type.Optional(Type.Boolean()) })),
});

const lock = Parse(Lock, readJson('package-lock.json'));
const byLicence = new Map<string, string[]>();
for (const [path, { dev = false }] of Object.entries(lock.packages)) {
  const file = join(path, 'package.json');
  // Packages for other platforms are not installed.
  if (path === '' || !existsSync(file)) continue;
  const named = licenceOf(Parse(Package, readJson(file)));
  const name = path.replace(/^.*node_modules\//, '') + (dev ? '' : ' (served)');
  byLicence.set(named, [...(byLicence.get(named) ?? []), name]);
}

let doubtful = 0;
let count = 0;
for (const [licence, names] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
  const unclear = isCompatible(licence) ? [] : names.filter((name) => !TOOLS.has(name));
  doubtful += unclear.length;
  count += names.length;
  console.log(`${unclear.length === 0 ? '✓' : '✗'} ${licence}: ${String(names.length)}`);
  console.log(`    ${[...new Set(names)].sort().join(', ')}`);
}
const end = doubtful === 0 ? 'each goes with the AGPL' : `of ${String(doubtful)} it is not clear`;
console.log(`licences: ${String(count)} packages, ${end}`);
process.exitCode = doubtful === 0 ? 0 : 1;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function licenceOf({ license, licenses }: Static<typeof Package>): string {
  if (typeof license === 'string') return license;
  const types = [license, ...(licenses ?? [])].map((one) => one?.type ?? '').filter(Boolean);
  return types.join(' OR ') || 'none said';
}

/** With alternatives (OR) one compatible licence is enough; with AND all have to be compatible. */
function isCompatible(licence: string): boolean {
  const plain = licence.replace(/[()]/g, '');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isCompatible);
  return plain.split(' AND ').every((part) => COMPATIBLE.test(part.trim()));
}
