import { interroger, type Reponse } from './interroger.ts';

/** One lookup at a time of a form: what is asked, and how it ended. */
export class Recherche {
  /** The code asked for, as it was typed; `null` before the first and after one was given up. */
  code = $state<string | null>(null);
  /** `null` while it is under way. */
  reponse = $state.raw<Reponse | null>(null);
  #enCours: AbortController | null = null;

  /** Asks for a code in place of the one before; `null` when it was given up meanwhile. */
  async chercher(code: string): Promise<Reponse | null> {
    this.oublier();
    this.code = code;
    const controle = (this.#enCours = new AbortController());
    try {
      const reponse = await interroger(code, controle.signal);
      if (controle.signal.aborted) return null;
      return (this.reponse = reponse);
    } catch (erreur) {
      if (controle.signal.aborted) return null;
      throw erreur;
    }
  }

  /** Gives up what is under way, and takes what was answered off the screen. */
  oublier(): void {
    this.#enCours?.abort();
    this.#enCours = null;
    this.code = null;
    this.reponse = null;
  }
}
