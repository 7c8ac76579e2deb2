import { m } from '#messages';
import { rmSync } from 'node:fs';
import { LOCALES, type Locale } from '#shared/locale';
import { clientTargets, makeTypesIfStale, staleClients } from './client-build.ts';
import { patiently } from './patience.mjs';
import { serverTarget } from './server-build.ts';
import { isInstant, readBuildSettings, type BuildSettings } from './settings.ts';
import { packSource } from './source.ts';
import { isStale, makeAll, type Target } from './targets.ts';

const SOURCE = 'build/client/source.tar.gz';

export async function build(): Promise<void> {
  const settings = checkedSettings();
  await patiently(
    building(LOCALES),
    makeApplication([...clientTargets(settings), serverTarget(settings)]),
  );
  giveSource(settings);
}

/**
 * Builds every missing or stale target. A build is stale if its sources have changed, or a setting given now differs;
 * a setting that is not given now does not make a build stale.
 *
 * @param locales the required languages of the application
 */
export async function buildIfStale(locales: readonly Locale[] = LOCALES): Promise<void> {
  const settings = checkedSettings();
  const clients = staleClients(settings, locales);
  const stale = [...clients, ...[serverTarget(settings)].filter(isStale)];
  if (stale.length === 0) return;
  await (clients.length === 0
    ? makeAll(stale)
    : patiently(building(clients.map(({ locale }) => locale)), makeApplication(stale)));
  giveSource(settings);
}

/** Builds the other languages while the library is open; the service finds them. */
export async function buildBehind(): Promise<void> {
  const clients = staleClients(checkedSettings());
  if (clients.length === 0) return;
  const language = listed(clients.map(({ locale }) => locale));
  console.log(m.operator_build_behind({ language }));
  await makeApplication(clients);
  console.log(m.operator_build_behind_done({ language }));
}

async function makeApplication(targets: readonly Target[]): Promise<void> {
  // The tsconfig at the root extends Kit's, which the build of the base would write while the other languages read it.
  await makeTypesIfStale();
  await makeAll(targets);
}

const building = (locales: readonly Locale[]): string =>
  m.operator_build_application({ language: listed(locales) });

function listed(locales: readonly Locale[]): string {
  const names = new Intl.DisplayNames(m.intl_locale(), { type: 'language' });
  return new Intl.ListFormat(m.intl_locale()).format(
    locales.map((locale) => names.of(locale) ?? locale),
  );
}

function checkedSettings(): BuildSettings {
  const settings = readBuildSettings();
  const text = settings.BUILD_DATE;
  if (text !== undefined && !isInstant(text))
    throw new Error(m.operator_build_date_wrong({ text }));
  return settings;
}

/** Puts the source archive beside the application, unless it is published elsewhere. */
function giveSource({ SOURCE_URL }: BuildSettings): void {
  if (SOURCE_URL === undefined) packSource(SOURCE);
  else rmSync(SOURCE, { force: true });
}
