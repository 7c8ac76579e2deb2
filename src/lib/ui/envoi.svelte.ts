import { ApiError, type Refus } from '../api/error.ts';
import { m } from '../paraglide/messages.js';

/** One write at a time of a screen: whether it is under way, and in a sentence why it failed. */
export class Envoi {
  enCours = $state(false);
  erreur = $state<string | null>(null);
  /** The rule that said no, for the screens that show more of it than its sentence. */
  refus = $state.raw<Refus | null>(null);

  /** Does the work and tells whether it was done; a failure stays here, what was typed in the form. */
  async faire(travail: () => Promise<unknown>): Promise<boolean> {
    if (this.enCours) return false;
    this.enCours = true;
    this.oublier();
    try {
      await travail();
      return true;
    } catch (erreur) {
      this.erreur = erreur instanceof ApiError ? erreur.message : m.erreur_inattendue();
      if (!(erreur instanceof ApiError)) throw erreur;
      this.refus = erreur.refus;
      return false;
    } finally {
      this.enCours = false;
    }
  }

  oublier(): void {
    this.erreur = null;
    this.refus = null;
  }
}
