import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { notes } from '$lib/sync/this-device';
import { report } from '$lib/sync/report';
import { lireBibliotheque } from '#shared/bibliotheque';

const NOTE = 'bibliotheque';

/** A page cached by the service worker may have an older name than the one stored on this device. */
const tag = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
const noted = notes.get(NOTE);
let nom = $state(typeof noted === 'string' ? noted : (tag?.content ?? m.application()));

/** The household's name for its library (docs/rules.md § 31), reactive. */
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
