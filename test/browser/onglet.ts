import { auteurs } from '$lib/auteurs.svelte';
import { connexion } from '$lib/connexion.svelte';
import * as ecritures from '$lib/livres.svelte';
import { prets } from '$lib/prets.svelte';
import { changerStatut } from '$lib/statuts.svelte';
import { versionServeur } from '$lib/version.svelte';

/** The application without its screens, as one tab of the browser runs it. */
const application = { auteurs, connexion, prets, changerStatut, versionServeur, ...ecritures };

declare global {
  interface Window {
    application?: typeof application;
  }
}

window.application = application;
connexion.demarrer();
