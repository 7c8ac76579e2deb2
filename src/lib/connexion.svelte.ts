import { lireMoi, type Moi } from '#shared/moi';
import { lireSante } from '#shared/sante';
import { lireVersion } from '#shared/version';
import { m } from '$lib/paraglide/messages';
import { call } from './api/call.ts';
import { lien, type EtatLien } from './api/lien.ts';
import { Guet } from './guet.ts';
import { derniereMiseAJour, dernierLecteur, retenirLecteur, retenirMiseAJour } from './memoire.ts';
import { appliquerMiseAJour, guetterMiseAJour } from './mises-a-jour.ts';
import { demanderDeGarder, ecouterLaPage } from './page-events.ts';
import { courante } from './replica/courante.ts';
import { Flux } from './replica/flux.ts';
import { LecteurChange } from './replica/lecteur.ts';

/** Whether the household's data can be changed, and why not. */
export type Ecriture = { possible: true } | { possible: false; raison: string };

/** How long a start waits to hear who is reading, in milliseconds; after that it is offline. */
const DELAI_IDENTITE = 4_000;

/** How long to leave a server alone that answers and fails, in milliseconds. */
const REPIT = 10_000;

const INCONNU: Moi = { utilisateur: null, email: null, nomComplet: null };

/** How this page stands with the server and with its reader, reactive. */
class Connexion {
  etat = $state<EtatLien>(lien.etat);
  /** When this device last knew everything that the server knew. */
  derniereMiseAJour = $state.raw<Date | null>(null);
  /** Who is reading; `null` while that is being asked, all its fields `null` when unknown. */
  moi = $state.raw<Moi | null>(null);
  /** True when a newer version of the application waits for the reader's word. */
  nouvelleVersion = $state(false);

  #verification: Promise<void> | null = null;
  /** Whose copy is open or opening; `undefined` before the first. */
  #lecteur: string | null | undefined = undefined;
  readonly #guet = new Guet(() => this.#sonder());
  readonly #flux = new Flux({
    surOuverture: () => void this.#tirer(),
    surRevision: (revision) => void this.#tirer(revision),
    surPanne: () => void this.#sonder(),
  });

  get ecriture(): Ecriture {
    if (this.etat === 'horsLigne') return { possible: false, raison: m.ecriture_hors_ligne() };
    if (this.etat === 'sessionExpiree')
      return { possible: false, raison: m.ecriture_session_expiree() };
    if (this.moi === null) return { possible: false, raison: m.ecriture_identification() };
    return { possible: true };
  }

  /** Called once, when the application starts. */
  demarrer(): void {
    lien.abonner((etat) => this.#suivreLien(etat));
    ecouterLaPage({
      surVisible: () => void this.#verifier(),
      surCache: () => this.#flux.fermer(),
      surReseau: () => void this.#verifier(),
      surAutreLecteur: () => {
        if (dernierLecteur()?.utilisateur !== this.#lecteur) void this.#changerDeLecteur();
      },
    });
    void guetterMiseAJour(() => (this.nouvelleVersion = true));
    void this.#verifier();
  }

  /** Signs in again: a full navigation past the service worker, back to this address. */
  seReconnecter(): void {
    const adresse = new URL(location.href);
    adresse.searchParams.set('connexion', '');
    location.assign(adresse);
  }

  /** Takes the newer version in every tab. */
  recharger(): void {
    void appliquerMiseAJour();
  }

  #verifier(): Promise<void> {
    this.#verification ??= this.#demanderQui().finally(() => (this.#verification = null));
    return this.#verification;
  }

  /** Asks who is reading, opens that reader's copy, and brings it up to the server. */
  async #demanderQui(): Promise<void> {
    try {
      const moi = await call(lireMoi, { delai: DELAI_IDENTITE });
      await this.#accueillir(moi);
      lien.etat = 'enLigne';
    } catch {
      // Whatever went wrong, nobody can be sure that a write would arrive.
      if (lien.etat === 'enLigne') lien.etat = 'horsLigne';
      if (this.#lecteur === undefined) await this.#accueillir(dernierLecteur() ?? INCONNU);
      return;
    }
    if (document.visibilityState === 'visible') this.#flux.ouvrir();
    void this.#tirer();
    call(lireVersion, {}).then(
      (version) => courante.garder('version', version),
      () => undefined,
    );
  }

  async #accueillir(moi: Moi): Promise<void> {
    const { utilisateur } = moi;
    if (this.#lecteur !== utilisateur) {
      this.moi = null;
      this.#lecteur = utilisateur;
      retenirLecteur(moi);
      const verifier = () => this.#verifierLecteur(utilisateur);
      await courante.ouvrir({ utilisateur, verifier });
      if (this.#lecteur !== utilisateur) return;
      this.derniereMiseAJour = derniereMiseAJour(utilisateur);
    }
    this.moi = moi;
  }

  /** Personal pages are for the reader of the copy only: asks again who that is. */
  async #verifierLecteur(utilisateur: string | null): Promise<void> {
    const moi = await call(lireMoi, {});
    if (moi.utilisateur === utilisateur) return;
    void this.#changerDeLecteur();
    throw new LecteurChange();
  }

  /** Nothing of this reader is to be seen from here on: asks who it is instead. */
  async #changerDeLecteur(): Promise<void> {
    courante.fermer();
    this.moi = null;
    this.#lecteur = undefined;
    // What is being asked may be answered for the reader before.
    await this.#verification;
    await this.#verifier();
  }

  async #tirer(revision?: number): Promise<void> {
    const moi = this.moi;
    if (moi && (await courante.tirer(revision))) {
      this.derniereMiseAJour = new Date();
      retenirMiseAJour(moi.utilisateur, this.derniereMiseAJour);
      demanderDeGarder();
    } else if (this.etat === 'enLigne') setTimeout(() => void this.#tirer(), REPIT);
  }

  #suivreLien(etat: EtatLien): void {
    this.etat = etat;
    if (etat === 'horsLigne') this.#guet.commencer();
    else this.#guet.cesser();
    if (etat !== 'enLigne') this.#flux.fermer();
  }

  async #sonder(): Promise<void> {
    try {
      await call(lireSante, { delai: DELAI_IDENTITE });
    } catch {
      return;
    }
    await this.#verifier();
  }
}

export const connexion = new Connexion();
