const DUREE = 6000;

/** What has just been done, told for a moment in the one status line of the frame. */
class Annonces {
  texte = $state('');
  #minuterie: ReturnType<typeof setTimeout> | undefined;

  dire(texte: string): void {
    this.texte = texte;
    clearTimeout(this.#minuterie);
    this.#minuterie = setTimeout(() => (this.texte = ''), DUREE);
  }
}

export const annonces = new Annonces();
