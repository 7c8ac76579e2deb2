import { CatalogueSearch } from '$lib/recherche/catalogue-search.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { waitingWishes, type NewWish } from '$lib/records/souhaits/waiting.svelte';
import { Action } from '$lib/ui/action.svelte';
import { parseIsbn } from '#shared/isbn';
import type { Edition } from '#shared/candidats';
import { unsentCovers } from '$lib/couvertures/unsent.svelte';
import { RevueSouhaiteeEntry, SouhaitEntry } from '$lib/records/souhaits/entry';
import { ajouterRevueSouhaitee, ajouterSouhait } from '$lib/records/souhaits/kinds';
import type { Ranked } from '$lib/records/souhaits/view.svelte';

/** Which of the two lists a wish is for. */
export type SouhaitKind = 'livre' | 'revue';

/** Each wish is told with the rank that it has. */
const notice = (souhait: Ranked) => ({
  text: m.souhait_added_at_rang(souhait),
  href: href('/souhaits'),
});

/** The screen that adds one wish after another: both forms and what the catalogues answered. */
export class SouhaitAddition {
  livre = $state.raw(new SouhaitEntry(null));
  revue = $state.raw(new RevueSouhaiteeEntry(null));
  /** True where the typed code was a periodical's, which filled its form. */
  isRevueDetected = $state(false);
  /** A wish was added or noted: there is nothing left to give up. */
  hasAdded = $state(false);
  readonly action = new Action();
  readonly search = new CatalogueSearch();

  async searchTitre(): Promise<void> {
    if (!this.search.canAsk) return;
    this.reset();
    await this.search.byTitre(this.livre.text('titre'), this.livre.auteur);
  }

  /** Looks the typed code up and answers whose form to show: a periodical's fills the other one. */
  async searchIsbn(): Promise<SouhaitKind> {
    const isbn = this.livre.text('isbn');
    if (!this.search.canAsk || isbn.trim() === '') return 'livre';
    this.reset();
    if (parseIsbn(isbn) !== this.livre.prefilled.code) this.livre.clearPrefilled();
    const result = await this.search.byIsbn(isbn);
    if (result?.outcome === 'invalid') {
      this.search.reset();
      this.livre.errors = { isbn: result.message };
    }
    if (result?.outcome === 'one' && result.candidats[0] !== undefined)
      this.select(result.candidats[0]);
    if (result?.outcome !== 'revue') return 'livre';
    this.search.reset();
    this.livre.setText('isbn', '');
    this.revue.setText('issn', result.issn);
    if (result.titre !== null) this.revue.setText('titre', result.titre);
    this.isRevueDetected = true;
    return 'revue';
  }

  select(candidat: Edition): void {
    this.livre.fill(candidat);
    this.search.selected = candidat;
  }

  /** Adds the wish and clears the form; false if it was refused. */
  async save(kind: SouhaitKind): Promise<boolean> {
    const entry = this[kind];
    if (!entry.check()) return false;
    const isSaved = await this.action.run(async (unsent) => {
      if (kind === 'livre') await this.#ajouterLivre(unsent);
      else await ajouterRevueSouhaitee(this.revue.toSaisie(), { unsent, notice });
    });
    if (isSaved) {
      this.hasAdded = true;
      this.#clear(kind);
    } else if (entry.placeRefusal(this.action.refusal)) this.action.reset();
    return isSaved;
  }

  async #ajouterLivre(unsent: AbortSignal): Promise<void> {
    const { livre } = this;
    await unsentCovers.add(
      (batch) => ajouterSouhait(livre.toSaisie(), { batch, unsent, notice }),
      livre.image,
      ({ id, titre }) => ({ record: { kind: 'souhaits', id }, titre }),
      unsent,
    );
  }

  /** Keeps what is typed on this device, to be sent later, and clears the form; false where that failed. */
  note(kind: SouhaitKind): boolean {
    const entry = this[kind];
    if (!entry.check()) return false;
    const wish: NewWish =
      kind === 'livre'
        ? { kind, saisie: this.livre.toSaisie() }
        : { kind, saisie: this.revue.toSaisie() };
    const { titre } = wish.saisie;
    // A picture is too large to wait in what a browser keeps for a page.
    const hasImage = kind === 'livre' && this.livre.image !== null;
    const text = hasImage ? m.wish_noted_without_image({ titre }) : m.wish_noted({ titre });
    if (waitingWishes.has(wish)) entry.errors = { titre: m.wish_already_noted() };
    else if (!waitingWishes.note(wish, { text, href: href('/souhaits') }))
      this.action.error = m.wish_not_kept();
    else {
      this.hasAdded = true;
      this.#clear(kind);
      return true;
    }
    return false;
  }

  #clear(kind: SouhaitKind): void {
    this.reset();
    if (kind === 'livre') this.livre = new SouhaitEntry(null);
    else this.revue = new RevueSouhaiteeEntry(null);
  }

  /** Clears the answers of the catalogues and the errors, and leaves what is typed. */
  reset(): void {
    this.search.reset();
    this.action.reset();
    this.isRevueDetected = false;
    this.livre.errors = {};
    this.revue.errors = {};
  }
}
