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
  const work = makeApplication([...clientTargets(settings), serverTarget(settings)]);
  await patiently(building(LOCALES), withSource(work, settings));
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
  const work = clients.length === 0 ? makeAll(stale) : makeApplication(stale);
  const whole = withSource(work, settings);
  await (clients.length === 0
    ? whole
    : patiently(building(clients.map(({ locale }) => locale)), whole));
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

/** Awaits a build, then puts the source archive beside the application, unless it is published elsewhere. */
async function withSource(work: Promise<void>, { SOURCE_URL }: BuildSettings): Promise<void> {
  await work;
  if (SOURCE_URL === undefined) await packSource(SOURCE);
  else rmSync(SOURCE, { force: true });
}
