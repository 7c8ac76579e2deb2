import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { notes } from '$lib/sync/this-device';
import { report } from '$lib/sync/report';
import { lireBibliotheque } from '#shared/bibliotheque';

const NOTE = 'bibliotheque';

/** The page that a service worker keeps may bear an older name than the one that this device has noted. */
const tag = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
const noted = notes.get(NOTE);
let nom = $state(typeof noted === 'string' ? noted : (tag?.content ?? m.application()));

/** What the household calls its library (docs/rules.md § 31), reactive. */
export const libraryName = (): string => nom;

export function keepLibraryName(given: string): void {
  nom = given;
  notes.set(NOTE, given);
}

export function refreshLibraryName(): void {
  call(lireBibliotheque, {}).then(
    (answer) => keepLibraryName(answer.nom),
    (error: unknown) => report(error, 'asking for the name of the library'),
  );
}

export const windowTitle = (titre: string): string => m.screen_title({ titre, bibliotheque: nom });
