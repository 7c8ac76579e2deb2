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

function instant(text: string): string {
  const date = new Date(text);
  if (!TIMESTAMP.test(text) || Number.isNaN(date.getTime()))
    throw new Error(
      `BUILD_DATE doit être un instant ISO 8601 avec son fuseau, comme 2026-11-20T08:00:00Z : « ${text} » n’en est pas un.`,
    );
  return date.toISOString();
}
