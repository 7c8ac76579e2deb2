import { afterNavigate, goto } from '$app/navigation';
import { page } from '$app/state';

/** Browsers ignore or refuse more than some hundred changes of the address in half a minute. */
const INTERVALLE = 350;

/**
 * The search text of a screen, kept in the address under `recherche`. A keystroke changes it at
 * once and replaces the address after the paint; back and forward bring the older text back.
 */
export class RechercheDansAdresse {
  #texte = $state(lire());
  #attente: ReturnType<typeof setTimeout> | undefined;
  #derniere = 0;

  /** To be made while a component is set up. */
  constructor() {
    afterNavigate(({ type }) => {
      if (type !== 'goto') this.#texte = lire();
    });
  }

  get texte(): string {
    return this.#texte;
  }

  set texte(texte: string) {
    this.#texte = texte;
    if (scrollY > 0) scrollTo(0, 0);
    clearTimeout(this.#attente);
    const reste = INTERVALLE - (Date.now() - this.#derniere);
    // The answer is painted first: some browsers take their time over an address.
    requestAnimationFrame(() => {
      clearTimeout(this.#attente);
      this.#attente = setTimeout(() => this.#ecrire(), Math.max(0, reste));
    });
  }

  /** Forgets a keystroke that the address has not seen yet, where the screen changes it itself. */
  reprendre(texte: string): void {
    clearTimeout(this.#attente);
    this.#texte = texte;
  }

  #ecrire(): void {
    this.#derniere = Date.now();
    void changerAdresse({ recherche: this.#texte }, { remplacer: true });
  }
}

/** Changes parameters of the address, an empty one goes; the focus stays, a new list begins anew. */
export function changerAdresse(
  parametres: Readonly<Record<string, string>>,
  { remplacer = false } = {},
): Promise<void> {
  const url = new URL(page.url);
  for (const [nom, valeur] of Object.entries(parametres)) {
    if (valeur === '') url.searchParams.delete(nom);
    else url.searchParams.set(nom, valeur);
  }
  return goto(url, { replaceState: remplacer, keepFocus: true, noScroll: remplacer });
}

const lire = (): string => page.url.searchParams.get('recherche') ?? '';
