import type { Version } from '#shared/version';

/** docs/rules.md § 32 */
const BUILD_SETTINGS = [
  'VERSION',
  'BUILD_DATE',
  'CONTACT_EMAIL',
  'AUTHOR_URL',
  'SOURCE_URL',
] as const;

export type BuildSettings = Partial<Record<(typeof BUILD_SETTINGS)[number], string>>;

export function readBuildSettings(): BuildSettings {
  const said = BUILD_SETTINGS.map((name) => [name, process.env[name]?.trim() ?? ''] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== ''));
}

/** A malformed timestamp is reported by `build.ts`; Vite's configuration reads this file, too. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * The published version of a build. A build without a timestamp or a number counts as unpublished (docs/rules.md § 32).
 *
 * @throws Error naming `BUILD_DATE` when it is no ISO 8601 timestamp with its time zone
 */
export function version({ VERSION, BUILD_DATE }: BuildSettings, construction: string): Version {
  const date = BUILD_DATE === undefined ? null : instant(BUILD_DATE);
  if (VERSION === undefined || date === null)
    return { numero: null, publiee: false, dateConstruction: null, construction };
  return { numero: VERSION, publiee: true, dateConstruction: date, construction };
}

/** The facts of the about page, as far as the build's settings give them. */
export function aboutFacts() {
  return {
    version: version(readBuildSettings(), process.env['BUILD_ID'] ?? ''),
    contact: process.env['CONTACT_EMAIL'] || null,
    site: process.env['AUTHOR_URL'] || null,
    source: process.env['SOURCE_URL'] || null,
  };
}

export const isInstant = (text: string): boolean =>
  TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text));

function instant(text: string): string {
  if (!isInstant(text)) throw new Error(`BUILD_DATE: ${text}`);
  return new Date(text).toISOString();
}
